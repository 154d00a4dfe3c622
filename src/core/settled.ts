import type { UsageQuery } from './records.ts';

/** A place in the order in which calls were settled: behind a batch, or behind its call `index`. */
export type SettledPlace = { batch: number; index: number | null };

/** A filter of an organization's calls. */
export type SettledQuery = Omit<UsageQuery, 'organizationId' | 'limit' | 'after'> & { organizationId: string };

/** A settled call, and the place behind it. */
export type PlacedCall = { id: string; place: SettledPlace };

/** The calls that were settled behind a place. */
export type SettledCalls = {
  /** The newest calls, oldest first. */
  calls: PlacedCall[];
  /** The number of calls between the queried place and the first of `calls`; `null` if it is no longer known. */
  earlier: number | null;
  /** The place up to which the answer is complete. */
  upTo: SettledPlace;
};

/** Calls in the order in which they were settled, by any process. It is not the order of their ids. */
export type SettledReader = {
  /** The place behind all calls. */
  newest(): Promise<SettledPlace>;
  /** The last `limit` calls behind a place that match. */
  since(query: SettledQuery, after: SettledPlace, limit: number): Promise<SettledCalls>;
};

/** The place as text for callers. */
export function placeText({ batch, index }: SettledPlace): string {
  return index === null ? String(batch) : `${batch}-${index}`;
}

/** Parses text that `placeText` wrote; `null` if it is invalid. */
export function readPlace(text: string): SettledPlace | null {
  const [whole, batch, index] = /^(\d{1,15})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  return { batch: Number(batch), index: index === undefined ? null : Number(index) };
}
