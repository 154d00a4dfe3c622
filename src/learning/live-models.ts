import type { CallSummary, Route } from '../core/route.ts';
import type { ModelStore, RouteStore } from '../core/route-store.ts';
import { smartTextOf } from './features.ts';
import { decidingWords, type SmartModel } from './model.ts';
import { readModel } from './model-file.ts';
import { type Scorer, scorerOf } from './scorer.ts';

/** How often the store is asked whether another model was put in force. */
const POLL_MS = 500;

/** The version of a smart route that has learned nothing yet: it decides by rules. */
const RULES_VERSION = 'rules';

export type LiveModel = { version: string; model: SmartModel | null; scorer: Scorer };

export type LiveModelsParts = {
  models: ModelStore;
  routes: Pick<RouteStore, 'changes'>;
  /** The routes that ask a model, as they are now. */
  smartRoutes(): readonly Route[];
  /** Called for each failed read of the store, and for each model that cannot be read: the model in force stays. */
  onError(error: unknown): void;
};

const RULES: LiveModel = { version: RULES_VERSION, model: null, scorer: scorerOf(null, RULES_VERSION) };

/** The models in force, in memory. A change in the store, by whatever process, is seen within half a second. */
export class LiveModels {
  readonly #parts: LiveModelsParts;
  readonly #live = new Map<string, LiveModel>();
  #seen: number | null = null;
  /** Ids of the routes that were asked for last, so that a new route is looked for at once. */
  #routes = '';
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(parts: LiveModelsParts) {
    this.#parts = parts;
  }

  /** What a route decides by now: the model in force, else rules. */
  of(routeId: string): LiveModel {
    return this.#live.get(routeId) ?? RULES;
  }

  /** Resolves once what is in force was read. */
  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => void this.look(), POLL_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Looks now; one look at a time. Never rejects. */
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
    // Without weights, which may be megabytes: most changes are of something else.
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

/** How many features are shown for each target. */
const TOLD = 10;

/** `weight`: how much a feature changed the logit of the target's chance. The strongest first. */
export type DecidedBy = { target: string; features: readonly { name: string; weight: number }[] };

/** What of a call spoke for or against each target of a route; `null` where it asks no model, or has learned nothing yet. */
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
