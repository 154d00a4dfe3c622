import type {
  CallTraits,
  LeftOut,
  LeftOutReason,
  Route,
  RouteLimits,
  Steering,
  TargetHealth,
  Warm,
} from '../core/route.ts';
import type { Candidate, Candidates, Facts } from './candidates.ts';
import { firstHolding } from './conditions.ts';
import { type CostRates, ratesAt } from './expected-cost.ts';

/** What an answer is left room for where the caller does not say how long it may be. */
const OUTPUT_RESERVE_TOKENS = 256;
const PICO_PER_NANO = 1000;
const NO_CEILING: Ceiling = { input: null, output: null };

/** Nano-dollars per token. */
type Ceiling = { input: number | null; output: number | null };

/** What a call asks of whoever is to serve it. */
export type Demands = {
  traits: CallTraits;
  /** The prompt, and what its answer may have. */
  window: number;
  regions: readonly string[] | null;
  /** The only names that rules leave; `null`: any. */
  ruled: readonly string[] | null;
  /** The only names that the key leaves; `null`: any. */
  allowed: readonly string[] | null;
  /** The route's and the caller's. */
  ceilings: readonly Ceiling[];
};

/**
 * What leaves a target out for one call. A key that may call the route may use all that is behind it; only for one whose
 * list does not name the route (an administrator asks why) the list is held against each target.
 */
export function demandsOf(route: Route, candidates: Candidates, traits: CallTraits): Demands {
  const { allowedModels, steering } = traits;
  const isRouteNamed = allowedModels === null || candidates.routeNames.some((name) => allowedModels.includes(name));
  return {
    traits,
    window: traits.promptTokens + outputReserve(traits),
    regions: route.regions,
    ruled: ruledNames(route, traits),
    allowed: isRouteNamed ? null : allowedModels,
    ceilings: [routeCeiling(route.limits), steeredCeiling(steering)].filter((ceiling) => ceiling !== NO_CEILING),
  };
}

/** Whether a conversation was there. */
export function isAt(warm: Warm, { provider, upstreamModel, credential }: Candidate): boolean {
  return warm.upstreamModel === upstreamModel && warm.provider === provider && warm.credential === credential;
}

/**
 * Why a target cannot serve a call; `null` where it can. What nobody knows of it leaves it in. The reasons stand in the
 * order of `NEARNESS`, so that the one that is told is the first that would have to change.
 */
export function leftOut(candidate: Candidate, demands: Demands, health: TargetHealth | null): LeftOut | null {
  if (candidate.missing !== null) return candidate.missing;
  const { facts } = candidate;
  return (
    placed(candidate, demands) ??
    steeredOut(facts, demands.traits.steering) ??
    unable(facts, demands.traits) ??
    tooSmall(facts, demands) ??
    tooDear(facts, demands) ??
    (health === null ? null : down(health))
  );
}

/** How near to serving a call a target was that is left out for a reason: the last of them came the nearest. */
export const NEARNESS: readonly LeftOutReason[] = [
  'unknown_model',
  'weight_zero',
  'surface',
  'region',
  'key_models',
  'rule',
  'steering',
  'modality',
  'tools',
  'structured_output',
  'max_output',
  'context_window',
  'unpriced',
  'max_price',
  'attempts',
  'credential_out',
  'circuit_open',
];

/** The caller's member that leaves a target out; `null` where none does. */
export function steeringMember({ providerNames }: Facts, steering: Steering): 'only' | 'ignore' | null {
  const { only, ignore } = steering;
  if (only !== null && !only.some((name) => providerNames.includes(name))) return 'only';
  return ignore.some((name) => providerNames.includes(name)) ? 'ignore' : null;
}

function placed(candidate: Candidate, { regions, ruled, allowed }: Demands): LeftOut | null {
  const { region, names } = candidate.facts;
  if (regions !== null && (region === null || !regions.includes(region))) {
    const where = region === null ? 'Nobody says where it is served' : `It is served in ${region}`;
    return out('region', `${where}; the route allows ${regions.join(', ')}.`);
  }
  if (allowed !== null && !names.some((name) => allowed.includes(name))) {
    return out('key_models', 'The API key names its models, and neither this one nor the route is among them.');
  }
  if (ruled !== null && !ruled.includes(candidate.model)) {
    return out('rule', `A rule of the route leaves only ${ruled.join(', ')}.`);
  }
  return null;
}

