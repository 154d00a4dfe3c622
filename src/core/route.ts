import type { NanoDollars, Price } from './money.ts';
import type { OwnParameters } from './parameters.ts';
import type { DialectId, Origin } from './provider.ts';
import type { Source } from './records.ts';
import type { Circuit } from './target-status.ts';

/** The id of the route that only the operator's own products may call. */
export const SYSTEM_ROUTE = 'system';

/**
 * A product that the operator sells under a name of its own: callers send `id` as the model, and the route chooses who
 * answers. Immutable; a change makes a new one, of another `version`.
 */
export type Route = {
  id: string;
  origin: Exclude<Origin, 'vendor'>;
  /** Told from every other definition by its content; stored decisions name it. */
  version: string;
  name: string;
  brand: string | null;
  description: string | null;
  targets: readonly RouteTarget[];
  /** Applied in order: each orders what those before it left equal. Never empty. */
  strategy: readonly Strategy[];
  /** Tried behind all targets, in this order. */
  fallbacks: readonly RouteTarget[];
  /** Tried in place of `fallbacks` where a target says that the prompt is too long for it, or refuses its content. */
  contextFallbacks: readonly RouteTarget[];
  policyFallbacks: readonly RouteTarget[];
  limits: RouteLimits;
  /** What callers are charged; `null`: what was used costs what its target's price says. */
  price: Price | null;
  /** Targets served anywhere else are left out; `null`: anywhere. */
  regions: readonly string[] | null;
  /** What becomes of targets without a price where a call may spend only so much. */
  unpriced: Unpriced;
  /** Of a conversation: whether it stays where its cache is warm. */
  affinity: boolean;
  /** Whether its callers are told who served them. */
  disclose: boolean;
  /** Where `smart` is among the strategies. */
  smart: SmartSettings | null;
  /** Parameters of its calls; left out, it has none. */
  parameters?: OwnParameters;
  /** Another version of it, by which a share (0 to 1) of its conversations goes. */
  canary?: { route: Route; share: number };
};

/**
 * `skip`: they are left out, and others serve. `serve`: they serve, and count what the dearest target with a price might have
 * cost. `refuse`: the call is refused where one of the route's targets is left out for this.
 */
export const UNPRICED = ['skip', 'serve', 'refuse'] as const;
export type Unpriced = (typeof UNPRICED)[number];

/** `model`: a name of the directory. `credential`: one of its provider's; `null`: any of them. */
export type RouteTarget = { model: string; credential: string | null; weight: number };

export type RouteLimits = {
  /** `null`: the gateway's own. Times in ms. */
  attempts: number | null;
  total: number | null;
  firstByte: number | null;
  /** Refused beyond it, in tokens. */
  maxPromptTokens: number | null;
  maxOutputTokens: number | null;
  /** Dollars per million tokens in pico-dollars per token: dearer targets are left out. */
  maxInputRate: bigint | null;
  maxOutputRate: bigint | null;
};

export type Strategy =
  | { kind: 'priority' }
  /** `sticky`: the same caller is always given the same target, while it can serve. */
  | { kind: 'weighted'; sticky: boolean }
  /** Targets whose cost is within this part (0.1: ten per cent) of the lowest are equal. */
  | { kind: 'cheapest'; within: number }
  | { kind: 'fastest' }
  /** The first rule that holds puts the targets it names first, or is the only ones used (`only`). */
  | { kind: 'rules'; rules: readonly Rule[] }
  | { kind: 'smart' };

export type Rule = { when: Condition; use: readonly string[]; only: boolean };

/** Holds where every member that is given holds. Counts are tokens, times of day minutes since midnight UTC. */
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
  /** Each value that is named must be one of these. */
  metadata?: Readonly<Record<string, readonly string[]>>;
  tag?: readonly string[];
  /** May pass midnight: `from` is then larger than `to`. */
  timeOfDay?: { from: number; to: number };
  /** 0: Sunday. */
  weekday?: readonly number[];
  not?: Condition;
  any?: readonly Condition[];
};

/** `above` and `below` are not in it. */
export type Range = { above?: number; below?: number };

/** How a smart route weighs quality: the one dial that was given. */
export type SmartSettings = {
  dial: /** 0: the cheapest, 1: the best. */
    | { kind: 'quality'; quality: number }
    /** The part of calls (0 to 1) that goes to the strongest target. */
    | { kind: 'strong_share'; share: number }
    /** The best that a call may cost. */
    | { kind: 'max_cost'; perCall: NanoDollars };
  /** The part of calls whose target is drawn, so that feedback tells of all. */
  explore: number;
};

