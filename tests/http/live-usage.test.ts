import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { watchUsage } from '../support/live.ts';
import { ask, errorOf } from './client.ts';

const MAX_KEY_WATCHERS = 2;
const MAX_WATCHERS = 3;
const server = await startHeadgate({
  config: `
organizations:
  first: { name: First }
  other: { name: Other }
limits: { max_key_watchers: ${MAX_KEY_WATCHERS}, max_watchers: ${MAX_WATCHERS}, requests_per_minute: 100000 }
`,
});
after(() => server[Symbol.asyncDispose]());
const plain = await server.createKey();
const own = await server.createKey('--usage', 'own');
const other = await server.createKey('--organization', 'other');

async function call(key = server.key, model = 'echo'): Promise<void> {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  await ask(`${server.url}/v1/chat/completions`, { key, body });
}

test('a call comes as an event soon after its end, as it is told where it is asked for', async () => {
  await using admin = await watchUsage(server, server.key);
  await using caller = await watchUsage(server, plain.key);
  await call();
  await call(plain.key);
  for (const [watching, key] of [
    [admin, server.key],
    [caller, plain.key],
  ] as const) {
    await watching.until(() => watching.ids.length === 2, 'two calls');
    for (const { data } of watching.events.slice(1)) {
      assert.deepEqual(data, (await ask(`${server.url}/v1/usage/${data.id}`, { key })).json);
    }
  }
  assert.ok(admin.events.slice(1).every(({ data }) => 'vendor_cost_usd' in data));
  assert.ok(caller.events.slice(1).every(({ data }) => !('vendor_cost_usd' in data)));
});

test('who sees only its own calls is told of no other, and nobody of another organization’s', async () => {
  await using watching = await watchUsage(server, own.key);
  await using stranger = await watchUsage(server, other.key);
  await call();
  await call(own.key);
  await call(other.key);
  await watching.until(() => watching.ids.length === 1, 'its own call');
  await stranger.until(() => stranger.ids.length === 1, 'its own call');
  assert.equal(watching.events[1]?.data.api_key_id, own.id);
  assert.equal(stranger.events[1]?.data.api_key_id, other.id);
  const { status, text } = await watchUsage(server, own.key, { query: `?api_key_id=${plain.id}` });
  assert.equal(status, 403, text);
});

test('whose key is bound to ranges goes on watching behind a trusted proxy', async () => {
  await using behind = await startHeadgate({ config: 'server: { trusted_proxies: [127.0.0.1] }' });
  const { id, key } = await behind.createKey();
  const projects = await ask(`${behind.url}/v1/organization/projects`, { key: behind.key });
  const [project] = (projects.json as { data: { id: string }[] }).data;
  const place = `${behind.url}/v1/organization/projects/${project!.id}/api_keys/${id}`;
  const limited = await ask(place, { key: behind.key, body: { ip_ranges: ['203.0.113.0/24'] } });
  assert.equal(limited.status, 200, limited.text);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await using watching = await watchUsage(behind, key, { headers });
  assert.equal(watching.status, 200, watching.text);
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
  // Longer than it takes until the key is looked at again, twice.
  let calls = 0;
  for (const end = performance.now() + 2_500; performance.now() < end; calls += 1) {
    const { status } = await ask(`${behind.url}/v1/chat/completions`, { key, body, headers });
    assert.equal(status, 200);
    await watching.until(() => watching.ids.length === calls + 1, `call ${calls + 1}`);
  }
  assert.ok(calls > 1);
});

test('filters are those of the list', async () => {
  await using failed = await watchUsage(server, server.key, { query: '?status=failed' });
  await using keys = await watchUsage(server, server.key, { query: `?api_key_id=${plain.id}&model=echo` });
  await call();
  await call(server.key, 'echo/no-such-model');
  await call(plain.key);
  await keys.until(() => keys.ids.length > 0, 'the key’s call');
  const { data } = await server.usage({ status: 'failed' });
  await failed.until(() => failed.ids.length === data.length, 'what failed');
  assert.deepEqual(
    keys.events.slice(1).map(({ data }) => data.api_key_id),
    [plain.id],
  );
});

