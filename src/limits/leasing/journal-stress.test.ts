import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GatewayError } from '../../core/errors.ts';
import { workerInstance } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import type { Reservation, Storage } from '../../core/ports.ts';
import type { ApiKey, Intent } from '../../core/records.ts';
import { intent, NOON, key as plainKey, settlement, temporaryFolder } from '../../store/fixtures.test.ts';
import { openStorage, openThreadedStorage } from '../../store/open.ts';
import { createLeasingLimiter, type LeasingLimiter } from './leasing-limiter.ts';

const IS_NIGHTLY = process.env.HEADGATE_TESTS === 'nightly';
const WORKERS = 3;
const KEYS = IS_NIGHTLY ? 60 : 6;
const AMOUNT = 60_000n;
/** The most that one call may cost. */
const MOST = 3_000;
const AT_ONCE = 6;
/** A process is killed after some number of calls, at most this one; so many are killed. */
const CALLS_BEFORE_KILL = 60;
const KILLS = IS_NIGHTLY ? 60 : 4;
/** One write in so many begins a time in which the disk is full, for some writes. */
const WRITES_BETWEEN_TROUBLE = 25;
/** The room of a disk that is nearly full, in bytes: none, enough for one intent and no settlement, and for a few records. */
const ROOM = [0, 200, 900];
/** A process ends when so many calls in a row were refused: every budget is used up then. */
const REFUSALS = 40 * KEYS;
const CALLS_PER_PROCESS = 1_000_000;

const clock = { now: () => NOON, monotonic: () => Number(process.hrtime.bigint()) / 1e6 };
const keys = Array.from({ length: KEYS }, (_, number): ApiKey => {
  const spendLimit = { amount: AMOUNT, per: 'life' } as const;
  return plainKey({ id: `key_${number}`, spendLimit });
});
const random = (most: number) => Math.floor(Math.random() * most);

const [, , role, folder, number] = process.argv;
if (role === 'worker' && folder !== undefined) await spendAll(folder, Number(number));
else test('no budget is passed by processes that are killed, on a disk that refuses writes at times', run);

/**
 * The child: callers that reserve, write, wait and settle. What happens is appended to one file for all processes: `in` when a call is
 * let in with what is held for it, `out` right before its settlement is written, with its cost, and `in` again if that fails.
 */
async function spendAll(folder: string, process: number): Promise<void> {
  const settling = new Map<string, { keyId: string; held: NanoDollars; cost: NanoDollars }>();
  const note = (what: string, id: string, { keyId, amount }: { keyId: string; amount: NanoDollars }) =>
    appendFileSync(`${folder}.events`, `${what} ${process} ${id} ${keyId} ${amount}\n`);
  let [fullFor, room] = [0, 0];
  const writeJournal = (descriptor: number, line: Buffer): number => {
    if (fullFor === 0 && random(WRITES_BETWEEN_TROUBLE) === 0)
      [fullFor, room] = [1 + random(12), ROOM[random(ROOM.length)]!];
    const text = line.toString();
    const settled = [...settling].filter(([id]) => text.includes(id));
    for (const [id, { keyId, cost }] of settled) note('out', id, { keyId, amount: cost });
    if (fullFor > 0) {
      fullFor -= 1;
      if (line.length > room) {
        for (const [id, { keyId, held }] of settled) note('in', id, { keyId, amount: held });
        tell('full');
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      }
    }
    for (const [id] of settled) settling.delete(id);
    return writeSync(descriptor, line);
  };
  const options = { folder, instanceId: workerInstance(`${process}`), durability: 'normal', writeJournal } as const;
  const storage = await openThreadedStorage({ ...options, onThreadDeath: assert.ifError, onThreadRestart() {} });
  const limiter = createLeasingLimiter({
    clock,
    workers: WORKERS,
    leases: storage.leases,
    defaults: () => ({ requestsPerMinute: 1_000_000_000, tokensPerMinute: 1_000_000_000 }),
  });
  let next = process * CALLS_PER_PROCESS;
  let refusals = 0;
  const caller = async () => {
    while (refusals < REFUSALS) {
      const key = keys[random(KEYS)]!;
      const held = BigInt(1 + random(MOST));
      const reservation = await reserved(limiter, key, held);
      refusals = reservation === 'refused' ? refusals + 1 : reservation === null ? refusals : 0;
      if (reservation === null || reservation === 'refused') {
        await storage.check().catch(() => undefined);
        continue;
      }
      const call = intent(next++, { keyId: key.id, held, price: null });
      if (!(await isWritten(storage.ledger.intend(call)))) {
        reservation.cancel();
        continue;
      }
      note('in', call.id, { keyId: key.id, amount: held });
      tell('in');
      for (let turns = random(20); turns > 0; turns -= 1) await turn();
      const cost = BigInt(random(Number(held) + 1));
      settling.set(call.id, { keyId: key.id, held, cost });
      await settleCall(storage, reservation, { call, cost });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  while (!(await isWritten(limiter.close()))) await storage.check().catch(() => undefined);
  await storage.close();
  globalThis.process.disconnect!();
}

/** Tells the test what happened. It is never waited for: a full pipe would hold the callers up. */
function tell(what: 'in' | 'full'): void {
  process.send!(what);
}

/** `null` where the store could not tell. */
async function reserved(limiter: LeasingLimiter, key: ApiKey, cost: NanoDollars) {
  try {
    return await limiter.reserve(key, { tokens: 0, cost, model: 'm' });
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'insufficient_quota') return 'refused';
    if (error instanceof GatewayError && error.kind === 'storage_unavailable') return null;
    throw error;
  }
}

/** As calls are settled: what is left is given back, and the settlement handed in, in one turn. */
async function settleCall(
  { ledger }: Pick<Storage, 'ledger'>,
  reservation: Reservation,
  { call, cost }: { call: Intent; cost: NanoDollars },
): Promise<void> {
  reservation.settle(0, cost);
  await isWritten(ledger.settle(settlement(call, { cost, counted: cost, lineItems: [] })));
}

async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'storage_unavailable') return false;
    throw error;
  }
}

