/**
 * A route as it is kept: `definition` is what a file would say, as JSON. Those from the file are written over by it.
 * `canary`: another definition, by which a share (0 to 1) of its conversations goes.
 */
export type KeptRoute = {
  id: string;
  definition: string;
  from: 'file' | 'store';
  updatedAt: number;
  canary?: { definition: string; share: number };
};

export type RouteStore = {
  /** By id. */
  list(): Promise<KeptRoute[]>;
  /** The same definition again, from the same place, is no change. */
  put(route: KeptRoute): Promise<void>;
  /** Tells whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Keeps the definition of a version without end, so that decisions can be replayed. */
  keepVersion(version: string, definition: string): Promise<void>;
  version(version: string): Promise<string | null>;
  /** Grows with every change to routes, and to which models are in force, by whatever process. */
  changes(): Promise<number>;
};

/** A smart route's model, trained and kept. `id` is its version; `evaluation` is JSON for people. */
export type KeptModel = {
  id: string;
  routeId: string;
  createdAt: number;
  live: boolean;
  /** Where its rows came from: a file's name, or `feedback`. */
  source: string;
  rows: number;
  evaluation: string;
  weights: Buffer;
};

export type ModelStore = {
  /** Newest first; `weights` are empty. */
  list(routeId: string): Promise<KeptModel[]>;
  find(id: string): Promise<KeptModel | null>;
  live(routeId: string): Promise<KeptModel | null>;
  /** Keeps it, not live. */
  add(model: KeptModel): Promise<void>;
  /** Forgets one that is not live. */
  forget(id: string): Promise<void>;
  /**
   * Puts one in force and every other of the route out; `null` puts all out. Rejects with `not_found` where the route
   * has no such model.
   */
  enforce(routeId: string, id: string | null): Promise<void>;
  /** Rows that models are trained on, kept as features. `origin`: a file's name or `feedback`. */
  addRows(routeId: string, rows: readonly TrainingRow[]): Promise<void>;
  /** Rows of this origin that came after a time (Unix ms). */
  countRows(routeId: string, origin: string, since: number): Promise<number>;
  /** In batches, by id. */
  rows(routeId: string): AsyncIterable<readonly TrainingRow[]>;
};

/**
 * Hashed features of a prompt, and the scores (0 to 1) that targets got for it, by the names that the route has for
 * them.
 */
export type TrainingRow = {
  /** Names the row: the same one again takes its place. */
  id: string;
  origin: string;
  at: number;
  features: string;
  scores: Readonly<Record<string, number>>;
  /** The chance with which the target that served was chosen; 1 where it was not drawn. */
  propensity: number;
};
