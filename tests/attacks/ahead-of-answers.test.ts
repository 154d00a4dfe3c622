import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';

const MOST = 100;
const REQUEST_MS = 500;

const vendor = await startFakeProvider();
const config = `
providers: { lab: { base_url: ${vendor.url}, only: [lab-small] } }
timeouts: { request: ${REQUEST_MS}ms }
`;
const start = (layer: string) => startHeadgate({ config, env: { HEADGATE_HTTP_LAYER: layer } });
const [fast, node] = await Promise.all([start('fast'), start('node')]);
after(async () => {
  for (const gateway of [fast, node]) await gateway[Symbol.asyncDispose]();
  await vendor.close();
});

for (const [layer, gateway] of [
  ['fast', fast],
  ['node', node],
] as const) {
  test(`requests sent far ahead of their answers end the connection, on the layer ${layer}`, async () => {
    const health = requestBytes('GET', '/healthz').toString();
    const last = requestBytes('GET', '/healthz', { connection: 'close' }).toString();
    const polite = await sent(gateway, health.repeat(MOST - 1) + last);
    assert.equal(polite.match(/HTTP\/1\.1 200/g)?.length, MOST);
    const greedy = await sent(gateway, health.repeat(10 * MOST));
    assert.ok((greedy.match(/HTTP\/1\.1 200/g) ?? []).length < 2 * MOST);
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);
  });
}

test('a request that comes too late is not refused in the middle of the answer before it, on the layer node', async () => {
  vendor.plan(insert(normal(), 3, 'hold'), { times: 1 });
  const body = { model: 'lab-small', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
  const call = requestBytes('POST', '/v1/chat/completions', { authorization: `Bearer ${node.key}` }, body).toString();
  // The second one's body never comes in full.
  const text = await sent(node, call + call.slice(0, -5));
  assert.match(text, /^HTTP\/1\.1 200/);
  assert.doesNotMatch(text.slice(1), /HTTP\/1\.1/);
  await vendor.waitFor(({ openCalls }) => openCalls() === 0);
});

for (const early of [1_000, 100_000]) {
  test(`a caller that leaves behind ${early} bytes of a further request is noticed`, async () => {
    vendor.plan('stall-before-body', { times: 1 });
    const client = await connectRaw(fast.url);
    const body = { model: 'lab-small', messages: [{ role: 'user', content: 'Hi' }] };
    await client.send(requestBytes('POST', '/v1/chat/completions', { authorization: `Bearer ${fast.key}` }, body));
    await vendor.waitFor(() => vendor.heldCalls() === 1);
    await client.send(Buffer.alloc(early, 'x'));
    client.leave();
    await vendor.waitFor(() => vendor.heldCalls() === 0);
  });
}

/** All that comes until the connection is closed. */
async function sent({ url }: Running, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}
