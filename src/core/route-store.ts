/**
 * A stored route. `definition` has the file's format, as JSON. The file overwrites its own routes.
 * `canary`: another definition for a share (0 to 1) of the conversations.
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
  /** Storing the same definition from the same source again is not a change. */
  put(route: KeptRoute): Promise<void>;
  /** @returns true if there was one */
  remove(id: string): Promise<boolean>;
  /** Stores the definition of a version permanently, so that decisions can be replayed. */
  keepVersion(version: string, definition: string): Promise<void>;
  version(version: string): Promise<string | null>;
  /** Grows with every change to routes and live models, by any process. */
  changes(): Promise<number>;
};

/** A stored, trained model of a smart route. `id` is its version; `evaluation` is JSON for people. */
export type KeptModel = {
  id: string;
  routeId: string;
  createdAt: number;
  live: boolean;
  /** The origin of its rows: a file name, or `feedback`. */
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
  /** Stores it, not live. */
  add(model: KeptModel): Promise<void>;
  /** Deletes a model that is not live. */
  forget(id: string): Promise<void>;
  /**
   * Makes one model live and all others of the route not live; `null`: none is live. Rejects with `not_found` if the
   * route has no such model.
   */
  enforce(routeId: string, id: string | null): Promise<void>;
  /** Stores training rows as features. `origin`: a file name or `feedback`. */
  addRows(routeId: string, rows: readonly TrainingRow[]): Promise<void>;
  /** The number of rows of this origin since a time (Unix ms). */
  countRows(routeId: string, origin: string, since: number): Promise<number>;
  /** In batches, by id. */
  rows(routeId: string): AsyncIterable<readonly TrainingRow[]>;
};

/** Hashed features of a prompt, and the scores (0 to 1) of targets for it, by their names in the route. */
export type TrainingRow = {
  /** Identifies the row; a row with the same id replaces it. */
  id: string;
  origin: string;
  at: number;
  features: string;
  scores: Readonly<Record<string, number>>;
  /** The probability with which the serving target was chosen; 1 if it was not random. */
  propensity: number;
};
