import type { DatabaseSync } from 'node:sqlite';
import type { Settlement } from '../../core/records.ts';
import { nextGroups } from '../journal/batches.ts';
import { instanceOf, type JournalName, journalLength, listJournals, removeJournal } from '../journal/files.ts';
import type { Group } from '../journal/groups.ts';
import { asJournaled, type JournalRecord, type SettlementRecord } from '../journal/record-json.ts';
import { type IntentRecord, stepsOf, type TakeOverStep } from '../journal/steps.ts';
import type { TakeOverNews } from '../take-over-news.ts';
import { createCallWriter } from './call-writer.ts';
import { isValueFault } from './errors.ts';
import { createPriceVersions } from './price-versions.ts';

/** Where more than this of a journal waits to be taken over, some four thousand records, there is no time to rest. */
const HURRY_BYTES = 2 * 1024 * 1024;

/**
 * Brings what journals hold into the tables, and notes in the same transaction how far: whoever does it, and however
 * often, each group is taken over once. Each function throws where it changed nothing.
 */
export type TakeOver = {
  /**
   * Reads a batch from a journal, up to the offset `end`, and takes it over; tells whether there may be more. `rest` is called
   * behind each group that was read, and behind each record that was written, so that a batch need not be one piece of work.
   */
  read(journal: JournalName, end?: number, rest?: () => void): boolean;
  /** How far a journal was taken over. */
  positionOf(file: string): number;
  /** The ids of price versions that were stored since this was asked last. */
  newPrices(): string[];
  /** Settles calls of one instance at once, past the journals. */
  settle(settlements: readonly Settlement[], instanceId: string): void;
  /** The instances that the tables know of: by a journal, an open call or a sum of their own. */
  instances(): string[];
  /** Removes the journals of another, which must be dead and its journals taken over. */
  removeJournals(instanceId: string): void;
  /** Removes the sums of what another spent, which must be dead and have no leases. */
  forget(instanceId: string): void;
};

export function createTakeOver(database: DatabaseSync, folder: string, { onRefused, onEnded }: TakeOverNews): TakeOver {
  const prices = createPriceVersions(database);
  const calls = createCallWriter(database, onEnded);
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  const getPosition = database.prepare('select taken_over_to as position from journals where file = ?');
  const setPosition = database.prepare(
    `insert into journals (file, taken_over_to) values (?, ?)
     on conflict do update set taken_over_to = max(taken_over_to, excluded.taken_over_to)`,
  );
  const positions = database.prepare('select file from journals');
  const owners = database.prepare(
    `select distinct instance_id as id from calls where status = 'open' union select instance_id from worker_spend`,
  );
  const forgetSpend = database.prepare('delete from worker_spend where instance_id = ?');
  const forgetAllOf = database.prepare('delete from journals where file glob ?');

  function inTransaction(instanceId: string, work: () => void, together = true): void {
    try {
      begin.run();
      calls.begin(together, instanceId);
      work();
      calls.finish();
      commit.run();
      prices.committed();
      calls.committed();
    } catch (error) {
      prices.rolledBack();
      calls.rolledBack();
      if (database.isTransaction) rollback.run();
      throw error;
    }
  }

  function positionOf(file: string): number {
    return Number(getPosition.get(file)?.position ?? 0);
  }

  /** A record that the tables refuse for its values is told and left out, and the others go again. */
  function take(
    { file, instanceId }: JournalName,
    groups: readonly Group[],
    isThere: () => boolean,
    rest?: () => void,
  ): void {
    const refused = new Set<JournalRecord>();
    let together = true;
    for (;;) {
      let culprit: JournalRecord | null = null;
      let isApplied = false;
      try {
        return inTransaction(
          instanceId,
          () => {
            if (!isThere()) return;
            const position = positionOf(file);
            const records = groups.flatMap((group) => (group.end > position ? group.records : []));
            const wanted = refused.size === 0 ? records : records.filter((record) => !refused.has(record));
            for (const step of stepsOf(wanted)) {
              culprit = step.settlement ?? step.intent;
              apply(step, instanceId);
              rest?.();
            }
            culprit = null;
            setPosition.run(file, groups.at(-1)!.end);
            isApplied = true;
          },
          together,
        );
      } catch (error) {
        if (!isValueFault(error)) throw error;
        if (isApplied && together) {
          // A sum of all together cannot be kept: each by itself tells whose amount is at fault.
          together = false;
          continue;
        }
        if (culprit === null) throw error;
        refused.add(culprit);
        onRefused(error as Error, culprit);
      }
    }
  }

  function apply({ intent, settlement }: TakeOverStep, instanceId: string): void {
    if (intent === null) return calls.settle(settlement.settlement, routedVersion(settlement));
    if (settlement === null) return calls.open(intent.intent, versionOf(intent), instanceId);
    const { routed } = settlement.settlement;
    calls.add(intent.intent, routed === null ? versionOf(intent) : routedVersion(settlement), settlement.settlement);
  }

  function versionOf({ intent, priceVersion }: IntentRecord): string | null {
    const { price, provider, upstreamModel } = intent;
    return price === null ? priceVersion : prices.use(price, provider, upstreamModel);
  }

  /** Of the price that a route came to charge by. */
  function routedVersion({ settlement, priceVersion }: SettlementRecord): string | null {
    const { routed } = settlement;
    if (routed === null || routed.price === null) return priceVersion;
    return prices.use(routed.price, routed.provider, routed.upstreamModel);
  }

  return {
    read(journal, end, rest) {
      const { file } = journal;
      const from = positionOf(file);
      const length = Math.min(journalLength(folder, file), end ?? Number.MAX_SAFE_INTEGER);
      if (length <= from) return false;
      const unhurried = length - from <= HURRY_BYTES ? rest : undefined;
      const groups = nextGroups(folder, file, { from, length, rest: unhurried });
      if (groups.length === 0) return false;
      // A journal goes only when it was taken over, and before its position does: under the lock, one tells of the other.
      take(journal, groups, () => journalLength(folder, file) > 0, unhurried);
      return true;
    },

    positionOf,

    newPrices: () => prices.news(),

    settle: (settlements, instanceId) =>
      inTransaction(instanceId, () => {
        for (const settlement of settlements) apply({ intent: null, settlement: asJournaled(settlement) }, instanceId);
      }),

    instances() {
      const journals = positions.all().flatMap(({ file }) => instanceOf(String(file)) ?? []);
      return [...new Set([...journals, ...owners.all().map(({ id }) => String(id))])];
    },

    removeJournals(instanceId) {
      for (const journal of listJournals(folder)) {
        if (journal.instanceId === instanceId) removeJournal(folder, journal.file);
      }
      inTransaction(instanceId, () => void forgetAllOf.run(`journal.${instanceId}.*`));
    },

    forget: (instanceId) => inTransaction(instanceId, () => void forgetSpend.run(instanceId)),
  };
}
