import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { connectRaw, requestBytes } from './raw-http.ts';

const CHAT = '/v1/chat/completions';
const BODY = { model: 'fake-small', messages: [] };

test('two answers on one connection, with a length and in chunks, are read apart', async () => {
  await using vendor = await startFakeProvider();
  using client = await connectRaw(vendor.url);
  await client.send(requestBytes('POST', CHAT, { 'x-odd': 'a: b' }, BODY));
  const whole = await client.answer();
  await client.send(requestBytes('POST', CHAT, {}, { ...BODY, stream: true }));
  const stream = await client.answer();
  assert.deepEqual([whole.status, whole.ending], [200, 'complete']);
  assert.equal(whole.header('Content-Type'), 'application/json');
  assert.equal(JSON.parse(whole.body().toString()).object, 'chat.completion');
  assert.equal(stream.ending, 'complete');
  assert.equal(stream.pieces.length, 11);
  assert.ok(stream.pieces.every(({ bytes }) => bytes.subarray(-2).equals(Buffer.from('\n\n'))));
  assert.ok(stream.pieces.every(({ atMs }, index) => atMs >= (stream.pieces[index - 1]?.atMs ?? 0)));
  assert.equal(vendor.requests[0]?.headers['x-odd'], 'a: b');
});

test('what breaks is told apart from what ends', async () => {
  await using vendor = await startFakeProvider();
  for (const [fault, ending] of [
    ['close', 'closed'],
    ['reset', 'reset'],
    ['truncated-close', 'complete'],
  ] as const) {
    using client = await connectRaw(vendor.url);
    await client.send(requestBytes('POST', CHAT, {}, { ...BODY, model: `fault:${fault}` }));
    assert.equal((await client.answer()).ending, ending);
  }
  using client = await connectRaw(vendor.url);
  await client.send(requestBytes('POST', CHAT, {}, { ...BODY, model: 'fault:reset-before-headers' }));
  await assert.rejects(client.head(), /the connection was reset before the head/);
});

test('a client can leave early, by closing or by a reset', async () => {
  await using vendor = await startFakeProvider();
  vendor.plan(insert(answer(), 3, 'hold'));
  for (const how of ['leave', 'reset'] as const) {
    using client = await connectRaw(vendor.url);
    await client.send(requestBytes('POST', CHAT, {}, { ...BODY, stream: true }));
    assert.equal((await client.bodyHas('"content":"Hello"')).ending, null);
    client[how]();
    await vendor.waitFor(({ openCalls }) => openCalls() === 0);
  }
  assert.equal(vendor.closedEarly, 2);
});

test('a client can stop reading, and start again', async () => {
  await using vendor = await startFakeProvider();
  using client = await connectRaw(vendor.url);
  await client.send(requestBytes('POST', CHAT, {}, { ...BODY, model: 'fault:flood', stream: true }));
  const answer = await client.bodyHas('xxx');
  client.pause();
  const before = answer.pieces.length;
  await (await fetch(`${vendor.url}/models`)).text();
  assert.equal(answer.pieces.length, before);
  client.resume();
  await client.bodyHas('x'.repeat(65_536));
  client.reset();
  await vendor.waitFor(({ openCalls }) => openCalls() === 0);
});
