import type { NanoDollars, Price } from './money.ts';
import type { OwnParameters } from './parameters.ts';
import type { DialectId, Origin } from './provider.ts';
import type { Source } from './records.ts';
import type { Circuit } from './target-status.ts';

/** The id of the route that only products may call. */
export const SYSTEM_ROUTE = 'system';

/**
 * A named choice among models: callers send `id` as the model, and the route chooses the target. Immutable; a change makes a
 * new one with another `version`.
 */
export type Route = {
  id: string;
  origin: Exclude<Origin, 'vendor'>;
  /** A hash of the definition, which stored decisions refer to. */
  version: string;
  name: string;
  brand: string | null;
  description: string | null;
  targets: readonly RouteTarget[];
  /** Applied in order: each breaks the ties of those before it. Never empty. */
  strategy: readonly Strategy[];
  /** Tried after all targets, in this order. */
  fallbacks: readonly RouteTarget[];
  /** Tried instead of `fallbacks` if the prompt was too long for a target, or a target refused the content. */
  contextFallbacks: readonly RouteTarget[];
  policyFallbacks: readonly RouteTarget[];
  limits: RouteLimits;
  /** The price for callers; `null`: the price of the serving target. */
  price: Price | null;
  /** The allowed regions of targets; `null`: any. */
  regions: readonly string[] | null;
  /** The treatment of targets without a price for calls with a spend limit. */
  unpriced: Unpriced;
  /** True if a conversation stays at the target with its prompt cache. */
  affinity: boolean;
  /** True if callers see which target served. */
  disclose: boolean;
  /** Set if the strategies include `smart`. */
  smart: SmartSettings | null;
  /** Parameters of its calls. */
  parameters?: OwnParameters;
  /** Another version, used for a share (0 to 1) of its conversations. */
  canary?: { route: Route; share: number };
};

/**
 * `skip`: they are left out. `serve`: they serve, and count as the most expensive target with a price. `refuse`: the call is
 * refused if a target of the route would be left out for lack of a price.
 */
export const UNPRICED = ['skip', 'serve', 'refuse'] as const;
export type Unpriced = (typeof UNPRICED)[number];

/** `model`: a name in the directory. `credential`: a credential name of its provider; `null`: any. */
export type RouteTarget = { model: string; credential: string | null; weight: number };

export type RouteLimits = {
  /** Default (`null`): the gateway's setting. Times are ms. */
  attempts: number | null;
  total: number | null;
  firstByte: number | null;
  /** In tokens; longer prompts are refused. */
  maxPromptTokens: number | null;
  maxOutputTokens: number | null;
  /** Pico-dollars per token; more expensive targets are left out. */
  maxInputRate: bigint | null;
  maxOutputRate: bigint | null;
};

export type Strategy =
  | { kind: 'priority' }
  /** `sticky`: a caller always gets the same target while it is available. */
  | { kind: 'weighted'; sticky: boolean }
  /** Targets whose cost exceeds the lowest by at most this fraction count as equal. */
  | { kind: 'cheapest'; within: number }
  | { kind: 'fastest' }
  /** The first rule that holds puts its targets first, or restricts the call to them (`only`). */
  | { kind: 'rules'; rules: readonly Rule[] }
  | { kind: 'smart' };

export type Rule = { when: Condition; use: readonly string[]; only: boolean };

/** True if every given member is true. Counts are tokens; times of day are minutes since midnight UTC. */
export type Condition = {
  tools?: boolean;
  images?: boolean;
  audio?: boolean;
  files?: boolean;
  structuredOutput?: boolean;
  stream?: boolean;
  promptTokens?: Range;
  turns?: Range;
  surface?: readonly DialectId[];
  /** Ids of keys. */
  key?: readonly string[];
  source?: readonly Source[];
  product?: readonly string[];
  project?: readonly string[];
  /** The allowed values of each named metadata member. */
  metadata?: Readonly<Record<string, readonly string[]>>;
  tag?: readonly string[];
  /** The range passes midnight if `from` is larger than `to`. */
  timeOfDay?: { from: number; to: number };
  /** 0: Sunday. */
  weekday?: readonly number[];
  not?: Condition;
  any?: readonly Condition[];
};

/** Both bounds are exclusive. */
export type Range = { above?: number; below?: number };

/** The quality setting of a smart route. */
export type SmartSettings = {
  dial: /** 0: the cheapest, 1: the best. */
    | { kind: 'quality'; quality: number }
    /** The share of calls (0 to 1) that goes to the strongest target. */
    | { kind: 'strong_share'; share: number }
    /** The best target within a cost per call. */
    | { kind: 'max_cost'; perCall: NanoDollars };
  /** The share of calls with a random target, so that feedback covers all targets. */
  explore: number;
};

