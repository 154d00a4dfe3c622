import type { Counts } from '../../core/usage.ts';
import { CHARGED_ITEMS, shownCallsIn } from '../openai-usage.ts';
import { objectOf } from '../unchecked-json.ts';

/** The most items that are remembered for one answer. */
const MAX_ITEMS = 10_000;
const CHARGED = [...CHARGED_ITEMS.keys()].map((type) => `"${type}"`);

/** Whether the JSON of an event may have an item that `ShownItems` counts. */
export function mayShowItem(data: string): boolean {
  return CHARGED.some((type) => data.includes(type));
}

/** The calls of a vendor's own tools that have ended in a stream, each once by its id: one that is cut has no list of them. */
export class ShownItems {
  readonly #items = new Map<unknown, object>();

  /** @param place tells an item without an id from others */
  done(place: unknown, item: unknown): void {
    const { id, type, status, action } = objectOf(item);
    if (!CHARGED_ITEMS.has(type) || this.#items.size >= MAX_ITEMS) return;
    // The results may be large.
    this.#items.set(typeof id === 'string' ? id : place, { type, status, action: actionOf(action) });
  }

  get counts(): Counts | undefined {
    return shownCallsIn([...this.#items.values()]);
  }
}

function actionOf(action: unknown): object | undefined {
  return typeof action === 'object' && action !== null ? { type: objectOf(action).type } : undefined;
}
