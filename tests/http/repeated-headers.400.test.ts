import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer } from '../support/raw-http.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

const KEY = `authorization: Bearer ${server.key}`;

async function send(...lines: string[]): Promise<RawAnswer> {
  using client = await connectRaw(server.url);
  await client.send(`${lines.join('\r\n')}\r\n\r\n`);
  return await client.answer();
}

async function refused(message: RegExp, ...lines: string[]): Promise<void> {
  const answer = await send(...lines);
  const { error } = JSON.parse(answer.body().toString());
  assert.deepEqual([answer.status, error.type, error.code], [400, 'invalid_request_error', 'invalid_http']);
  assert.match(error.message, message);
  assert.match(answer.header('x-request-id') ?? '', /^req_/);
  assert.equal(answer.header('service-version'), 'v1');
}

test('two Authorization headers, also the same twice, or in two cases', async () => {
  await refused(
    /`Authorization` stands twice/,
    'GET /v1/models HTTP/1.1',
    'host: a',
    KEY,
    'authorization: Bearer other',
  );
  await refused(/`Authorization` stands twice/, 'GET /v1/models HTTP/1.1', 'host: a', KEY, KEY);
  await refused(/`Authorization` stands twice/, 'GET /v1/models HTTP/1.1', 'host: a', KEY, KEY.toUpperCase());
});

test('two x-api-key headers', async () => {
  await refused(/`x-api-key` stands twice/, 'GET /v1/models HTTP/1.1', 'host: a', 'x-api-key: a', 'X-API-KEY: a');
});

test('two Host headers, whatever the path', async () => {
  for (const path of ['/v1/models', '/healthz', '/nothing']) {
    await refused(/`Host` stands twice/, `GET ${path} HTTP/1.1`, 'host: a', 'Host: b', KEY);
  }
});

test('no Host header; HTTP 1.0 knows none', async () => {
  await refused(/`Host` is missing/, 'GET /healthz HTTP/1.1', KEY);
  assert.equal((await send('GET /healthz HTTP/1.0')).status, 200);
});

test('other headers may stand twice', async () => {
  const answer = await send(
    'GET /v1/models HTTP/1.1',
    'host: a',
    KEY,
    'accept: a',
    'accept: b',
    'x-request-id: 1',
    'x-request-id: 2',
  );
  assert.equal(answer.status, 200);
});

test('bytes that are no HTTP', async () => {
  await refused(/not a valid HTTP request/, 'HELLO');
  await refused(/not a valid HTTP request/, 'BREW /v1/models HTTP/1.1', 'host: a');
  await refused(
    /not a valid HTTP request/,
    'POST /v1/models HTTP/1.1',
    'host: a',
    'content-length: 1',
    'content-length: 2',
  );
  await refused(/not a valid HTTP request/, 'GET /healthz HTTP/1.1', 'host: a', 'bad name: x');
  await refused(/could not be read/, 'GET /v1/models/%zz HTTP/1.1', 'host: a', KEY);
});

test('bytes that are no HTTP, behind a request that is still being answered', async () => {
  const body = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hi' }] });
  const head = ['POST /v1/chat/completions HTTP/1.1', 'host: a', KEY, 'content-type: application/json'];
  using client = await connectRaw(server.url);
  await client.send(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}HELLO\r\n\r\n`);
  assert.match((await client.answer()).body().toString(), /"content":"Hi"/);
  assert.equal((await client.answer()).status, 400);
});

test('an expectation that is not known is passed over', async () => {
  assert.equal((await send('GET /healthz HTTP/1.1', 'host: a', 'expect: the-unexpected')).status, 200);
});
