import type { DialectId, Directory, Model, Provider, Target, VendorEntry } from '../core/provider.ts';
import type { DecisionCandidate, LeftOut, LeftOutReason, Route, RouteTarget } from '../core/route.ts';
import { type CostRates, costRates } from './expected-cost.ts';
import { targetAt } from './plan.ts';
import { hashed } from './random.ts';

export type Role = DecisionCandidate['role'];

/** One possible destination of a route's calls: a model at a provider, with one of its credentials. */
export type Candidate = {
  /** Its index among all candidates of the route. */
  index: number;
  /** The index of its place. */
  place: number;
  role: Role;
  /** The route's name for the model. */
  model: string;
  provider: string;
  upstreamModel: string;
  credential: string;
  /** Its share of the calls that its place gets. */
  share: number;
  target: Target | null;
  /** Why it can serve no calls at all; `null` if it can. */
  missing: LeftOut | null;
  facts: Facts;
};

/** Facts of a model and its provider that decide whether it can serve a call. `null` if unknown. */
export type Facts = {
  contextWindow: number | null;
  maxOutputTokens: number | null;
  images: boolean | null;
  audio: boolean | null;
  files: boolean | null;
  tools: boolean | null;
  structuredOutput: boolean | null;
  region: string | null;
  rates: readonly CostRates[];
  /** The names that callers and key lists may use for it. */
  names: readonly string[];
  /** The names that callers may use for its provider, in lower case. */
  providerNames: readonly string[];
};

/** One target of a route, with each usable credential. Strategies order places. */
export type Place = {
  index: number;
  role: Role;
  model: string;
  weight: number;
  /** The hash of its name, for sticky callers. */
  hash: number;
  members: readonly Candidate[];
};

/** All candidates of a route, in its order. Immutable, like the configuration they are made from. */
export type Candidates = {
  all: readonly Candidate[];
  places: readonly Place[];
  /** The route's own price for callers, whichever target serves; `null`: the target's price. */
  ownRates: readonly CostRates[] | null;
  /** The route's names: a key that may use one of them may use all of its targets. */
  routeNames: readonly string[];
};

const NO_FACTS: Facts = {
  contextWindow: null,
  maxOutputTokens: null,
  images: null,
  audio: null,
  files: null,
  tools: null,
  structuredOutput: null,
  region: null,
  rates: [],
  names: [],
  providerNames: [],
};

/** /!\ Hot path: candidates are made once for the same three objects, and freed with them. */
const known = new WeakMap<Route, WeakMap<Directory, WeakMap<readonly DialectId[], Candidates>>>();

/**
 * The candidates of a route that can be used in these dialects (best first). A model that is both target and fallback
 * is listed only at its first place. Made once for the same three objects.
 */
export function candidatesOf(route: Route, directory: Directory, dialects: readonly DialectId[]): Candidates {
  const ofRoute = getOrMake(known, route, () => new WeakMap());
  const ofDirectory = getOrMake(ofRoute, directory, () => new WeakMap());
  return getOrMake(ofDirectory, dialects, () => gather(route, directory, dialects));
}

function getOrMake<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function gather(route: Route, directory: Directory, dialects: readonly DialectId[]): Candidates {
  const all: Candidate[] = [];
  const places: Place[] = [];
  const add = (role: Role, targets: readonly RouteTarget[], seen: Set<string>): void => {
    for (const target of targets) {
      const index = places.length;
      const members: Candidate[] = [];
      for (const found of membersOf(target, directory, dialects)) {
        const name = JSON.stringify([found.provider, found.upstreamModel, found.credential]);
        if (found.missing === null && seen.has(name)) continue;
        if (found.missing === null) seen.add(name);
        const member = { ...found, index: all.length, place: index, role, model: target.model };
        all.push(member);
        members.push(member);
      }
      const hash = hashed(JSON.stringify([target.model, target.credential]));
      places.push({ index, role, model: target.model, weight: target.weight, hash, members });
    }
  };
  const tried = new Set<string>();
  add('target', route.targets, tried);
  add('fallback', route.fallbacks, tried);
  add('context_fallback', route.contextFallbacks, new Set());
  add('policy_fallback', route.policyFallbacks, new Set());
  const entry = directory.find(route.id);
  const ownRates = route.price === null ? null : costRates(route.price);
  return { all, places, ownRates, routeNames: [route.id, ...(entry?.aliases ?? [])] };
}

type CandidateMember = Omit<Candidate, 'index' | 'place' | 'role' | 'model'>;

function membersOf(wanted: RouteTarget, directory: Directory, dialects: readonly DialectId[]): CandidateMember[] {
  const entry = modelEntry(wanted.model, directory);
  if (entry === null) return [absent(wanted, 'No provider that is on serves it.')];
  const { model, accesses } = entry;
  const fitting = accesses.filter(
    ({ provider }) => wanted.credential === null || provider.credentialName === wanted.credential,
  );
  if (fitting.length === 0) return [absent(wanted, 'Its provider has no credential of the name that the route wants.')];
  return fitting.map(({ provider, weight }) => {
    const target = targetAt(provider, model, dialects);
    // A credential named by the route is used whatever its own weight is.
    const share = wanted.credential === null ? weight : 1;
    return {
      provider: provider.id,
      upstreamModel: model.upstreamId,
      credential: provider.credentialName,
      share,
      target,
      missing: missing(target, wanted.weight, share),
      facts: factsOf(entry, provider, model),
    };
  });
}

/** The model of a target. If a route has the same name, the first model of that name is used. */
export function modelEntry(name: string, directory: Pick<Directory, 'entries' | 'find'>): VendorEntry | null {
  const found = directory.find(name);
  if (found?.origin === 'vendor') return found;
  for (const entry of directory.entries) {
    if (entry.origin === 'vendor' && (entry.model.id === name || qualified(entry) === name)) return entry;
  }
  return null;
}

function missing(target: Target | null, weight: number, share: number): LeftOut | null {
  if (target === null) return leftOut('surface', 'It does not serve calls of this kind.');
  if (weight <= 0) return leftOut('weight_zero', 'Its weight is 0.');
  return share > 0 ? null : leftOut('weight_zero', 'The weight of its credential is 0.');
}

function absent({ credential }: RouteTarget, detail: string): CandidateMember {
  return {
    provider: '',
    upstreamModel: '',
    credential: credential ?? '',
    share: 0,
    target: null,
    missing: leftOut('unknown_model', detail),
    facts: NO_FACTS,
  };
}

function leftOut(reason: LeftOutReason, detail: string): LeftOut {
  return { reason, detail };
}

function factsOf(entry: VendorEntry, provider: Provider, model: Model): Facts {
  const { capabilities, modalities } = model;
  const takes = (...kinds: string[]) =>
    modalities === null ? null : modalities.input.some((kind) => kinds.includes(kind));
  return {
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    images: takes('image'),
    audio: takes('audio'),
    files: takes('pdf', 'file'),
    tools: capabilities?.tools ?? null,
    structuredOutput: capabilities?.structuredOutput ?? null,
    region: provider.region,
    rates: costRates(model.price),
    names: [...new Set([entry.id, qualified(entry), model.id, model.upstreamId, ...entry.aliases])],
    providerNames: [...new Set([provider.id.toLowerCase(), provider.label.toLowerCase()])],
  };
}

function qualified({ provider, model }: VendorEntry): string {
  return `${provider.id}/${model.id}`;
}
