import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate({
  config: `
organizations:
  first: { name: First }
  other: { name: Other }
providers:
  dead:
    base_url: http://127.0.0.1:9/v1
    only: [small]
`,
});
after(() => server[Symbol.asyncDispose]());

type Json = Record<string, unknown>;

async function call(model: string, key = server.key) {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  return ask(`${server.url}/v1/chat/completions`, { key, body });
}

const retrieve = (id: unknown, key = server.key) => ask(`${server.url}/v1/usage/${id}`, { key });

test('a call is told whole, by the id of its record and of its request', async () => {
  const answer = await call('echo');
  const requestId = answer.headers.get('x-request-id');
  const [record] = (await server.usage({ limit: '1' })).data;
  const detail = await retrieve(record?.id);
  assert.equal(detail.status, 200, detail.text);
  assert.equal((await retrieve(requestId)).text, detail.text);
  const { attempt_details, decision, price_inferred_from, unpriced, error_meaning, ...more } = detail.json as Json;
  const { line_items, service_tier, region, cache_writes_by_life, tool_calls, ...rest } = more;
  assert.deepEqual(rest, record);
  assert.equal(error_meaning, null);
  assert.deepEqual(line_items, [
    { component: 'input', quantity: 1, amount_usd: 0 },
    { component: 'output', quantity: 1, amount_usd: 0 },
  ]);
  assert.deepEqual([service_tier, region, cache_writes_by_life, tool_calls], [null, null, {}, {}]);
  assert.equal(rest.request_id, requestId);
  assert.equal(decision, null);
  const [{ started_at_ms, ended_at_ms, upstream_request_id, ...attempt }] = attempt_details as [Json];
  assert.ok(Math.abs(Number(started_at_ms) - Date.now()) < 60_000);
  assert.ok(Number(ended_at_ms) >= Number(started_at_ms));
  assert.deepEqual(attempt, {
    number: 1,
    provider: 'echo',
    upstream_model: 'echo',
    credential: 'default',
    status: 'succeeded',
    http_status: 200,
    error: null,
    error_code: null,
    possibly_billed: false,
    usage_source: 'provider',
  });
  assert.match(String(upstream_request_id), /^req_/);
});

test('a call that failed tells how its attempt did; what a credential is called, administrators only', async () => {
  assert.equal((await call('small')).status, 502);
  const [record] = (await server.usage({ limit: '1' })).data;
  const attemptFor = async (key: string) =>
    ((await retrieve(record?.id, key)).json as { attempt_details: [Json] }).attempt_details[0];
  const seen = await attemptFor(server.key);
  assert.deepEqual([seen.status, seen.error, seen.http_status], ['failed', 'upstream_unreachable', null]);
  assert.equal(seen.credential, 'default');
  const plain = await server.createKey('--organization', 'first');
  assert.equal('credential' in (await attemptFor(plain.key)), false);
  const admin = await server.createKey('--organization', 'first', '--admin');
  assert.deepEqual(await attemptFor(admin.key), seen);
});

test('another organization’s record is as unknown as one that never was', async () => {
  const answer = await call('echo');
  const other = await server.createKey('--organization', 'other', '--admin');
  const [record] = (await server.usage({ limit: '1' })).data;
  const never = await retrieve('usage_0');
  assert.equal(never.status, 404);
  assert.equal(errorOf(never).code, 'not_found');
  for (const id of [record?.id, answer.headers.get('x-request-id')]) {
    const { status, text } = await retrieve(id, other.key);
    assert.deepEqual([status, text], [404, never.text]);
  }
  assert.equal((await ask(`${server.url}/v1/usage/usage_0`)).status, 401);
});
