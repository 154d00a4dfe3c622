import {
  type PlacedCall,
  placeText,
  type SettledCalls,
  type SettledPlace,
  type SettledQuery,
} from '../../core/settled.ts';

/** The most events that a watcher is sent in any second. */
export const MAX_EVENTS_A_SECOND = 20;
/** The most calls that wait to be sent; beyond it all but the newest are passed over, and counted. */
export const MAX_WAITING = 100;
/** After so long without an event a watcher is sent a sign of life, in ms. */
export const HEARTBEAT_MS = 15_000;
/** A watcher that has taken nothing for so long, with bytes waiting for it, is let go, in ms. */
export const MAX_STALL_MS = 10_000;

const SECOND_MS = 1_000;

/** The way to one watcher. */
export type WatcherAnswer = {
  /** `false` asks to wait until the watcher has taken what was written. */
  write(frame: string): boolean;
  onDrain(listener: () => void): void;
  end(last: string): void;
};

export type WatcherOptions = {
  requestId: string;
  /** The key, or the person, that watches. */
  ownerId: string;
  query: SettledQuery;
  /** Whether it is shown what is the operator's. */
  vendors: boolean;
  /** From where on it is told of calls. */
  place: SettledPlace;
  answer: WatcherAnswer;
  /** Cuts the connection. */
  cut(): void;
  /** Throws, or rejects with, a `GatewayError` once it may watch no longer. */
  mayWatch(): undefined | Promise<unknown>;
};

/** One watcher: what it is still to be told, at what pace. Times are monotonic ms. */
export class Watcher {
  readonly options: WatcherOptions;
  /** The last settled call that was looked at for it. */
  place: SettledPlace;
  #waiting: PlacedCall[] = [];
  /** How many calls it was not told of; `null` where nobody knows. */
  #skipped: number | null = 0;
  /** When the events of the last second were sent. */
  #sent: number[] = [];
  #writtenAt: number;
  #fullSince: number | null = null;

  constructor(options: WatcherOptions, now: number) {
    this.options = options;
    this.place = options.place;
    this.#writtenAt = now;
    options.answer.onDrain(() => {
      this.#fullSince = null;
    });
    this.#write(`retry: ${SECOND_MS}\nid: ${placeText(this.place)}\nevent: begin\ndata: {}\n\n`, now);
  }

  /** Whether it takes nothing of what was written for it. */
  isStalled(now: number): boolean {
    return this.#fullSince !== null && now - this.#fullSince > MAX_STALL_MS;
  }

  /** Notes calls that it is to be told of. */
  add({ calls, earlier, upTo }: SettledCalls): void {
    this.place = upTo;
    this.#skip(earlier);
    this.#waiting.push(...calls);
    if (this.#waiting.length <= MAX_WAITING) return;
    const kept = this.#waiting.slice(-MAX_EVENTS_A_SECOND);
    this.#skip(this.#waiting.length - kept.length);
    this.#waiting = kept;
  }

  #skip(calls: number | null): void {
    this.#skipped = this.#skipped === null || calls === null ? null : this.#skipped + calls;
  }

  /** What it can be sent now. */
  due(now: number): readonly PlacedCall[] {
    if (this.#fullSince !== null) return [];
    this.#sent = this.#sent.filter((at) => now - at < SECOND_MS);
    return this.#waiting.slice(0, MAX_EVENTS_A_SECOND - this.#sent.length);
  }

  /**
   * Sends what was due, and how many calls were passed over before; or a sign of life where nothing was for long.
   *
   * @param recordOf a call's record as JSON; `undefined` where it is kept no more
   */
  send(due: readonly PlacedCall[], recordOf: (id: string) => string | undefined, now: number): void {
    if (this.#fullSince !== null) return;
    this.#waiting.splice(0, due.length);
    const events = due.flatMap(({ id, place }) => {
      const record = recordOf(id);
      return record === undefined ? [] : [`id: ${placeText(place)}\ndata: ${record}\n\n`];
    });
    this.#sent.push(...events.map(() => now));
    const place = this.#waiting.length === 0 ? `id: ${placeText(this.place)}\n` : '';
    const mayTell = this.#sent.length < MAX_EVENTS_A_SECOND || events.length > 0;
    if (this.#skipped !== 0 && mayTell) {
      events.unshift(`event: skipped\ndata: {"calls":${this.#skipped}}\n\n`);
      this.#skipped = 0;
      if (events.length === 1 && place !== '') events.push(`${place}\n`);
    } else if (events.length === 0 && now - this.#writtenAt >= HEARTBEAT_MS) events.push(`: still here\n${place}\n`);
    if (events.length > 0) this.#write(events.join(''), now);
  }

  /** Ends it, and tells in words why. It may come back after so many ms. */
  end(why: string, retryMs: number): void {
    this.options.answer.end(`: ${why}\nretry: ${retryMs}\n\n`);
  }

  #write(frame: string, now: number): void {
    this.#writtenAt = now;
    if (!this.options.answer.write(frame)) this.#fullSince ??= now;
  }
}
