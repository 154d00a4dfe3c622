import type { CallSummary, Route } from '../core/route.ts';
import type { ModelStore, RouteStore } from '../core/route-store.ts';
import { smartTextOf } from './features.ts';
import { decidingWords, type SmartModel } from './model.ts';
import { readModel } from './model-file.ts';
import { type Scorer, scorerOf } from './scorer.ts';

/** The interval at which the store is polled for new live models. */
const POLL_MS = 500;

/** The version of a smart route without a trained model, which decides by rules. */
const RULES_VERSION = 'rules';

export type LiveModel = { version: string; model: SmartModel | null; scorer: Scorer };

export type LiveModelsParts = {
  models: ModelStore;
  routes: Pick<RouteStore, 'changes'>;
  /** The current smart routes. */
  smartRoutes(): readonly Route[];
  /** Called for each failed read of the store, and for each unreadable model. The live model stays. */
  onError(error: unknown): void;
};

const RULES: LiveModel = { version: RULES_VERSION, model: null, scorer: scorerOf(null, RULES_VERSION) };

/** The live models, in memory. Changes in the store by any process are noticed within half a second. */
export class LiveModels {
  readonly #parts: LiveModelsParts;
  readonly #live = new Map<string, LiveModel>();
  #seen: number | null = null;
  /** Ids of the routes of the last poll, so that a new route is read at once. */
  #routes = '';
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(parts: LiveModelsParts) {
    this.#parts = parts;
  }

  /** The current scorer of a route: the live model, else rules. */
  of(routeId: string): LiveModel {
    return this.#live.get(routeId) ?? RULES;
  }

  /** Resolves when the live models have been read. */
  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => void this.look(), POLL_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Polls now; one poll at a time. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#parts.onError(error))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const ids = this.#parts.smartRoutes().map(({ id }) => id);
    const asked = JSON.stringify(ids);
    const changes = await this.#parts.routes.changes();
    if (changes === this.#seen && asked === this.#routes) return;
    for (const id of this.#live.keys()) if (!ids.includes(id)) this.#live.delete(id);
    for (const id of ids) await this.#bring(id);
    this.#seen = changes;
    this.#routes = asked;
  }

  async #bring(routeId: string): Promise<void> {
    // Without weights, which may be megabytes: most changes concern something else.
    const version = (await this.#parts.models.list(routeId)).find(({ live }) => live)?.id ?? null;
    if (version === null) return void this.#live.delete(routeId);
    if (this.#live.get(routeId)?.version === version) return;
    const kept = await this.#parts.models.find(version);
    if (kept === null) return;
    try {
      const model = readModel(kept.weights);
      this.#live.set(routeId, { version, model, scorer: scorerOf(model, version) });
    } catch (cause) {
      this.#parts.onError(new Error(`The model ${version} cannot be read.`, { cause }));
    }
  }
}

/** The number of features shown per target. */
const TOLD = 10;

/** `weight`: the change of the logit of the target's chance. Strongest first. */
export type DecidedBy = { target: string; features: readonly { name: string; weight: number }[] };

/** The features of a call for or against each target of a route; `null` if the route is not smart or has no trained model. */
export function decidedBy(
  { model }: LiveModel,
  { smart, targets }: Route,
  summary: CallSummary,
  promptTokens: number,
): DecidedBy[] | null {
  if (smart === null || model === null) return null;
  const text = smartTextOf(summary, promptTokens);
  const names = [...new Set(targets.map((target) => target.model))];
  return names.map((target) => ({
    target,
    features: decidingWords(model, text, target, TOLD).map(({ feature, weight }) => ({ name: feature, weight })),
  }));
}
