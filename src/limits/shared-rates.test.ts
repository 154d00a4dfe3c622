import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { RateLimiter, Reservation } from '../core/ports.ts';
import { ratesFor } from '../core/project-rate.ts';
import type { Target, VendorEntry } from '../core/provider.ts';
import type { LimitSubject } from '../core/records.ts';
import type { ProjectRateLimit } from '../core/settings.ts';
import { TargetRates } from '../pipeline/admission/target-rates.ts';
import { buildDirectory } from '../routing/directory.ts';
import { key, NOON } from '../store/fixtures.test.ts';
import { model, served } from '../testing/routes.ts';
import { createLimiter } from './limiter.ts';
import { SharedRates } from './shared-rates.ts';

test('what a project may use of a model is one amount for all its keys, though each knows it by a copy of its own', async () => {
  const reserve = limiter();
  const [one, two] = [keyWith('key_1', 2), keyWith('key_2', 2)];
  await reserve(one, 'small');
  await reserve(two, 'small');
  for (const each of [one, two]) {
    await assert.rejects(async () => reserve(each, 'small'), { kind: 'rate_limit_exceeded' });
    await reserve(each, 'large');
  }
});

test('a dated version counts as its model, unless it has a rate of its own', async () => {
  const reserve = limiter();
  await reserve(keyWith('key_1', 2), 'small-2026-07-18');
  await reserve(keyWith('key_2', 2), 'small-20260801');
  await assert.rejects(async () => reserve(keyWith('key_1', 2), 'small'), { kind: 'rate_limit_exceeded' });
  for (const other of ['small-mini', 'small-2026', 'small-2026-9918', 'smaller-2026-07-18'])
    await reserve(keyWith('key_1', 2), other);
});

test('a version is told by each mark by which its price is, too', async () => {
  for (const version of ['small-2026-07-18', 'small-20260801', 'small@20260801', 'small-latest']) {
    const reserve = limiter();
    await reserve(keyWith('key_1', 1), version);
    await assert.rejects(async () => reserve(keyWith('key_2', 1), 'small'), { kind: 'rate_limit_exceeded' }, version);
  }
});

test('a rate holds for the model that serves, by each of its names', async () => {
  const upstream = { ...model('renamed'), upstreamId: model('small').upstreamId };
  const listed = [served('lab', [model('small'), upstream]), served('spare', [model('small')])];
  const { find } = buildDirectory(listed, { aliases: new Map([['fast', 'small']]) });
  const meant: Record<string, boolean[]> = {
    small: [true, true, true],
    SMALL: [true, true, true],
    'small-latest': [true, true, true],
    'lab/small': [true, true, false],
    'lab/renamed': [true, true, false],
    fast: [true, true, false],
    'spare/small': [false, false, true],
    'small-mini': [false, false, false],
  };
  for (const [name, expected] of Object.entries(meant)) {
    const rates = keyWith('key_1', 1, name).inForce!.rates;
    const held = ['lab/small', 'lab/renamed', 'spare/small'].map((called) => {
      const { provider, model: its } = find(called) as VendorEntry;
      return ratesFor({ provider, model: its }, rates, find).length > 0;
    });
    assert.deepEqual(held, expected, name);
  }
});

test('of several rates for one model all hold, and one of a version goes before those of its model', () => {
  const { find } = buildDirectory([served('lab', [model('small')])], { aliases: new Map([['fast', 'small']]) });
  const rates = new Map(['small', 'fast', 'small-2026-07-18'].map((name) => [name, name]));
  const of = (id: string) => ratesFor({ provider: { id: 'lab' }, model: { id, upstreamId: id } }, rates, find);
  assert.deepEqual(of('small').toSorted(), ['fast', 'small']);
  assert.deepEqual(of('small-20260718'), ['small-2026-07-18']);
  assert.deepEqual(of('small-latest').toSorted(), ['fast', 'small']);
});

test('a call that its key’s own limits refuse uses nothing of its project', async () => {
  const reserve = limiter();
  const hasty = { ...keyWith('key_1', 2), requestsPerMinute: 1 };
  const poor = { ...keyWith('key_2', 2), spendLimit: { amount: 0n, per: 'life' } as const };
  await reserve(hasty, 'small');
  for (let again = 0; again < 3; again += 1) {
    await assert.rejects(async () => reserve(hasty, 'small'), { message: /^(?!In this project)/ });
    await assert.rejects(async () => reserve(poor, 'small'), { kind: 'insufficient_quota' });
  }
  (await reserve(keyWith('key_3', 2), 'small')).cancel();
  await reserve(keyWith('key_3', 2), 'small');
  await assert.rejects(async () => reserve(keyWith('key_3', 2), 'small'), { kind: 'rate_limit_exceeded' });
});

test('a rate that is changed holds at once, for each key', async () => {
  const reserve = limiter();
  await reserve(keyWith('key_1', 1), 'small');
  await assert.rejects(async () => reserve(keyWith('key_1', 1), 'small'), { kind: 'rate_limit_exceeded' });
  await reserve(keyWith('key_1', 2), 'small');
  await assert.rejects(async () => reserve(keyWith('key_2', 2), 'small'), { kind: 'rate_limit_exceeded' });
});

test('the tokens of a project are those that its calls have used, and its refusal speaks of it', async () => {
  const reserve = limiter();
  const withTokens = (id: string, tokensPerMinute: number) => {
    const rate: ProjectRateLimit = { model: 'small', requestsPerMinute: null, tokensPerMinute, kept: {} };
    return key({ id, inForce: { models: null, rates: new Map([['small', rate]]), spendLimits: [], budgets: [] } });
  };
  (await reserve(withTokens('key_1', 100), 'small')).settle(100, 1n);
  await assert.rejects(async () => reserve(withTokens('key_2', 100), 'small'), {
    kind: 'token_limit_exceeded',
    message: /^In this project, for the model `small`: /,
  });
  await reserve(withTokens('key_2', 200), 'small');
  await assert.rejects(async () => reserve(withTokens('key_1', 100), 'small'), { kind: 'token_limit_exceeded' });
});

