import { GatewayError } from '../../core/errors.ts';
import type { CallReader, Clock } from '../../core/ports.ts';
import type { UsageDetail } from '../../core/records.ts';
import type { SettledReader } from '../../core/settled.ts';
import { usageDetailJson } from '../usage-json.ts';
import { MAX_WAITING, Watcher, type WatcherOptions } from './watcher.ts';

/** How often new calls and permissions are checked while anybody watches, in ms. */
const LOOK_MS = 250;
/** The reconnection delay of a watcher that was disconnected, in ms. */
const RETRY_MS = 1_000;
const BUSY_RETRY_MS = 5_000;

export type WatchLimits = {
  /** Watchers of this process, and those of one key or person. */
  maxWatchers: number;
  maxKeyWatchers: number;
};

export type UsageFeedParts = {
  settled: SettledReader;
  calls: Pick<CallReader, 'findAll'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Read for each watcher, because a reload may change them. */
  limits(): WatchLimits;
  /** `isBusy`: the process is too busy for watchers. */
  shedder: { readonly isBusy: boolean };
  stopping(): boolean;
  /** Called if calls could not be read; all watchers are then disconnected and reconnect. */
  onFault(error: unknown, requestId: string): void;
};

/**
 * Sends calls to watchers soon after they were settled by any process on the data. Without watchers it does nothing.
 * Watchers with the same query share one lookup.
 */
export class UsageFeed {
  readonly #parts: UsageFeedParts;
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  constructor(parts: UsageFeedParts) {
    this.#parts = parts;
  }

  /** Throws if one more watcher is not allowed: 429, or 503 while overloaded. */
  demandPlace(ownerId: string): void {
    if (this.#parts.shedder.isBusy)
      throw new GatewayError('overloaded', 'The gateway is too busy for live usage. Try again later.', {
        retryAfterMs: BUSY_RETRY_MS,
      });
    const { maxWatchers, maxKeyWatchers } = this.#parts.limits();
    const own = [...this.#watchers].filter(({ options }) => options.ownerId === ownerId).length;
    const words =
      own >= maxKeyWatchers
        ? `You already have ${maxKeyWatchers} live streams, the limit (\`limits.max_key_watchers\`)`
        : this.#watchers.size >= maxWatchers
          ? `${maxWatchers} live streams are open, the limit (\`limits.max_watchers\`)`
          : null;
    if (words !== null)
      throw new GatewayError('rate_limit_exceeded', `${words}: close one, or try again later.`, {
        retryAfterMs: BUSY_RETRY_MS,
      });
  }

  /** Sends calls from now on. `demandPlace` was called in the same turn. */
  watch(options: WatcherOptions): void {
    this.#watchers.add(new Watcher(options, this.#parts.clock.monotonic()));
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
  }

  /** Must be called when a watcher has left. */
  left(options: WatcherOptions): void {
    for (const watcher of this.#watchers) if (watcher.options === options) this.#watchers.delete(watcher);
    if (this.#watchers.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    if (this.#parts.stopping()) return this.#endAll('The gateway is stopping.', RETRY_MS);
    if (this.#parts.shedder.isBusy) return this.#endAll('The gateway is too busy for live usage.', BUSY_RETRY_MS);
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#endSome();
      await this.#findNew();
      await this.#sendDue();
    } catch (error) {
      for (const { options } of this.#watchers) this.#parts.onFault(error, options.requestId);
      this.#endAll('Calls could not be read.', BUSY_RETRY_MS);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Disconnects watchers that do not read, or have lost the permission. */
  async #endSome(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    for (const watcher of this.#watchers) {
      if (watcher.isStalled(now)) watcher.options.cut();
      try {
        await watcher.options.mayWatch();
      } catch (error) {
        this.#end(watcher, (error as Error).message, RETRY_MS);
      }
    }
  }

  /** Watchers with the same query and position share one lookup. */
  async #findNew(): Promise<void> {
    const alike = Map.groupBy(this.#watchers, ({ options, place }) => JSON.stringify([options.query, place]));
    for (const [first, ...others] of alike.values()) {
      const found = await this.#parts.settled.since(first!.options.query, first!.place, MAX_WAITING);
      for (const watcher of [first!, ...others]) watcher.add(found);
    }
  }

  async #sendDue(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    const due = [...this.#watchers].map((watcher) => ({ watcher, calls: watcher.due(now) }));
    const byOrganization = Map.groupBy(due, ({ watcher }) => watcher.options.query.organizationId);
    for (const [organizationId, some] of byOrganization) {
      const ids = new Set(some.flatMap(({ calls }) => calls.map(({ id }) => id)));
      const found = ids.size === 0 ? [] : await this.#parts.calls.findAll(organizationId, [...ids]);
      const details = new Map(found.map((detail) => [detail.record.id, detail]));
      const [shown, whole] = [writerOf(details, false), writerOf(details, true)];
      for (const { watcher, calls } of some) watcher.send(calls, watcher.options.vendors ? whole : shown, now);
    }
  }

  #endAll(why: string, retryMs: number): void {
    for (const watcher of [...this.#watchers]) this.#end(watcher, why, retryMs);
  }

  #end(watcher: Watcher, why: string, retryMs: number): void {
    watcher.end(why, retryMs);
    this.left(watcher.options);
  }
}

/** Serializes each record once for all watchers. */
function writerOf(details: ReadonlyMap<string, UsageDetail>, vendors: boolean): (id: string) => string | undefined {
  const written = new Map<string, string>();
  return (id) => {
    const detail = details.get(id);
    if (detail === undefined) return undefined;
    let text = written.get(id);
    if (text === undefined) {
      text = JSON.stringify(usageDetailJson(detail, vendors));
      written.set(id, text);
    }
    return text;
  };
}
