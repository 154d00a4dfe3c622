import type { ItemSource, KeptItem } from '../core/ports.ts';

/** How much is kept: bytes of all items together, and ms of each. */
export type ItemLimits = { limits: { maxOutputItems: number }; retention: { outputItems: number } };

/** What one key keeps: its items have an order of their own, so that no key's are looked through for another's. */
type OfKey = { kept: Oldest; bytes: number };

type Item = { name: string; forgotten: boolean; keyId: string; json: string; bytes: number; until: number };

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
  readonly #items = new Map<string, Item>();
  readonly #kept = new Oldest();
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
 * Items in the order in which they were kept. Those that are forgotten stand in it until they are half of it. A map keeps the
 * order too, but is slow to find its first after many deletions.
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

  /** One of them was forgotten. */
  forgot(): void {
    this.#forgotten += 1;
    if (this.#forgotten * 2 <= this.#items.length) return;
    this.#items = this.#items.filter(({ forgotten }) => !forgotten);
    this.#at = 0;
    this.#forgotten = 0;
  }
}

/** Key ids have no spaces. */
function nameOf(keyId: string, itemId: string): string {
  return `${keyId} ${itemId}`;
}