test('of ten thousand rates each goes on as long as it holds; of more, the one used first begins anew', async () => {
  const seen = new Set<LimitSubject>();
  const reservation = { at: NOON, settle: () => undefined, cancel: () => undefined };
  const limited = new SharedRates(
    {
      reserve: (subject) => {
        seen.add(subject);
        return reservation;
      },
    },
    { now: () => 0 },
  );
  const call = (index: number) => {
    const of = keyWith('key_1', 1, `model-${index}`);
    return limited.reserve(of, of.inForce!.rates.get(`model-${index}`)!, { tokens: 1, model: `model-${index}` });
  };
  for (let round = 0; round < 2; round += 1) for (let index = 0; index < 10_000; index += 1) void call(index);
  assert.equal(seen.size, 10_000);
  void call(10_000);
  void call(0);
  assert.equal(seen.size, 10_002);
});

/** Reserves as a call of a vendor's model does: of the rates of its project, then of its key. */
function limiter() {
  const clock = { now: () => NOON, monotonic: () => NOON };
  const spend = { spent: async () => 0n };
  const defaults = () => ({ requestsPerMinute: 1_000, tokensPerMinute: 1_000_000 });
  const limited = createLimiter({ clock, spend, defaults });
  const rates = new SharedRates(limited, { now: () => 0 });
  return async (of: ReturnType<typeof keyWith>, id: string): Promise<Reservation> => {
    const call = { tokens: 1, model: id };
    const at = { provider: { id: 'lab' }, model: { id, upstreamId: id } } as Target;
    const taken = new TargetRates({
      limiter: rates,
      key: of,
      find: () => undefined,
      call,
      countsCached: true,
      isSent: true,
    });
    if (!(await taken.admit(at))) throw taken.refusal!;
    try {
      const ofKey = await limited.reserve(of, { ...call, cost: 1n });
      const settle = (tokens: number, counted: bigint) => {
        ofKey.settle(tokens, counted);
        taken.settle(at, { all: tokens, cached: 0 });
      };
      const cancel = () => {
        ofKey.cancel();
        taken.cancel();
      };
      return { at: ofKey.at, settle, cancel };
    } catch (error) {
      taken.cancel();
      throw error;
    }
  };
}

function keyWith(id: string, requestsPerMinute: number, model = 'small') {
  const rate: ProjectRateLimit = { model, requestsPerMinute, tokensPerMinute: null, kept: {} };
  return key({ id, inForce: { models: null, rates: new Map([[model, rate]]), spendLimits: [], budgets: [] } });
}

test('each request that is sent counts, for all credentials together; its tokens count once, less what a rate leaves uncounted', () => {
  const { rates, at, reserved, settled, cancelled } = outgoing();
  const [first, second] = [at('one'), at('two')];
  for (const target of [first, second]) {
    assert.equal(rates.admit(target), true);
    rates.ask(target);
  }
  assert.equal(rates.admit(first), true);
  rates.settle(second, { all: 100, cached: 90 });
  const [provider, model] = ['provider lab', 'model lab small'];
  assert.deepEqual(reserved, [
    ...[`${provider} 1`, `${model} 1`],
    ...[`${provider} 0`, `${model} 0`],
    ...[`${provider} 0`, `${model} 0`],
  ]);
  assert.deepEqual(settled, [
    [provider, 0],
    [model, 0],
    [provider, 100],
    [model, 10],
  ]);
  assert.deepEqual(cancelled, [provider, model], 'a request that was not sent does not count');
});

test('a request that is sent again for the same attempt counts, and is not sent where there is no room', async () => {
  const { rates, at, settled, full } = outgoing();
  const target = at('one');
  assert.equal(rates.admit(target), true);
  rates.ask(target);
  assert.equal(await rates.askAgain(target), null);
  assert.equal(settled.length, 2);
  full.add('model lab small');
  assert.equal((await rates.askAgain(target))?.status, 429);
  full.clear();
  assert.equal(await rates.askAgain(target), null, 'there may be room later');
});

test('counting tokens is no call that is sent', () => {
  const { rates, at, reserved } = outgoing(false);
  assert.equal(rates.admit(at('one')), true);
  assert.deepEqual(reserved, []);
});

/** What a call takes of the rates of what is sent. `reserved`: of which, and with how many tokens. */
function outgoing(isSent = true) {
  const settled: [id: string, tokens: number][] = [];
  const reserved: string[] = [];
  const cancelled: string[] = [];
  const full = new Set<string>();
  const limiter: RateLimiter = {
    reserve: () => assert.fail('no rate of a project holds'),
    reserveOutgoing({ id }, { tokens }) {
      if (full.has(id)) throw new GatewayError('rate_limit_exceeded', 'It is full.');
      reserved.push(`${id} ${tokens}`);
      return { at: 0, settle: (used) => void settled.push([id, used]), cancel: () => void cancelled.push(id) };
    },
    outgoing: () => new Map(),
  };
  const rate = { requestsPerMinute: 5, tokensPerMinute: null, countsCached: true };
  const model = { id: 'small', upstreamId: 'small', rate: { ...rate, countsCached: false } };
  const at = (credentialName: string) =>
    ({ provider: { id: 'lab', credentialName, rate }, model }) as unknown as Target;
  const call = { tokens: 1, model: 'small' };
  const rates = new TargetRates({ limiter, key: key(), find: () => undefined, call, countsCached: true, isSent });
  return { rates, at, reserved, settled, cancelled, full };
}
