import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Secret } from '../core/secret.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { echoProvider, echoUpstream } from '../providers/echo/echo.ts';
import type { Preset } from '../providers/preset.ts';
import { PRESETS } from '../providers/presets.ts';
import { resolveProvider } from '../providers/resolve.ts';
import { CHAT_AND_EMBEDDINGS } from '../providers/spoken-dialects.ts';
import { UndiciUpstream } from '../upstream/undici.ts';
import { checkVendorKey, DISCOVERY_LIMITS, discoverModels, findLocal, readModelList } from './vendor-models.ts';

const upstream = new UndiciUpstream({
  connectTimeoutMs: 1_000,
  maxHeaderBytes: 16_384,
  proxies: { http: null, https: null, no: null },
  wheel: new TimerWheel(() => performance.now()),
});
const closers: (() => void)[] = [];

after(async () => {
  for (const close of closers) close();
  await upstream.close();
});

/** A vendor on a free port. */
async function vendor(listener: RequestListener): Promise<{ port: number; baseUrl: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { port, baseUrl: `http://127.0.0.1:${port}/v1` };
}

function answering(body: string, status = 200): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function providerAt(baseUrl: string) {
  const unset = { preset: null, dialects: null, region: null, concurrency: null };
  const settings = { ...unset, id: 'lab', baseUrl, label: 'Lab', headers: { 'x-team': 'blue' } };
  return resolveProvider(settings, new Secret('sk-lab'));
}

test('asks GET /models with the provider’s key and headers, and reads the names', async () => {
  const seen: unknown[] = [];
  const { baseUrl } = await vendor((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization, request.headers['x-team']);
    answering('{"object":"list","data":[{"id":"a"},{"id":"b"},{"id":"a"}]}')(request, response);
  });
  assert.deepEqual((await discoverModels(upstream, providerAt(baseUrl))).models, ['a', 'b']);
  assert.deepEqual(seen, ['GET', '/v1/models', 'Bearer sk-lab', 'blue']);
});

test('lists of every shape that is about are read, and nothing else', () => {
  const read = (body: unknown, most = 10) => readModelList(body, most, { quirks: {} })?.models ?? null;
  assert.deepEqual(read({ data: [{ id: 'a' }] }), ['a']);
  assert.deepEqual(read({ models: [{ name: 'a' }, { id: 'b', name: 'B' }] }), ['a', 'b']);
  assert.deepEqual(read([{ id: 'a' }]), ['a']);
  assert.deepEqual(read({ object: 'list', data: null }), []);
  assert.deepEqual(read({ data: [{ id: 1 }, null, 'x', { id: '' }, { id: 'y'.repeat(257) }, { id: 'z' }] }), ['z']);
  for (const other of [null, 'list', {}, { data: null }, { error: { message: 'no' } }]) assert.equal(read(other), null);
  assert.deepEqual(read({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }, 2), ['a', 'b']);
});

test('an answer that is no list is an error that does not show the address', async () => {
  const cases = [
    [answering('{"error":"who are you"}', 401), 'upstream_unauthorized', /Lab answered 401/],
    [answering('{"data":[]}', 404), 'upstream_error', /Lab answered 404/],
    [answering('<html>'), 'upstream_invalid_answer', /not JSON/],
    [answering('{"hello":1}'), 'upstream_invalid_answer', /no list of models/],
  ] as const;
  for (const [listener, kind, message] of cases) {
    const { baseUrl, port } = await vendor(listener);
    await assert.rejects(discoverModels(upstream, providerAt(baseUrl)), (error: Error & { kind?: string }) => {
      assert.equal(error.kind, kind);
      assert.match(error.message, message);
      assert.ok(!error.message.includes(String(port)));
      return true;
    });
  }
});

