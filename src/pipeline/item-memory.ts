import type { ItemSource, KeptItem } from '../core/ports.ts';

/** How much is kept: bytes of all items together, and ms of each. */
export type ItemLimits = { limits: { maxOutputItems: number }; retention: { outputItems: number } };

/** One key's items by their names, in the order in which they were kept, so that no key's are looked through for another's. */
type OfKey = { names: Set<string>; bytes: number };

type Item = { keyId: string; json: string; bytes: number; until: number };

/** What an item costs beside its text. */
const OVERHEAD = 200;
/** One key's items may take this part of the whole, so that it cannot make all others' be forgotten. */
const SHARE_OF_A_KEY = 1 / 4;

/**
 * Output items that callers may refer to by id in their next call, since no state is kept at vendors. An item is found
 * by the key it was made for alone; the oldest give way where there are too many.
 */
export class ItemMemory {
  readonly #settings: () => ItemLimits;
  readonly #now: () => number;
  /** In the order in which they were kept. */
  readonly #items = new Map<string, Item>();
  readonly #ofKey = new Map<string, OfKey>();
  readonly #elsewhere: ItemSource | null;
  #bytes = 0;

  /** `now` is monotonic, in ms. `elsewhere` is asked for what is not found here. */
  constructor(settings: () => ItemLimits, now: () => number, elsewhere: ItemSource | null = null) {
    this.#settings = settings;
    this.#now = now;
    this.#elsewhere = elsewhere;
  }

  /** Keeps an item's JSON for its key, for `forMs`: as long as items are kept, unless it was kept elsewhere before. */
  keep(keyId: string, itemId: string, json: string, forMs = Number.POSITIVE_INFINITY): void {
    const { limits, retention } = this.#settings();
    const name = nameOf(keyId, itemId);
    this.#forget(name);
    const bytes = Buffer.byteLength(json) + OVERHEAD;
    const most = limits.maxOutputItems * SHARE_OF_A_KEY;
    if (bytes > most) return;
    this.#items.set(name, { keyId, json, bytes, until: this.#now() + Math.min(forMs, retention.outputItems) });
    const own = this.#ofKey.get(keyId) ?? { names: new Set(), bytes: 0 };
    this.#ofKey.set(keyId, own);
    own.names.add(name);
    own.bytes += bytes;
    this.#bytes += bytes;
    this.#forgetOldest(this.#items.keys(), () => this.#bytes > limits.maxOutputItems);
    if (own.bytes > most) this.#forgetOldest(own.names, () => own.bytes > most);
  }

  /** The item's JSON, if it is still kept. */
  find(keyId: string, itemId: string): string | undefined {
    const item = this.#items.get(nameOf(keyId, itemId));
    return item === undefined || item.until <= this.#now() ? undefined : item.json;
  }

  /** Brings here what of these items is kept elsewhere only; `null` where there is nothing to wait for. */
  bring(keyId: string, ids: readonly string[]): Promise<void> | null {
    if (this.#elsewhere === null) return null;
    const missing = ids.filter((id) => this.find(keyId, id) === undefined);
    return missing.length === 0 ? null : this.#bring(keyId, missing, this.#elsewhere);
  }

  async #bring(keyId: string, ids: readonly string[], elsewhere: ItemSource): Promise<void> {
    for (const { id, json, leftMs } of await elsewhere(keyId, ids)) this.keep(keyId, id, json, leftMs);
  }

  /** Those of a key's items that are kept here, for another memory. */
  kept(keyId: string, ids: readonly string[]): KeptItem[] {
    return ids.flatMap((id) => {
      const json = this.find(keyId, id);
      return json === undefined ? [] : [{ id, json, leftMs: this.#items.get(nameOf(keyId, id))!.until - this.#now() }];
    });
  }

  /** Of these, which are in the order in which they were kept, forgets what is past its time and, while there is too much, the oldest. */
  #forgetOldest(names: Iterable<string>, isTooMuch: () => boolean): void {
    const now = this.#now();
    for (const name of names) {
      if (this.#items.get(name)!.until > now && !isTooMuch()) return;
      this.#forget(name);
    }
  }

  #forget(name: string): void {
    const item = this.#items.get(name);
    if (item === undefined) return;
    this.#items.delete(name);
    this.#bytes -= item.bytes;
    const own = this.#ofKey.get(item.keyId)!;
    own.names.delete(name);
    own.bytes -= item.bytes;
    if (own.names.size === 0) this.#ofKey.delete(item.keyId);
  }
}

/** Key ids have no spaces. */
function nameOf(keyId: string, itemId: string): string {
  return `${keyId} ${itemId}`;
}
