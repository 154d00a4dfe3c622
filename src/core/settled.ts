import type { UsageQuery } from './records.ts';

/**
 * A place in the order in which calls came to be settled: behind a batch, or behind some of its calls (`index` is that of the
 * last of them).
 */
export type SettledPlace = { batch: number; index: number | null };

/** Which of an organization's calls are asked for. */
export type SettledQuery = Omit<UsageQuery, 'organizationId' | 'limit' | 'after'> & { organizationId: string };

/** A settled call, and the place behind it. */
export type PlacedCall = { id: string; place: SettledPlace };

/** Calls that were settled behind a place. */
export type SettledCalls = {
  /** The newest, oldest first. */
  calls: PlacedCall[];
  /** How many came before those, behind the place that was asked for; `null` if that is known no more. */
  earlier: number | null;
  /** Up to where this is all. */
  upTo: SettledPlace;
};

/** Calls in the order in which they came to be settled, by whichever process: it is not that of their ids. */
export type SettledReader = {
  /** The place behind all. */
  newest(): Promise<SettledPlace>;
  /** The last of the calls that are asked for behind a place, at most so many. */
  since(query: SettledQuery, after: SettledPlace, limit: number): Promise<SettledCalls>;
};

/** As a place is told to callers. */
export function placeText({ batch, index }: SettledPlace): string {
  return index === null ? String(batch) : `${batch}-${index}`;
}

/** Reads what `placeText` has written; `null` if it is no such text. */
export function readPlace(text: string): SettledPlace | null {
  const [whole, batch, index] = /^(\d{1,15})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  return { batch: Number(batch), index: index === undefined ? null : Number(index) };
}
