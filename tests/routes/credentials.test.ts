import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { FAULTS, type FaultName } from '../../src/testing/faults.ts';
import type { Plan } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { type RouteLab, startRouteLab } from './lab.ts';
import { assertAllAnswered, startTraffic } from './traffic.ts';

const FIRST = 'key-first-0123456789';
const SECOND = 'key-second-0123456789';
const SPARE = 'key-spare-0123456789';
const WEIGHTS = { [FIRST]: 1, [SECOND]: 3 };
const CALLS = 1000;
/** Once in two million runs a share is further off. */
const SIGMAS = 5;
/** After so many answers a credential that was out takes any number of calls at once: the 100 of health, and a few. */
const UNBOUNDED_AFTER = 110;

const NAMED = [
  `{ name: first, key: ${FIRST}, weight: ${WEIGHTS[FIRST]} }`,
  `{ name: second, key: ${SECOND}, weight: ${WEIGHTS[SECOND]} }`,
  `{ name: spare, key: ${SPARE}, weight: 0 }`,
];
const API_KEYS = `api_keys: [${NAMED.join(', ')}]`;

describe('several credentials of one provider', () => {
  let lab: RouteLab;
  before(async () => {
    lab = await startRouteLab({
      // All calls are of one key: its word is to be enough.
      breaker: '{ credential: 200ms, credential_max: 200ms, credential_keys: 1, open: 200ms, open_max: 200ms }',
      providers: { one: { more: API_KEYS } },
      routes: [
        'lab/weighted: { strategy: [weighted], targets: [one-model] }',
        'lab/spare: { targets: [{ model: one-model, credential: spare }] }',
      ],
    });
  });
  after(() => lab[Symbol.asyncDispose]());
  afterEach(() => lab.forget());

  for (const model of ['one-model', 'lab/one', 'lab/weighted']) {
    test(`${model}: each has its share of the calls`, async () => {
      await using traffic = startTraffic(lab.gateway);
      const from = lab.vendors.one.requests.length;
      assertAllAnswered(await traffic.calls(model, CALLS, 50), 'one');
      const second = shareOf(lab, SECOND, from);
      const spread = Math.sqrt(0.75 * 0.25 * CALLS);
      assert.ok(Math.abs(second - 0.75 * CALLS) <= SIGMAS * spread, `${second} of ${CALLS}`);
      assert.equal(shareOf(lab, SPARE, from), 0);
    });

    for (const fault of ['unauthorized', 'payment-required', 'forbidden', 'rate-limited-ms'] as const) {
      test(`${model}, ${fault} with one of them: every call is answered with the other`, async () => {
        lab.vendors.one.plan(whereKeyIs(SECOND, fault));
        await using traffic = startTraffic(lab.gateway);
        const from = lab.vendors.one.requests.length;
        const answers = await traffic.calls(model, 400, 20);
        assertAllAnswered(answers, 'one');
        assert.equal(shareOf(lab, FIRST, from), answers.length);
        // It is asked by those that were on their way, and to find out.
        assert.ok(shareOf(lab, SECOND, from) < answers.length / 4, `${shareOf(lab, SECOND, from)}`);
        lab.forget();
        await wellAgain(lab, model);
      });
    }
  }

  test('one that takes no share is there for those who name it', async () => {
    await using traffic = startTraffic(lab.gateway);
    const from = lab.vendors.one.requests.length;
    assertAllAnswered(await traffic.calls('lab/spare', 20, 5), 'one');
    assert.equal(shareOf(lab, SPARE, from), 20);
  });

  test('a route that names one has no other', async () => {
    lab.vendors.one.plan(whereKeyIs(SPARE, 'unauthorized'));
    await using traffic = startTraffic(lab.gateway);
    const answer = await traffic.call('lab/spare');
    assert.equal(answer.status, 502, answer.body);
    assertAllAnswered([await traffic.call('lab/one')], 'one');
  });
});

test('a repaired key, and another address, are used from the reload on', async () => {
  await using vendor = await startFakeProvider({ models: ['one-model'] });
  await using broken = await startFakeProvider({ models: ['one-model'] });
  vendor.plan(whereKeyIs(FIRST, 'unauthorized'));
  broken.plan('overloaded');
  const config = (url: string, key: string) => `
providers: { one: { base_url: "${url}", api_key: ${key}, only: [one-model] } }
routes: { lab/one: { targets: [one-model] } }
breaker: { failures: 1, open: 10m, open_max: 10m }
`;
  await using gateway = await startHeadgate({ config: config(vendor.url, FIRST) });
  await using traffic = startTraffic(gateway);
  assert.deepEqual([(await traffic.call('lab/one')).status, (await traffic.call('lab/one')).status], [502, 503]);
  await gateway.reload(config(vendor.url, SECOND));
  assertAllAnswered([await traffic.call('lab/one')], 'one');
  await gateway.reload(config(broken.url, SECOND));
  assert.equal((await traffic.call('lab/one')).status, 503);
  assert.equal((await traffic.call('lab/one')).status, 503);
  assert.equal(broken.requests.length, 1, 'the second asks nobody');
  await gateway.reload(config(vendor.url, SECOND));
  assertAllAnswered([await traffic.call('lab/one')], 'one');
});

/** The same vendor for everybody else. */
function whereKeyIs(key: string, fault: FaultName): Plan {
  const usual = normal();
  return (request) =>
    request.headers.authorization === `Bearer ${key}` ? FAULTS[fault].plan(request) : usual(request);
}

/** How many calls since then had this key. A vendor that is asked for its models, to hear of a key, is not called. */
function shareOf(lab: RouteLab, key: string, from: number): number {
  const calls = lab.vendors.one.requests.slice(from).filter(({ method }) => method === 'POST');
  return calls.filter(({ headers }) => headers.authorization === `Bearer ${key}`).length;
}

/** Asks until the credential is used again without bounds: one that was out comes back by one call more with each answer. */
async function wellAgain(lab: RouteLab, model: string): Promise<void> {
  await using traffic = startTraffic(lab.gateway);
  const from = lab.vendors.one.requests.length;
  const deadline = performance.now() + WAIT_MS;
  while (shareOf(lab, SECOND, from) < UNBOUNDED_AFTER && performance.now() < deadline) {
    assertAllAnswered([await traffic.call(model)], 'one');
  }
  assert.ok(shareOf(lab, SECOND, from) >= UNBOUNDED_AFTER, 'the credential did not come back');
}
