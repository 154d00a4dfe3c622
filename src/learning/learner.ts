import type { Clock } from '../core/ports.ts';
import type { ModelStore } from '../core/route-store.ts';
import { FEEDBACK_ORIGIN } from './feedback.ts';
import { type TrainedVersion, type TrainingParts, trainRoute } from './training.ts';

/** When routes are trained again automatically. */
export type LearningSettings = {
  /** The interval of checks for new feedback, in ms; 0: never. */
  every: number;
  /** The number of new scores needed for a training. */
  after: number;
};

/** A smart route, and its names for its targets. */
export type LearningRoute = { id: string; targets: readonly string[] };

export type LearnerParts = TrainingParts & {
  models: ModelStore;
  clock: Clock;
  /** The current smart routes. */
  smartRoutes(): Promise<readonly LearningRoute[]>;
  settings(): LearningSettings;
  onTrained(routeId: string, trained: TrainedVersion): void;
  /** `null`: the list of routes could not be read. */
  onError(routeId: string | null, error: unknown): void;
};

/** How often the learner checks whether a training is due. */
const LOOK_MS = 1_000;

/** Retrains routes as feedback arrives. Only one of several serving processes runs it. */
export class Learner {
  readonly #parts: LearnerParts;
  #timer: NodeJS.Timeout | null = null;
  #lookedAt: number;
  #round: Promise<void> | null = null;

  constructor(parts: LearnerParts) {
    this.#parts = parts;
    this.#lookedAt = parts.clock.monotonic();
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Resolves when no training runs. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#round;
  }

  #look(): void {
    const { every } = this.#parts.settings();
    const now = this.#parts.clock.monotonic();
    if (every === 0 || now - this.#lookedAt < every || this.#round !== null) return;
    this.#lookedAt = now;
    this.#round = this.round().finally(() => {
      this.#round = null;
    });
  }

  /** Checks every smart route once. Never rejects. */
  async round(): Promise<void> {
    const { models, settings, smartRoutes, onTrained, onError } = this.#parts;
    const routes = await smartRoutes().catch((error: unknown) => {
      onError(null, error);
      return [];
    });
    for (const { id, targets } of routes) {
      try {
        const [newest] = await models.list(id);
        const fresh = await models.countRows(id, FEEDBACK_ORIGIN, newest?.createdAt ?? 0);
        if (fresh < settings().after) continue;
        const order = { targets, source: FEEDBACK_ORIGIN, enforcement: 'if-not-worse' } as const;
        onTrained(id, await trainRoute(this.#parts, id, order));
      } catch (error) {
        onError(id, error);
      }
    }
  }
}
