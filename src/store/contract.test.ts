import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Storage } from '../core/ports.ts';
import type { Intent, Settlement } from '../core/records.ts';
import { NOON, settlement, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './storage.ts';
import { openThreadedStorage } from './threaded-storage.ts';

/** Opens the store of this test, as the instance of this name. Every call of one test opens the same store. */
export type Open = (instanceId: string) => Promise<Storage>;

/** One promise of a store. It is handed an empty one, which has the organizations `org_1` and `org_2`. */
export type Contract = (name: string, check: (storage: Storage, open: Open) => Promise<void>) => void;

/** Each makes an empty store for one test. */
const ENGINES: Readonly<Record<string, (t: TestContext) => Open>> = {
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
};

/** What every engine must do. */
export function storageContract(part: string, declare: (contract: Contract) => void): void {
  for (const [engine, prepare] of Object.entries(ENGINES)) {
    describe(`${part} in ${engine}`, () => declare((name, check) => test(name, (t) => run(t, prepare(t), check))));
  }
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
