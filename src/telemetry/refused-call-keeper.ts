import { printableText } from '../core/printable-text.ts';
import { sortingPart } from '../core/record-id.ts';
import {
  type RefusedBounds,
  type RefusedCall,
  type RefusedRecord,
  type RefusedStore,
  refusedId,
} from '../core/refused-calls.ts';

/** How long refused calls wait to be stored together, in ms. */
export const STORE_AFTER_MS = 250;
/** The most refused calls that one process stores in a second: of one key or without any, of one organization, and in all. */
export const MAX_OF_KEY_A_SECOND = 20;
export const MAX_OF_ORGANIZATION_A_SECOND = 100;
export const MAX_A_SECOND = 200;
/** The most that wait for a store which does not answer. */
export const MAX_WAITING = 2_000;
const SECOND_MS = 1_000;
/** The most keys whose refused calls are counted apart. */
const MAX_KEYS = 10_000;
/** The longest stored texts, in characters. */
const MAX_MESSAGE = 1_000;
const MAX_NAME = 256;

export type KeeperParts = {
  store: Pick<RefusedStore, 'add'>;
  /** Monotonic ms. */
  monotonic(): number;
  /** The id of a usage record of a time (Unix ms). */
  recordId(at: number): string;
  bounds(): RefusedBounds;
  /** Called for each refused call that is not stored. */
  onShed(): void;
  /** Called once for each time that the store begins to fail. */
  onError(error: unknown): void;
};

/** The calls of one key in the present second, and those that were not stored since the last one that was. */
type KeyCount = { taken: number; shed: number };

/**
 * Stores refused calls a moment later. A flood of them costs a bounded amount of memory and disk, and no call waits: what is
 * too much is counted and left out.
 */
export class RefusedCallKeeper {
  readonly #parts: KeeperParts;
  /** By the key's id; `null` for calls without one. */
  readonly #counts = new Map<string | null, KeyCount>();
  #second = Number.NEGATIVE_INFINITY;
  #taken = 0;
  /** Of this second, by organization. */
  readonly #takenOf = new Map<string, number>();
  /** Those that the store does not have yet. */
  #unstored = 0;
  #waiting: RefusedRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  note(call: RefusedCall): void {
    const { monotonic, bounds, onShed } = this.#parts;
    const { inAll, perKey } = bounds();
    if (inAll === 0 || perKey === 0) return;
    const now = monotonic();
    if (now - this.#second >= SECOND_MS) this.#beginSecond(now);
    const count = this.#countOf(call.key?.id ?? null);
    const organization = call.key?.organizationId ?? '';
    const takenOf = this.#takenOf.get(organization) ?? 0;
    if (
      count.taken >= MAX_OF_KEY_A_SECOND ||
      takenOf >= MAX_OF_ORGANIZATION_A_SECOND ||
      this.#taken >= MAX_A_SECOND ||
      this.#unstored >= MAX_WAITING
    ) {
      count.shed += 1;
      return onShed();
    }
    this.#takenOf.set(organization, takenOf + 1);
    this.#taken += 1;
    this.#unstored += 1;
    count.taken += 1;
    this.#waiting.push(this.#recordOf(call, count.shed));
    count.shed = 0;
    this.#timer ??= setTimeout(() => this.#store(), STORE_AFTER_MS).unref();
  }

  /** Stores what waits. Never rejects. */
  async close(): Promise<void> {
    this.#store();
    await this.#storing;
  }

  #beginSecond(now: number): void {
    this.#second = now;
    this.#taken = 0;
    this.#takenOf.clear();
    // Counts without anything to tell are forgotten, so that there are as many as keys that are refused now.
    for (const [keyId, count] of this.#counts) {
      if (count.shed === 0) this.#counts.delete(keyId);
      else count.taken = 0;
    }
  }

  #countOf(keyId: string | null): KeyCount {
    const known = this.#counts.get(keyId);
    if (known !== undefined) return known;
    const [oldest] = this.#counts.keys();
    if (this.#counts.size >= MAX_KEYS) this.#counts.delete(oldest!);
    const count = { taken: 0, shed: 0 };
    this.#counts.set(keyId, count);
    return count;
  }

  #recordOf(call: RefusedCall, shed: number): RefusedRecord {
    const { key, sender, at } = call;
    return {
      id: refusedId(sortingPart(this.#parts.recordId(at))),
      requestId: call.requestId,
      clientRequestId: call.clientRequestId,
      at,
      organizationId: key?.organizationId ?? null,
      keyId: key?.id ?? null,
      sender: key === null ? sender : null,
      source: key?.source ?? 'api_key',
      product: key?.product ?? null,
      tool: call.tool,
      model: call.model === null ? null : cut(call.model, MAX_NAME),
      httpStatus: call.httpStatus,
      errorKind: call.errorKind,
      message: cut(call.message, MAX_MESSAGE),
      param: call.param === null ? null : cut(call.param, MAX_NAME),
      latencyMs: Math.max(0, Math.round(call.latencyMs)),
      shed,
    };
  }

  #store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const calls = this.#waiting;
    if (calls.length === 0) return;
    this.#waiting = [];
    const { store, bounds, onError, onShed } = this.#parts;
    this.#storing = this.#storing
      .then(() => store.add(calls, bounds()))
      .then(
        () => {
          this.#isFailing = false;
        },
        (error: unknown) => {
          for (const _ of calls) onShed();
          if (!this.#isFailing) onError(error);
          this.#isFailing = true;
        },
      )
      .then(() => {
        this.#unstored -= calls.length;
      });
  }
}

function cut(text: string, most: number): string {
  const shown = printableText(text.slice(0, most + 1));
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}
