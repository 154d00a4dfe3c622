import type { Price } from './money.ts';
import type { DecisionCandidate, LeftOut, Route } from './route.ts';
import type { KeptRoute } from './route-store.ts';

/** A route of the configuration or of the store. */
export type KnownRoute = {
  id: string;
  from: KeptRoute['from'];
  /** The line of the configuration's file that begins it, from 1; `null` for those of the store. */
  line: number | null;
  /** What a file would say of it, as JSON. */
  definition: string;
  /** `null` where the definition cannot be read; `problem` then says why. */
  route: Route | null;
  problem: string | null;
  /** Unix ms; `null` for those of the file. */
  updatedAt: number | null;
};

/** One target of a route. Names are empty where no provider serves it; `missing` then says why. */
export type RouteMember = Pick<DecisionCandidate, 'model' | 'role' | 'provider' | 'upstreamModel' | 'credential'> & {
  price: Price | null;
  /** Why it can serve no call at all; `null` where it may. */
  missing: LeftOut | null;
};

/**
 * A definition in YAML (alone, or in a whole configuration), and the name of its file for what is wrong with it. `isTyped`: as
 * somebody has typed it, so that it is worth keeping. `isKept`: it is kept already, as a version of the route.
 */
export type RouteDraft = { id: string; text: string; file: string | null; isTyped: boolean; isKept?: boolean };

/** What is wrong with a draft, at a path of it, and where: lines and columns from 1. */
export type DraftProblem = {
  file: string | null;
  line: number | null;
  column: number | null;
  path: string;
  message: string;
};

/**
 * A draft that was read: the route, and its definition as canonical JSON; or all that is wrong with it. `yaml`: the definition as
 * it was typed, where it can be read again as that.
 */
export type RouteReading = ReadableDraft | { problems: readonly DraftProblem[] };
export type ReadableDraft = { route: Route; definition: string; yaml: string | null };

/** What the configuration in force makes of routes. */
export type RouteBook = {
  /** The name of the configuration's file; `null` where there is none. */
  file: string | null;
  /** Whether the configuration has taken an id. */
  isOfFile(id: string): boolean;
  /** Those of the configuration in its order, then those of the store, which serve where the configuration has none of that id. */
  known(kept: readonly KeptRoute[]): KnownRoute[];
  read(draft: RouteDraft, kept: readonly KeptRoute[]): RouteReading;
  /** What a file would say for a definition in JSON. */
  yamlOf(definition: string): string;
  /** All that a route may send calls to. `unasked`: providers that did not say which models they have. */
  targets(route: Route): Promise<{ members: readonly RouteMember[]; unasked: readonly string[] }>;
};
