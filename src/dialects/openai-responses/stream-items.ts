import type { AnswerEvents } from '../answer-events.ts';
import { textOf, type Unchecked } from '../unchecked-json.ts';
import { itemType } from './items-read.ts';
import {
  type CallItemReader,
  type ItemReader,
  type MessageItemReader,
  type ReasoningItemReader,
  readerFor,
} from './stream-item-readers.ts';

type ItemOf = {
  message: MessageItemReader;
  reasoning: ReasoningItemReader;
  function_call: CallItemReader;
  custom_tool_call: CallItemReader;
};

type Known = { type: string; item: ItemReader; ids: Set<string>; done: boolean; final: Unchecked | null };

/** The items of a streamed answer, found by id or, because some vendors change ids within a stream, by index. */
export class StreamItems {
  readonly #events: AnswerEvents;
  readonly #all: Known[] = [];
  readonly #byId = new Map<string, Known>();
  readonly #byIndex = new Map<unknown, Known>();
  /** Messages that received events since another item began. One of their parts may be open. */
  readonly #running = new Set<MessageItemReader>();

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  added(place: Unchecked, item: Unchecked): void {
    const id = textOf(item.id);
    const same = (id === '' ? undefined : this.#byId.get(id)) ?? this.#byIndex.get(place.output_index);
    // The event is repeated, or another event already began the item.
    if (same !== undefined && !same.done && same.type === itemType(item) && (same.ids.size === 0 || same.ids.has(id))) {
      if (same.item.kind === 'call') same.item.named(item);
    } else this.#begin(place, id, item);
  }

  done(place: Unchecked, item: Unchecked): void {
    const id = textOf(item.id);
    const same = this.#byIndex.get(place.output_index)?.final ?? null;
    if (same !== null && saysAgain(item, same)) return;
    const known = this.#find(place, id, itemType(item)) ?? this.#begin(place, id, item);
    if (known.done) return;
    known.done = true;
    known.final = item;
    this.#noteRunning(known.item).done(item);
  }

  /** The item that an event belongs to. Begins it if its `added` event did not arrive. */
  at<T extends keyof ItemOf>(place: Unchecked, type: T): ItemOf[T] {
    const id = textOf(place.item_id);
    const known = this.#find(place, id, type) ?? this.#ended(place, id, type) ?? this.#begin(place, id, { type });
    const { item } = known;
    return this.#noteRunning(item) as ItemOf[T]; // `readerFor` makes this class for this type.
  }

  /** Takes the whole input of a call, with which some vendors send its name. */
  callSoFar(place: Unchecked, type: 'function_call' | 'custom_tool_call', input: unknown): void {
    const call = this.at(place, type);
    call.named({ name: place.name });
    call.soFar(input);
  }

  /** Ends every item with its version in the final list, and adds items that only this list has. */
  finish(output: readonly Unchecked[]): void {
    const rest = new Set(output);
    const finals = new Map<Known, Unchecked>();
    const claim = (known: Known, item: Unchecked | undefined): void => {
      if (item === undefined) return;
      rest.delete(item);
      finals.set(known, item);
    };
    const byId = new Map(output.map((item) => [textOf(item.id), item]));
    for (const known of this.#all) {
      const id = [...known.ids].find((each) => each !== '' && byId.has(each));
      if (id !== undefined) claim(known, byId.get(id));
    }
    // The remaining items have other ids than in their events, but items of one type are in the same order.
    const byType = Map.groupBy([...rest].reverse(), itemType);
    for (const known of this.#all) if (!finals.has(known)) claim(known, byType.get(known.type)?.pop());
    for (const known of this.#all) if (!known.done) known.item.done(finals.get(known) ?? {});
    for (const item of rest) this.#begin({}, '', item).item.done(item);
  }

  #find(place: Unchecked, id: string, type: string): Known | undefined {
    const byId = id === '' ? undefined : this.#byId.get(id);
    if (byId?.type === type) return byId;
    const index = place.output_index;
    const byIndex = index === undefined && id === '' ? this.#all.at(-1) : this.#byIndex.get(index);
    return byIndex?.type === type && !byIndex.done ? byIndex : undefined;
  }

  /** The item that an event without an id repeats after its end. Deltas and annotations are never repetitions. */
  #ended(place: Unchecked, id: string, type: string): Known | undefined {
    if (id !== '' || 'delta' in place || 'annotation' in place) return undefined;
    const index = place.output_index;
    const known = index === undefined ? this.#all.at(-1) : this.#byIndex.get(index);
    return known?.type === type ? known : undefined;
  }

  #noteRunning(item: ItemReader): ItemReader {
    if (item.kind === 'message') this.#running.add(item);
    return item;
  }

  #begin(place: Unchecked, id: string, item: Unchecked): Known {
    for (const other of this.#running) other.rest();
    this.#running.clear();
    const begun = readerFor(item, this.#events);
    const known: Known = {
      type: itemType(item),
      item: begun,
      ids: new Set(id === '' ? [] : [id]),
      done: false,
      final: null,
    };
    this.#all.push(known);
    if (id !== '') this.#byId.set(id, known);
    if (place.output_index !== undefined) this.#byIndex.set(place.output_index, known);
    return known;
  }
}

/** Whether an item repeats another of the same place under another id. */
function saysAgain(item: Unchecked, said: Unchecked): boolean {
  if (itemType(item) !== itemType(said)) return false;
  if (item.call_id !== undefined) return item.call_id === said.call_id;
  const words = ({ content, summary, encrypted_content: sealed }: Unchecked) =>
    JSON.stringify([content, summary, sealed]);
  return isPlain(item) && words(item) === words(said);
}

function isPlain(item: Unchecked): boolean {
  return itemType(item) === 'message' || itemType(item) === 'reasoning';
}
