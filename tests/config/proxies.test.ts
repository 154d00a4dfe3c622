import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { listen } from '../../src/testing/listen.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider({ models: ['lab-small'] });

/** What the proxy was asked for, in the words of its request line. */
const asked: string[] = [];
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  void passToVendor(request, response);
});
proxy.on('connect', ({ url }, socket) => {
  asked.push(`CONNECT ${url}`);
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
const proxyUrl = `http://127.0.0.1:${await listen(proxy, 0)}`;
after(async () => {
  await vendor.close();
  proxy.close();
});

async function passToVendor(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${vendor.url}/chat/completions`, { method: 'POST', headers, body });
  response.writeHead(answer.status, headers).end(await answer.text());
}

/** The status of one call to a provider of this address, in a gateway with this environment. */
async function statusOf(baseUrl: string, env: Record<string, string>): Promise<number> {
  await using gateway = await startHeadgate({
    config: `providers: { lab: { base_url: "${baseUrl}", only: [lab-small] } }\nretries: { attempts: 1 }`,
    env,
  });
  const body = { model: 'lab-small', messages: [{ role: 'user', content: 'Hi' }] };
  return (await ask(`${gateway.url}/v1/chat/completions`, { key: gateway.key, body })).status;
}

test('a call to an http address is sent by HTTP_PROXY, which alone need know the vendor’s name', async () => {
  assert.equal(await statusOf('http://vendor.invalid/v1', { HTTP_PROXY: proxyUrl }), 200);
  assert.deepEqual(asked.splice(0), ['POST http://vendor.invalid/v1/chat/completions']);
});

test('a call to an https address asks HTTPS_PROXY for a tunnel; a proxy that refuses it is a 502', async () => {
  assert.equal(await statusOf('https://vendor.invalid/v1', { HTTPS_PROXY: proxyUrl }), 502);
  assert.deepEqual(asked.splice(0), ['CONNECT vendor.invalid:443']);
});

test('the name in lower case goes before the one in capitals', async () => {
  const env = { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: proxyUrl };
  assert.equal(await statusOf('http://vendor.invalid/v1', env), 200);
  assert.equal(asked.splice(0).length, 1);
});

test('a call to an address that NO_PROXY names goes there at once', async () => {
  assert.equal(await statusOf(vendor.url, { HTTP_PROXY: proxyUrl, NO_PROXY: '127.0.0.1' }), 200);
  assert.deepEqual(asked.splice(0), []);
});
