import { createHash } from 'node:crypto';
import type { ToolForm } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Events } from './choice-read.ts';
import { toolSeal } from './details.ts';
import { record, text } from './json.ts';

/** One tool call as it comes in. */
type Slot = {
  /** `null` until its name is known. */
  part: number | null;
  index: number | null;
  id: string;
  name: string;
  form: ToolForm;
  input: string;
  extra: unknown;
  ended: boolean;
};

/**
 * The tool calls of one choice. Vendors leave out or repeat indexes and ids, so a piece belongs to the call of its index
 * and id; a new id, or a second name behind complete arguments, at a taken index begins another; a piece without an
 * index belongs to the call of its id, else to the last.
 */
export class CallSlots {
  readonly #choice: number;
  readonly #events: Events;
  readonly #seed: string;
  readonly #slots: Slot[] = [];

  constructor(choice: number, events: Events, seed: string) {
    this.#choice = choice;
    this.#events = events;
    this.#seed = seed;
  }

  /** A piece of a call; in a whole message it is all of one. */
  read(wire: Record<string, unknown>, isWhole: boolean): void {
    const form: ToolForm = wire.type === 'custom' || (wire.custom && !wire.function) ? 'custom' : 'function';
    const inner = record(wire[form] ?? wire);
    const piece = {
      index: typeof wire.index === 'number' ? wire.index : null,
      id: text(wire.id),
      name: text(inner.name),
      input: inputOf(form === 'custom' ? inner.input : inner.arguments),
    };
    const slot = (isWhole ? undefined : this.#find(piece)) ?? this.#open(piece.index, form);
    slot.id ||= piece.id;
    slot.name ||= piece.name;
    slot.extra ??= wire.extra_content;
    this.#grow(slot, piece.input);
  }

  /** The one call that `function_call` speaks of. */
  readLegacy(call: Record<string, unknown>): void {
    const slot = this.#slots.find(({ index }) => index === -1) ?? this.#open(-1, 'function');
    slot.name ||= text(call.name);
    this.#grow(slot, inputOf(call.arguments));
  }

  /** Ends every call; a call that no name ever came for is none. @returns how many there were */
  end(): number {
    const named = this.#slots.filter(({ part }) => part !== null);
    for (const slot of named) this.#end(slot);
    return named.length;
  }

  #find({
    index,
    id,
    name,
    input,
  }: {
    index: number | null;
    id: string;
    name: string;
    input: string;
  }): Slot | undefined {
    if (id !== '') {
      const same = this.#slots.findLast((slot) => slot.id === id && (index === null || slot.index === index));
      if (same !== undefined) return same;
    }
    const there = index === null ? this.#slots.at(-1) : this.#slots.findLast((slot) => slot.index === index);
    if (there === undefined || there.name === '' || name === '') {
      // Without an index, an id that is new is a call that is new.
      return index === null && id !== '' && there?.id !== '' && name !== '' ? undefined : there;
    }
    if (id !== '' && there.id !== '') return undefined;
    if (name !== there.name) return undefined;
    return input !== '' && isComplete(there.input) ? undefined : there;
  }

  #open(index: number | null, form: ToolForm): Slot {
    const slot: Slot = { part: null, index, id: '', name: '', form, input: '', extra: undefined, ended: false };
    this.#slots.push(slot);
    return slot;
  }

  #grow(slot: Slot, added: string): void {
    if (slot.ended) return;
    slot.input += added;
    if (slot.part !== null) {
      if (added !== '') this.#events.add(slot.part, { kind: 'text', text: added });
      return;
    }
    if (slot.name === '') return;
    this.#begin(slot);
  }

  #begin(slot: Slot): void {
    for (const other of this.#slots) {
      if (other.part !== null && !other.ended && isComplete(other.input)) this.#end(other);
    }
    slot.id ||= this.#newId(this.#slots.indexOf(slot));
    const seal = toolSeal(slot.extra, slot.id);
    if (seal !== null) {
      const part = this.#events.begin(this.#choice, { kind: 'reasoning', form: 'full' });
      this.#events.add(part, { kind: 'seal', seal });
      this.#events.end(part);
    }
    const { id, name, form } = slot;
    slot.part = this.#events.begin(this.#choice, { kind: 'tool-call', id, name, form });
    if (slot.input !== '') this.#events.add(slot.part, { kind: 'text', text: slot.input });
  }

  #end(slot: Slot): void {
    if (slot.part === null || slot.ended) return;
    slot.ended = true;
    if (slot.input === '' && slot.form === 'function') this.#events.add(slot.part, { kind: 'text', text: '{}' });
    this.#events.end(slot.part);
  }

  /** The same answer gives the same ids, and another one others: ids stand side by side in the conversation to come. */
  #newId(place: number): string {
    const hash = createHash('sha256').update(`${this.#seed} ${this.#choice} ${place}`).digest('hex');
    return `call_${hash.slice(0, 24)}`;
  }
}

/** Arguments as text; some vendors send the object itself. */
function inputOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is nested too deep.', { cause });
  }
}

function isComplete(input: string): boolean {
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
}
