import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const CONFIG = `
providers:
  lab:
    base_url: http://127.0.0.1:9/v1
    models: [{ id: small, price: { input_per_1m: 1, output_per_1m: 2 } }]
routes:
  acme/fast: { targets: [echo] }
`;

const server = await startHeadgate({ config: CONFIG });
after(() => server[Symbol.asyncDispose]());

type Json = Record<string, unknown>;
type Sums = Json & { calls: number; cost_usd: number | null; total_tokens: number; calls_without_cost: number };
type Row = Sums & { previous: Sums };
type Summary = Json & { totals: Row; data: Row[]; rest: (Row & { rows: number }) | null };

const plain = await server.createKey();
const own = await server.createKey('--usage', 'own');

async function call(model: string, key: string): Promise<string> {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await ask(`${server.url}/v1/chat/completions`, { key, body });
  return answer.headers.get('x-request-id') ?? '';
}

const routed = await call('acme/fast', plain.key);
const direct = await call('echo', own.key);
await call('small', server.key);

/** The day of a record. */
function dayOf({ created_at }: Readonly<Record<string, unknown>>): string {
  return new Date(Number(created_at) * 1000).toISOString().slice(0, 10);
}

async function summarize(query: string, key = server.key, gateway: Pick<Running, 'url'> = server): Promise<Summary> {
  const { status, json, text } = await ask(`${gateway.url}/v1/usage/summary?${query}`, { key });
  assert.equal(status, 200, text);
  return json as Summary;
}

test('it adds up what the records say, by what is asked for', async () => {
  const { data: records } = await server.usage({ limit: '100' });
  const { totals, data, rest, complete, by, object } = await summarize('by=key,model');
  assert.deepEqual([object, by, complete, rest], ['usage_summary', ['key', 'model'], true, null]);
  assert.equal(totals.calls, records.length);
  assert.equal(
    totals.total_tokens,
    records.reduce((sum, { total_tokens }) => sum + Number(total_tokens), 0),
  );
  const names = data.map(({ api_key_name, model, calls }) => [api_key_name, model, calls]);
  assert.deepEqual(names.sort(), [
    ['first key', 'small', 1],
    ['test', 'acme/fast', 1],
    ['test', 'echo', 1],
  ]);
  assert.equal(totals.previous.calls, 0);
  const { data: days } = await summarize('by=day');
  assert.deepEqual(
    days.map(({ day, calls }) => [day, calls]),
    Array.from(Map.groupBy(records, dayOf), ([day, ofDay]) => [day, ofDay.length]),
  );
  assert.deepEqual((await summarize('')).data.length, 1);
});

test('it tells the names apart that come to most by what it is asked to sort by, and the others together', async () => {
  const { data } = await summarize('by=model,day&order_by=calls&top=1');
  assert.deepEqual(
    data.map(({ model, rest_of, calls }) => [model === undefined, rest_of, calls]),
    [
      [true, 2, 2],
      [false, undefined, 1],
    ],
  );
  for (const [query, param] of [
    ['order_by=price', 'order_by'],
    ['by=model&top=51', 'top'],
  ]) {
    const refused = await ask(`${server.url}/v1/usage/summary?${query}`, { key: server.key });
    assert.deepEqual([refused.status, errorOf(refused).param], [400, param]);
  }
});

test('it is of whole days, and tells which', async () => {
  const noon = Date.UTC(2026, 0, 10, 12) / 1000;
  const { start_time, end_time, previous_start_time, totals } = await summarize(
    `start_time=${noon}&end_time=${noon + 86_400}`,
  );
  const day = (date: number) => Date.UTC(2026, 0, date) / 1000;
  assert.deepEqual([start_time, end_time, previous_start_time, totals.calls], [day(10), day(12), day(8), 0]);
});

test('what vendors charged, and who stands behind a route, administrators’ keys are told alone', async () => {
  const seen = await summarize('by=provider,route');
  assert.ok(seen.data.some(({ provider, route }) => provider === 'echo' && route === 'acme/fast'));
  assert.equal(typeof seen.totals.vendor_cost_usd, 'number');
  const { data, totals } = await summarize('by=provider,route', plain.key);
  assert.deepEqual(data.map(({ provider, route }) => [route, provider]).sort(), [
    [null, 'echo'],
    [null, 'lab'],
    ['acme/fast', null],
  ]);
  assert.equal('vendor_cost_usd' in totals || 'calls_without_vendor_cost' in totals, false);
  assert.equal((await summarize('provider=echo', plain.key)).totals.calls, 1, 'a filter finds no target of a route');

  for (const [key, isShown] of [
    [server.key, true],
    [plain.key, false],
  ] as const) {
    const record = (await ask(`${server.url}/v1/usage/${routed}`, { key })).json as Json & { attempt_details: [Json] };
    const target = isShown ? 'echo' : null;
    assert.deepEqual([record.route, record.provider, record.upstream_model], ['acme/fast', target, target]);
    const [attempt] = record.attempt_details;
    assert.deepEqual([attempt.provider, attempt.upstream_model], [target, target]);
    assert.deepEqual([record.decision !== null, 'vendor_cost_usd' in record], [isShown, isShown]);
    const { json } = await ask(`${server.url}/v1/usage?model=acme/fast`, { key });
    const [listed] = (json as { data: [Json] }).data;
    assert.deepEqual([listed.provider, 'vendor_cost_usd' in listed], [target, isShown]);
  }
});

