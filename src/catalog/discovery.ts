import type { Clock, Upstream } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import { utcDay } from '../core/utc-day.ts';
import type { Preset } from '../providers/preset.ts';
import type { StoredList, StoredLists } from './stored-lists.ts';
import { EMPTY_VENDOR_LIST, updateVendorList, type VendorList } from './vendor-list.ts';
import { type DialectHeaders, discoverModels, findLocal, type ModelAnswer } from './vendor-models.ts';

/**
 * The longest wait of the start for providers whose models are otherwise unknown. Slower answers are used when they
 * arrive.
 */
const FIRST_WAIT_MS = 1_000;
/** The interval between requests for a list; after a failure, the first and the longest interval. */
const REFRESH_MS = 60 * 60_000;
const RETRY_MS = 10_000;
/** The interval for providers whose models are otherwise unknown, such as local servers, where models come and go. */
const NEEDED_REFRESH_MS = 5 * 60_000;
const FIRST_ROUND = 1;
/** The interval at which a process that does not ask looks for lists that another process has stored. */
const LOOK_MS = 500;
/** Answers within this time make one change. */
const TOGETHER_MS = 50;

/** A provider that is asked for its list of models. */
export type AskedProvider = {
  provider: Provider;
  dialectHeaders: DialectHeaders;
  /** True if its models are unknown until it answers. */
  isNeeded: boolean;
};

export type DiscoveryRound = {
  upstream: Upstream;
  asked: readonly AskedProvider[];
  /** Local servers to look for; `null` if the operator names every provider. */
  local: { presets: readonly Preset[]; ownPort: number } | null;
  /** Called when something new is known. */
  onChange(): void;
  /** Called once for as long as a provider fails in the same way. */
  onError(asked: AskedProvider, error: unknown): void;
};

/** Asks providers for their models, outside of calls. Known models stay known while a provider is down. */
export class Discovery {
  locals: readonly Preset[] = [];
  readonly #clock: Pick<Clock, 'now'>;
  /** Stores lists for the next start; `null`: lists are not stored. */
  readonly #kept: StoredLists | null;
  /** By provider and address: another address may have other models. */
  readonly #lists: Map<string, StoredList>;
  /** The last failure of each provider without an answer. */
  readonly #failures = new Map<string, unknown>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Reports changes when it fires, so that answers at about the same time make one change. */
  #untold: NodeJS.Timeout | null = null;
  /** The current round. Answers to requests of earlier rounds are dropped. */
  #round = 0;
  /** True if this process asks. Otherwise another process asks, and this one reads what it stores. */
  readonly #asks: boolean;
  #versionRead: string | null;

  constructor(clock: Pick<Clock, 'now'>, kept: StoredLists | null = null, asks = true) {
    this.#clock = clock;
    this.#kept = kept;
    this.#asks = asks;
    this.#versionRead = kept?.version() ?? null;
    this.#lists = kept?.read() ?? new Map();
  }

  /** A provider's list, as received by this or an earlier process. */
  listOf(provider: Provider): VendorList {
    return this.#lists.get(placeOf(provider)) ?? EMPTY_VENDOR_LIST;
  }

  /** The failure of the last request; `null` if it succeeded. */
  failureOf(provider: Provider): unknown {
    return this.#failures.get(placeOf(provider)) ?? null;
  }

