import { createHash } from 'node:crypto';
import type { ToolForm } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AnswerEvents, OpenPart } from '../answer-events.ts';
import { StreamedArguments } from '../streamed-arguments.ts';
import { objectOf, textOf } from '../unchecked-json.ts';
import { mergeVendorData, sealOfVendorData, vendorDataOf } from './details.ts';

/** A tool call that is being received. */
type PendingCall = {
  /** Its position among the calls of its choice, in the order in which they first appeared. */
  readonly place: number;
  /** `null` until its name arrives. */
  part: OpenPart | null;
  index: number | null;
  id: string;
  name: string;
  form: ToolForm;
  readonly input: StreamedArguments;
  extra: unknown;
  /** Whether its seal was passed on. */
  sealed: boolean;
  ended: boolean;
};

type Piece = {
  form: ToolForm;
  index: number | null;
  id: string;
  name: string;
  input: string;
  /** What the vendor puts beside it (`besideOf`). */
  beside: Record<string, unknown> | undefined;
};

/** The index used for the call in `function_call`. */
const LEGACY = -1;

/**
 * The tool calls of one choice. Vendors leave out or repeat indexes and ids, so a piece belongs to the call with its
 * index and id. At a used index, a new id, or a second name after complete arguments, starts another call. A piece
 * without an index belongs to the call with its id, else to the last call.
 *
 * A vendor may open any number of calls, so each piece finds its call through a map, and only open calls that grew
 * since the last one began are checked for completeness.
 */
export class StreamedCalls {
  readonly #choice: number;
  readonly #events: AnswerEvents;
  readonly #seed: string;
  readonly #slots: PendingCall[] = [];
  /** The last call of each index, each id, and each pair of both. */
  readonly #byIndex = new Map<number, PendingCall>();
  readonly #byId = new Map<string, PendingCall>();
  readonly #byBoth = new Map<string, PendingCall>();
  #legacy: PendingCall | null = null;
  /** Calls that started or grew since the last one started. */
  readonly #grown = new Set<PendingCall>();

  constructor(choice: number, events: AnswerEvents, seed: string) {
    this.#choice = choice;
    this.#events = events;
    this.#seed = seed;
  }

  get isEmpty(): boolean {
    return this.#slots.length === 0;
  }

  /** Reads a piece of a call. */
  read(wire: Record<string, unknown>): void {
    const piece = pieceOf(wire);
    const isSealOnly = piece.id === '' && piece.name === '' && piece.input === '' && piece.beside !== undefined;
    const known = this.#find(piece) ?? (isSealOnly ? this.#slots.at(-1) : undefined);
    this.#take(known ?? this.#open(piece.index, piece.form), piece);
  }

  /**
   * Reads the calls of a message, each with its whole input so far. They match earlier calls by id, else by position.
   */
  readMessage(calls: readonly Record<string, unknown>[]): void {
    const before = this.#slots.length;
    const said = new Set<PendingCall>();
    for (const [place, wire] of calls.entries()) {
      const piece = pieceOf(wire);
      const same = piece.id === '' ? this.#slots[place] : this.#byId.get(piece.id);
      if (same !== undefined && same.place < before && same.name === piece.name && !said.has(same)) {
        said.add(same);
        if (!same.ended) this.#tellWhole(same, piece.input);
        same.extra = mergeVendorData(same.extra, piece.beside);
        if (same.part !== null) this.#seal(same);
      } else this.#take(this.#open(piece.index, piece.form), piece);
    }
  }

