import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { LimitRequest, Reservation } from '../core/ports.ts';
import type { ApiKey } from '../core/records.ts';
import { plainKey } from '../testing/plain-key.ts';
import { createLimiter } from './limiter.ts';

const SEEDS = 40;
const STEPS = 1_500;
const DAY_MS = 86_400_000;
/** The highest cost of a call. */
const MOST_COST = 300;

type OpenCall = { reservation: Reservation; tokens: number; cost: NanoDollars; day: number };

for (let seed = 1; seed <= SEEDS; seed += 1) {
  test(`random calls keep every limit and leak nothing (seed ${seed})`, () => run(seed));
}

/**
 * Reserves, settles and waits at random. Held at each step, with `used` and `held` counted here and not by the limiter:
 * requests and tokens let in never pass what the buckets held plus what came back since; spend passes its limit by no more
 * than one call can cost beyond its least; a call is let in where, and only where, its least is left;
 * a refusal holds until exactly the time it names. In the end, with all calls settled, nothing is missing.
 */
async function run(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const clock = { time: 0, now: () => clock.time, monotonic: () => clock.time };
  const spentOn = new Map<number, NanoDollars>();
  const spend = { spent: async () => spentOn.get(today()) ?? 0n };
  const [requestsPerMinute, tokensPerMinute] = [between(1, 300), between(100, 50_000)];
  const amount = BigInt(between(500, 50_000));
  const defaults = () => ({ requestsPerMinute, tokensPerMinute });
  const limiter = createLimiter({ clock, spend, defaults });
  const key: ApiKey = { ...plainKey, spendLimit: { amount, per: 'day' } };
  const today = () => Math.floor(clock.time / DAY_MS);
  const open: OpenCall[] = [];
  let [requests, tokensUsed, tokensHeld, refused] = [0, 0, 0, 0];

  for (let step = 0; step < STEPS; step += 1) {
    const choice = random();
    if (choice < 0.5) await tryCall(someCall());
    else if (choice < 0.8) settleOne();
    else clock.time += random() < 0.01 ? DAY_MS / 3 : between(0, 2_000);
    checkLimits();
  }

  while (open.length > 0) settleOne();
  clock.time += 60_000;
  const { remainingRequests, remainingTokens, resetRequestsMs, resetTokensMs } = limiter.state(key);
  assert.deepEqual(
    [remainingRequests, remainingTokens, resetRequestsMs, resetTokensMs],
    [requestsPerMinute, tokensPerMinute, 0, 0],
  );
  clock.time += DAY_MS;
  (await limiter.reserve(key, { tokens: 0, cost: amount, model: 'm' })).settle(0, 0n);
  assert.ok(requests > 20 && refused > 0, `the run let in ${requests} and refused ${refused}`);

  /** Half of all calls name no maximum. */
  function someCall(): LimitRequest {
    const cost = between(0, MOST_COST);
    const call = { tokens: between(0, Math.ceil(tokensPerMinute / 3)), cost: BigInt(cost), model: 'm' };
    return random() < 0.5 ? call : { ...call, leastCost: BigInt(between(Math.min(1, cost), cost)) };
  }

  async function tryCall(call: LimitRequest): Promise<void> {
    const refusal = await reserve(call);
    if (refusal === null) return;
    refused += 1;
    if (refusal.kind === 'insufficient_quota') return;
    assert.ok(refusal.retryAfterMs !== undefined);
    clock.time += refusal.retryAfterMs - 1;
    assert.equal((await reserve(call))?.retryAfterMs, 1);
    clock.time += 1;
    assert.ok([undefined, 'insufficient_quota'].includes((await reserve(call))?.kind));
  }

  async function reserve(call: LimitRequest): Promise<GatewayError | null> {
    const { tokens, leastCost } = call;
    const cost = call.cost!;
    const least = leastCost ?? cost;
    const isLeft = () => least === 0n || spent().get(today())! + least <= amount;
    try {
      const reservation = await limiter.reserve(key, call);
      assert.ok(isLeft(), 'let in where too little is left');
      open.push({ reservation, tokens, cost, day: today() });
      requests += 1;
      tokensHeld += tokens;
      return null;
    } catch (error) {
      assert.ok(error instanceof GatewayError);
      if (error.kind === 'insufficient_quota') assert.ok(!isLeft(), 'refused where enough is left');
      return error;
    }
  }

  function settleOne(): void {
    const [call] = open.splice(between(0, open.length - 1), 1);
    if (call === undefined) return;
    const tokens = between(0, call.tokens);
    const cost = BigInt(between(0, Number(call.cost)));
    call.reservation.settle(tokens, cost);
    tokensHeld -= call.tokens;
    tokensUsed += tokens;
    spentOn.set(call.day, (spentOn.get(call.day) ?? 0n) + cost);
  }

  function checkLimits(): void {
    const minutes = clock.time / 60_000;
    assert.ok(requests <= requestsPerMinute * (1 + minutes) + 1e-6, 'requests');
    assert.ok(tokensUsed + tokensHeld <= tokensPerMinute * (1 + minutes) + 1e-6, 'tokens');
    for (const each of spent().values()) assert.ok(each < amount + BigInt(MOST_COST), 'spend');
  }

  /** By day, with open calls at their highest. */
  function spent(): Map<number, NanoDollars> {
    const spending = new Map(spentOn);
    spending.set(today(), spending.get(today()) ?? 0n);
    for (const { day, cost } of open) spending.set(day, (spending.get(day) ?? 0n) + cost);
    return spending;
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (xorshift32). */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
