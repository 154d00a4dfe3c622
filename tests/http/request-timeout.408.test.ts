import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer } from '../support/raw-http.ts';

const REQUEST_MS = 300;

const server = await startHeadgate({ config: `timeouts: { request: ${REQUEST_MS}ms }` });
after(() => server[Symbol.asyncDispose]());

/** Sends a request that never arrives in full. */
async function expectTooLate(bytes: string): Promise<RawAnswer> {
  using client = await connectRaw(server.url);
  const startedAt = performance.now();
  await client.send(bytes);
  const answer = await client.answer();
  const { error } = JSON.parse(answer.body().toString());
  assert.deepEqual([answer.status, error.code], [408, 'request_timeout']);
  assert.ok(performance.now() - startedAt >= REQUEST_MS);
  return answer;
}

test('a head that does not end in time', async () => {
  const answer = await expectTooLate('GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: ');
  assert.match(answer.header('x-request-id') ?? '', /^req_/);
  assert.equal(answer.header('service-version'), 'v1');
  assert.equal(answer.header('connection'), 'close');
});

test('a body that does not end in time', async () => {
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.key}\r\n`;
  await expectTooLate(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"model":`);
  const { data } = await server.usage();
  assert.deepEqual(data, [], 'a call that never came has no record');
});
