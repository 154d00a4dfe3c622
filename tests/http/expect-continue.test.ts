import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';

const server = await startHeadgate({ config: 'limits: { max_body: 1MB }' });
after(() => server[Symbol.asyncDispose]());

const BODY = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hi' }] });
const CHAT = '/v1/chat/completions';
const HEADERS = {
  authorization: `Bearer ${server.key}`,
  'content-type': 'application/json',
  'content-length': String(BODY.length),
};

type Told = { continued: boolean; status: number | undefined; requestId: unknown; text: string };

/** Asks before it sends: the body leaves only once it is told to go on. */
async function askFirst(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Told> {
  const sent = request(server.url + path, { method, headers: { ...headers, expect: '100-continue' } });
  let continued = false;
  sent.on('continue', () => {
    continued = true;
    sent.end(BODY);
  });
  sent.flushHeaders();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  sent.destroy();
  return { continued, status: answer.statusCode, requestId: answer.headers['x-request-id'], text };
}

for (const [status, why, method, path, headers] of [
  [401, 'a key that is none', 'POST', CHAT, { authorization: 'Bearer x' }],
  [404, 'a path that is none', 'POST', '/v2/chat', {}],
  [405, 'a method that is not answered', 'PUT', CHAT, {}],
  [413, 'a length that is too large', 'POST', CHAT, { 'content-length': '2000000' }],
  [415, 'a body that is no JSON', 'POST', CHAT, { 'content-type': 'text/plain' }],
] as const) {
  test(`${why} is refused with ${status} before the body is asked for`, async () => {
    const told = await askFirst(method, path, { ...HEADERS, ...headers });
    assert.deepEqual([told.continued, told.status], [false, status], told.text);
    assert.match(String(told.requestId), /^req_/);
  });
}

test('what may come is asked for, and then answered', async () => {
  const told = await askFirst('POST', CHAT, HEADERS);
  assert.deepEqual([told.continued, told.status], [true, 200], told.text);
});
