import type { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import type { CallTraits, Decision, DecisionCandidate, Route, Steering, TargetHealth, Warm } from '../core/route.ts';
import { HEALTHY } from '../health/healthy.ts';
import type { Scorer } from '../learning/scorer.ts';
import type { Candidate, Candidates, Role } from './candidates.ts';
import { demandsOf, isAt, leftOut, type SteeringMember, steeringMember, type TargetRules } from './eligible.ts';
import { expectedCost } from './expected-cost.ts';
import { drawn, drawnFor, hashed, raced, STREAMS } from './random.ts';
import { overLimits, refusal, unpricedRefusal } from './refusal.ts';
import { namedPlaces, placeRank } from './steering.ts';
import { byCost } from './strategies/cheapest.ts';
import { byScore, joined, type Option } from './strategies/option.ts';
import { callerHash, type Ordering, ordered } from './strategies/ordered.ts';

export type DecideInput = {
  route: Route;
  candidates: Candidates;
  traits: CallTraits;
  /** The health of each target at `traits.at`. */
  health: (target: Target) => TargetHealth;
  /** The scorer of a smart route; `null` if there is none. */
  scorer: Scorer | null;
  /** 32 random bits. */
  seed: number;
  /** The target that last served the conversation, if known. */
  warm: Warm | null;
  /** The rules of the caller's project for single targets, if any. */
  rules?: TargetRules | null;
};

/** The targets for a call. Each list is in the order of attempts, without duplicates. */
export type Decided = {
  /** The targets, then the fallbacks. Never empty. */
  targets: readonly [Target, ...Target[]];
  /** Tried instead of the rest of `targets` if a target reports that the prompt is too long, or refuses its content. */
  contextTargets: readonly Target[];
  policyTargets: readonly Target[];
  decision: Decision;
};

/** A complete decision, even if no target can serve the call: `refusal` is the error then. */
export type Weighed = { decision: Decision; decided: Decided; refusal: null } | Refused;
export type Refused = { decision: Decision; decided: null; refusal: GatewayError };

/**
 * Decides which targets serve a call. Pure: the same input gives the same decision. Throws `GatewayError` if none can:
 * 400 (too long, a capability, steering), 403 (no price, or not allowed for this key) or 503 with a retry time; the
 * message gives the reason for each target.
 */
export function decide(input: DecideInput): Decided {
  const { decided, refusal: refused } = weigh(input);
  if (decided === null) throw refused;
  return decided;
}

/** `decide` for explanations. Throws only for errors in the caller's steering. */
export function weigh(input: DecideInput): Weighed {
  const { route, candidates, traits } = input;
  const named = namedPlaces(traits.steering, candidates);
  const judged = judge(input);
  const chosen = choose(input, judged, named);
  const decision: Decision = {
    route: route.id,
    routeVersion: route.version,
    modelVersion: chosen.scored ? (input.scorer?.version ?? null) : null,
    seed: input.seed,
    traits,
    candidates: judged.entries,
    order: chosen.order,
    contextOrder: chosen.contextOrder,
    policyOrder: chosen.policyOrder,
    warm: input.warm,
    because: chosen.because,
    explored: chosen.explored,
    propensity: chosen.propensity,
    kept: chosen.kept,
  };
  const over = overLimits(route, traits) ?? unpricedRefusal(decision, route);
  if (over !== null) return { decision, decided: null, refusal: over };
  const targetsOf = (order: readonly number[]) => order.map((index) => candidates.all[index]!.target!);
  const [first, ...others] = targetsOf(chosen.order);
  if (first === undefined)
    return { decision, decided: null, refusal: refusal(decision, memberOf(input), route.disclose) };
  const contextTargets = targetsOf(chosen.contextOrder);
  const policyTargets = targetsOf(chosen.policyOrder);
  return {
    decision,
    decided: { targets: [first, ...others], contextTargets, policyTargets, decision },
    refusal: null,
  };
}

/** Each candidate with its judgement, and the places that can serve. */
type Judged = { entries: DecisionCandidate[]; options: Record<Role, Option[]> };

/** /!\ Hot path: one pass over the candidates, without closures. */
function judge({ route, candidates, traits, health, warm, rules = null }: DecideInput): Judged {
  const demands = demandsOf(route, candidates, traits, rules);
  const entries: DecisionCandidate[] = [];
  const options: Judged['options'] = { target: [], fallback: [], context_fallback: [], policy_fallback: [] };
  for (const place of candidates.places) {
    const members: Candidate[] = [];
    let lowest: number | null = null;
    let latencyMs: number | null = null;
    let inFlight = 0;
    for (const candidate of place.members) {
      const its = candidate.target === null ? HEALTHY : health(candidate.target);
      const cached = warm !== null && isAt(warm, candidate) ? warm.cachedTokens : 0;
      const { facts } = candidate;
      const cost = expectedCost(facts.rates, traits, facts.maxOutputTokens, cached);
      const reason = leftOut(candidate, demands, its);
      entries.push(entryOf(candidate, its, cost, reason));
      if (reason !== null) continue;
      members.push(candidate);
      inFlight += its.inFlight;
      if (cost !== null && (lowest === null || cost < lowest)) lowest = cost;
      const latency = traits.stream ? its.firstTokenMs : its.wholeMs;
      if (latency !== null && (latencyMs === null || latency < latencyMs)) latencyMs = latency;
    }
    if (members.length === 0) continue;
    options[place.role].push({ place, members, expectedCost: lowest, latencyMs, inFlight, chance: null });
  }
  return { entries, options };
}

function entryOf(
  { model, provider, upstreamModel, credential, role }: Candidate,
  health: TargetHealth,
  cost: number | null,
  reason: DecisionCandidate['leftOut'],
): DecisionCandidate {
  return {
    model,
    provider,
    upstreamModel,
    credential,
    role,
    health,
    expectedCost: cost,
    chance: null,
    leftOut: reason,
  };
}

type Chosen = Pick<
  Decision,
  'order' | 'contextOrder' | 'policyOrder' | 'because' | 'explored' | 'propensity' | 'kept'
> & {
  scored: boolean;
};

function choose(input: DecideInput, { entries, options }: Judged, named: readonly number[] | null): Chosen {
  const { route, traits, warm, seed, scorer } = input;
  const { steering } = traits;
  const isSteered = named !== null || (steering !== null && (steering.order !== null || steering.sort !== null));
  const tried = [...options.target, ...options.fallback];
  const warmOption = warm === null ? null : (tried.find((option) => isWarm(option, warm)) ?? null);
  const mayStay = warmOption !== null && route.affinity && !isSteered && isWorthIt(warmOption, warm!, traits);
  const sorting = steering?.sort ?? null;
  const ordering =
    sorting === null
      ? ordered(options.target, { route, traits, seed, scorer, mayExplore: !isSteered && !mayStay })
      : sorted(options.target, sorting);
  for (const { place, chance } of options.target) {
    if (chance !== null) for (const { index } of place.members) setChance(entries, index, chance);
  }
  const because = [...ordering.because];
  const fallbacks = sorting === null ? options.fallback : sorted(options.fallback, sorting).options;
  let list: readonly Option[] = [...ordering.options, ...fallbacks];
  if (steering !== null) list = steered(list, input, named, because);
  if (mayStay && staysAt(warmOption, list[0]!, ordering, traits)) {
    if (list[0] !== warmOption) because.push(`affinity: ${warmOption.place.model} first, where its cache is warm.`);
    list = [warmOption, ...list.filter((option) => option !== warmOption)];
  }
  if (steering?.allowFallbacks === false) list = withoutFallbacks(list, steering, named, entries);
  const alone = steering?.allowFallbacks === false;
  const contextOrder = alone ? [] : indicesOf(options.context_fallback, input);
  const policyOrder = alone ? [] : indicesOf(options.policy_fallback, input);
  let order = indicesOf(list, input);
  if (order.length === 0 && contextOrder.length > 0 && isTooLong(entries)) {
    order = contextOrder;
    because.push('The prompt is too long for all targets: the fallbacks for that are used at once.');
  }
  const kept = warm !== null && order.length > 0 && isAt(warm, input.candidates.all[order[0]!]!);
  const { explored, propensity } = ordering;
  return {
    order,
    contextOrder,
    policyOrder,
    because,
    explored,
    propensity,
    kept,
    scored: sorting === null && isSmart(route),
  };
}

function setChance(entries: DecisionCandidate[], index: number, chance: number): void {
  const entry = entries[index]!;
  if (entry.leftOut === null) entry.chance = chance;
}

function isSmart({ strategy }: Route): boolean {
  return strategy.some(({ kind }) => kind === 'smart');
}

/** The caller's order instead of the route's. Throughput is not measured, so latency is used. */
function sorted(options: readonly Option[], by: 'price' | 'throughput' | 'latency'): Ordering {
  const groups =
    by === 'price' ? byCost(options, 0) : byScore(options, (option) => option.latencyMs ?? Number.POSITIVE_INFINITY);
  const because = [`The caller sorts by ${by}.`];
  return { options: joined(groups), because, explored: false, propensity: 1, ruledBehind: new Set() };
}

function steered(
  list: readonly Option[],
  { traits }: DecideInput,
  named: readonly number[] | null,
  because: string[],
): readonly Option[] {
  const steering = traits.steering!;
  let options = list;
  if (steering.order !== null) {
    options = joined(byScore(options, ({ place }) => placeRank(steering, place)));
    because.push(`The caller orders providers: ${steering.order.join(', ')}.`);
  }
  if (named === null) return options;
  because.push(`The caller orders models: ${steering.models!.join(', ')}.`);
  const rankOf = ({ place }: Option) => (named.includes(place.index) ? named.indexOf(place.index) : named.length);
  return joined(byScore(options, rankOf));
}

/** Only what the caller names, else only the first. Providers missing from the caller's `order` were left out earlier. */
function withoutFallbacks(
  list: readonly Option[],
  { order }: Steering,
  named: readonly number[] | null,
  entries: DecisionCandidate[],
): readonly Option[] {
  const unnamed = order === null ? list.slice(0, 1) : list;
  const wanted = named === null ? unnamed : list.filter(({ place }) => named.includes(place.index));
  for (const option of list) {
    if (wanted.includes(option)) continue;
    const detail = 'The caller allows no fallbacks.';
    for (const { index } of option.members) entries[index]!.leftOut = { reason: 'steering', detail };
  }
  return wanted;
}

/** The indices of candidates that can serve, grouped by target. */
function indicesOf(options: readonly Option[], input: DecideInput): number[] {
  const indices: number[] = [];
  for (const option of options) {
    if (option.members.length === 1) indices.push(option.members[0]!.index);
    else indices.push(...arranged(option, input));
  }
  return indices;
}

/** A target's credentials in a weighted random order; one with a warm cache comes first. */
function arranged({ members, place }: Option, { route, traits, seed, warm }: DecideInput): number[] {
  const isSticky = route.strategy.some((strategy) => strategy.kind === 'weighted' && strategy.sticky);
  const caller = isSticky ? callerHash(traits) : null;
  const isKept = warm !== null && route.affinity && (traits.midTurn || warm.cachedTokens > 0);
  const entries = members.map((member, at) => {
    if (isKept && isAt(warm, member)) return { member, at: -1 };
    const chance =
      caller === null
        ? drawn(seed, STREAMS.credentials, place.hash + at)
        : drawnFor(caller, hashed(`${place.hash} ${member.credential}`));
    return { member, at: raced(chance, member.share) };
  });
  entries.sort((one, other) => one.at - other.at);
  return entries.map(({ member }) => member.index);
}

function isTooLong(entries: readonly DecisionCandidate[]): boolean {
  return entries.some(
    ({ role, leftOut: reason }) => (role === 'target' || role === 'fallback') && reason?.reason === 'context_window',
  );
}

/** The member of the caller's steering that leaves targets out, for the error. */
function memberOf({ candidates, traits: { steering } }: DecideInput): SteeringMember {
  if (steering === null) return 'only';
  for (const { facts, missing } of candidates.all) {
    const member = missing === null ? steeringMember(facts, steering) : null;
    if (member !== null) return member;
  }
  return 'only';
}

/** True if the conversation was last served by one of this target's credentials. */
export function isWarm({ members }: Option, warm: Warm): boolean {
  return members.some((member) => isAt(warm, member));
}

/**
 * True if staying at a target is useful: always in the middle of a turn, else if one of the route's targets has the
 * prompt cached. A fallback serves only while the targets cannot.
 */
function isWorthIt({ place }: Option, { cachedTokens }: Warm, { midTurn }: CallTraits): boolean {
  return midTurn || (cachedTokens > 0 && place.role === 'target');
}

/**
 * True if a conversation stays where its cache is warm. It does in the middle of a turn. Between turns it moves if
 * another target is cheaper even without the cache. Rules take precedence.
 */
function staysAt(warm: Option, first: Option, { ruledBehind }: Ordering, traits: CallTraits): boolean {
  if (ruledBehind.has(warm)) return false;
  if (traits.midTurn || first.expectedCost === null || warm.expectedCost === null) return true;
  return first.expectedCost >= warm.expectedCost;
}