test('an answer that does not come in time is given up, and the vendor let go', async () => {
  let left: Promise<unknown> | undefined;
  const { baseUrl } = await vendor((_request, response) => {
    response.writeHead(200).write('{');
    left = once(response, 'close');
  });
  const limits = { ...DISCOVERY_LIMITS, timeoutMs: 50 };
  await assert.rejects(discoverModels(upstream, providerAt(baseUrl), { limits }), { kind: 'upstream_timeout' });
  await left;
});

test('an answer without end is cut off, and the vendor let go', async () => {
  let left: Promise<unknown> | undefined;
  const { baseUrl } = await vendor((_request, response) => {
    const more = () => response.write(' '.repeat(1024));
    left = once(response, 'close');
    response.on('drain', more).writeHead(200);
    while (more());
  });
  const limits = { ...DISCOVERY_LIMITS, maxBytes: 4096 };
  await assert.rejects(discoverModels(upstream, providerAt(baseUrl), { limits }), /a list that is too long/);
  await left;
});

test('the echo lists its models too', async () => {
  const echo = echoUpstream({ clock: { now: () => 0, monotonic: () => 0 }, id: () => 'x' });
  assert.equal((await discoverModels(echo, echoProvider())).models[0], 'echo');
});

test('local servers are those that answer with a list; not a stranger, not nobody, never ourselves', async () => {
  const list = answering('{"object":"list","data":[{"id":"llama3"}]}');
  const [ours, local, stranger, gateway] = await Promise.all([
    vendor(list),
    vendor(list),
    vendor(answering('<html>hello</html>')),
    vendor(answering('{"error":{"code":"missing_api_key"}}', 401)),
  ]);
  const gone = await vendor(list);
  closers.pop()?.();
  const row = (id: string, { port, baseUrl }: { port: number; baseUrl: string }): Preset => ({
    id,
    label: id,
    baseUrl,
    keyEnv: [],
    speaks: CHAT_AND_EMBEDDINGS,
    catalog: null,
    localPort: port,
    docs: 'https://example.com',
  });
  const rows = [
    row('ours', ours),
    row('local', local),
    row('stranger', stranger),
    row('gateway', gateway),
    row('gone', gone),
  ];
  const found = await findLocal(upstream, rows, ours.port);
  assert.deepEqual(
    found.map(({ preset, models }) => [preset.id, models]),
    [['local', ['llama3']]],
  );
});

test('the presets that are looked for on this machine', () => {
  const ports = PRESETS.flatMap(({ id, localPort }) => (localPort === undefined ? [] : [[id, localPort]]));
  assert.deepEqual(ports, [
    ['ollama', 11434],
    ['vllm', 8000],
    ['lmstudio', 1234],
    ['llama.cpp', 8080],
  ]);
});

test('a vendor’s word on a key is whether it lists its models for it, and for nobody without one', async () => {
  const only =
    (key: string, otherwise: number): RequestListener =>
    (request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${key}`;
      answering(isKnown ? '{"data":[]}' : '{}', isKnown ? 200 : otherwise)(request, response);
    };
  const wants: RequestListener = (request, response) =>
    answering('{}', request.headers['a-version'] === '1' ? 401 : 400)(request, response);
  for (const [listener, word] of [
    [only('sk-lab', 401), 'accepted'],
    [only('sk-lab', 403), 'accepted'],
    [only('sk-other', 401), 'refused'],
    [only('sk-other', 403), 'unknown'],
    [answering('{"data":[]}'), 'unknown'],
    [answering('{}', 402), 'unknown'],
    [answering('{}', 404), 'unknown'],
    [answering('{}', 500), 'unknown'],
    [wants, 'refused'],
    [(request: IncomingMessage) => void request.socket.destroy(), 'unknown'],
    [() => undefined, 'unknown'],
  ] as const) {
    const { baseUrl } = await vendor(listener);
    assert.equal(await checkVendorKey(upstream, providerAt(baseUrl), { 'a-version': '1' }, 300), word);
  }
  assert.equal(await checkVendorKey(upstream, providerAt('http://127.0.0.1:1/v1'), {}), 'unknown');
});
