/** How much is kept: bytes of all items together, and ms of each. */
export type ItemLimits = { maxItems: number; keepItems: number };

type Item = { json: string; bytes: number; until: number };

/** What an item costs beside its text. */
const OVERHEAD = 200;

/**
 * Output items that callers may refer to by id in their next call, since no state is kept at vendors. An item is found
 * by the key it was made for alone; the oldest give way where there are too many.
 */
export class ItemMemory {
  readonly #limits: () => ItemLimits;
  readonly #now: () => number;
  /** In the order in which they were kept. */
  readonly #items = new Map<string, Item>();
  #bytes = 0;

  /** `now` is monotonic, in ms. */
  constructor(limits: () => ItemLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Keeps an item's JSON for its key. */
  keep(keyId: string, itemId: string, json: string): void {
    const { maxItems, keepItems } = this.#limits();
    const name = nameOf(keyId, itemId);
    this.#forget(name);
    const bytes = Buffer.byteLength(json) + OVERHEAD;
    if (bytes > maxItems) return;
    this.#items.set(name, { json, bytes, until: this.#now() + keepItems });
    this.#bytes += bytes;
    for (const [oldest, { until }] of this.#items) {
      if (this.#bytes <= maxItems && until > this.#now()) break;
      this.#forget(oldest);
    }
  }

  /** The item's JSON, if it is still kept. */
  find(keyId: string, itemId: string): string | undefined {
    const item = this.#items.get(nameOf(keyId, itemId));
    return item === undefined || item.until <= this.#now() ? undefined : item.json;
  }

  #forget(name: string): void {
    const item = this.#items.get(name);
    if (item === undefined) return;
    this.#items.delete(name);
    this.#bytes -= item.bytes;
  }
}

/** Key ids have no spaces. */
function nameOf(keyId: string, itemId: string): string {
  return `${keyId} ${itemId}`;
}
