import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { GatewayError } from '../../core/errors.ts';
import type { Ledger } from '../../core/ports.ts';
import { createCallWriter } from './call-writer.ts';
import { isBusy, isValueFault, storageUnavailable } from './errors.ts';
import { createPriceVersions } from './price-versions.ts';

/**
 * How many writes may wait at once; past it intents are refused as `overloaded`. Settlements never are: the call was
 * made and must be billed, and there are no more of them than intents that were let in.
 */
export const MAX_QUEUED_WRITES = 100_000;

/** How many writes share a transaction, so that it lasts less than 5 ms. The rest goes on the next turn. */
const MAX_GROUP_WRITES = 500;

export type LedgerOptions = { instanceId: string; maxQueuedWrites: number; patienceMs: number };

type Write = { apply: () => void; resolve: () => void; reject: (error: GatewayError) => void; queuedAt: number };

/**
 * The ledger over SQLite. Whatever is handed in within one turn of the event loop is written in one transaction at its
 * end, and each promise tells of its own write. While another process holds the lock, all wait for a later turn.
 * `close` refuses further writes and resolves when those under way are done.
 */
export function createLedger(database: DatabaseSync, options: LedgerOptions): Ledger & { close(): Promise<void> } {
  const prices = createPriceVersions(database);
  const calls = createCallWriter(database, prices, options.instanceId);
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  const queue: Write[] = [];
  let scheduled = false;
  let closed = false;

  function enqueue(apply: () => void): Promise<void> {
    if (closed) return Promise.reject(storageUnavailable(new Error('The store is closed.')));
    return new Promise((resolve, reject) => {
      queue.push({ apply, resolve, reject, queuedAt: performance.now() });
      schedule();
    });
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const group = queue.splice(0, MAX_GROUP_WRITES);
    try {
      writeGroup(group);
      for (const write of group) write.resolve();
    } catch (error) {
      if (isBusy(error)) {
        queue.unshift(...group);
        giveUp(error);
      } else {
        for (const write of group) write.reject(storageUnavailable(error));
      }
    }
    if (queue.length > 0) schedule();
  }

  /** One transaction. A write whose values are at fault is rejected and taken out, and the others go again. */
  function writeGroup(group: Write[]): void {
    let index = 0;
    try {
      begin.run();
      for (; index < group.length; index++) group[index]?.apply();
      commit.run();
      prices.committed();
    } catch (error) {
      prices.rolledBack();
      if (database.isTransaction) rollback.run();
      const culprit = group[index];
      if (culprit === undefined || !isValueFault(error)) throw error;
      culprit.reject(storageUnavailable(error));
      group.splice(index, 1);
      writeGroup(group);
    }
  }

  /** Rejects what has waited as long as it may: the front of the queue, which is in order of arrival. */
  function giveUp(reason: unknown): void {
    const latest = performance.now() - options.patienceMs;
    const patient = queue.findIndex((write) => write.queuedAt > latest);
    for (const write of queue.splice(0, patient < 0 ? queue.length : patient)) write.reject(storageUnavailable(reason));
  }

  return {
    intend(intent) {
      if (queue.length < options.maxQueuedWrites) return enqueue(() => calls.open(intent));
      return Promise.reject(new GatewayError('overloaded', 'The gateway has as many unwritten records as it may.'));
    },
    settle: (settlement) => enqueue(() => calls.settle(settlement)),
    async close() {
      closed = true;
      while (scheduled) await turn();
    },
  };
}
