import type { Clock, Upstream } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import { utcDay } from '../core/utc-day.ts';
import type { Preset } from '../providers/preset.ts';
import type { KeptList, KeptLists } from './kept-lists.ts';
import { heardAgain, NEVER_HEARD, type VendorList } from './vendor-list.ts';
import { type DialectHeaders, discoverModels, findLocal, type ModelAnswer } from './vendor-models.ts';

/** Start waits this long for providers of which nothing is known until they answer; the slower ones are heard later. */
const FIRST_WAIT_MS = 1_000;
/** A list is asked for again this often, and sooner where the last try failed: at first, and at most later. */
const REFRESH_MS = 60 * 60_000;
const RETRY_MS = 10_000;
/** The same where nothing else says what a provider has, as of a server on one's own machine, whose models come and go. */
const NEEDED_REFRESH_MS = 5 * 60_000;
const FIRST_ROUND = 1;
/** How often it is looked whether another process, which asks, has kept something new. */
const LOOK_MS = 500;
/** What is heard at about the same time makes one change. */
const TOGETHER_MS = 50;

/** A provider that is asked for its list. */
export type AskedProvider = {
  provider: Provider;
  dialectHeaders: DialectHeaders;
  /** Nothing is known of what it has until it answers. */
  isNeeded: boolean;
};

export type DiscoveryRound = {
  upstream: Upstream;
  asked: readonly AskedProvider[];
  /** Servers to look for on this machine; none where the operator names every provider. */
  local: { presets: readonly Preset[]; ownPort: number } | null;
  /** Something new is known. */
  onChange(): void;
  /** Told once for as long as a provider fails in the same way. */
  onError(asked: AskedProvider, error: unknown): void;
};

/** Keeps what providers say of their own models, off the call path. What was known stays known while a provider is down. */
export class Discovery {
  locals: readonly Preset[] = [];
  readonly #clock: Pick<Clock, 'now'>;
  /** Where lists are kept for the next start; `null`: nowhere. */
  readonly #kept: KeptLists | null;
  /** By provider and address: what one address says is not true of another. */
  readonly #lists: Map<string, KeptList>;
  /** How each provider that was not heard failed last. */
  readonly #failures = new Map<string, unknown>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** What is to be told of once those are heard that answer at about the same time. */
  #untold: NodeJS.Timeout | null = null;
  /** Counts rounds: what a round that was replaced hears is dropped. */
  #round = 0;
  /** Whether this process asks; else another does, and keeps what it hears where this one reads it. */
  readonly #asks: boolean;
  #versionRead: string | null;

  constructor(clock: Pick<Clock, 'now'>, kept: KeptLists | null = null, asks = true) {
    this.#clock = clock;
    this.#kept = kept;
    this.#asks = asks;
    this.#versionRead = kept?.version() ?? null;
    this.#lists = kept?.read() ?? new Map();
  }

  /** What a provider said it has, in this process or an earlier one. */
  listOf(provider: Provider): VendorList {
    return this.#lists.get(placeOf(provider)) ?? NEVER_HEARD;
  }

  /** How it failed to say so when it was asked last; `null` where it did not. */
  failureOf(provider: Provider): unknown {
    return this.#failures.get(placeOf(provider)) ?? null;
  }

  /**
   * Asks at once and goes on asking. Replaces the round before. Resolves when those are heard of which nothing is known until
   * they answer, or after a moment; the first round waits for none that an earlier process has heard.
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

  /** Stops for good; resolves when what was heard is kept. */
  async end(): Promise<void> {
    this.stop();
    await this.#kept?.settled();
  }

  /** @param retryMs when it is asked again if it does not answer now */
  async #ask(asked: AskedProvider, round: DiscoveryRound, retryMs: number): Promise<void> {
    const number = this.#round;
    const { provider, dialectHeaders, isNeeded } = asked;
    let soon: NodeJS.Timeout | undefined;
    // Models can be called before slow pages have told more of them.
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

  /** Reads what another process has kept since, and goes on reading. */
  #readOn(round: DiscoveryRound): void {
    this.#readKept(round);
    this.#later(LOOK_MS, async () => this.#readOn(round));
  }

  /** Resolves once another process has kept what this provider has, or after so long. */
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

  /** Looks for servers on this machine. */
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
    const list = heardAgain(before ?? NEVER_HEARD, models, utcDay(now), facts);
    const isNew = before === undefined || list !== before;
    this.#lists.set(place, { ...list, heardAt: now });
    if (isNew) this.#tellSoon(round);
    // Whoever deletes the file would else leave out what does not change.
    if (this.#kept?.version() === null) return void this.#kept.write(this.#lists);
    void (isNew ? this.#kept?.write(new Map([[place, this.#lists.get(place)!]])) : this.#kept?.writeAgain());
  }

  #tellSoon(round: DiscoveryRound): void {
    this.#untold ??= setTimeout(() => this.#tell(round), TOGETHER_MS).unref();
  }

  /** Tells of what is new, if anything is. */
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