test('who comes back with the last id misses nothing and is told nothing twice, by header or by query', async () => {
  const ids: string[] = [];
  let lastId = '';
  for (const [round, comeBack] of [
    () => ({}),
    () => ({ headers: { 'last-event-id': lastId } }),
    () => ({ query: `?last_event_id=${lastId}` }),
  ].entries()) {
    if (round > 0) await Promise.all([call(), call(), call()]);
    await using watching = await watchUsage(server, server.key, comeBack());
    await call();
    const expected = round === 0 ? 1 : 4;
    await watching.until(() => watching.ids.length === expected, `${expected} calls`);
    ids.push(...watching.ids);
    // Not where the stream is now, but the event that was read last.
    lastId = watching.events.at(-1)!.id;
    assert.ok(watching.events.every(({ event }) => event !== 'skipped'));
  }
  const { data } = await server.usage({ limit: '9' });
  assert.deepEqual([...ids].sort(), data.map(({ id }) => String(id)).sort());
});

test('no more than 20 events come in any second, and what is passed over is counted', async () => {
  const CALLS = 180;
  await using watching = await watchUsage(server, server.key);
  await Promise.all(Array.from({ length: CALLS }, () => call()));
  const skipped = () =>
    watching.events.reduce((sum, { event, data }) => sum + (event === 'skipped' ? Number(data.calls) : 0), 0);
  await watching.until(() => watching.ids.length + skipped() === CALLS, 'all calls');
  assert.ok(skipped() > 0, 'none was passed over');
  assert.equal(new Set(watching.ids).size, watching.ids.length);
});

test('as many watch as may, and a place that is left is another’s', async () => {
  const first = await watchUsage(server, server.key);
  await using _second = await watchUsage(server, server.key);
  const third = await watchUsage(server, server.key);
  assert.equal(third.status, 429);
  assert.match(third.text, /max_key_watchers/);
  await using _another = await watchUsage(server, plain.key);
  const last = await watchUsage(server, own.key);
  assert.equal(last.status, 429);
  assert.match(last.text, /limits\.max_watchers/);
  await first[Symbol.asyncDispose]();
  let next = await watchUsage(server, own.key);
  for (const deadline = performance.now() + WAIT_MS; next.status === 429 && performance.now() < deadline; )
    next = await watchUsage(server, own.key);
  assert.equal(next.status, 200);
  await next[Symbol.asyncDispose]();
});

test('what cannot be asked is refused with the name of the field', async () => {
  for (const [query, param] of [
    ['?last_event_id=usage_1', 'last_event_id'],
    ['?last_event_id=01', 'last_event_id'],
    ['?status=done', 'status'],
    ['?start_time=9&end_time=9', 'end_time'],
  ] as const) {
    const answer = await ask(`${server.url}/v1/usage/live${query}`, { key: server.key });
    assert.equal(answer.status, 400, query);
    assert.equal(errorOf(answer).param, param);
  }
  assert.equal((await ask(`${server.url}/v1/usage/live`)).status, 401);
  const head = await ask(`${server.url}/v1/usage/live`, { method: 'HEAD', key: server.key });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
});

test('a key that is revoked watches no longer', async () => {
  const gone = await server.createKey();
  const watching = await watchUsage(server, gone.key);
  assert.equal((await server.command('keys', 'revoke', gone.id)).code, 0);
  await watching.ended;
  assert.match(watching.text, /revoked/);
});

test('streams end in words when the gateway stops', async () => {
  const watching = await watchUsage(server, server.key);
  assert.equal(await server.stop(), 0);
  await watching.ended;
  assert.match(watching.text, /: The gateway is stopping/);
});
