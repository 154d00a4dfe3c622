import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, streamReply, wholeReply } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, type Ending, type RawClient, requestBytes } from '../support/raw-http.ts';

const MB = 1024 * 1024;
/** Many times what the kernel keeps for two sockets. */
const LARGE = wholeAnswer(24 * MB);
const STEP = 2 * MB;
/** A test that reads each sixth of it is not kept from reading for as long, on a busy machine. */
const IDLE_MS = 2000;
const TOTAL_MS = 2000;
const MAX_UNREAD_MB = 40;

const vendor = await startFakeProvider();
const running: Running[] = [];
after(async () => {
  for (const gateway of running) await gateway[Symbol.asyncDispose]();
  await vendor.close();
});

describe('who does not read', { concurrency: true }, () => {
  for (const layer of ['fast', 'node'])
    describe(`on the layer ${layer}`, { concurrency: 1 }, () => expectLimits(layer));
});

/** On gateways of this layer. Its name is its model's, so that the vendor can tell the layers apart. */
async function expectLimits(layer: string): Promise<void> {
  const [short, small] = await Promise.all([
    start(layer, `timeouts: { idle: ${IDLE_MS}ms }\nlimits: { max_open_calls: 1 }`),
    start(layer, `limits: { max_unread: ${MAX_UNREAD_MB}MB }`),
  ]);

  test('is let go within `idle`; until then its call is open, though settled', async () => {
    using client = await askLarge(short, layer);
    using other = await ask(short, layer);
    const { status, body } = await other.answer();
    assert.deepEqual([status, errorCode(body())], [503, 'overloaded']);
    await short.waitForLine(/"reason":"not_read"/);
    await expectRoom(short, layer);
    await expectCut(client);
    const { data } = await short.usage();
    assert.deepEqual(
      data.map((record) => [record.status, record.http_status]),
      [
        ['succeeded', 200],
        ['succeeded', 200],
      ],
    );
  });

  test('while a stream comes is let go, its vendor is freed, and the call is cancelled', async () => {
    const endless = frame({
      choices: [{ index: 0, delta: { content: 'x'.repeat(64 * 1024) }, finish_reason: null }],
    });
    vendor.plan(() => streamReply(repeated(endless)), { times: 1, model: layer });
    using client = await ask(short, layer, { stream: true });
    await client.head();
    client.pause();
    await vendor.waitFor(({ requests }) =>
      requests.some(({ model, stream, outcome }) => model === layer && stream && outcome === 'left'),
    );
    await expectCut(client);
    const { data } = await short.usage();
    assert.deepEqual([data[0]?.status, data[0]?.http_status], ['cancelled', 499]);
  });

  test('but reads slowly has all of it, in more time than `idle`', async () => {
    using client = await askLarge(short, layer);
    const startedAt = performance.now();
    const answer = client.answer();
    let over = false;
    void answer.then(() => {
      over = true;
    });
    for (let read = 0; !over; read += STEP) {
      client.resume();
      await client.bytes(Math.min(read + STEP, LARGE.length));
      client.pause();
      await delay(IDLE_MS / 6);
    }
    assert.ok(performance.now() - startedAt > IDLE_MS);
    assert.equal((await answer).body().length, LARGE.length);
  });

  test('is let go first where more bytes wait than may, and the last one never for that', async () => {
    const clients = [await askLarge(small, layer), await askLarge(small, layer)];
    await small.waitForLine(/"reason":"unread"/);
    const endings = await Promise.all(clients.map(endingOf));
    assert.deepEqual(endings.toSorted(), ['closed', 'complete']);
  });

  test('all of it within `total` is let go, however steadily it reads', async () => {
    await small.reload(configOf(`timeouts: { total: ${TOTAL_MS}ms }`));
    using client = await askLarge(small, layer);
    const line = small.waitForLine(/"reason":"not_read"/);
    let over = false;
    void line.then(() => {
      over = true;
    });
    // A few bytes of each that the kernel holds: it goes on, far too slowly.
    for (let bytes = MB / 4; !over; bytes += MB / 4) {
      client.resume();
      await client.bytes(bytes);
      client.pause();
      await delay(TOTAL_MS / 10);
    }
    await line;
    await expectCut(client);
  });
}

async function start(layer: string, more: string): Promise<Running> {
  const gateway = await startHeadgate({ config: configOf(more), env: { HEADGATE_HTTP_LAYER: layer } });
  running.push(gateway);
  return gateway;
}

function configOf(more: string): string {
  return `providers: { lab: { base_url: ${vendor.url}, only: [fast, node] } }\n${more}\n`;
}

async function ask({ url, key }: Running, model: string, more: object = {}): Promise<RawClient> {
  const client = await connectRaw(url);
  const body = { model, messages: [{ role: 'user', content: 'Hi' }], ...more };
  await client.send(requestBytes('POST', '/v1/chat/completions', { authorization: `Bearer ${key}` }, body));
  return client;
}

/** A caller who reads the head of a large answer, and then no more. */
async function askLarge(gateway: Running, model: string): Promise<RawClient> {
  vendor.plan(() => wholeReply(200, LARGE), { times: 1, model });
  const client = await ask(gateway, model);
  await client.head();
  client.pause();
  return client;
}

/** Asks until a call is admitted. */
async function expectRoom(gateway: Running, model: string): Promise<void> {
  for (;;) {
    using client = await ask(gateway, model);
    const { status } = await client.answer();
    if (status === 200) return;
    assert.equal(status, 503);
  }
}

async function endingOf(client: RawClient): Promise<Ending | null> {
  client.resume();
  return (await client.answer()).ending;
}

async function expectCut(client: RawClient): Promise<void> {
  assert.notEqual(await endingOf(client), 'complete');
}

function wholeAnswer(bytes: number): Buffer {
  const message = { role: 'assistant', content: 'x'.repeat(bytes) };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return Buffer.from(
    JSON.stringify({
      id: 'a',
      object: 'chat.completion',
      model: 'large',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }),
  );
}

function* repeated(act: Buffer): Generator<Buffer> {
  for (;;) yield act;
}

function errorCode(body: Buffer): unknown {
  return (JSON.parse(body.toString()) as { error: { code: unknown } }).error.code;
}
