import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { errorReply, type Plan } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from './vendors.ts';

/** A conversation whose vendor is called with another credential, by whichever process, and then with the first again. */
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `server: { workers: 4 }
providers:
  two: { base_url: "${vendor.url}", dialects: [openai-responses], models: [m], api_keys: [
    { name: one, key: "\${K1}" }, { name: other, key: "\${K2}" }] }`,
  env: { K1: 'sk-one', K2: 'sk-other' },
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const busy = errorReply(429, { message: 'Rate limit reached', type: 'rate_limit_error' });

/** A vendor where each account answers with a proof of its own, and `refused` answers none. */
function accounts(refused: string | null): Plan {
  return (request) => {
    const key = String(request.headers.authorization).replace('Bearer ', '');
    if (key === refused) return busy;
    const reasoning = { id: `rs_${key}`, text: 'Hm.', seal: `proof-of-${key}` };
    return scripted('openai-responses', [{ reasoning, text: 'Rain.', usage: { input: 5, output: 2 } }])(request);
  };
}

type Answered = { output: object[]; key: string; sent: string };

async function ask(path: string, body: object, refused: string | null): Promise<Answered> {
  vendor.forget();
  vendor.plan(accounts(refused));
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'two/m', ...body }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const last = vendor.requests.at(-1)!;
  const json = text.startsWith('{') ? JSON.parse(text) : finalEvent(text);
  const key = String(last.headers.authorization).replace('Bearer ', '');
  return { output: (field(json, 'output') ?? field(json, 'content')) as object[], key, sent: last.body.toString() };
}

function finalEvent(text: string): unknown {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return field(JSON.parse(events.at(-1)!.slice('data: '.length)), 'response');
}

const Q = { role: 'user', content: 'Weather?' };

for (const stream of [false, true]) {
  test(`each account gets its own proofs alone, ${stream ? 'streamed' : 'whole'}`, async () => {
    const first = await ask('/v1/responses', { input: [Q], store: false, stream }, null);
    const known = [Q, ...first.output, Q];
    const second = await ask('/v1/responses', { input: known, store: false, stream }, first.key);
    assert.notEqual(second.key, first.key);
    assert.doesNotMatch(second.sent, /proof-of|headgate-seal/);
    const input = [...known, ...second.output, Q];
    const third = await ask('/v1/responses', { input, store: false, stream }, second.key);
    assert.equal(third.key, first.key);
    assert.ok(third.sent.includes(`"proof-of-${first.key}"`), third.sent);
    assert.ok(!third.sent.includes(`proof-of-${second.key}`) && !third.sent.includes('headgate-seal'), third.sent);
  });
}

test('the same for a caller of messages', async () => {
  const max_tokens = 99;
  const first = await ask('/v1/messages', { messages: [Q], max_tokens }, null);
  const messages = [Q, { role: 'assistant', content: first.output }, Q];
  const second = await ask('/v1/messages', { messages, max_tokens }, first.key);
  assert.notEqual(second.key, first.key);
  assert.doesNotMatch(second.sent, /proof-of|headgate-seal/);
  const third = await ask('/v1/messages', { messages, max_tokens }, second.key);
  assert.ok(third.sent.includes(`"proof-of-${first.key}"`), third.sent);
});
