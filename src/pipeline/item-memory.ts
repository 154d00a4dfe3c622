/** How much is kept: bytes of all items together, and ms of each. */
export type ItemLimits = { limits: { maxOutputItems: number }; retention: { outputItems: number } };

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
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  /** `now` is monotonic, in ms. */
  constructor(settings: () => ItemLimits, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Keeps an item's JSON for its key. */
  keep(keyId: string, itemId: string, json: string): void {
    const { limits, retention } = this.#settings();
    const name = nameOf(keyId, itemId);
    this.#forget(name);
    const bytes = Buffer.byteLength(json) + OVERHEAD;
    const most = limits.maxOutputItems * SHARE_OF_A_KEY;
    if (bytes > most) return;
    this.#items.set(name, { keyId, json, bytes, until: this.#now() + retention.outputItems });
    this.#count(keyId, bytes);
    this.#forgetOldest(() => this.#bytes > limits.maxOutputItems);
    if (this.#bytesOf.get(keyId)! > most) this.#forgetOldest(() => this.#bytesOf.get(keyId)! > most, keyId);
  }

  /** The item's JSON, if it is still kept. */
  find(keyId: string, itemId: string): string | undefined {
    const item = this.#items.get(nameOf(keyId, itemId));
    return item === undefined || item.until <= this.#now() ? undefined : item.json;
  }

  /** Forgets what is past its time and, while there is too much, the oldest: of one key where one is named. */
  #forgetOldest(isTooMuch: () => boolean, keyId?: string): void {
    const now = this.#now();
    for (const [name, item] of this.#items) {
      if (item.until > now && !isTooMuch()) return;
      if (keyId === undefined || item.keyId === keyId) this.#forget(name);
    }
  }

  #forget(name: string): void {
    const item = this.#items.get(name);
    if (item === undefined) return;
    this.#items.delete(name);
    this.#count(item.keyId, -item.bytes);
  }

  #count(keyId: string, bytes: number): void {
    this.#bytes += bytes;
    const ofKey = (this.#bytesOf.get(keyId) ?? 0) + bytes;
    if (ofKey === 0) this.#bytesOf.delete(keyId);
    else this.#bytesOf.set(keyId, ofKey);
  }
}

/** Key ids have no spaces. */
function nameOf(keyId: string, itemId: string): string {
  return `${keyId} ${itemId}`;
}
