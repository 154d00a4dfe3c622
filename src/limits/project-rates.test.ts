import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalledModel } from '../core/access.ts';
import type { ApiKey } from '../core/records.ts';
import type { ProjectRateLimit } from '../core/settings.ts';
import { buildDirectory } from '../routing/directory.ts';
import { key, NOON } from '../store/fixtures.test.ts';
import { model, served } from '../testing/routes.ts';
import { createLimiter } from './limiter.ts';
import { withProjectRates } from './project-rates.ts';

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
  for (const other of ['small-mini', 'small-2026', 'small-2026-0718', 'smaller-2026-07-18'])
    await reserve(keyWith('key_1', 2), other);
});

test('a version is told by each mark by which its price is, too', async () => {
  for (const version of ['small-2026-07-18', 'small-20260801', 'small@20260801', 'small-latest']) {
    const reserve = limiter();
    await reserve(keyWith('key_1', 1), version);
    await assert.rejects(async () => reserve(keyWith('key_2', 1), 'small'), { kind: 'rate_limit_exceeded' }, version);
  }
});

test('a rate holds by the name that a call gives, and by the model’s id with its provider or without', async () => {
  const entry = buildDirectory([served('lab', [model('small')])]).find('small')!;
  for (const [name, sent] of [
    ['fast', 'fast'],
    ['lab/small', 'fast'],
    ['lab/small', 'small'],
    ['small', 'lab/small'],
  ] as const) {
    const reserve = limiter();
    await reserve(keyWith('key_1', 1, name), 'small', { entry, sent });
    await assert.rejects(async () => reserve(keyWith('key_1', 1, name), 'small', { entry, sent }), {
      kind: 'rate_limit_exceeded',
    });
  }
  const reserve = limiter();
  for (const sent of ['small', 'lab/small']) await reserve(keyWith('key_1', 1, 'fast'), 'small', { entry, sent });
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
  const seen = new Set<ApiKey>();
  const reservation = { at: NOON, settle: () => undefined, cancel: () => undefined };
  const state = () => assert.fail('nobody asks for a state here');
  const limited = withProjectRates({
    reserve: (holder) => {
      if (holder.id.startsWith('rate:')) seen.add(holder);
      return reservation;
    },
    state,
  });
  const call = (index: number) =>
    limited.reserve(keyWith('key_1', 1, `model-${index}`), { tokens: 1, cost: 1n, model: `model-${index}` });
  for (let round = 0; round < 2; round += 1) for (let index = 0; index < 10_000; index += 1) call(index);
  assert.equal(seen.size, 10_000);
  call(10_000);
  call(0);
  assert.equal(seen.size, 10_002);
});

function limiter() {
  const clock = { now: () => NOON, monotonic: () => NOON };
  const spend = { spent: async () => 0n };
  const defaults = () => ({ requestsPerMinute: 1_000, tokensPerMinute: 1_000_000 });
  const limited = withProjectRates(createLimiter({ clock, spend, defaults }));
  return (of: ReturnType<typeof keyWith>, model: string, called?: CalledModel) =>
    limited.reserve(of, { tokens: 1, cost: 1n, model, ...(called !== undefined && { called }) });
}

function keyWith(id: string, requestsPerMinute: number, model = 'small') {
  const rate: ProjectRateLimit = { model, requestsPerMinute, tokensPerMinute: null, kept: {} };
  return key({ id, inForce: { models: null, rates: new Map([[model, rate]]), spendLimits: [], budgets: [] } });
}
