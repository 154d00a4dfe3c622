import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BadRequestError } from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { collect, rejection, startLab } from './lab.ts';

/** One request comes back every ten seconds, and 50 tokens each second. */
const lab = await startLab(`
providers: { lab: { base_url: "\${LAB_URL}", only: [{ id: lab-large, upstream: lab-large-2026 }] } }
limits: { requests_per_minute: 6, tokens_per_minute: 3000 }
`);
const { client, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const chat = { model: 'lab-large', messages: [{ role: 'user' as const, content: 'Hi' }], max_tokens: 100 };
const DURATION = /^(\d+h)?(\d+m)?(\d+(\.\d{1,3})?s)$|^\d{1,3}ms$/;

/** Of OpenAI's format: `6m0s`, `1.5s`, `20ms`. */
function seconds(text: string | null): number {
  assert.match(text ?? '', DURATION);
  const [, minutes = '0', rest = '0', ms] = /^(?:(\d+)m(?!s))?(?:([\d.]+)s|(\d+)ms)$/.exec(text ?? '') ?? [];
  return Number(minutes) * 60 + (ms === undefined ? Number(rest) : Number(ms) / 1000);
}

function checkCommon(headers: Headers): void {
  assert.match(headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/);
  assert.match(headers.get('service-organization') ?? '', /^org_/);
  assert.match(headers.get('service-processing-ms') ?? '', /^\d+$/);
  assert.equal(headers.get('service-version'), 'v1');
  assert.equal(headers.get('x-ratelimit-limit-requests'), '6');
  assert.equal(headers.get('x-ratelimit-limit-tokens'), '3000');
  for (const what of ['requests', 'tokens']) {
    assert.match(headers.get(`x-ratelimit-remaining-${what}`) ?? '', /^\d+$/);
    assert.match(headers.get(`x-ratelimit-reset-${what}`) ?? '', DURATION);
  }
}

function checkServed(headers: Headers): void {
  assert.deepEqual(
    ['provider', 'model', 'attempts'].map((name) => headers.get(`service-${name}`)),
    ['lab', 'lab-large-2026', '1'],
  );
}

test('an answer says who served it, and what is left of the key’s limits', async () => {
  vendor.plan(answer({ usage: { prompt_tokens: 1400, completion_tokens: 600 } }), { times: 1 });
  const { response, request_id } = await client.chat.completions.create(chat).withResponse();
  const { headers } = response;
  checkCommon(headers);
  checkServed(headers);
  assert.equal(headers.get('x-request-id'), request_id);
  assert.equal(headers.get('x-ratelimit-remaining-requests'), '5');
  assert(seconds(headers.get('x-ratelimit-reset-requests')) <= 10);
  // The 2000 tokens that were used are gone, not the few that were reserved.
  const left = Number(headers.get('x-ratelimit-remaining-tokens'));
  assert(left >= 1000 && left < 1500, `${left} tokens`);
  const reset = seconds(headers.get('x-ratelimit-reset-tokens'));
  assert(reset > 30 && reset <= 40, `${reset} s`);
});

test('a stream says so when it begins', async () => {
  const { data, response } = await client.chat.completions.create({ ...chat, stream: true }).withResponse();
  checkCommon(response.headers);
  checkServed(response.headers);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  await collect(data);
});

test('an error has the same headers', async () => {
  vendor.plan('bad-request', { times: 1 });
  const refused = await rejection(client.chat.completions.create(chat), BadRequestError);
  checkCommon(refused.headers);
  checkServed(refused.headers);
  const early = await rejection(client.post('/chat/completions', { body: { model: 'lab-large' } }), BadRequestError);
  checkCommon(early.headers);
  assert.equal(early.headers.get('service-provider'), null, 'nobody was asked');
});

test('so have lists, each of which is a request', async () => {
  const other = lab.clientWith((await lab.headgate.createKey()).key);
  const left: (string | null)[] = [];
  for (const path of ['/models', '/models/catalog', '/usage', '/models/lab-large']) {
    const { headers } = await other.get(path).asResponse();
    checkCommon(headers);
    left.push(headers.get('x-ratelimit-remaining-requests'));
  }
  assert.deepEqual(left, ['5', '4', '3', '2']);
});

test('a key in debt is out of it, and all of its tokens are back, in two minutes at most', async () => {
  vendor.plan(answer({ usage: { prompt_tokens: 9000, completion_tokens: 0 } }), { times: 1 });
  const { headers } = await client.chat.completions.create({ ...chat, max_tokens: 1 }).asResponse();
  assert.equal(headers.get('x-ratelimit-remaining-tokens'), '0');
  assert.match(headers.get('x-ratelimit-reset-tokens') ?? '', /^(2m0s|1m5[\d.]+s)$/);
});
