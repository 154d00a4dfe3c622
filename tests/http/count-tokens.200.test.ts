import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { insert, jsonReply } from '../../src/testing/reply.ts';
import { startLab } from '../sdk/lab.ts';
import { startTranslationLab } from '../support/dialects.ts';
import { ask } from './client.ts';

const PATH = '/v1/messages/count_tokens';
const MESSAGES = [{ role: 'user', content: 'How many tokens are these words?' }];

const lab = await startTranslationLab('server: { drain: 1ms }\n');
const { vendor, headgate } = lab;
after(() => lab[Symbol.asyncDispose]());
beforeEach(() => vendor.forget());

const count = (model: string, headers: Record<string, string> = {}) =>
  ask(`${headgate.url}${PATH}`, { key: headgate.key, body: { model, messages: MESSAGES }, headers });

test('a vendor that speaks messages counts itself, asked with the caller’s version and betas', async () => {
  vendor.plan(() => jsonReply(200, { input_tokens: 1234 }), { path: PATH });
  const { status, json } = await count('anthropic-messages/m', {
    'anthropic-version': '2024-01-01',
    'anthropic-beta': 'a,b',
  });
  assert.deepEqual([status, json], [200, { input_tokens: 1234 }]);
  const sent = vendor.requests.at(-1);
  assert.deepEqual([sent?.path, sent?.json], [PATH, { model: 'm', messages: MESSAGES }]);
  assert.equal(sent?.headers['anthropic-version'], '2024-01-01');
  assert.equal(sent?.headers['anthropic-beta'], 'a,b');
});

test('where no vendor counts, the gateway does', async () => {
  const counts = [];
  for (const model of ['openai-chat/m', 'openai-responses/m']) counts.push((await count(model)).json);
  vendor.plan(() => jsonReply(404, { error: { message: 'no such path' } }), { path: PATH });
  counts.push((await count('anthropic-messages/m')).json);
  vendor.plan(() => jsonReply(200, { tokens: 'many' }), { path: PATH });
  counts.push((await count('anthropic-messages/m')).json);
  assert.deepEqual(counts, Array(4).fill({ input_tokens: 7 }));
});

test('a provider with no free slot is not asked: the gateway counts', async () => {
  await using narrow = await startLab(
    `providers: { lab: { base_url: "\${LAB_URL}", dialects: [anthropic-messages], only: [m], max_concurrency: 1 } }
server: { drain: 1ms }`,
  );
  const countNow = () =>
    ask(`${narrow.headgate.url}${PATH}`, { key: narrow.headgate.key, body: { model: 'm', messages: MESSAGES } });
  narrow.vendor.plan(() => jsonReply(200, { input_tokens: 1234 }), { path: PATH });
  assert.deepEqual((await countNow()).json, { input_tokens: 1234 });
  narrow.vendor.plan(
    insert(() => jsonReply(200, { input_tokens: 1234 }), 0, 'hold'),
    { path: PATH },
  );
  const held = countNow();
  await narrow.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  assert.deepEqual((await countNow()).json, { input_tokens: 7 });
  assert.equal(narrow.vendor.requests.length, 2);
  await narrow.headgate.stop();
  assert.deepEqual((await held).json, { input_tokens: 7 });
});

test('nothing is billed: there is no record', async () => {
  await count('openai-chat/m');
  assert.deepEqual((await headgate.usage()).data, []);
});

test('a vendor that does not answer does not hold up a stop', async () => {
  vendor.plan(
    insert(() => jsonReply(200, { input_tokens: 1 }), 0, 'hold'),
    { path: PATH },
  );
  const counted = count('anthropic-messages/m');
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  assert.equal(await headgate.stop(), 0);
  assert.deepEqual((await counted).json, { input_tokens: 7 });
});