  #tellWhole(slot: PendingCall, input: string): void {
    slot.input.whole(input);
    this.#grown.add(slot);
    slot.part?.text(slot.input.next());
  }

  #take(slot: PendingCall, piece: Piece): void {
    if (slot.id === '' && piece.id !== '') this.#name(slot, piece.id);
    slot.name ||= piece.name;
    slot.extra = mergeVendorData(slot.extra, piece.beside);
    this.#grow(slot, piece.input);
    // A seal may come after its call.
    if (slot.part !== null) this.#seal(slot);
  }

  /** Reads a piece of `function_call`. Beside `tool_calls` it repeats the same for old clients. */
  readLegacy(call: Record<string, unknown>): void {
    if (this.#legacy === null && !this.isEmpty) return;
    const slot = this.#legacy ?? this.#open(LEGACY, 'function');
    slot.name ||= textOf(call.name);
    this.#grow(slot, inputOf(call.arguments));
  }

  /** Ends every call; calls that never got a name are ignored. @returns the number of calls, and whether one is cut */
  end(): { calls: number; isCut: boolean } {
    const named = this.#slots.filter(({ part }) => part !== null);
    for (const slot of named) this.#end(slot);
    return { calls: named.length, isCut: named.some(({ input }) => input.cut) };
  }

  #find({ index, id, name, input }: Piece): PendingCall | undefined {
    if (id !== '') {
      const same = index === null ? this.#byId.get(id) : this.#byBoth.get(bothOf(index, id));
      if (same !== undefined) return same;
    }
    const there = index === null ? this.#slots.at(-1) : this.#byIndex.get(index);
    if (there === undefined && id !== '' && name !== '') return this.#sameElsewhere(id, name, input);
    if (there === undefined || there.name === '' || name === '') {
      // Without an index, a new id is a new call.
      return index === null && id !== '' && there?.id !== '' && name !== '' ? undefined : there;
    }
    if (id !== '' && there.id !== '') return undefined;
    if (name !== there.name) return undefined;
    return input !== '' && there.input.complete ? undefined : there;
  }

  /** The known call that a piece with a new index repeats completely. */
  #sameElsewhere(id: string, name: string, input: string): PendingCall | undefined {
    const known = this.#byId.get(id);
    if (known?.name !== name || known.form !== 'function' || !known.input.complete) return undefined;
    return known.input.text === input ? known : undefined;
  }

  #open(index: number | null, form: ToolForm): PendingCall {
    const input = new StreamedArguments(form);
    const place = this.#slots.length;
    const slot: PendingCall = {
      place,
      part: null,
      index,
      id: '',
      name: '',
      form,
      input,
      extra: undefined,
      sealed: false,
      ended: false,
    };
    this.#slots.push(slot);
    if (index !== null) this.#byIndex.set(index, slot);
    if (index === LEGACY) this.#legacy ??= slot;
    return slot;
  }

  #name(slot: PendingCall, id: string): void {
    slot.id = id;
    setLater(this.#byId, id, slot);
    if (slot.index !== null) setLater(this.#byBoth, bothOf(slot.index, id), slot);
  }

  #grow(slot: PendingCall, added: string): void {
    if (slot.ended) return;
    slot.input.add(added);
    if (added !== '') this.#grown.add(slot);
    if (slot.part !== null) slot.part.text(slot.input.next());
    else if (slot.name !== '') this.#begin(slot);
  }

  #begin(slot: PendingCall): void {
    // The new call's own input is checked when the next call begins.
    this.#grown.delete(slot);
    for (const other of [...this.#grown].sort((one, next) => one.place - next.place)) {
      if (other.part !== null && !other.ended && other.input.complete) this.#end(other);
    }
    this.#grown.clear();
    this.#grown.add(slot);
    if (slot.id === '') this.#name(slot, this.#newId(slot.place));
    this.#seal(slot);
    const { id, name, form } = slot;
    slot.part = this.#events.begin({ kind: 'tool-call', id, name, form }, this.#choice);
    slot.part.text(slot.input.next());
  }

  #seal(slot: PendingCall): void {
    const seal = slot.sealed ? null : sealOfVendorData(slot.extra, slot.id);
    if (seal === null) return;
    slot.sealed = true;
    this.#events.sealed(seal, this.#choice);
  }

  #end(slot: PendingCall): void {
    if (slot.part === null || slot.ended) return;
    slot.ended = true;
    slot.part.text(slot.input.rest());
    slot.part.end();
  }

  /**
   * An id for a call without one. It is the same whenever the same answer is read, and differs between answers, because
   * the ids of a conversation must not collide.
   */
  #newId(place: number): string {
    const hash = createHash('sha256').update(`${this.#seed} ${this.#choice} ${place}`).digest('hex');
    return `call_${hash.slice(0, 24)}`;
  }
}

function pieceOf(wire: Record<string, unknown>): Piece {
  const form = wire.type === 'custom' || (wire.custom && !wire.function) ? 'custom' : 'function';
  const inner = objectOf(wire[form] ?? wire);
  return {
    form,
    index: indexOf(wire.index),
    id: textOf(wire.id),
    name: textOf(inner.name),
    input: inputOf(form === 'custom' ? inner.input : inner.arguments),
    beside: vendorDataOf(wire, wire.function),
  };
}

/** Some vendors write an index as text. */
function indexOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

/** Arguments as text. Some vendors send an object. */
function inputOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is nested too deep.', { cause });
  }
}

function bothOf(index: number, id: string): string {
  return `${index} ${id}`;
}

/** Stores the slot, unless the known slot of this name appeared later in the answer. */
function setLater<Name>(slots: Map<Name, PendingCall>, name: Name, slot: PendingCall): void {
  const known = slots.get(name);
  if (known === undefined || known.place < slot.place) slots.set(name, slot);
}
