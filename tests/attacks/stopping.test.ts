import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer, type RawClient, requestBytes } from '../support/raw-http.ts';

const STOPPING_LINE = /^SIG(TERM|INT)/;
/** Larger than what leaves in one write, so that some of it comes behind the answer if that comes too early. */
const LARGE = 8 * 1024 * 1024;

const vendor = await startFakeProvider();
after(() => vendor.close());

const WAYS: readonly (readonly [how: string, env: Record<string, string>])[] = [
  ['on the fast layer', { HEADGATE_HTTP_LAYER: 'fast' }],
  ['on Node’s layer', { HEADGATE_HTTP_LAYER: 'node' }],
  ['with workers', { HEADGATE_WORKERS: '2' }],
];

for (const [how, env] of WAYS) {
  test(`while calls are open, a stop tells new callers to come back, ${how}`, async () => {
    await using gateway = await start(env);
    const workers = Number(env.HEADGATE_WORKERS ?? 1);
    // One for each worker, which are dealt connections in turn.
    const open = await Promise.all(Array.from({ length: workers }, () => openStream(gateway)));
    await vendor.waitFor(({ heldCalls }) => heldCalls() === workers);
    const kept = await Promise.all(Array.from({ length: workers }, () => connectRaw(gateway.url)));
    for (const client of kept) assert.equal((await call(client, gateway)).status, 200);

    const exit = gateway.stop();
    await gateway.waitForLine(STOPPING_LINE);
    for (const client of [...kept, await connectRaw(gateway.url)]) {
      const refused = await refusal(client, gateway);
      assertRefused(refused);
      assert.deepEqual(errorOf(refused), { type: 'server_error', code: 'shutting_down' });
    }
    using other = await connectRaw(gateway.url);
    const refused = await call(other, gateway, '/v1/messages');
    assertRefused(refused);
    assert.equal(JSON.parse(refused.body().toString()).type, 'error');
    using large = await connectRaw(gateway.url);
    assertRefused(await call(large, gateway, '/v1/chat/completions', 'x'.repeat(LARGE)));
    using balancer = await connectRaw(gateway.url);
    await balancer.send(requestBytes('GET', '/readyz'));
    assert.equal((await balancer.answer()).status, 503);

    vendor.release();
    for (const client of open) assert.match((await client.answer()).body().toString(), /\[DONE\]/);
    assert.equal(await exit, 0);
  });
}

describe('a call whose body comes while the gateway stops', () => {
  for (const [how, env] of WAYS.slice(0, 2)) {
    test(`is told to come back, ${how}`, async () => {
      await using gateway = await start(env);
      const open = await openStream(gateway);
      await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
      using late = await connectRaw(gateway.url);
      const bytes = callBytes(gateway, '/v1/chat/completions', 'Hi');
      await late.send(bytes.subarray(0, -5));
      // The gateway has read those bytes, since it has answered what came behind them.
      await (await fetch(`${gateway.url}/healthz`)).text();
      const exit = gateway.stop();
      await gateway.waitForLine(STOPPING_LINE);
      await late.send(bytes.subarray(-5));
      assertRefused(await late.answer());
      vendor.release();
      assert.equal((await open.answer()).status, 200);
      assert.equal(await exit, 0);
    });
  }
});

test('a few seconds into a stop nobody listens any more, though a call is open', async () => {
  await using gateway = await start({});
  const open = await openStream(gateway);
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  const exit = gateway.stop();
  await gateway.waitForLine(STOPPING_LINE);
  using silent = await connectRaw(gateway.url);
  let [refused, lost] = [0, 0];
  for (let listens = true; listens; ) {
    try {
      using client = await connectRaw(gateway.url);
      assertRefused(await call(client, gateway));
      refused += 1;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      // One that the system has taken as the listener goes is closed unanswered.
      listens = (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
      if (listens) lost += 1;
    }
  }
  assert.ok(refused > 0 && lost <= 1, `${refused} refused, ${lost} lost`);
  // It was connected before, and has a moment for its first request.
  assertRefused(await call(silent, gateway));
  vendor.release();
  assert.match((await open.answer()).body().toString(), /\[DONE\]/);
  assert.equal(await exit, 0);
});

function start(env: Record<string, string>): Promise<Running> {
  const config = `providers: { lab: { base_url: ${vendor.url}, only: [lab-small] } }\n`;
  return startHeadgate({ config, env });
}

async function openStream(gateway: Running): Promise<RawClient> {
  vendor.plan(insert(normal(), 3, 'hold'), { times: 1 });
  const client = await connectRaw(gateway.url);
  await client.send(callBytes(gateway, '/v1/chat/completions', 'Hi', { stream: true }));
  await client.bodyHas('" from"');
  return client;
}

async function call(client: RawClient, gateway: Running, path = '/v1/chat/completions', content = 'Hi') {
  await client.send(callBytes(gateway, path, content));
  return client.answer();
}

/** The first answer that is none to the call: of several workers each hears of the stop a moment behind the primary. */
async function refusal(client: RawClient, gateway: Running): Promise<RawAnswer> {
  for (;;) {
    const answer = await call(client, gateway);
    if (answer.status !== 200) return answer;
  }
}

function callBytes({ key }: Running, path: string, content: string, more: object = {}): Buffer {
  const body = { model: 'lab-small', max_tokens: 9, messages: [{ role: 'user', content }], ...more };
  return requestBytes('POST', path, { authorization: `Bearer ${key}` }, body);
}

function assertRefused(answer: RawAnswer): void {
  assert.equal(answer.status, 503);
  assert.equal(answer.header('retry-after'), '1');
  assert.equal(answer.header('connection')?.toLowerCase(), 'close');
  assert.match(answer.header('x-request-id') ?? '', /^req_/);
}

function errorOf(answer: RawAnswer): { type: unknown; code: unknown } {
  const { error } = JSON.parse(answer.body().toString());
  return { type: error.type, code: error.code };
}