async function run(t: TestContext): Promise<void> {
  const folder = join(temporaryFolder(t), 'data');
  await using storage = await openPrimary(folder);
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  await storage.leases.clear();
  let [processes, killed, full] = [0, 0, 0];
  const worker = async (): Promise<void> => {
    processes += 1;
    const number = processes;
    const child = spawn(process.execPath, [import.meta.filename, 'worker', folder, `${number}`], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    let left = killed < KILLS ? 1 + random(CALLS_BEFORE_KILL) : Number.POSITIVE_INFINITY;
    if (killed < KILLS) killed += 1;
    child.on('message', (what) => {
      if (what === 'full') full += 1;
      else if (--left === 0) child.kill('SIGKILL');
    });
    const [code, signal] = await exit;
    const instanceId = workerInstance(`${number}`);
    await storage.recover(instanceId, NOON);
    await storage.leases.end(instanceId);
    if (signal !== null) return worker();
    assert.equal(code, 0);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));

  const counted = checkEvents(readFileSync(`${folder}.events`, 'utf8').trimEnd().split('\n'));
  for (const { id } of keys) {
    const spent = await storage.spend.spent(id, null);
    assert.ok(spent <= AMOUNT, `${id}: ${spent} of ${AMOUNT}`);
    assert.ok(spent >= (counted.get(id) ?? 0n), `${id}: the ledger has ${spent}, and ${counted.get(id)} went out`);
    assert.ok(spent >= AMOUNT / 2n, `${id}: only ${spent} was spent`);
  }
  assert.ok(full > 0 && killed === KILLS, `${full} writes were refused, ${killed} processes killed`);
}

/** At every moment what was spent and what is held is no more than the budget. Returns what each key came to. */
function checkEvents(lines: readonly string[]): Map<string, NanoDollars> {
  const calls = new Map<string, NanoDollars>();
  const sums = new Map<string, NanoDollars>();
  for (const [at, line] of lines.entries()) {
    const [what, , id = '', keyId = '', amount = '0'] = line.split(' ');
    const sum = (sums.get(keyId) ?? 0n) - (calls.get(id) ?? 0n) + BigInt(amount);
    calls.set(id, BigInt(amount));
    sums.set(keyId, sum);
    if (what === 'in') assert.ok(sum <= AMOUNT, `${keyId} has let in ${sum} of ${AMOUNT} at event ${at}: ${line}`);
  }
  return sums;
}

async function openPrimary(folder: string) {
  const storage = await openStorage({ folder, instanceId: 'instance_primary', durability: 'normal' });
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() };
}
