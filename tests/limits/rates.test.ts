import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RateLimitError } from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { rejection, startLab } from '../sdk/lab.ts';

const CONFIG = `
providers: { lab: { base_url: "\${LAB_URL}", only: [lab-small, { id: lab-embed, dimensions: 8 }] } }
retries: { attempts: 1 }
`;
const lab = await startLab(CONFIG);
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const chat = { model: 'lab-small', messages: [{ role: 'user' as const, content: 'Hi' }] };

/** A header of this key's limits, as any answer shows it. */
async function remaining(key: string, what: 'requests' | 'tokens'): Promise<number> {
  const { headers } = await lab.clientWith(key).models.list().asResponse();
  return Number(headers.get(`x-ratelimit-remaining-${what}`));
}

test('a key makes as many requests per minute as it may, and no other key is held up', async () => {
  const { id, key } = await headgate.createKey('--requests-per-minute', '3');
  const client = lab.clientWith(key);
  const left: (string | null)[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { headers } = await client.chat.completions.create(chat).asResponse();
    left.push(headers.get('x-ratelimit-remaining-requests'));
    assert.equal(headers.get('x-ratelimit-limit-requests'), '3');
  }
  assert.deepEqual(left, ['2', '1', '0']);
  const before = vendor.requests.length;
  const calls = [
    () => client.chat.completions.create(chat),
    () => client.chat.completions.create({ ...chat, stream: true }),
    () => client.embeddings.create({ model: 'lab-embed', input: 'Hi' }),
  ];
  for (const call of calls) {
    const error = await rejection(call(), RateLimitError);
    assert.deepEqual([error.code, error.type], ['rate_limit_exceeded', 'requests']);
    const waitMs = Number(error.headers.get('retry-after-ms'));
    assert(waitMs > 0 && waitMs <= 20_000, `${waitMs} ms`);
    assert.equal(error.headers.get('retry-after'), `${Math.ceil(waitMs / 1000)}`);
    assert.equal(error.headers.get('x-should-retry'), 'true');
  }
  assert.equal(vendor.requests.length, before, 'the vendor was not asked');
  assert.equal((await lab.client.chat.completions.create(chat)).object, 'chat.completion');
  const { data } = await headgate.usage();
  assert.equal(data.filter(({ api_key_id }) => api_key_id === id).length, 3, 'a refused call has no record');
});

test('a call takes its prompt and its largest answer from the tokens, and gives back what it did not use', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '2000');
  const client = lab.clientWith(key);
  vendor.plan('slow-headers', { times: 1 });
  const open = client.chat.completions.create(chat).asResponse();
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  // 1024 for an answer without a maximum. What comes back meanwhile is 33 a second.
  const held = await remaining(key, 'tokens');
  assert(held > 700 && held < 976, `${held} left of 2000`);

  const error = await rejection(client.chat.completions.create(chat), RateLimitError);
  assert.deepEqual([error.code, error.type], ['rate_limit_exceeded', 'tokens']);
  const waitMs = Number(error.headers.get('retry-after-ms'));
  assert(waitMs > 0 && waitMs < 10_000, `${waitMs} ms`);
  const small = await client.chat.completions.create({ ...chat, max_tokens: 100 });
  assert.equal(small.object, 'chat.completion', 'what fits beside it is let in');

  vendor.release();
  const left = Number((await open).headers.get('x-ratelimit-remaining-tokens'));
  assert(left >= 2000 - 2 * 17, `${left}: each of the two used 17`);
  assert.equal((await client.chat.completions.create(chat)).usage?.total_tokens, 17);
});

test('a call that needs more than a minute’s tokens is never let in, and the client does not repeat it', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '500');
  const client = lab.clientWith(key);
  const tooLarge = [chat, { ...chat, max_tokens: 500 }, { ...chat, max_completion_tokens: 200, n: 3 }];
  for (const body of tooLarge) {
    const error = await rejection(client.chat.completions.create(body, { maxRetries: 2 }), RateLimitError);
    assert.deepEqual([error.code, error.type], ['rate_limit_exceeded', 'tokens']);
    assert.match(error.message, /so it is always refused/);
    assert.equal(error.headers.get('x-should-retry'), 'false');
    assert.equal(error.headers.get('retry-after'), '60');
  }
  assert.equal(await remaining(key, 'tokens'), 500, 'a refused call takes nothing');
  await client.chat.completions.create({ ...chat, max_completion_tokens: 100, n: 3 });
  const embedded = await client.embeddings.create({ model: 'lab-embed', input: 'Hi' });
  assert.equal(embedded.data.length, 1, 'vectors are no tokens');
});

test('a call that used more than was reserved leaves the key in debt', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '400');
  const client = lab.clientWith(key);
  vendor.plan(answer({ usage: { prompt_tokens: 900, completion_tokens: 1 } }), { times: 1 });
  await client.chat.completions.create({ ...chat, max_tokens: 1 });
  assert.equal(await remaining(key, 'tokens'), 0);
  await rejection(client.chat.completions.create({ ...chat, max_tokens: 1 }), RateLimitError);
});

test('a failed call gives everything back', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '2000');
  vendor.plan('server-error', { times: 1 });
  await assert.rejects(lab.clientWith(key).chat.completions.create(chat));
  assert.equal(await remaining(key, 'tokens'), 2000);
});

test('what an unlimited answer reserves, and the limits of a key that has none, are settings', async () => {
  await headgate.reload(`${CONFIG}limits: { default_max_output: 10, requests_per_minute: 5, tokens_per_minute: 100 }`);
  const { headers } = await lab.client.chat.completions.create(chat).asResponse();
  assert.deepEqual(
    [headers.get('x-ratelimit-limit-requests'), headers.get('x-ratelimit-limit-tokens')],
    ['5', '100'],
    'a call whose answer may have 10 tokens is let in',
  );
  await rejection(lab.client.chat.completions.create({ ...chat, max_tokens: 100 }), RateLimitError);
});
