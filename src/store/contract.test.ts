import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { LeaseAsk } from '../core/leases.ts';
import type { Storage } from '../core/ports.ts';
import type { Intent, Settlement } from '../core/records.ts';
import { NOON, settlement, temporaryFolder } from './fixtures.test.ts';
import { openStorage, openThreadedStorage } from './open.ts';
import { temporaryDatabase, WITH_POSTGRES } from './postgres/database.test.ts';
import { openStorage as openPostgres } from './postgres/storage.ts';

/** Opens the store of this test, as the instance of this name. Every call of one test opens the same store. */
export type Open = (instanceId: string) => Promise<Storage>;

/** One promise of a store. It is handed an empty one, which has the organizations `org_1` and `org_2`. */
export type Contract = (name: string, check: (storage: Storage, open: Open) => Promise<void>) => void;

/** Each makes an empty store for one test. */
const ENGINES: Readonly<Record<string, (t: TestContext) => Open | Promise<Open>>> = {
  sqlite(t) {
    const folder = temporaryFolder(t);
    return (instanceId) => openStorage({ folder, instanceId, durability: 'normal' });
  },
  'sqlite of another thread'(t) {
    const folder = temporaryFolder(t);
    const unexpected = (cause: Error) => assert.fail(cause);
    return (instanceId) =>
      openThreadedStorage({
        folder,
        instanceId,
        durability: 'normal',
        onThreadDeath: unexpected,
        onThreadRestart: () => undefined,
      });
  },
  async postgres(t) {
    const folder = temporaryFolder(t);
    const url = await temporaryDatabase(t);
    return (instanceId) => openPostgres({ url, folder, instanceId, durability: 'normal' });
  },
};

/** What every engine must do. */
export function storageContract(part: string, declare: (contract: Contract) => void): void {
  for (const [engine, prepare] of Object.entries(ENGINES)) {
    const options = engine === 'postgres' ? WITH_POSTGRES : {};
    describe(`${part} in ${engine}`, options, () =>
      declare((name, check) => test(name, async (t) => run(t, await prepare(t), check))),
    );
  }
}

/** Opens a store whose files are in a folder. All that one test opens have the same tables. */
export type OpenIn = (folder: string) => Promise<Storage>;

let instances = 0;

export const openEmbedded: OpenIn = (folder) => {
  instances += 1;
  return openStorage({ folder, instanceId: `instance_${instances}`, durability: 'normal' });
};

/** One test of administration, for each engine that has it. */
export function administrationTest(name: string, check: (t: TestContext, openIn: OpenIn) => Promise<void>): void {
  test(name, (t) => check(t, openEmbedded));
  test(`${name}, in postgres`, WITH_POSTGRES, async (t) => check(t, await openInPostgres(t)));
}

/** Stores on one database of Postgres. */
export async function openInPostgres(t: TestContext): Promise<OpenIn> {
  const url = await temporaryDatabase(t);
  return (folder) => {
    instances += 1;
    return openPostgres({ url, folder, instanceId: `instance_${instances}`, durability: 'normal', lockWaitMs: 60_000 });
  };
}

async function run(t: TestContext, open: Open, check: Parameters<Contract>[1]): Promise<void> {
  const opened: Storage[] = [];
  t.after(() => Promise.all(opened.map((storage) => storage.close())));
  const openAndKeep: Open = async (instanceId) => {
    const storage = await open(instanceId);
    opened.push(storage);
    return storage;
  };
  const storage = await openAndKeep('instance_1');
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  await storage.organizations.create({ id: 'org_2', name: 'Second', createdAt: NOON + 1 });
  await check(storage, openAndKeep);
}

export async function settleAll(
  { ledger }: Storage,
  calls: readonly Intent[],
  settlementOf: (call: Intent) => Settlement = settlement,
): Promise<void> {
  await Promise.all(calls.map((call) => ledger.intend(call)));
  await Promise.all(calls.map((call) => ledger.settle(settlementOf(call))));
}

/** An ask of an id that reports nothing, wants nothing and leaves nothing behind. */
export function plainAsk(id: string, changes: Partial<LeaseAsk> = {}): LeaseAsk {
  const report = { used: 0n, back: 0n, left: 0n, keeps: 0n };
  return {
    id,
    requestsPerMinute: 100,
    tokensPerMinute: 1_000,
    spend: null,
    reports: { requests: report, tokens: report, spend: report },
    blocks: { requests: 0n, tokens: 0n, spend: 0n },
    wanted: null,
    isUnsure: false,
    hasOpenCalls: false,
    isLeaving: true,
    ...changes,
  };
}

let exchanges = 0;

/** What a store says was spent under an id between two UTC days, where it leases limits. */
export async function leasedSpending(
  { leases }: Pick<Storage, 'leases'>,
  id: string,
  sinceDay: string | null,
  throughDay: string | null = null,
): Promise<bigint> {
  const amount = 10n ** 15n;
  exchanges += 1;
  const ask = plainAsk(id, { spend: { amount, period: 'asked', sinceDay, throughDay } });
  const { grants } = await leases.exchange({ number: exchanges, asks: [ask] });
  return amount - grants[0]!.spendLeft;
}
