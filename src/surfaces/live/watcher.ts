import {
  type PlacedCall,
  placeText,
  type SettledCalls,
  type SettledPlace,
  type SettledQuery,
} from '../../core/settled.ts';

/** The most events for one watcher in a second. */
export const MAX_EVENTS_A_SECOND = 20;
/** The most waiting calls; beyond it all but the newest are skipped and counted. */
export const MAX_WAITING = 100;
/** The interval of keep-alive comments, in ms. */
export const HEARTBEAT_MS = 15_000;
/** A watcher that has read nothing for this long, with bytes waiting, is disconnected, in ms. */
export const MAX_STALL_MS = 10_000;

const SECOND_MS = 1_000;

/** The connection of one watcher. */
export type WatcherAnswer = {
  /** `false` asks to wait until the watcher has read what was written. */
  write(frame: string): boolean;
  onDrain(listener: () => void): void;
  end(last: string): void;
};

export type WatcherOptions = {
  requestId: string;
  /** The key or person that watches. */
  ownerId: string;
  query: SettledQuery;
  /** True if it sees what only operators may see. */
  vendors: boolean;
  /** Its starting position. */
  place: SettledPlace;
  answer: WatcherAnswer;
  /** Cuts the connection. */
  cut(): void;
  /** Throws, or rejects with, a `GatewayError` once the permission is lost. */
  mayWatch(): undefined | Promise<unknown>;
};

/** One watcher with its waiting events and rate. Times are monotonic ms. */
export class Watcher {
  readonly options: WatcherOptions;
  /** The last settled call that was considered for it. */
  place: SettledPlace;
  #waiting: PlacedCall[] = [];
  /** The number of skipped calls; `null` if unknown. */
  #skipped: number | null = 0;
  /** Times of the events of the last second. */
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

  /** True if it has read nothing of what was written for too long. */
  isStalled(now: number): boolean {
    return this.#fullSince !== null && now - this.#fullSince > MAX_STALL_MS;
  }

  /** Adds calls for it. */
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

  /** What can be sent now. */
  due(now: number): readonly PlacedCall[] {
    if (this.#fullSince !== null) return [];
    this.#sent = this.#sent.filter((at) => now - at < SECOND_MS);
    return this.#waiting.slice(0, MAX_EVENTS_A_SECOND - this.#sent.length);
  }

  /**
   * Sends what is due, preceded by the number of skipped calls, or a keep-alive comment.
   *
   * @param recordOf - returns a call's record as JSON; `undefined` if it was deleted
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

  /** Disconnects it with a reason. It may reconnect after this many ms. */
  end(why: string, retryMs: number): void {
    this.options.answer.end(`: ${why}\nretry: ${retryMs}\n\n`);
  }

  #write(frame: string, now: number): void {
    this.#writtenAt = now;
    if (!this.options.answer.write(frame)) this.#fullSince ??= now;
  }
}
