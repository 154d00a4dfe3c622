import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { DEFAULT_TEXT } from '../../src/testing/answers.ts';
import { FAULTS, type FaultName } from '../../src/testing/faults.ts';
import type { Plan } from '../../src/testing/reply.ts';
import { type Asked, assertParting, errorOf, PROMPT_TOKENS, payloads, streamError, textOf } from '../faults/lab.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { type Attempted, FAULT_NAMES, OPENED, refusesKey, STRIKES, type Strike } from './fault-table.ts';
import { type AttemptRow, costAt, ROUTE_OF, type RouteLab, startRouteLab, type Vendor } from './lab.ts';

/** What the fake vendor says that it used. */
const USED = [9, 8] as const;

type Case = { plan: FaultName | Plan; stream: boolean; targets: 2 | 3 };
type Before = Extract<Strike, { at: 'before' }>;
type After = Extract<Strike, { at: 'after' }>;

const LIMITS = { max_line: '256KB', max_answer: '9MB' };
/** Between two words of a vendor a busy machine does not take as long. */
const HASTY = { first_byte: 1000, whole: 1000, idle: 1000, total: 4000 };

let lab: RouteLab;
before(async () => {
  lab = await startWarmLab({ limits: LIMITS });
});
after(() => lab[Symbol.asyncDispose]());
afterEach(() => lab.forget());

/** They end by the size of the answer. */
const ENDED_BY_SIZE: readonly FaultName[] = ['endless-body', 'endless-line'];

/** What nothing but a deadline ends is apart: no deadline comes to the others, however busy the machine is. */
const endsByTime = (strike: Strike) => strike.at !== 'none' && strike.attempt.error === 'upstream_timeout';
const matrix = [false, true]
  .flatMap((stream) => FAULT_NAMES.map((name) => ({ name, stream })))
  .filter(({ name }) => !ENDED_BY_SIZE.includes(name) && name !== 'flood');
const opened = Object.entries(OPENED);

function strikeOf(name: FaultName, stream: boolean): Strike {
  return STRIKES[name][stream ? 'stream' : 'whole'];
}

function openedBy(name: string): void {
  const { plan, strike } = OPENED[name]!;
  assert.ok(strike.at === 'before');
  beforeCommit(`a stream that is only opened, then ${name}`, { plan, stream: true }, strike);
}

for (const { name, stream } of matrix) if (!endsByTime(strikeOf(name, stream))) struckBy(name, stream);
for (const [name, { strike }] of opened) if (!endsByTime(strike)) openedBy(name);

describe('an answer that time ends', () => {
  useLab({ limits: LIMITS, timeouts: HASTY });
  for (const { name, stream } of matrix) if (endsByTime(strikeOf(name, stream))) struckBy(name, stream);
  for (const [name, { strike }] of opened) if (endsByTime(strike)) openedBy(name);
});

describe('an answer that its size ends', () => {
  useLab({ limits: { ...LIMITS, max_answer: '1MB' } });
  for (const name of ENDED_BY_SIZE) for (const stream of [false, true]) struckBy(name, stream);
  // Its stream has no end, and is told below.
  struckBy('flood', false);
});

describe('a stream that its caller takes little of', () => {
  // A caller who takes nothing is let go at `idle`: here the call is over before.
  useLab({ timeouts: { total: 3000, idle: 10_000 } });
  const { stream: strike } = STRIKES.flood;
  assert.ok(strike.at === 'after');
  behindCommit('stream, flood', { plan: 'flood', stream: true }, strike);
});

/** The first estimate of tokens loads tables, which on a busy machine may take as long as a hasty call may. */
async function startWarmLab(settings: Parameters<typeof startRouteLab>[0]): Promise<RouteLab> {
  lab = await startRouteLab(settings);
  await run({ plan: 'missing-usage', stream: false, targets: 2 });
  lab.forget();
  return lab;
}

/** The tests of a suite run against a gateway of these settings. */
function useLab(settings: Parameters<typeof startRouteLab>[0]): void {
  let usual: RouteLab;
  before(async () => {
    usual = lab;
    lab = await startWarmLab(settings);
  });
  after(async () => {
    await lab[Symbol.asyncDispose]();
    lab = usual;
  });
}

function struckBy(name: FaultName, stream: boolean): void {
  const kind = stream ? 'stream' : 'whole';
  const strike = strikeOf(name, stream);
  switch (strike.at) {
    case 'before':
      beforeCommit(`${kind}, ${name}`, { plan: name, stream }, strike);
      break;
    case 'after':
      if (name !== 'flood') behindCommit(`${kind}, ${name}`, { plan: name, stream }, strike);
      break;
    case 'none':
      if (name !== 'refuses-stream-options') noFault(`${kind}, ${name}: ${strike.why}`, { plan: name, stream });
      break;
    default:
      strike satisfies never;
  }
}

