import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer, type RawClient } from '../support/raw-http.ts';
import { ask } from './client.ts';

const MAX_BODY = 1024 * 1024;
const HUGE = 100 * 1024 * 1024;
const PIECE = Buffer.alloc(1024 * 1024, 'x');

const server = await startHeadgate({ config: 'limits: { max_body: 1MB }' });
after(() => server[Symbol.asyncDispose]());

const CHAT = `${server.url}/v1/chat/completions`;

function head(...headers: string[]): string {
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: a',
    `authorization: Bearer ${server.key}`,
    'content-type: application/json',
  ];
  return `${[...lines, ...headers].join('\r\n')}\r\n\r\n`;
}

function assertTooLarge(answer: RawAnswer): void {
  assert.equal(answer.status, 413);
  const { error } = JSON.parse(answer.body().toString());
  assert.deepEqual([error.type, error.param, error.code], ['invalid_request_error', null, 'body_too_large']);
  assert.match(error.message, new RegExp(`larger than ${MAX_BODY} bytes`));
  assert.equal(answer.ending, 'complete');
  assert.match(answer.header('x-request-id') ?? '', /^req_/);
}

/** The caller sends to the end, as most do, and reads only then. */
async function sendAll(client: RawClient, frame: (piece: Buffer) => Buffer): Promise<void> {
  for (let sent = 0; sent < HUGE; sent += PIECE.length) await client.send(frame(PIECE));
}

async function answersAgain(client: RawClient): Promise<void> {
  await client.send('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
  assert.equal((await client.answer()).status, 200);
}

test('100 MB with their length: the answer can be read, and the connection used again', async () => {
  using client = await connectRaw(server.url);
  await client.send(head(`content-length: ${HUGE}`));
  await sendAll(client, (piece) => piece);
  assertTooLarge(await client.answer());
  await answersAgain(client);
});

test('100 MB in chunks, without a length: likewise', async () => {
  using client = await connectRaw(server.url);
  await client.send(head('transfer-encoding: chunked'));
  const end = Buffer.from('\r\n');
  await sendAll(client, (piece) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, end]));
  await client.send('0\r\n\r\n');
  assertTooLarge(await client.answer());
  await answersAgain(client);
});

test('a length that is too large is refused before the body comes', async () => {
  using client = await connectRaw(server.url);
  await client.send(head(`content-length: ${HUGE}`));
  assertTooLarge(await client.answer());
});

test('as many bytes as the limit says are taken, and one more is not', async () => {
  const bodyOf = (size: number) => {
    const empty = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hi' }], padding: '' });
    return empty.replace('"padding":""', `"padding":"${'x'.repeat(size - empty.length)}"`);
  };
  for (const [size, status] of [
    [MAX_BODY, 200],
    [MAX_BODY + 1, 413],
  ] as const) {
    const answer = await ask(CHAT, { key: server.key, body: bodyOf(size) });
    assert.equal(answer.status, status, answer.text.slice(0, 200));
  }
});

test('a stranger’s body is read away too', async () => {
  using client = await connectRaw(server.url);
  await client.send(head(`content-length: ${HUGE}`).replace(server.key, 'x'));
  await sendAll(client, (piece) => piece);
  assert.equal((await client.answer()).status, 401);
  await answersAgain(client);
});
