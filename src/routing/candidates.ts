import type { DialectId, Directory, Model, Provider, Target, VendorEntry } from '../core/provider.ts';
import type { DecisionCandidate, LeftOut, LeftOutReason, Route, RouteTarget } from '../core/route.ts';
import { hashed } from './chance.ts';
import { type CostRates, costRates } from './expected-cost.ts';
import { targetAt } from './plan.ts';

export type Role = DecisionCandidate['role'];

/** One place that a route may send a call to: a model at a provider, with one of its credentials. */
export type Candidate = {
  /** Its number among all of the route. */
  index: number;
  /** The number of its place. */
  place: number;
  role: Role;
  /** The route's name for it. */
  model: string;
  provider: string;
  upstreamModel: string;
  credential: string;
  /** Its part of the calls that its place gets. */
  share: number;
  target: Target | null;
  /** Why it can serve no call at all; `null` where it may. */
  missing: LeftOut | null;
  facts: Facts;
};

/** The facts of a model and its provider that decide whether it can serve a call. `null` where they are not known. */
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
  /** By which callers, and the lists of keys, may name it. */
  names: readonly string[];
  /** By which callers may name who serves it, in lower case. */
  providerNames: readonly string[];
};

/** One target of a route, with each credential that it may use. Strategies order these. */
export type Place = {
  index: number;
  role: Role;
  model: string;
  weight: number;
  /** Of its name, for callers that are to stay. */
  hash: number;
  members: readonly Candidate[];
};

/** All that a route may send calls to, in its order. Immutable, like the configuration it is made of. */
export type Candidates = {
  all: readonly Candidate[];
  places: readonly Place[];
  /** What the route costs its callers, whichever target serves; `null`: what its target costs. */
  ownRates: readonly CostRates[] | null;
  /** The route's own names: a key that may call it by one of them may use all of its targets. */
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

/** /!\ Hot path: candidates are made once for the same three objects, and are freed with them. */
const known = new WeakMap<Route, WeakMap<Directory, WeakMap<readonly DialectId[], Candidates>>>();

/**
 * What a route may send calls to that can be spoken to in these dialects (the best first). One that is there twice, as
 * target and as fallback, is there at its first place only. Made once for the same three objects.
 */
export function candidatesOf(route: Route, directory: Directory, dialects: readonly DialectId[]): Candidates {
  const ofRoute = gotten(known, route, () => new WeakMap());
  const ofDirectory = gotten(ofRoute, directory, () => new WeakMap());
  return gotten(ofDirectory, dialects, () => gather(route, directory, dialects));
}

function gotten<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
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
    // A credential that is named is meant, whatever its part of other calls.
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

/** A route may have the same name as one of its targets: the target is then the first model of that name. */
function modelEntry(name: string, directory: Directory): VendorEntry | null {
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
