import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer } from '../support/raw-http.ts';

const server = await startHeadgate({ config: 'limits: { max_header: 8KB }' });
after(() => server[Symbol.asyncDispose]());

async function send(header: string): Promise<RawAnswer> {
  using client = await connectRaw(server.url);
  await client.send(`GET /healthz HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`);
  return await client.answer();
}

test('headers larger than the setting, one or many', async () => {
  for (const header of [
    `x-long: ${'x'.repeat(8 * 1024)}`,
    Array.from({ length: 900 }, (_, n) => `x-${n}: xxxxxx`).join('\r\n'),
  ]) {
    const answer = await send(header);
    const { error } = JSON.parse(answer.body().toString());
    assert.deepEqual([answer.status, error.code], [431, 'headers_too_large']);
    assert.match(error.message, /larger than 8192 bytes/);
    assert.match(answer.header('x-request-id') ?? '', /^req_/);
    assert.equal(answer.header('service-version'), 'v1');
    assert.equal(answer.header('connection'), 'close');
  }
});

test('headers within it', async () => {
  assert.equal((await send(`x-long: ${'x'.repeat(7 * 1024)}`)).status, 200);
});
