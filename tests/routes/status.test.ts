import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat } from '../workers/ask.ts';

const vendor = await startFakeProvider();
const CONFIG = `
echo: false
providers:
  lab: { base_url: "${vendor.url}", only: [small, large, other] }
routes:
  acme/fast: { targets: [small, large] }
breaker: { failures: 3 }
`;
after(() => vendor.close());

type Target = {
  provider: string;
  model: string;
  credential: string;
  circuit: string;
  open_until: number | null;
  p50_ms: number | null;
  whole_p50_ms: number | null;
  whole_p95_ms: number | null;
  error_rate: number | null;
  recent_calls: number;
  in_flight: number;
  last_error: { kind: string; status: number; at: number } | null;
};
type Status = { object: string; process: Record<string, unknown>; targets: Target[] };

async function statusOf(headgate: Running): Promise<Status> {
  const { status, text } = await ask(headgate, '/v1/status');
  assert.equal(status, 200, text);
  return JSON.parse(text) as Status;
}

function targetOf({ targets }: Status, model: string): Target {
  const found = targets.find((target) => target.model === model);
  assert(found !== undefined, JSON.stringify(targets));
  return found;
}

test('it tells of each target that is behind a route or was called, and of the process', async () => {
  await using headgate = await startHeadgate({ config: CONFIG });
  const before = await statusOf(headgate);
  assert.deepEqual(
    before.targets.map(({ provider, model, credential, circuit, recent_calls }) => [
      provider,
      model,
      credential,
      circuit,
      recent_calls,
    ]),
    [
      ['lab', 'small', 'default', 'closed', 0],
      ['lab', 'large', 'default', 'closed', 0],
    ],
  );
  assert.partialDeepStrictEqual(before.process, { workers: 1, silent_workers: 0, open_calls: 0 });

  assert.equal((await ask(headgate, '/v1/chat/completions', chat('other'))).status, 200);
  assert.equal((await ask(headgate, '/v1/chat/completions', chat('small', { stream: true }))).status, 200);
  const told = await statusOf(headgate);
  const other = targetOf(told, 'other');
  assert.ok(other.whole_p50_ms !== null && other.whole_p50_ms > 0 && other.whole_p50_ms === other.whole_p95_ms);
  assert.deepEqual([other.p50_ms, other.recent_calls, other.error_rate, other.last_error], [null, 1, 0, null]);
  const small = targetOf(told, 'small');
  assert.ok(small.p50_ms !== null && small.p50_ms > 0);
  assert.equal(small.whole_p50_ms, null);
});

test('an open circuit, its last error and what is in flight are told', async () => {
  await using headgate = await startHeadgate({ config: CONFIG });
  vendor.plan('server-error', { model: 'small' });
  for (let call = 0; call < 3; call += 1) await ask(headgate, '/v1/chat/completions', chat('small'));
  const small = targetOf(await statusOf(headgate), 'small');
  assert.deepEqual([small.circuit, small.error_rate], ['open', 1]);
  assert.ok(small.open_until! >= Date.now() / 1000);
  assert.equal(small.last_error?.kind, 'upstream_error');
  assert.ok(Math.abs(small.last_error.at - Date.now() / 1000) < 60);
  vendor.forget();

  vendor.plan('slow-headers', { model: 'large', times: 1 });
  const open = begin(headgate, '/v1/chat/completions', chat('large'));
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  const status = await statusOf(headgate);
  assert.equal(targetOf(status, 'large').in_flight, 1);
  assert.equal(status.process.open_calls, 1);
  vendor.release();
  assert.equal((await open).status, 200);
});

test('several workers are told of together, whoever is asked', async () => {
  await using headgate = await startHeadgate({ config: CONFIG, args: ['--workers', '2'] });
  for (let call = 0; call < 6; call += 1) await ask(headgate, '/v1/chat/completions', chat('small'));
  for (let time = 0; time < 2; time += 1) {
    const status = await statusOf(headgate);
    assert.partialDeepStrictEqual(status.process, { workers: 2, silent_workers: 0, open_calls: 0 });
    assert.deepEqual(status.targets.map(({ model }) => model).sort(), ['large', 'small']);
    assert.equal(targetOf(status, 'small').recent_calls, 6);
  }
});

test('it is for administrators', async () => {
  await using headgate = await startHeadgate({ config: CONFIG });
  const { key } = await headgate.createKey();
  const { status, text } = await ask(headgate, '/v1/status', undefined, key);
  assert.equal(status, 403);
  assert.match(text, /"The status is for administrators’ keys\. Create one: `headgate keys create --admin`\."/);
  assert.match(text, /"code":"forbidden"/);
});