describe('a vendor that refuses to be asked for usage', () => {
  test('is asked again without it, and no other is', async () => {
    const { answer, row, attempts, asked } = await run({ plan: 'refuses-stream-options', stream: true, targets: 2 });
    assertAnswered(answer, true, { by: 'one', attempts: 2, route: ROUTE_OF[2] });
    assert.deepEqual(asked, { one: 2, two: 0, three: 0 });
    assert.deepEqual(attempts.map(statusOf), ['one failed upstream_rejected', 'one succeeded null']);
    assert.deepEqual([row.provider, row.attempts, row.usage_source], ['one', 2, 'estimated']);
  });
});

/** One faulty vendor of two: answered by the other. Two of three: by the third, if it may be asked. */
function beforeCommit(name: string, on: Omit<Case, 'targets'>, strike: Before): void {
  const { attempt } = strike;
  const lost = attempt.source === 'estimated' ? PROMPT_TOKENS : 0;

  test(`${name}, the first of two: the second answers`, async () => {
    const { answer, row, attempts, asked, partings } = await run({ ...on, targets: 2 });
    assertAnswered(answer, on.stream, { by: 'two', attempts: 2, route: ROUTE_OF[2] });
    assert.deepEqual(asked, { one: 1, two: 1, three: 0 });
    assertParting(partings.one!, strike.vendor);
    assertParting(partings.two!, 'ended');
    assert.deepEqual(attempts.map(told), [failedAt('one', attempt), answeredBy('two')]);
    assertRow(row, succeeded('two', 2, costAt('one', lost, 0)));
  });

  if (strike.asks === 'each') {
    test(`${name}, two of three: the third answers`, async () => {
      const { answer, row, attempts, asked } = await run({ ...on, targets: 3 });
      assertAnswered(answer, on.stream, { by: 'three', attempts: 3, route: ROUTE_OF[3] });
      assert.deepEqual(asked, { one: 1, two: 1, three: 1 });
      assert.deepEqual(attempts.map(told), [failedAt('one', attempt), failedAt('two', attempt), answeredBy('three')]);
      assertRow(row, succeeded('three', 3, 0));
    });
  } else {
    test(`${name}, two of three: each may have worked on it, so a third is not asked, and the caller is told`, async () => {
      const { answer, row, attempts, asked, partings } = await run({ ...on, targets: 3 });
      assert.ok(answer.status >= 500, `${answer.status}`);
      assert.equal(errorOf(answer).type, 'server_error');
      assert.equal(answer.header('service-attempts'), '2');
      assert.deepEqual(asked, { one: 1, two: 1, three: 0 });
      assertParting(partings.two!, strike.vendor);
      assert.deepEqual(attempts.map(told), [failedAt('one', attempt), failedAt('two', attempt)]);
      assertRow(row, {
        status: 'failed',
        http_status: answer.status,
        error: attempt.error,
        provider: 'two',
        attempts: 2,
        cost_usd: costAt('two', lost, 0),
        vendor_cost_usd: round(costAt('two', lost, 0) + costAt('one', lost, 0)),
      });
    });
  }
}

/** Never another vendor, and never a clean end. */
function behindCommit(name: string, on: Omit<Case, 'targets'>, strike: After): void {
  for (const targets of [2, 3] as const) {
    test(`${name}, the first of ${targets}: an error frame with ${strike.code}, and no other is asked`, async () => {
      const { answer, row, attempts, asked, partings } = await run({ ...on, targets });
      assert.equal(streamError(answer).code, strike.code);
      if (strike.text !== null) assert.equal(textOf(answer), strike.text);
      assert.deepEqual([answer.header('service-provider'), answer.header('service-attempts')], ['one', '1']);
      assert.deepEqual(asked, { one: 1, two: 0, three: 0 });
      assertParting(partings.one!, strike.vendor);
      assert.deepEqual(attempts.map(told), [failedAt('one', strike.attempt)]);
      const input = strike.attempt.source === 'provider' ? USED[0] : PROMPT_TOKENS;
      const cost = round(costAt('one', input, Number(row.output_tokens)));
      assert.ok(Number(row.output_tokens) > 0);
      assertRow(row, {
        status: 'failed',
        error: strike.attempt.error,
        provider: 'one',
        attempts: 1,
        cost_usd: cost,
        vendor_cost_usd: cost,
      });
    });
  }
}