/** The parts of a request that routing uses, independent of dialects. Texts are cut to the used length. */
export type CallSummary = {
  tools: number;
  images: boolean;
  audio: boolean;
  files: boolean;
  structuredOutput: boolean;
  /** The number of turns of user and assistant. */
  turns: number;
  /** The last message is a tool's result: the assistant is in the middle of its turn. */
  midTurn: boolean;
  system: string;
  lastUser: string;
  /** The system text and the first user's turn, which all turns of a conversation share. */
  opening: string;
  user: string | null;
  metadata: Readonly<Record<string, string>>;
  cacheKey: string | null;
  previousResponseId: string | null;
  /** Members that steer a route, as sent; `undefined` if absent. */
  models: unknown;
  provider: unknown;
};

/** The input of a routing decision, from which it can be replayed. It contains no text of the caller. */
export type CallTraits = {
  /** Unix ms. */
  at: number;
  surface: DialectId;
  stream: boolean;
  tools: number;
  images: boolean;
  audio: boolean;
  files: boolean;
  structuredOutput: boolean;
  turns: number;
  midTurn: boolean;
  /** Estimated. */
  promptTokens: number;
  /** The caller's maximum of output tokens; `null` without one. */
  maxOutputTokens: number | null;
  keyId: string;
  source: Source;
  product: string | null;
  project: string | null;
  metadata: Readonly<Record<string, string>>;
  tags: readonly string[];
  /** Distinguishes callers with the same key; `null` if unknown. */
  user: string | null;
  /** Unpriced targets are left out. */
  demandsPrice: boolean;
  /** The key's list of models; `null`: every model. */
  allowedModels: readonly string[] | null;
  /** Identifies the conversation; `null` if unknown. */
  conversation: string | null;
  /** Hashed features of the prompt, for smart routes; otherwise `null`. */
  features: string | null;
  steering: Steering | null;
};

/** A caller's preferences within a route, with names in the format of OpenRouter's clients. */
export type Steering = {
  /** Targets of the route that come first, in this order; `null`: no preference. */
  models: readonly string[] | null;
  /** Names of providers, in lower case. */
  order: readonly string[] | null;
  only: readonly string[] | null;
  ignore: readonly string[];
  sort: 'price' | 'throughput' | 'latency' | null;
  /** Whole pico-dollars per token. Numbers, since a decision is stored as JSON. */
  maxPrice: { input: number | null; output: number | null } | null;
  allowFallbacks: boolean;
};

/** The reason why a target was left out. `detail` is for people. */
export type LeftOut = { reason: LeftOutReason; detail: string };
export const LEFT_OUT_REASONS = [
  'unknown_model',
  'surface',
  'context_window',
  'max_output',
  'modality',
  'tools',
  'structured_output',
  'region',
  'key_models',
  'model_limit',
  'unpriced',
  'max_price',
  'weight_zero',
  'steering',
  'rule',
  'thread',
  'circuit_open',
  'credential_out',
  'attempts',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** The health of a target, as used in decisions. */
export type TargetHealth = {
  circuit: Circuit;
  /** Unix ms at which an open circuit allows a call again. */
  openUntil: number | null;
  /** Unix ms until which its refused credential is left out; `null` if it may be used. */
  credentialOutUntil: number | null;
  /** Peak-sensitive moving average of the time to the first token, in ms; `null` if unknown. */
  firstTokenMs: number | null;
  /** The same average of the duration of non-streamed answers. */
  wholeMs: number | null;
  inFlight: number;
};

/** The last target of a conversation, which has its prompt cached. Names as in `DecisionCandidate`. */
export type Warm = {
  provider: string;
  upstreamModel: string;
  credential: string;
  /** Cached tokens of the prompt, as reported by the vendor. */
  cachedTokens: number;
};

/** The list of a route that a target is in. */
export const CANDIDATE_ROLES = ['target', 'fallback', 'context_fallback', 'policy_fallback'] as const;
export type CandidateRole = (typeof CANDIDATE_ROLES)[number];

/** A target of a decision, with the facts it was judged by and the result. */
export type DecisionCandidate = {
  /** Name of the directory, provider, the vendor's name for it, and credential. */
  model: string;
  provider: string;
  upstreamModel: string;
  credential: string;
  role: CandidateRole;
  health: TargetHealth;
  /** The expected cost of the call in nano-dollars; `null` if the price is unknown. */
  expectedCost: number | null;
  /** Probability of a good answer, if `smart` was used. */
  chance: number | null;
  leftOut: LeftOut | null;
};

/** A routing decision with everything needed to explain and replay it. */
export type Decision = {
  route: string;
  routeVersion: string;
  /** The version of the smart model; `null` if none was used. */
  modelVersion: string | null;
  /** The seed of all random numbers of the decision. */
  seed: number;
  traits: CallTraits;
  candidates: readonly DecisionCandidate[];
  /** Indices into `candidates`, in the order in which they are tried. */
  order: readonly number[];
  /** The order of the fallbacks for prompts that are too long, or refused content. */
  contextOrder: readonly number[];
  policyOrder: readonly number[];
  /** The conversation's last target; `null` if unknown. */
  warm: Warm | null;
  /** Explains the order to people, one sentence per strategy. */
  because: readonly string[];
  /** True if the target was random, so that feedback covers all targets. */
  explored: boolean;
  /** The probability that the first target came first; 1 without random choice. */
  propensity: number;
  /** True if the conversation stayed at its target. */
  kept: boolean;
};
