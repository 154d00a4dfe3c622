import type { Price } from './money.ts';
import type { DecisionCandidate, LeftOut, Route } from './route.ts';
import type { KeptRoute } from './route-store.ts';

/** A route of the configuration or the store. */
export type KnownRoute = {
  id: string;
  from: KeptRoute['from'];
  /** Its line in the configuration file, from 1; `null` for stored routes. */
  line: number | null;
  /** Its definition in the file's format, as JSON. */
  definition: string;
  /** `null` if the definition is invalid; `problem` then says why. */
  route: Route | null;
  problem: string | null;
  /** Unix ms; `null` for routes of the file. */
  updatedAt: number | null;
};

/** A target of a route. The names are empty if no provider serves it; `missing` then says why. */
export type RouteMember = Pick<DecisionCandidate, 'model' | 'role' | 'provider' | 'upstreamModel' | 'credential'> & {
  price: Price | null;
  /** Why it can serve no call; `null` if it can. */
  missing: LeftOut | null;
};

/**
 * A definition in YAML, alone or in a whole configuration; `file` is the name of its file, for problems. `isTyped`: a person
 * has typed it, so that its text is stored. `isKept`: it is already stored as a version of the route.
 */
export type RouteDraft = { id: string; text: string; file: string | null; isTyped: boolean; isKept?: boolean };

/** A problem of a draft: its path and position. Lines and columns count from 1. */
export type DraftProblem = {
  file: string | null;
  line: number | null;
  column: number | null;
  path: string;
  message: string;
};

/**
 * The result of reading a draft: the route and its definition as canonical JSON, or all problems. `yaml`: the definition as
 * typed, if it can be read again in that form.
 */
export type RouteReading = ReadableDraft | { problems: readonly DraftProblem[] };
export type ReadableDraft = { route: Route; definition: string; yaml: string | null };

/** Reads routes with the configuration in force. */
export type RouteBook = {
  /** The name of the configuration file; `null` without a file. */
  file: string | null;
  /** True if the configuration has a route with this id. */
  isOfFile(id: string): boolean;
  /** The configuration's routes in its order, then stored routes. The configuration's routes take precedence. */
  known(kept: readonly KeptRoute[]): KnownRoute[];
  read(draft: RouteDraft, kept: readonly KeptRoute[]): RouteReading;
  /** Converts a definition from JSON to the file's YAML. */
  yamlOf(definition: string): string;
  /** All targets of a route. `unasked`: providers that have not listed their models. */
  targets(route: Route): Promise<{ members: readonly RouteMember[]; unasked: readonly string[] }>;
};
