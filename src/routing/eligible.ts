import type { Target } from '../core/provider.ts';
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

/** Tokens reserved for the answer if the caller sets no maximum. */
const OUTPUT_RESERVE_TOKENS = 256;
const PICO_PER_NANO = 1000;

/** Nano-dollars per token. */
type Ceiling = { input: number | null; output: number | null };

/** Rules of a key's project for single targets, whatever name the call uses. */
export type TargetRules = {
  /** True if calls of the key may not go there. */
  isBanned(target: Target): boolean;
  /** True if the call may go there as far as the conversation is concerned that it continues; left out: it may. */
  mayContinue?(target: Target): boolean;
  /** True if a budget applies to its model, so that its price must be known. */
  demandsPrice(target: Target): boolean;
};

/** The requirements of a call for its target. */
export type Demands = {
  traits: CallTraits;
  /** Tokens of the prompt and the largest answer. */
  window: number;
  regions: readonly string[] | null;
  /** The only names that rules allow; `null`: any. */
  ruled: readonly string[] | null;
  /** The only names that the key allows; `null`: any. */
  allowed: readonly string[] | null;
  /** The highest price of the route's targets; and the caller's own ceiling, compared with what the caller pays. */
  routeCeiling: Ceiling | null;
  callerCeiling: Ceiling | null;
  /** What the caller pays, whichever target serves; `null`: the target's price. */
  ownRates: readonly CostRates[] | null;
  /** `null`: no rules for single targets. */
  rules: TargetRules | null;
  /** Targets without a price may serve, whatever limits the call's money. */
  servesUnpriced: boolean;
};

/**
 * The requirements of one call. A key that may use the route may use all its targets; its model list only applies to
 * each target if the list does not name the route (when an administrator asks why).
 */
export function demandsOf(
  route: Route,
  candidates: Candidates,
  traits: CallTraits,
  rules: TargetRules | null,
): Demands {
  const { allowedModels, steering } = traits;
  const isRouteNamed = allowedModels === null || candidates.routeNames.some((name) => allowedModels.includes(name));
  return {
    traits,
    window: traits.promptTokens + outputReserve(traits),
    regions: route.regions,
    ruled: ruledNames(route, traits),
    allowed: isRouteNamed ? null : allowedModels,
    routeCeiling: routeCeiling(route.limits),
    callerCeiling: steeredCeiling(steering),
    ownRates: candidates.ownRates,
    rules,
    servesUnpriced: route.unpriced === 'serve',
  };
}

/** True if the candidate last served the conversation. */
export function isAt(warm: Warm, { provider, upstreamModel, credential }: Candidate): boolean {
  return warm.upstreamModel === upstreamModel && warm.provider === provider && warm.credential === credential;
}

/**
 * Why a target cannot serve a call; `null` if it can. Unknown facts do not exclude it. The reasons are checked in the
 * order of `NEARNESS`, so that the reported one is the first that would have to change.
 */
export function leftOut(candidate: Candidate, demands: Demands, health: TargetHealth | null): LeftOut | null {
  if (candidate.missing !== null) return candidate.missing;
  const { facts } = candidate;
  return (
    placed(candidate, demands) ??
    steeredOut(facts, demands.traits.steering) ??
    unable(facts, demands.traits) ??
    tooSmall(facts, demands) ??
    tooDear(candidate, demands) ??
    (health === null ? null : down(health))
  );
}

