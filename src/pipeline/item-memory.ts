import type { ItemSource, KeptItem } from '../core/ports.ts';

/** How much is kept: bytes of all items together, and for how long each, in ms. */
export type ItemLimits = { limits: { maxOutputItems: number }; retention: { outputItems: number } };

/** The items of one key, in their own order, so that other keys' items need not be searched. */
type OfKey = { kept: Oldest; bytes: number };

type Item = { name: string; forgotten: boolean; keyId: string; json: string; bytes: number; until: number };

/** Bytes counted for an item in addition to its text. */
const OVERHEAD = 200;
/** One key may use this share of the whole, so that it cannot displace all other keys' items. */
const SHARE_OF_A_KEY = 1 / 4;

/**
 * Keeps output items that callers may refer to by id in later calls, since vendors are told to store nothing. Only the
 * key that an item was made for finds it. When there are too many, the oldest are forgotten.
 */
export class ItemMemory {
  readonly #settings: () => ItemLimits;
  readonly #now: () => number;
  readonly #items = new Map<string, Item>();
  readonly #kept = new Oldest();
  readonly #ofKey = new Map<string, OfKey>();
  readonly #elsewhere: ItemSource | null;
  #bytes = 0;

  /** `now` is monotonic, in ms. `elsewhere` is asked for items that are not found here. */
  constructor(settings: () => ItemLimits, now: () => number, elsewhere: ItemSource | null = null) {
    this.#settings = settings;
    this.#now = now;
    this.#elsewhere = elsewhere;
  }

  /** Keeps an item's JSON for its key, for at most `forMs`: the remaining time of an item from another process. */
  keep(keyId: string, itemId: string, json: string, forMs = Number.POSITIVE_INFINITY): void {
    const { limits, retention } = this.#settings();
    const name = nameOf(keyId, itemId);
    this.#forget(name);
    const bytes = Buffer.byteLength(json) + OVERHEAD;
    const most = limits.maxOutputItems * SHARE_OF_A_KEY;
    if (bytes > most) return;
    const item = {
      name,
      keyId,
      json,
      bytes,
      until: this.#now() + Math.min(forMs, retention.outputItems),
      forgotten: false,
    };
    this.#items.set(name, item);
    this.#kept.add(item);
    const own = this.#ofKey.get(keyId) ?? { kept: new Oldest(), bytes: 0 };
    this.#ofKey.set(keyId, own);
    own.kept.add(item);
    own.bytes += bytes;
    this.#bytes += bytes;
    this.#forgetOldest(this.#kept, () => this.#bytes > limits.maxOutputItems);
    if (own.bytes > most) this.#forgetOldest(own.kept, () => own.bytes > most);
  }

  /** The item's JSON, if it is still kept. */
  find(keyId: string, itemId: string): string | undefined {
    const item = this.#items.get(nameOf(keyId, itemId));
    return item === undefined || item.until <= this.#now() ? undefined : item.json;
  }

  /** Fetches those of the items that are only kept elsewhere; `null` if there is nothing to wait for. */
  bring(keyId: string, ids: readonly string[]): Promise<void> | null {
    if (this.#elsewhere === null) return null;
    const missing = ids.filter((id) => this.find(keyId, id) === undefined);
    return missing.length === 0 ? null : this.#bring(keyId, missing, this.#elsewhere);
  }

  async #bring(keyId: string, ids: readonly string[], elsewhere: ItemSource): Promise<void> {
    for (const { id, json, leftMs } of await elsewhere(keyId, ids)) this.keep(keyId, id, json, leftMs);
  }

  /** Those of a key's items that are kept here, to hand to another process. */
  kept(keyId: string, ids: readonly string[]): KeptItem[] {
    return ids.flatMap((id) => {
      const json = this.find(keyId, id);
      return json === undefined ? [] : [{ id, json, leftMs: this.#items.get(nameOf(keyId, id))!.until - this.#now() }];
    });
  }

  /** Forgets expired items and, while `isTooMuch`, the oldest ones. The items are in the order in which they were kept. */
  #forgetOldest(kept: Oldest, isTooMuch: () => boolean): void {
    const now = this.#now();
    for (let item = kept.first; item !== undefined; item = kept.first) {
      if (item.until > now && !isTooMuch()) return;
      this.#forget(item.name);
    }
  }

  #forget(name: string): void {
    const item = this.#items.get(name);
    if (item === undefined) return;
    this.#items.delete(name);
    this.#bytes -= item.bytes;
    const own = this.#ofKey.get(item.keyId)!;
    own.bytes -= item.bytes;
    item.forgotten = true;
    this.#kept.forgot();
    own.kept.forgot();
    if (own.bytes === 0) this.#ofKey.delete(item.keyId);
  }
}

/**
 * Items in the order in which they were kept. Forgotten ones are removed once they are half of the list. A map also
 * keeps the order, but is slow to find its first entry after many deletions.
 */
class Oldest {
  #items: Item[] = [];
  #at = 0;
  #forgotten = 0;

  get first(): Item | undefined {
    while (this.#items[this.#at]?.forgotten) this.#at += 1;
    return this.#items[this.#at];
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Must be called when one of the items was marked as forgotten. */
  forgot(): void {
    this.#forgotten += 1;
    if (this.#forgotten * 2 <= this.#items.length) return;
    this.#items = this.#items.filter(({ forgotten }) => !forgotten);
    this.#at = 0;
    this.#forgotten = 0;
  }
}

/** A unique name, because key ids contain no spaces. */
function nameOf(keyId: string, itemId: string): string {
  return `${keyId} ${itemId}`;
}
