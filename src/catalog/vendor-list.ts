import { isDeepStrictEqual } from 'node:util';
import type { VendorFacts } from './vendor-facts.ts';

/** What a vendor's own list of models says. */
export type VendorList = {
  /** In its order. */
  models: readonly string[];
  /** What it had before and has no more, with the day (ISO) on which that was seen. */
  gone: ReadonlyMap<string, string>;
  /** What it says of them, by name; of some nothing. */
  facts: ReadonlyMap<string, VendorFacts>;
};

const NO_FACTS: ReadonlyMap<string, VendorFacts> = new Map();

/** What is known of a vendor that was never heard. */
export const NEVER_HEARD: VendorList = { models: [], gone: new Map(), facts: NO_FACTS };

/** Names that are remembered after they are gone; those that went first are forgotten. */
const MAX_GONE = 1000;

/** What is known once a vendor has been heard (again). The list before itself, where nothing has changed. */
export function heardAgain(
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

/** A price that is the same as before is known since then. */
function sinceWhen(before: VendorFacts | undefined, { price, ...facts }: VendorFacts, today: string): VendorFacts {
  if (price === undefined) return facts;
  const { date = today, ...known } = before?.price ?? {};
  return { ...facts, price: { ...price, date: isDeepStrictEqual(known, price) ? date : today } };
}
