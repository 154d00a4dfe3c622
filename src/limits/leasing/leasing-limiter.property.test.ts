import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Bucket, createBucket, refill, remaining, take } from '../../core/bucket.ts';
import { GatewayError } from '../../core/errors.ts';
import type { NanoDollars } from '../../core/money.ts';
import type { Reservation, Storage } from '../../core/ports.ts';
import type { ApiKey } from '../../core/records.ts';
import { openStorage } from '../../store/open.ts';
import { plainKey } from '../../testing/plain-key.ts';
import { countLeases, openBooks } from './fixtures.test.ts';
import { blocksOf } from './holding.ts';
import { createLeasingLimiter, type LeasingLimiter, TRUST_MS } from './leasing-limiter.ts';

const SEEDS = 20;
const STEPS = 500;
const WORKERS = 3;
const DAY_MS = 86_400_000;
/** The highest cost of a call. */
const MOST_COST = 300;

type Worker = { id: string; storage: Storage; limiter: LeasingLimiter };
type AskedCall = { tokens: number; cost: NanoDollars; leastCost: NanoDollars };
type OpenCall = { worker: Worker; reservation: Reservation; tokens: number; cost: NanoDollars; day: number };

for (let seed = 1; seed <= SEEDS; seed += 1) {
  test(`workers at random never pass a limit, and hold back at most a block each (seed ${seed})`, () => run(seed));
}

/**
 * Several limiters over one store reserve, settle, rest and die at random. Beside them one exact bucket of each limit is
 * kept here. Held at each step: what was let in never passes what the limits allow, but spend by what one call can cost
 * beyond its least, which was left when it was let in. At each refusal: with a block more for each worker, the exact limits would refuse too. In the end all is there again.
 */
