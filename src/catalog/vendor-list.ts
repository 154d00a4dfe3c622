/** What a vendor's own list of models says. */
export type VendorList = {
  /** In its order. */
  models: readonly string[];
  /** What it had before and has no more, with the day (ISO) on which that was seen. */
  gone: ReadonlyMap<string, string>;
};

/** What is known of a vendor that was never heard. */
export const NEVER_HEARD: VendorList = { models: [], gone: new Map() };

/** Names that are remembered after they are gone; those that went first are forgotten. */
const MAX_GONE = 1000;

/** What is known once a vendor has been heard (again). The list before itself, where nothing has changed. */
export function heardAgain(before: VendorList, models: readonly string[], today: string): VendorList {
  const isSame = before.models.length === models.length && models.every((id, index) => id === before.models[index]);
  if (isSame) return before;
  const present = new Set(models);
  const gone = new Map(before.gone);
  for (const id of before.models) if (!gone.has(id)) gone.set(id, today);
  for (const id of models) gone.delete(id);
  for (const id of gone.keys()) {
    if (gone.size <= MAX_GONE) break;
    gone.delete(id);
  }
  return { models: [...present], gone };
}