  /**
   * Asks at once, then repeatedly. Replaces the previous round. Resolves when all providers with otherwise unknown
   * models have answered, or after a moment; the first round does not wait for those in the stored lists.
   */
  async follow(round: DiscoveryRound): Promise<void> {
    this.stop();
    const number = this.#round;
    const first: Promise<void>[] = [];
    for (const asked of round.asked) {
      const isAwaited = asked.isNeeded && (number > FIRST_ROUND || !this.#lists.has(placeOf(asked.provider)));
      if (this.#asks) {
        const heard = this.#ask(asked, round, RETRY_MS);
        if (isAwaited) first.push(heard);
      } else if (isAwaited) first.push(this.#readOf(asked, round, FIRST_WAIT_MS));
    }
    if (!this.#asks) this.#readOn(round);
    if (round.local !== null) first.push(this.#look(round));
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FIRST_WAIT_MS);
    });
    await Promise.race([Promise.all(first), moment]);
    clearTimeout(timer);
    if (number === this.#round) this.#tell(round);
  }

  stop(): void {
    this.#round += 1;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    if (this.#untold !== null) clearTimeout(this.#untold);
    this.#untold = null;
  }

  /** Stops permanently. Resolves when all lists are stored. */
  async end(): Promise<void> {
    this.stop();
    await this.#kept?.settled();
  }

  /** @param retryMs - the time to the next request if this one fails */
  async #ask(asked: AskedProvider, round: DiscoveryRound, retryMs: number): Promise<void> {
    const number = this.#round;
    const { provider, dialectHeaders, isNeeded } = asked;
    let soon: NodeJS.Timeout | undefined;
    // Models can be called before slow further pages have added facts.
    const onList = (list: ModelAnswer) => {
      if (this.#lists.has(placeOf(provider))) return;
      soon = setTimeout(() => {
        if (number === this.#round) this.#learn(placeOf(provider), list, round);
      }, TOGETHER_MS).unref();
    };
    try {
      const answer = await discoverModels(round.upstream, provider, { dialectHeaders, onList });
      clearTimeout(soon);
      if (number !== this.#round) return;
      this.#learn(placeOf(provider), answer, round);
      this.#later(isNeeded ? NEEDED_REFRESH_MS : REFRESH_MS, () => this.#ask(asked, round, RETRY_MS));
    } catch (error) {
      if (number !== this.#round) return;
      this.#miss(asked, error, round);
      const next = isNeeded ? RETRY_MS : Math.min(REFRESH_MS, 2 * retryMs);
      this.#later(retryMs, () => this.#ask(asked, round, next));
    }
  }

  /** Reads what another process has stored, and repeats. */
  #readOn(round: DiscoveryRound): void {
    this.#readKept(round);
    this.#later(LOOK_MS, async () => this.#readOn(round));
  }

  /** Resolves when another process has stored this provider's list, or after `leftMs`. */
  async #readOf(asked: AskedProvider, round: DiscoveryRound, leftMs: number): Promise<void> {
    this.#readKept(round);
    if (leftMs <= 0 || this.#lists.has(placeOf(asked.provider))) return;
    await new Promise<void>((resolve) => this.#later(TOGETHER_MS, async () => resolve()));
    return this.#readOf(asked, round, leftMs - TOGETHER_MS);
  }

  #readKept(round: DiscoveryRound): void {
    const version = this.#kept?.version() ?? null;
    if (this.#kept === null || version === this.#versionRead) return;
    this.#versionRead = version;
    for (const [place, list] of this.#kept.read()) {
      if (list.heardAt <= (this.#lists.get(place)?.heardAt ?? 0)) continue;
      this.#lists.set(place, list);
      this.#tellSoon(round);
    }
  }

  /** Looks for local servers. */
  async #look(round: DiscoveryRound): Promise<void> {
    const number = this.#round;
    const { presets, ownPort } = round.local!;
    const found = await findLocal(round.upstream, presets, ownPort);
    if (number !== this.#round) return;
    const locals = found.map(({ preset }) => preset);
    const same = locals.length === this.locals.length && locals.every((preset, index) => preset === this.locals[index]);
    this.locals = locals;
    if (!same) this.#tellSoon(round);
    for (const { preset, ...answer } of found) this.#learn(placeOf(preset), answer, round);
    this.#later(NEEDED_REFRESH_MS, () => this.#look(round));
  }

  #later(ms: number, act: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void act();
    }, ms).unref();
    this.#timers.add(timer);
  }

  #miss(asked: AskedProvider, error: unknown, round: DiscoveryRound): void {
    const place = placeOf(asked.provider);
    const before = this.#failures.get(place);
    this.#failures.set(place, error);
    if (before !== undefined && String(before) === String(error)) return;
    round.onError(asked, error);
  }

  #learn(place: string, { models, facts }: ModelAnswer, round: DiscoveryRound): void {
    this.#failures.delete(place);
    const before = this.#lists.get(place);
    const now = this.#clock.now();
    const list = updateVendorList(before ?? EMPTY_VENDOR_LIST, models, utcDay(now), facts);
    const isNew = before === undefined || list !== before;
    this.#lists.set(place, { ...list, heardAt: now });
    if (isNew) this.#tellSoon(round);
    // If the file was deleted, lists without a change would be missing in the new one.
    if (this.#kept?.version() === null) return void this.#kept.write(this.#lists);
    void (isNew ? this.#kept?.write(new Map([[place, this.#lists.get(place)!]])) : this.#kept?.writeAgain());
  }

  #tellSoon(round: DiscoveryRound): void {
    this.#untold ??= setTimeout(() => this.#tell(round), TOGETHER_MS).unref();
  }

  /** Reports changes, if there are any. */
  #tell(round: DiscoveryRound): void {
    if (this.#untold === null) return;
    clearTimeout(this.#untold);
    this.#untold = null;
    round.onChange();
  }
}

function placeOf({ id, baseUrl }: Pick<Preset, 'id' | 'baseUrl'>): string {
  return `${id} ${baseUrl}`;
}
