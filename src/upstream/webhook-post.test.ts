import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { isPublicAddress } from './private-networks.ts';
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

test('addresses of networks that are not public are told apart', () => {
  const refused = [
    '127.0.0.1',
    '127.255.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    '::1',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'no address',
  ];
  for (const address of refused) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '::ffff:1.1.1.1'])
    assert.equal(isPublicAddress(address), true, address);
});

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
