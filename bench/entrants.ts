import type { Bench } from './bench.ts';
import type { Contestant, Starter, Vendor } from './contestants/contestant.ts';
import { pin, unpin } from './machine/pin.ts';
import type { Workload } from './workloads.ts';

/**
 * A contestant in the field: its name, the number of its answers, and the number of answers per second that it can
 * give.
 */
export type Entrant = Contestant & { name: string; optional: boolean; answers: number; peaks: Map<Workload, number> };

/** Contestants that run side by side and take turns. */
export type Field = AsyncDisposable & { entrants: Entrant[] };

export type FieldOptions = { vendor: Vendor; suffix?: string; pinned?: boolean };

/** The most characters of an error in the report. */
const MAX_TOLD = 300;

/** Starts all contestants. An optional one that does not start is left out and reported. */
export async function startField(
  bench: Bench,
  starters: readonly Starter[],
  { vendor, suffix = '', pinned = true }: FieldOptions,
): Promise<Field> {
  const entrants: Entrant[] = [];
  for (const starter of starters) {
    const name = `${starter.name}${suffix}`;
    try {
      const contestant = await starter.start(vendor);
      if (pinned) pin(contestant.pid, 'contestant');
      else unpin(contestant.pid);
      entrants.push({ ...contestant, name, optional: starter.optional, answers: 0, peaks: new Map() });
    } catch (error) {
      if (!starter.optional) throw error;
      bench.note(`${name} is left out: it did not start. ${oneLine(error)}`);
    }
  }
  return {
    entrants,
    async [Symbol.asyncDispose]() {
      for (const entrant of entrants) await entrant[Symbol.asyncDispose]();
    },
  };
}

/** Fails unless every entrant with records has one of each of its answers. */
export async function assertRecorded({ entrants }: Field): Promise<void> {
  for (const entrant of entrants) await entrant.assertRecorded?.(entrant.answers);
}

/** Rotates the order, so that none always follows the same. */
export function inTurn<Each>(all: readonly Each[], round: number): Each[] {
  return all.map((_, place) => all[(round + place) % all.length]!);
}

/** An error's message on one line, cut for a report. */
export function oneLine(error: unknown): string {
  return String(error).replace(/\s+/g, ' ').slice(0, MAX_TOLD);
}