test('a key of its own usage sees its own records alone', async () => {
  const of = (path: string, key = own.key) => ask(`${server.url}${path}`, { key });
  const { json } = await of('/v1/usage');
  assert.deepEqual(
    (json as { data: Json[] }).data.map(({ request_id }) => request_id),
    [direct],
  );
  assert.equal((await summarize('by=key', own.key)).totals.calls, 1);
  assert.equal((await summarize(`api_key_id=${own.id}`, own.key)).totals.calls, 1);
  assert.equal((await of(`/v1/usage/${direct}`)).status, 200);
  assert.equal((await of(`/v1/usage/${routed}`)).status, 404);
  for (const path of ['/v1/usage', '/v1/usage/summary']) {
    const refused = await of(`${path}?api_key_id=${plain.id}`);
    assert.deepEqual([refused.status, errorOf(refused).param], [403, 'api_key_id']);
    assert.equal((await of(`${path}?api_key_id=${own.id}`, plain.key)).status, 200, 'of its organization, any');
  }
});

const REFUSED: readonly (readonly [query: string, param: string])[] = [
  ['by=colour', 'by'],
  ['by=key,,model', 'by'],
  ['start_time=2&end_time=1', 'end_time'],
  ['start_time=1&end_time=1', 'end_time'],
  ['start_time=0', 'start_time'],
  ['limit=10001', 'limit'],
  ['source=phone', 'source'],
];
for (const [query, param] of REFUSED) {
  test(`${query} is refused, and ${param} named`, async () => {
    const refused = await ask(`${server.url}/v1/usage/summary?${query}`, { key: server.key });
    assert.equal(refused.status, 400, refused.text);
    assert.ok(String(errorOf(refused).param).startsWith(param), refused.text);
  });
}

test('any worker answers it', async () => {
  await using gateway = await startHeadgate({ config: `server: { workers: 2 }\n${CONFIG}` });
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
  for (let number = 0; number < 6; number += 1) {
    assert.equal((await ask(`${gateway.url}/v1/chat/completions`, { key: gateway.key, body })).status, 200);
  }
  let calls = 0;
  // What one worker was told it hands over a moment later; the others see it then.
  while (calls < 6) calls = (await summarize('by=model', gateway.key, gateway)).totals.calls;
  assert.equal(calls, 6);
});

test('it tells how long callers waited for the first token of their streams, to those who see all calls', async () => {
  for (let number = 0; number < 3; number += 1) {
    const body = { model: 'echo', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
    await ask(`${server.url}/v1/chat/completions`, { key: plain.key, body });
  }
  const read = (query: string, key = server.key) => ask(`${server.url}/v1/usage/first_tokens?${query}`, { key });
  const { data: records } = await server.usage({ limit: '100' });
  const streams = records.filter(({ time_to_first_token_ms }) => time_to_first_token_ms !== null);
  assert.ok(streams.length >= 3);
  type Times = { streams: number; p50_ms: number; p95_ms: number };
  const { totals, data } = (await read('', plain.key)).json as {
    totals: Times & { previous: Json };
    data: (Times & { day: string })[];
  };
  const { previous, ...now } = totals;
  assert.deepEqual(previous, { streams: 0, p50_ms: null, p95_ms: null });
  // One day, or two where midnight passed meanwhile.
  assert.deepEqual(
    data.map(({ day, streams: ofDay }) => [day, ofDay]),
    Array.from(Map.groupBy(streams, dayOf), ([day, ofDay]) => [day, ofDay.length]),
  );
  if (data.length === 1) assert.deepEqual(data, [{ day: data[0]?.day, ...now }]);
  assert.equal(now.streams, streams.length);
  assert.ok(now.p50_ms <= now.p95_ms);
  for (const [query, key, status, param] of [
    ['', own.key, 403, null],
    ['start_time=200000&end_time=100000', server.key, 400, 'end_time'],
    ['start_time=0', server.key, 400, 'start_time'],
  ] as const) {
    const refused = await read(query, key);
    assert.deepEqual([refused.status, errorOf(refused).param], [status, param], query);
  }
});
