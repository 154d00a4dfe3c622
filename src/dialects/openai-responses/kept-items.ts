import type { OutputItem } from '../dialect.ts';
import { isObject, listOf } from '../unchecked-json.ts';
import { outputItem } from './references.ts';

/** The most characters of items that are kept for one answer. */
const MAX_KEPT_ITEMS = 4 * 1024 * 1024;

/** Keeps the items of a streamed answer for later calls that refer to them. */
export class KeptItems {
  readonly items: OutputItem[] = [];
  /** Ids from `output_item.added`: some vendors change them later, and a caller may refer to the first. */
  readonly #begun = new Map<unknown, string>();
  #length = 0;

  begun(index: unknown, item: unknown): void {
    if (isObject(item) && typeof item.id === 'string') this.#begun.set(index, item.id);
  }

  done(index: unknown, item: unknown): void {
    for (const { id, json } of outputItem(item)) {
      this.#keep({ id, json });
      const first = this.#begun.get(index);
      if (first !== undefined && first !== id) this.#keep({ id: first, json });
    }
  }

  /** Adds the items of the final list that were not in earlier events. */
  all(output: unknown): void {
    const known = new Set(this.items.map(({ id }) => id));
    for (const item of listOf(output)) for (const each of outputItem(item)) if (!known.has(each.id)) this.#keep(each);
  }

  #keep(item: OutputItem): void {
    this.#length += item.json.length;
    if (this.#length <= MAX_KEPT_ITEMS) this.items.push(item);
  }
}
