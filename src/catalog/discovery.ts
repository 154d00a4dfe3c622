import type { Upstream } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import type { Preset } from '../providers/preset.ts';
import { discoverModels, findLocal } from './discover.ts';

/** Start waits this long for providers to say which models they have; the slower ones are heard later. */
const FIRST_WAIT_MS = 1_000;
/** A list is asked for again this often, and sooner where the last try failed. */
const REFRESH_MS = 5 * 60_000;
const RETRY_MS = 10_000;

export type DiscoveryRound = {
  upstream: Upstream;
  /** Those that must be asked. */
  providers: readonly Provider[];
  /** Servers to look for on this machine; none where the operator names every provider. */
  local: { presets: readonly Preset[]; ownPort: number } | null;
  /** Something new is known. */
  onChange(): void;
  /** Told once for as long as a provider fails in the same way. */
  onError(provider: string, error: unknown): void;
};

/** Keeps what providers say of their own models, off the call path. What was known stays known while a provider is down. */
export class Discovery {
  locals: readonly Preset[] = [];
  /** By provider and address: what one address says is not true of another. */
  readonly #models = new Map<string, readonly string[]>();
  /** How each provider that was not heard failed last. */
  readonly #failures = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;
  /** Counts rounds: what a round that was replaced hears is dropped. */
  #round = 0;

  /** What a provider says it has; nothing where it was not heard yet. */
  modelsOf(provider: Provider): readonly string[] {
    return this.#models.get(placeOf(provider)) ?? [];
  }

  /** Asks at once and goes on asking; resolves when all have answered, or after a moment. Replaces the round before. */
  async follow(round: DiscoveryRound): Promise<void> {
    this.stop();
    const first = this.#ask(round, this.#round);
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FIRST_WAIT_MS);
    });
    await Promise.race([first, moment]);
    clearTimeout(timer);
  }

  stop(): void {
    this.#round += 1;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #ask(round: DiscoveryRound, number: number): Promise<void> {
    const current = () => number === this.#round;
    const asked = round.providers.map(async (provider) => {
      try {
        const models = await discoverModels(round.upstream, provider);
        if (current()) this.#learn(placeOf(provider), models, round);
        return true;
      } catch (error) {
        if (current()) this.#miss(provider, error, round);
        return false;
      }
    });
    if (round.local !== null) {
      const { presets, ownPort } = round.local;
      const found = await findLocal(round.upstream, presets, ownPort);
      if (!current()) return;
      this.#meet(
        found.map(({ preset }) => preset),
        round,
      );
      for (const { preset, models } of found) this.#learn(placeOf(preset), models, round);
    }
    const allAnswered = (await Promise.all(asked)).every(Boolean);
    if (!current() || (round.providers.length === 0 && round.local === null)) return;
    this.#timer = setTimeout(() => void this.#ask(round, number), allAnswered ? REFRESH_MS : RETRY_MS).unref();
  }

  #meet(locals: readonly Preset[], round: DiscoveryRound): void {
    const same = locals.length === this.locals.length && locals.every((preset, index) => preset === this.locals[index]);
    this.locals = locals;
    if (!same) round.onChange();
  }

  #miss(provider: Provider, error: unknown, round: DiscoveryRound): void {
    const place = placeOf(provider);
    if (this.#failures.get(place) === String(error)) return;
    this.#failures.set(place, String(error));
    round.onError(provider.id, error);
  }

  #learn(place: string, models: readonly string[], round: DiscoveryRound): void {
    this.#failures.delete(place);
    if (this.#models.get(place)?.join('\n') === models.join('\n')) return;
    this.#models.set(place, models);
    round.onChange();
  }
}

function placeOf({ id, baseUrl }: Pick<Preset, 'id' | 'baseUrl'>): string {
  return `${id} ${baseUrl}`;
}