/** Reasons by how close the target was to serving the call; the last is the closest. */
export const NEARNESS: readonly LeftOutReason[] = [
  'unknown_model',
  'weight_zero',
  'surface',
  'region',
  'key_models',
  'model_limit',
  'rule',
  'thread',
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

/** The members by which a caller excludes targets. */
export type SteeringMember = 'order' | 'only' | 'ignore';

/** The caller's member that excludes a target; `null` if none does. */
export function steeringMember({ providerNames }: Facts, steering: Steering): SteeringMember | null {
  const { order, only, ignore, allowFallbacks } = steering;
  // An order without fallbacks lists all allowed providers: https://openrouter.ai/docs/features/provider-routing
  if (!allowFallbacks && order !== null && !order.some((name) => providerNames.includes(name))) return 'order';
  if (only !== null && !only.some((name) => providerNames.includes(name))) return 'only';
  return ignore.some((name) => providerNames.includes(name)) ? 'ignore' : null;
}

function placed(candidate: Candidate, { regions, ruled, allowed, rules }: Demands): LeftOut | null {
  const { region, names } = candidate.facts;
  if (regions !== null && (region === null || !regions.includes(region))) {
    const where = region === null ? 'It is not known where it is served' : `It is served in ${region}`;
    return out('region', `${where}; the route allows ${regions.join(', ')}.`);
  }
  if (allowed !== null && !names.some((name) => allowed.includes(name))) {
    return out('key_models', 'The API key names its models, and neither this one nor the route is among them.');
  }
  if (rules?.isBanned(candidate.target!)) {
    return out('key_models', 'The project of the API key may not use this model.');
  }
  if (ruled !== null && !ruled.includes(candidate.model)) {
    return out('rule', `A rule of the route leaves only ${ruled.join(', ')}.`);
  }
  if (rules?.mayContinue?.(candidate.target!) === false) {
    return out('thread', 'It does not keep the thread that the call continues.');
  }
  return null;
}

function steeredOut(facts: Facts, steering: Steering | null): LeftOut | null {
  const member = steering === null ? null : steeringMember(facts, steering);
  if (member === null) return null;
  const names = (steering?.[member] ?? []).join(', ');
  return out('steering', `The caller’s \`provider.${member}\` (${names}) leaves it out.`);
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

function tooDear({ target, facts: { rates } }: Candidate, demands: Demands): LeftOut | null {
  const { traits, routeCeiling, callerCeiling, ownRates, rules } = demands;
  const demandsPrice = !demands.servesUnpriced && (traits.demandsPrice || rules?.demandsPrice(target!) === true);
  if (!demandsPrice && routeCeiling === null && callerCeiling === null) return null;
  const its = ratesAt(rates, traits.promptTokens);
  const paid = ownRates === null ? its : ratesAt(ownRates, traits.promptTokens);
  const payee = ownRates === null ? 'It' : 'The route';
  if (demandsPrice && (paid === null || paid.input === null || outputRate(paid, traits) === null)) {
    return out('unpriced', `${payee} has no price to hold against a spend limit.`);
  }
  if (isAbove(callerCeiling, paid, traits)) return above(payee, callerCeiling!, paid);
  return isAbove(routeCeiling, its, traits) ? above('It', routeCeiling!, its) : null;
}

function above(payee: string, { input, output }: Ceiling, rate: CostRates | null): LeftOut {
  const price = (nano: number | null | undefined) => (nano == null ? '?' : `${nano * PICO_PER_NANO * 1e-6}`);
  const its = `${price(rate?.input)}/${price(rate?.output)}`;
  const highest = `${input === null ? 'any' : price(input)}/${output === null ? 'any' : price(output)}`;
  return out(
    'max_price',
    `${payee} costs ${its} dollars per million tokens (input/output); the highest is ${highest}.`,
  );
}

/** The output rate. Embeddings have no output, so theirs is 0. */
function outputRate(rate: CostRates | null, { surface }: CallTraits): number | null {
  return rate?.output ?? (surface === 'openai-embeddings' ? 0 : null);
}

function isAbove(ceiling: Ceiling | null, rate: CostRates | null, traits: CallTraits): boolean {
  if (ceiling === null) return false;
  return exceeds(rate?.input ?? null, ceiling.input) || exceeds(outputRate(rate, traits), ceiling.output);
}

/** An unknown price counts as too high. */
function exceeds(rate: number | null, most: number | null): boolean {
  return most !== null && (rate === null || rate > most);
}

function down({ credentialOutUntil, circuit }: TargetHealth): LeftOut | null {
  if (credentialOutUntil !== null) return out('credential_out', 'Its provider refused the credential recently.');
  return circuit === 'open' ? out('circuit_open', 'It failed too often; its circuit is open for a while.') : null;
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

function routeCeiling({ maxInputRate, maxOutputRate }: RouteLimits): Ceiling | null {
  if (maxInputRate === null && maxOutputRate === null) return null;
  return ceiling(
    maxInputRate === null ? null : Number(maxInputRate),
    maxOutputRate === null ? null : Number(maxOutputRate),
  );
}

function steeredCeiling(steering: Steering | null): Ceiling | null {
  const price = steering?.maxPrice ?? null;
  return price === null ? null : ceiling(price.input, price.output);
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
