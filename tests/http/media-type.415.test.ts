import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw } from '../support/raw-http.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

const CHAT = `${server.url}/v1/chat/completions`;
const body = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hi' }] });

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'nonsense',
]) {
  test(`a body of ${type} is refused`, async () => {
    const answer = await ask(CHAT, { key: server.key, body, headers: { 'content-type': type } });
    assert.deepEqual([answer.status, errorOf(answer).code], [415, 'unsupported_media_type'], answer.text);
    assert.match(String(errorOf(answer).message), /application\/json/);
  });
}

test('a body of no type is refused', async () => {
  using client = await connectRaw(server.url);
  await client.send(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  assert.equal((await client.answer()).status, 415);
});

test('a body of an unknown packing is refused', async () => {
  const answer = await ask(CHAT, { key: server.key, body, headers: { 'content-encoding': 'lzma' } });
  assert.deepEqual([answer.status, errorOf(answer).code], [415, 'unsupported_media_type']);
});

for (const type of [
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/vnd.acme+json',
]) {
  test(`a body of ${type} is taken`, async () => {
    const answer = await ask(CHAT, { key: server.key, body, headers: { 'content-type': type } });
    assert.equal(answer.status, 200, answer.text);
  });
}

test('a body that is empty is no JSON', async () => {
  const answer = await ask(CHAT, { key: server.key, method: 'POST', headers: { 'content-type': 'application/json' } });
  assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_json']);
});
