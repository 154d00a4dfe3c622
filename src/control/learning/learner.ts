import type { Clock, ModelStore } from '../../core/ports.ts';
import { FEEDBACK_ORIGIN } from './feedback.ts';
import { type TrainedVersion, type TrainingParts, trainRoute } from './training.ts';

/** When routes learn anew by themselves. */
export type LearningSettings = {
  /** How often it is looked whether there is something to learn from, in ms; 0: never. */
  every: number;
  /** Scores since the last version, below which it is left at that. */
  after: number;
};

export type LearnerParts = TrainingParts & {
  models: ModelStore;
  clock: Clock;
  /** Ids of the routes that ask a model, as they are now. */
  smartRoutes(): Promise<readonly string[]>;
  settings(): LearningSettings;
  onTrained(routeId: string, trained: TrainedVersion): void;
  /** `null`: the routes themselves could not be told. */
  onError(routeId: string | null, error: unknown): void;
};

/** How often it is looked whether it is time. */
const LOOK_MS = 1_000;

/** Trains routes anew as feedback comes in. In one process of those that serve together. */
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

  /** Resolves once no training is under way. */
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

  /** Looks at every smart route once. Never rejects. */
  async round(): Promise<void> {
    const { models, settings, smartRoutes, onTrained, onError } = this.#parts;
    const ids = await smartRoutes().catch((error: unknown) => {
      onError(null, error);
      return [];
    });
    for (const id of ids) {
      try {
        const [newest] = await models.list(id);
        const fresh = await models.countRows(id, FEEDBACK_ORIGIN, newest?.createdAt ?? 0);
        if (fresh < settings().after) continue;
        onTrained(id, await trainRoute(this.#parts, id, { source: FEEDBACK_ORIGIN, enforcement: 'if-not-worse' }));
      } catch (error) {
        onError(id, error);
      }
    }
  }
}