function steeredOut(facts: Facts, steering: Steering | null): LeftOut | null {
  const member = steering === null ? null : steeringMember(facts, steering);
  return member === null ? null : out('steering', `The caller’s \`provider.${member}\` leaves it out.`);
}

function unable(facts: Facts, traits: CallTraits): LeftOut | null {
  if (traits.images && facts.images === false) return out('modality', 'It takes no images.');
  if (traits.audio && facts.audio === false) return out('modality', 'It takes no audio.');
  if (traits.files && facts.files === false) return out('modality', 'It takes no files.');
  if (traits.tools > 0 && facts.tools === false) return out('tools', 'It calls no tools.');
  if (traits.structuredOutput && facts.structuredOutput === false) {
    return out('structured_output', 'It gives no structured output.');
  }
  return null;
}

function tooSmall({ maxOutputTokens, contextWindow }: Facts, { traits, window }: Demands): LeftOut | null {
  const wanted = traits.maxOutputTokens;
  if (maxOutputTokens !== null && wanted !== null && wanted > maxOutputTokens) {
    return out('max_output', `Its answers have ${maxOutputTokens} tokens at most, and ${wanted} are asked for.`);
  }
  if (contextWindow === null || window <= contextWindow) return null;
  return out('context_window', `Its context window has ${contextWindow} tokens; the call needs about ${window}.`);
}

function tooDear({ rates }: Facts, { traits, ceilings }: Demands): LeftOut | null {
  if (!traits.demandsPrice && ceilings.length === 0) return null;
  const rate = ratesAt(rates, traits.promptTokens);
  const output = traits.surface === 'openai-embeddings' ? (rate?.output ?? 0) : (rate?.output ?? null);
  if (traits.demandsPrice && (rate === null || rate.input === null || output === null)) {
    return out('unpriced', 'It has no price to hold against a spend limit.');
  }
  for (const ceiling of ceilings) {
    if (isAbove(ceiling.input, rate?.input ?? null) || isAbove(ceiling.output, output)) return above(ceiling, rate);
  }
  return null;
}

function above({ input, output }: Ceiling, rate: CostRates | null): LeftOut {
  const price = (nano: number | null | undefined) => (nano == null ? '?' : `${nano * PICO_PER_NANO * 1e-6}`);
  const its = `${price(rate?.input)}/${price(rate?.output)}`;
  const highest = `${input === null ? 'any' : price(input)}/${output === null ? 'any' : price(output)}`;
  return out('max_price', `It costs ${its} dollars per million tokens (input/output); the highest is ${highest}.`);
}

/** What has no price may cost anything. */
function isAbove(ceiling: number | null, rate: number | null): boolean {
  return ceiling !== null && (rate === null || rate > ceiling);
}

function down({ credentialOutUntil, circuit }: TargetHealth): LeftOut | null {
  if (credentialOutUntil !== null) return out('credential_out', 'Its provider refused the credential a moment ago.');
  return circuit === 'open' ? out('circuit_open', 'It failed too often; it is left alone for a moment.') : null;
}

function outputReserve({ surface, maxOutputTokens }: CallTraits): number {
  return surface === 'openai-embeddings' ? 0 : (maxOutputTokens ?? OUTPUT_RESERVE_TOKENS);
}

function ruledNames({ strategy }: Route, traits: CallTraits): readonly string[] | null {
  let names: readonly string[] | null = null;
  for (const one of strategy) {
    const rule = one.kind === 'rules' ? firstHolding(one.rules, traits) : null;
    if (rule?.only !== true) continue;
    const { use } = rule;
    names = names === null ? use : names.filter((name) => use.includes(name));
  }
  return names;
}

function routeCeiling({ maxInputRate, maxOutputRate }: RouteLimits): Ceiling {
  if (maxInputRate === null && maxOutputRate === null) return NO_CEILING;
  return ceiling(
    maxInputRate === null ? null : Number(maxInputRate),
    maxOutputRate === null ? null : Number(maxOutputRate),
  );
}

function steeredCeiling(steering: Steering | null): Ceiling {
  const price = steering?.maxPrice ?? null;
  return price === null ? NO_CEILING : ceiling(price.input, price.output);
}

function ceiling(input: number | null, output: number | null): Ceiling {
  return {
    input: input === null ? null : input / PICO_PER_NANO,
    output: output === null ? null : output / PICO_PER_NANO,
  };
}

function out(reason: LeftOutReason, detail: string): LeftOut {
  return { reason, detail };
}
