import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { listen } from '../../src/testing/listen.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';
import { CHAT, callHeaders, errorOf, question } from './lab.ts';

const CONNECT_MS = 300;

/** A vendor that takes connections and never answers the TLS handshake, so that no connection is ever made. */
const vendor = createServer((socket) => {
  socket.on('error', () => undefined).resume();
});
const port = await listen(vendor, 0);
const gateway = await gatewayOf(CONNECT_MS);
/** It waits longer for the vendor than its callers do. */
const patient = await gatewayOf(20_000);
/** The same, but a call is over before. */
const hasty = await gatewayOf(20_000, `first_byte: ${CONNECT_MS}ms, whole: ${CONNECT_MS}ms`);
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await patient[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
  vendor.close();
});

for (const stream of [false, true]) {
  test(`${stream ? 'stream' : 'whole'}, a vendor that is not reached within connect: 502, and it is let go`, async () => {
    const accepted = once(vendor, 'connection') as Promise<[Socket]>;
    const startedAt = performance.now();
    using client = await connectRaw(gateway.url);
    await client.send(requestBytes('POST', CHAT, callHeaders(gateway, `connect-${stream}`), question(stream)));
    const [socket] = await accepted;
    const left = once(socket, 'close');
    const answer = await client.answer();
    assert.deepEqual([answer.status, errorOf(answer).code], [502, 'upstream_unreachable']);
    assert.equal(answer.header('x-should-retry'), 'true');
    assert.ok(performance.now() - startedAt >= CONNECT_MS);
    await left;
    const { data } = await gateway.usage();
    const [record] = data;
    assert.deepEqual([record?.error, record?.usage_source, record?.cost_usd], ['upstream_unreachable', 'none', 0]);
  });
}

for (const stream of [false, true]) {
  test(`${stream ? 'stream' : 'whole'}, a vendor that is not reached when its answer is due: 502, and nothing is charged`, async () => {
    const id = `due-${stream}`;
    using client = await connectRaw(hasty.url);
    await client.send(requestBytes('POST', CHAT, callHeaders(hasty, id), question(stream)));
    const answer = await client.answer();
    assert.deepEqual([answer.status, errorOf(answer).code], [502, 'upstream_unreachable']);
    const { usage_source, cost_usd } = await recordOf(hasty, id);
    assert.deepEqual([usage_source, cost_usd], ['none', 0]);
  });
}

for (const stream of [false, true]) {
  test(`${stream ? 'stream' : 'whole'}, a caller who leaves before the vendor is reached is charged nothing: nothing was sent`, async () => {
    const accepted = once(vendor, 'connection') as Promise<[Socket]>;
    const id = `left-${stream}`;
    using client = await connectRaw(patient.url);
    await client.send(requestBytes('POST', CHAT, callHeaders(patient, id), question(stream)));
    const [socket] = await accepted;
    const left = once(socket, 'close');
    client.leave();
    await left;
    const { status, usage_source, input_tokens, cost_usd } = await recordOf(patient, id);
    assert.deepEqual([status, usage_source, input_tokens, cost_usd], ['cancelled', 'none', 0, 0]);
  });
}

for (const stream of [false, true]) {
  test(`${stream ? 'stream' : 'whole'}, a gateway that stops before the vendor is reached charges nothing: nothing was sent`, async () => {
    await using stopping = await gatewayOf(20_000, '', 'server: { drain: 0 }');
    const accepted = once(vendor, 'connection');
    const id = `stopped-${stream}`;
    using client = await connectRaw(stopping.url);
    await client.send(requestBytes('POST', CHAT, callHeaders(stopping, id), question(stream)));
    await accepted;
    await stopping.stop();
    await stopping.restart();
    const { error, usage_source, input_tokens, cost_usd } = await recordOf(stopping, id);
    assert.deepEqual([error, usage_source, input_tokens, cost_usd], ['shutting_down', 'none', 0, 0]);
  });
}

/** The record of the call that was sent with this id; it is settled a moment after its vendor is let go. */
async function recordOf(of: Running, id: string): Promise<Record<string, unknown>> {
  for (let asked = 0; asked < 1000; asked += 1) {
    const { data } = await of.usage();
    const found = data.find(({ client_request_id }) => client_request_id === id);
    if (found !== undefined) return found;
  }
  throw new Error(`The call ${id} has no record.`);
}

function gatewayOf(connectMs: number, more = '', settings = ''): Promise<Running> {
  return startHeadgate({
    config: `
providers: { lab: { base_url: "https://127.0.0.1:${port}/v1", only: [lab-small] } }
timeouts: { connect: ${connectMs}ms, ${more} }
${settings}
`,
  });
}