/** What routing looks at in a caller's body, in no dialect's words. Texts are cut to what is looked at. */
export type CallSummary = {
  tools: number;
  images: boolean;
  audio: boolean;
  files: boolean;
  structuredOutput: boolean;
  /** Turns of the user and the assistant. */
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
  /** Members by which callers steer a route, as they were sent; `undefined` where they were not. */
  models: unknown;
  provider: unknown;
};

/** What a route decides on, and what a stored decision can be replayed from: no text of the caller's. */
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
  /** The most the caller wants of an answer; `null` where it does not say. */
  maxOutputTokens: number | null;
  keyId: string;
  source: Source;
  product: string | null;
  project: string | null;
  metadata: Readonly<Record<string, string>>;
  tags: readonly string[];
  /** Tells one caller of a key from another; `null` where it is not known. */
  user: string | null;
  /** Unpriced targets are left out. */
  demandsPrice: boolean;
  /** The key's list of models; `null`: every model. */
  allowedModels: readonly string[] | null;
  /** Names the conversation; `null` where it cannot be told. */
  conversation: string | null;
  /** Hashed features of the prompt, for smart routes; `null` for others. */
  features: string | null;
  steering: Steering | null;
};

/** How a caller steers within what a route allows. Names as OpenRouter's clients send them. */
export type Steering = {
  /** Targets of the route that come first, in this order; `null`: not said. */
  models: readonly string[] | null;
  /** Names of providers, in lower case. */
  order: readonly string[] | null;
  only: readonly string[] | null;
  ignore: readonly string[];
  sort: 'price' | 'throughput' | 'latency' | null;
  /** Pico-dollars per token, whole. Numbers, since a decision is kept as JSON. */
  maxPrice: { input: number | null; output: number | null } | null;
  allowFallbacks: boolean;
};

/** Why a target was not used. `detail` is for people. */
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

/** How a target does, as far as a decision looks at it. */
export type TargetHealth = {
  circuit: Circuit;
  /** Unix ms from which a call may go there again, where the circuit is open. */
  openUntil: number | null;
  /** The same for its credential, where the vendor refused that; `null`: it may be used. */
  credentialOutUntil: number | null;
  /** Peak-sensitive moving average of the time to the first token, in ms; `null` where nothing is known. */
  firstTokenMs: number | null;
  /** The same of the time that answers that are not streamed take. */
  wholeMs: number | null;
  inFlight: number;
};

/** Where a conversation was last, and so its cache is warm. Names as in `DecisionCandidate`. */
export type Warm = {
  provider: string;
  upstreamModel: string;
  credential: string;
  /** Of the prompt, as far as the vendor said. */
  cachedTokens: number;
};

/** In which of a route's lists a target stands. */
export const CANDIDATE_ROLES = ['target', 'fallback', 'context_fallback', 'policy_fallback'] as const;
export type CandidateRole = (typeof CANDIDATE_ROLES)[number];

/** One target of a decision: what it was judged by, and what became of it. */
export type DecisionCandidate = {
  /** Name of the directory, provider, the vendor's name for it, and credential. */
  model: string;
  provider: string;
  upstreamModel: string;
  credential: string;
  role: CandidateRole;
  health: TargetHealth;
  /** Nano-dollars that this call is expected to cost there; `null` where its price is not known. */
  expectedCost: number | null;
  /** Chance of a good answer, where `smart` was asked. */
  chance: number | null;
  leftOut: LeftOut | null;
};

/** A choice of targets, complete: enough to explain it and to repeat it. */
export type Decision = {
  route: string;
  routeVersion: string;
  /** Of the smart model; `null` where none was asked. */
  modelVersion: string | null;
  /** All random numbers of a decision come from it. */
  seed: number;
  traits: CallTraits;
  candidates: readonly DecisionCandidate[];
  /** Indices into `candidates`, in the order in which they are tried. */
  order: readonly number[];
  /** The same for what is tried where a target says that the prompt is too long for it, or refuses its content. */
  contextOrder: readonly number[];
  policyOrder: readonly number[];
  /** Where the conversation was before; `null` where that is not known. */
  warm: Warm | null;
  /** Why the order is as it is, one sentence for each strategy: for people. */
  because: readonly string[];
  /** The target was drawn, not chosen, so that feedback tells of all. */
  explored: boolean;
  /** The chance with which the first target came first; 1 where none is ever drawn. */
  propensity: number;
  /** The conversation stays where it was. */
  kept: boolean;
};