function noFault(name: string, on: Omit<Case, 'targets'>): void {
  test(`${name}; nobody else is asked`, async () => {
    const { answer, row, asked } = await run({ ...on, targets: 2 });
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.header('service-provider'), answer.header('service-attempts')], ['one', '1']);
    assert.deepEqual(asked, { one: 1, two: 0, three: 0 });
    assert.deepEqual([row.status, row.provider, row.attempts], ['succeeded', 'one', 1]);
  });
}

type Parted = Parameters<typeof assertParting>[0];

/** One call of a route whose vendors, all but the last, do as planned. Nobody is left with an open call behind it. */
async function run({ plan, stream, targets }: Case) {
  const faulty: Vendor[] = targets === 2 ? ['one'] : ['one', 'two'];
  for (const name of faulty) {
    // On a connection that was used before, a request that is answered by no byte would be sent again, which is no attempt.
    lab.vendors[name].closeIdle();
    lab.vendors[name].plan(plan);
  }
  const before = lab.counts();
  using call = await lab.ask({ stream, model: ROUTE_OF[targets] });
  if (stream && plan === 'flood') await takeLittle(call);
  const answer = await call.answer();
  await lab.released();
  const { row, attempts } = await call.detail();
  const now = lab.counts();
  const asked = { one: now.one - before.one, two: now.two - before.two, three: now.three - before.three };
  const partings: Partial<Record<Vendor, Parted>> = {
    one: lab.vendors.one.requests.at(-1)!,
    two: lab.vendors.two.requests.at(-1)!,
  };
  if (refusesKey(plan)) await lab.recover();
  return { answer, row, attempts, asked, partings };
}

/** Reads the first of a stream that never ends nor pauses, and the rest once it was cut. */
async function takeLittle({ client, record }: Asked): Promise<void> {
  await client.bodyHas('xxx');
  client.pause();
  await record();
  client.resume();
}

function assertAnswered(
  answer: RawAnswer,
  stream: boolean,
  { by, attempts, route }: { by: Vendor; attempts: number; route: string },
): void {
  assert.deepEqual([answer.status, answer.ending], [200, 'complete'], answer.body().toString().slice(0, 500));
  assert.deepEqual(
    ['provider', 'model', 'attempts', 'route'].map((name) => answer.header(`service-${name}`)),
    [by, `${by}-model`, String(attempts), route],
  );
  if (!stream) {
    assert.equal(JSON.parse(answer.body().toString()).choices[0].message.content, DEFAULT_TEXT);
    return;
  }
  assert.equal(textOf(answer), DEFAULT_TEXT);
  assert.equal(payloads(answer).at(-1), '[DONE]');
  assert.equal(payloads(answer).filter((payload) => payload.includes('"role":"assistant"')).length, 1);
}

function succeeded(by: Vendor, attempts: number, lost: number): Record<string, unknown> {
  const cost = costAt(by, ...USED);
  return {
    status: 'succeeded',
    http_status: 200,
    error: null,
    provider: by,
    upstream_model: `${by}-model`,
    attempts,
    input_tokens: USED[0],
    output_tokens: USED[1],
    usage_source: 'provider',
    cost_usd: cost,
    vendor_cost_usd: round(cost + lost),
  };
}

function assertRow(row: Record<string, unknown>, wanted: Record<string, unknown>): void {
  assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, row[name]])), wanted);
}

/** To nano-dollars, as amounts are kept. */
function round(dollars: number): number {
  return Math.round(dollars * 1e9) / 1e9;
}

type Told = Pick<AttemptRow, 'provider' | 'status' | 'error' | 'http_status' | 'possibly_billed' | 'usage_source'>;

function told({ provider, status, error, http_status, possibly_billed, usage_source }: AttemptRow): Told {
  return { provider, status, error, http_status, possibly_billed, usage_source };
}

function failedAt(provider: Vendor, { error, http, billed, source }: Attempted): Told {
  return { provider, status: 'failed', error, http_status: http, possibly_billed: billed, usage_source: source };
}

function answeredBy(provider: Vendor): Told {
  return {
    provider,
    status: 'succeeded',
    error: null,
    http_status: 200,
    possibly_billed: false,
    usage_source: 'provider',
  };
}

function statusOf({ provider, status, error }: AttemptRow): string {
  return `${provider} ${status} ${error}`;
}

test('every fault is in the table', () => {
  assert.deepEqual(Object.keys(STRIKES).sort(), Object.keys(FAULTS).sort());
});