async function run(seed: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-leases-'));
  const random = randomFrom(seed);
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const clock = { time: 0, now: () => clock.time, monotonic: () => clock.time };
  const [requestsPerMinute, tokensPerMinute] = [between(1, 300), between(100, 50_000)];
  const amount = BigInt(between(500, 50_000));
  const blocks = blocksOf(requestsPerMinute, tokensPerMinute, amount, WORKERS);
  const key: ApiKey = { ...plainKey, spendLimit: { amount, per: 'day' } };
  const exact = { requests: createBucket(requestsPerMinute, 0), tokens: createBucket(tokensPerMinute, 0) };
  const spentOn = new Map<number, NanoDollars>();
  const today = () => Math.floor(clock.time / DAY_MS);
  const open: OpenCall[] = [];
  const workers: Worker[] = [];
  let [births, requests, tokensUsed, tokensHeld, refused, died] = [0, 0, 0, 0, 0, 0];
  for (let index = 0; index < WORKERS; index += 1) workers.push(await birth());
  const books = openBooks(folder);

  try {
    for (let step = 0; step < STEPS; step += 1) {
      const choice = random();
      if (choice < 0.5) await tryCall(someCall());
      else if (choice < 0.8) settleOne();
      else if (choice < 0.81) await die(between(0, WORKERS - 1));
      else clock.time += random() < 0.01 ? DAY_MS / 3 : between(0, 2_000);
      if (random() < 0.2) for (const { limiter } of workers) await limiter.returnIdle();
      await turn();
      checkLimits();
    }
    while (open.length > 0) settleOne();
    clock.time += 60_000;
    for (const { limiter } of workers) await limiter.returnIdle();
    clock.time += 60_000;
    for (const { limiter } of workers) {
      limiter.state(key);
      await turn();
      const { remainingRequests, remainingTokens } = limiter.state(key);
      assert.deepEqual([remainingRequests, remainingTokens], [requestsPerMinute, tokensPerMinute]);
    }
    assert.equal(countLeases(folder), 0);
    clock.time += DAY_MS;
    const [first] = workers;
    (await first!.limiter.reserve(key, { tokens: 0, cost: amount, model: 'm' })).settle(0, 0n);
    assert.ok(requests > 5 && refused > 0, `the run let in ${requests} and refused ${refused}; ${died} died`);
  } finally {
    books.close();
    for (const { storage } of workers) await storage.close();
    rmSync(folder, { recursive: true });
  }

  async function birth(): Promise<Worker> {
    births += 1;
    const id = `instance_${births}`;
    const storage = await openStorage({
      folder,
      instanceId: id,
      durability: 'normal',
      leaseNow: clock.monotonic,
    });
    const defaults = () => ({ requestsPerMinute, tokensPerMinute });
    return {
      id,
      storage,
      limiter: createLeasingLimiter({ clock, leases: storage.leases, workers: WORKERS, defaults }),
    };
  }

  /** Its open calls count as they were reserved. */
  async function die(index: number): Promise<void> {
    const [dead] = workers.splice(index, 1, await birth());
    died += 1;
    for (const call of open.filter(({ worker }) => worker === dead)) {
      open.splice(open.indexOf(call), 1);
      count(call, call.cost);
      tokensHeld -= call.tokens;
      tokensUsed += call.tokens;
    }
    await dead!.storage.close();
    await workers[0]!.storage.leases.end(dead!.id);
  }

  /** A refusal may be repeated for a moment, whatever was given back meanwhile: one that lasts longer is looked at. */
  async function tryCall(call: AskedCall): Promise<void> {
    if (await letIn(call, () => {})) return;
    clock.time += TRUST_MS;
    await letIn(call, (refusal) => checkRefusal(refusal, call));
  }

  /** Half of all calls name no maximum. */
  function someCall(): AskedCall {
    const tokens = between(0, Math.ceil(tokensPerMinute / 3));
    const most = between(0, MOST_COST);
    const least = random() < 0.5 ? most : between(Math.min(1, most), most);
    return { tokens, cost: BigInt(most), leastCost: BigInt(least) };
  }

  async function letIn(call: AskedCall, check: (refusal: GatewayError) => void): Promise<boolean> {
    const { tokens, cost, leastCost } = call;
    const worker = workers[between(0, WORKERS - 1)]!;
    bringUp();
    try {
      const reservation = await worker.limiter.reserve(key, { ...call, model: 'm' });
      if (leastCost > 0n) assert.ok(spent().get(today())! + leastCost <= amount, 'let in where too little is left');
      open.push({ worker, reservation, tokens, cost, day: today() });
      take(exact.requests, 1);
      take(exact.tokens, tokens);
      requests += 1;
      tokensHeld += tokens;
      return true;
    } catch (error) {
      assert.ok(error instanceof GatewayError);
      refused += 1;
      check(error);
      return false;
    }
  }

  function checkRefusal({ kind }: GatewayError, { tokens, leastCost }: AskedCall): void {
    bringUp();
    const slack = WORKERS + died;
    switch (kind) {
      case 'rate_limit_exceeded':
        return assert.ok(remaining(exact.requests) < 1 + slack * Number(blocks.requests), kind);
      case 'token_limit_exceeded':
        return assert.ok(remaining(exact.tokens) < tokens + slack * Number(blocks.tokens), kind);
      case 'insufficient_quota': {
        const left = amount - spent().get(today())!;
        return assert.ok(left < leastCost + BigInt(WORKERS) * blocks.spend, kind);
      }
      default:
        assert.fail(kind);
    }
  }

  function settleOne(): void {
    const [call] = open.splice(between(0, open.length - 1), 1);
    if (call === undefined) return;
    const tokens = between(0, call.tokens);
    const cost = BigInt(between(0, Number(call.cost)));
    call.reservation.settle(tokens, cost);
    bringUp();
    take(exact.tokens, tokens - call.tokens);
    tokensHeld -= call.tokens;
    tokensUsed += tokens;
    count(call, cost);
  }

  function count({ worker, day }: OpenCall, cost: NanoDollars): void {
    spentOn.set(day, (spentOn.get(day) ?? 0n) + cost);
    books.add(worker.id, key.id, day * DAY_MS, cost);
  }

  function bringUp(): void {
    const each: Bucket[] = [exact.requests, exact.tokens];
    for (const bucket of each) refill(bucket, bucket.limit, clock.time);
  }

  function spent(): Map<number, NanoDollars> {
    const spending = new Map(spentOn);
    spending.set(today(), spending.get(today()) ?? 0n);
    for (const { day, cost } of open) spending.set(day, (spending.get(day) ?? 0n) + cost);
    return spending;
  }

  function checkLimits(): void {
    const minutes = clock.time / 60_000;
    assert.ok(requests <= requestsPerMinute * (1 + minutes) + 1e-6, 'requests');
    assert.ok(tokensUsed + tokensHeld <= tokensPerMinute * (1 + minutes) + 1e-6, 'tokens');
    for (const each of spent().values()) assert.ok(each < amount + BigInt(MOST_COST), 'spend');
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
