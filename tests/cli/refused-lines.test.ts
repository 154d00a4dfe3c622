import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Running, startHeadgate } from '../support/headgate.ts';

type Asked = { path?: string; key?: string | null; body?: string };

const SAID = 'a secret prompt';
const CONFIG = `
providers:
  lab: { dialects: [openai-chat], base_url: "http://127.0.0.1:9/v1", api_key: k, only: [{ id: dear, price: { input_per_1m: 1000000, output_per_1m: 1000000 } }] }
limits: { max_body: 4KB }
`;

const chat = (model: unknown) =>
  JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: SAID }] });

async function ask(gateway: Running, { path = '/v1/chat/completions', key = gateway.key, body = chat('echo') }: Asked) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
    body,
  });
  await response.text();
  return { status: response.status, id: response.headers.get('x-request-id') };
}

test('a call that is refused is a line of the log, too: of whom, for what, and why; never what was said', async () => {
  await using gateway = await startHeadgate({ config: CONFIG });
  const poor = (await gateway.createKey('--spend-limit', '0.01')).key;
  const slow = (await gateway.createKey('--requests-per-minute', '1')).key;
  const refusals: [Asked, number, Record<string, unknown>][] = [
    [{ key: null }, 401, { key: null, error: 'missing_api_key' }],
    [{ key: 'wrong' }, 401, { key: null, error: 'invalid_api_key' }],
    [{ body: '{' }, 400, { key: 'first key', model: null, error: 'invalid_json' }],
    [{ body: chat(7) }, 400, { key: 'first key', model: null, error: 'invalid_request' }],
    [{ body: chat('nothing/here') }, 404, { key: 'first key', model: 'nothing/here', error: 'model_not_found' }],
    [{ body: chat('x'.repeat(5000)) }, 413, { key: 'first key', model: null, error: 'body_too_large' }],
    [{ key: poor, body: chat('dear') }, 429, { key: 'test', model: 'dear', error: 'insufficient_quota' }],
    [{ key: slow }, 200, {}],
    [{ key: slow }, 429, { key: 'test', model: 'echo', error: 'rate_limit_exceeded' }],
    [{ path: '/v1/v1/chat/completions' }, 404, { error: 'not_found' }],
  ];
  const expected: Record<string, unknown>[] = [];
  for (const [asked, status, told] of refusals) {
    const answer = await ask(gateway, asked);
    assert.equal(answer.status, status, JSON.stringify(told));
    if (status !== 200) expected.push({ request_id: answer.id, http_status: status, status: 'refused', ...told });
  }
  await gateway.stop();
  const lines = gateway.stderr().match(/^.*A call was refused\..*$/gm) ?? [];
  const seen = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    seen.map((line, index) => Object.fromEntries(Object.keys(expected[index] ?? {}).map((name) => [name, line[name]]))),
    expected,
  );
  assert.ok(!gateway.stderr().includes(SAID));
});

test('who is refused a hundred times at once cannot fill the log: the lines are bounded, and all are counted', async () => {
  await using gateway = await startHeadgate();
  await Promise.all(Array.from({ length: 100 }, () => ask(gateway, { key: 'wrong' })));
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.match(metrics, /^headgate_refused_calls_total\{error="invalid_api_key"\} 100$/m);
  await gateway.stop();
  const lines = gateway.stderr().match(/A call was refused\./g)?.length ?? 0;
  const counted = [...gateway.stderr().matchAll(/"calls":(\d+),"msg":"More calls were refused/g)];
  assert.equal(lines + counted.reduce((sum, [, count]) => sum + Number(count), 0), 100);
  assert.ok(counted.length > 0);
});
