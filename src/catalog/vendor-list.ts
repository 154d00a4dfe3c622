import { isDeepStrictEqual } from 'node:util';
import type { VendorFacts } from './vendor-facts.ts';

/** A vendor's own list of models. */
export type VendorList = {
  /** In the vendor's order. */
  models: readonly string[];
  /** Models that the list no longer has, with the ISO date on which they were first missing. */
  gone: ReadonlyMap<string, string>;
  /** The facts of some of them, by name. */
  facts: ReadonlyMap<string, VendorFacts>;
};

const NO_FACTS: ReadonlyMap<string, VendorFacts> = new Map();

/** The list of a vendor that has never answered. */
export const EMPTY_VENDOR_LIST: VendorList = { models: [], gone: new Map(), facts: NO_FACTS };

/** The most removed names that are remembered; the oldest are forgotten first. */
const MAX_GONE = 1000;

/** Updates a vendor's list with a new answer. Returns the previous list if nothing has changed. */
export function updateVendorList(
  before: VendorList,
  models: readonly string[],
  today: string,
  told: VendorList['facts'] = NO_FACTS,
): VendorList {
  const facts = new Map([...told].map(([id, each]) => [id, sinceWhen(before.facts.get(id), each, today)]));
  const isSame = before.models.length === models.length && models.every((id, index) => id === before.models[index]);
  if (isSame && isDeepStrictEqual(before.facts, facts)) return before;
  const present = new Set(models);
  const gone = new Map(before.gone);
  for (const id of before.models) if (!gone.has(id)) gone.set(id, today);
  for (const id of models) gone.delete(id);
  for (const id of gone.keys()) {
    if (gone.size <= MAX_GONE) break;
    gone.delete(id);
  }
  return { models: [...present], gone, facts };
}

/** An unchanged price keeps its date. */
function sinceWhen(before: VendorFacts | undefined, { price, ...facts }: VendorFacts, today: string): VendorFacts {
  if (price === undefined) return facts;
  const { date = today, ...known } = before?.price ?? {};
  return { ...facts, price: { ...price, date: isDeepStrictEqual(known, price) ? date : today } };
}
