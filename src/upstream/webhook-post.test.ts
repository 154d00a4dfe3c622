import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createWebhookPost } from './webhook-post.ts';

let port: number;
const received: { headers: Record<string, unknown>; body: string }[] = [];
let answer = 204;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(answer, { location: 'http://127.0.0.1:1/' });
  response.end('x'.repeat(100_000));
});
before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
});
after(() => receiver.close());

const send = (allowedHosts: readonly string[], url: string) =>
  createWebhookPost(() => allowedHosts)({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' });

test('what is not public gets no request, by address or by name, but where the operator allows its name', async () => {
  const fault = { fault: 'The address is not public.' };
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1']) {
    assert.deepEqual(await send([], `https://${host}:${port}/`), fault, host);
  }
  assert.deepEqual(await send([], `http://localhost:${port}/`), { fault: 'The address is not https.' });
  assert.equal(received.length, 0);
  assert.deepEqual(await send(['127.0.0.1'], `http://127.0.0.1:${port}/`), { status: 204 });
  assert.deepEqual(await send(['localhost'], `http://127.0.0.1:${port}/`), { fault: 'The address is not https.' });
  assert.equal(received.length, 1);
  assert.equal(received[0]?.headers['webhook-id'], 'evt_1');
  assert.equal(received[0]?.body, '{}');
});

test('a redirect is an answer, and an address that nobody is at a fault', async () => {
  answer = 302;
  assert.deepEqual(await send(['127.0.0.1'], `http://127.0.0.1:${port}/`), { status: 302 });
  assert.deepEqual(await send(['127.0.0.1'], 'http://127.0.0.1:1/'), { fault: 'It could not be sent: ECONNREFUSED.' });
});
