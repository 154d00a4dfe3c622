/**
 * Parameters of a call in the gateway's own words, which every dialect of conversations has a word for, or is told that it has
 * none. Counts are tokens.
 */
export type Parameters = Readonly<{
  max_output_tokens?: number;
  temperature?: number;
  top_p?: number;
  top_k?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
  seed?: number;
  stop?: readonly string[];
  reasoning_effort?: string;
  /** Tokens of thinking; not beside `reasoning_effort`. */
  thinking_budget?: number;
  verbosity?: string;
  service_tier?: string;
  /** Outermost members of the body that the vendor is sent, in the vendor's words. */
  body?: Readonly<Record<string, unknown>>;
}>;

export type ParameterName = Exclude<keyof Parameters, 'body'>;

/** What holds where a caller says nothing, and what holds whatever a caller says. */
export type OwnParameters = Readonly<{ defaults: Parameters; force: Parameters }>;

/** The efforts that have a name in `reasoning_effort`, the least first. */
export const PARAMETER_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Members of a body that say who serves a call, what it is about, what is stored of it, or that have a word of their own above. */
const NOT_OF_BODY: ReadonlySet<string> = new Set([
  ...['model', 'models', 'fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'provider', 'route'],
  ...['messages', 'input', 'prompt', 'instructions', 'system', 'conversation', 'previous_response_id', 'preset'],
  ...[
    'tools',
    'tool_choice',
    'functions',
    'function_call',
    'plugins',
    'web_search_options',
    'mcp_servers',
    'container',
  ],
  ...['stream', 'stream_options', 'n', 'best_of', 'background', 'store', 'include', 'metadata', 'user'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'n_predict'],
  ...['min_tokens', 'min_new_tokens', 'temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'seed', 'stop'],
  ...['stop_sequences', 'reasoning_effort', 'thinking_budget', 'verbosity', 'service_tier', '__proto__'],
]);

/** Counts of output tokens inside a member: what is reserved for a call would not know of them. */
const INNER_COUNTS: readonly (readonly [string, string])[] = [
  ['options', 'num_predict'],
  ['thinking', 'budget_tokens'],
  ['reasoning', 'max_tokens'],
];

/** Why a member cannot be one of `body`, without a subject and a full stop; `null` if it can. */
export function bodyMemberFault(name: string, value: unknown): string | null {
  if (NOT_OF_BODY.has(name)) return 'cannot be set here: the gateway reads it itself';
  const inner = INNER_COUNTS.find(([outer]) => outer === name)?.[1];
  const holds = typeof value === 'object' && value !== null && inner !== undefined && Object.hasOwn(value, inner);
  return holds ? `cannot hold ${inner} here: use max_output_tokens or thinking_budget` : null;
}

const NONE: Parameters = {};
const joined = new WeakMap<OwnParameters, WeakMap<OwnParameters, OwnParameters>>();

/**
 * The parameters of a model that a route leads to; `null` if neither has any. What the route says goes before what the model
 * says.
 *
 * /!\ Hot path: nothing is made for models and routes without any, and what two have together is made once.
 */
export function parametersOf(
  route: { parameters?: OwnParameters } | null,
  model: { parameters?: OwnParameters },
): OwnParameters | null {
  const outer = route?.parameters;
  const inner = model.parameters;
  if (outer === undefined) return inner ?? null;
  if (inner === undefined) return outer;
  let known = joined.get(outer);
  if (known === undefined) {
    known = new WeakMap();
    joined.set(outer, known);
  }
  let both = known.get(inner);
  if (both === undefined) {
    both = { defaults: over(outer.defaults, inner.defaults), force: over(outer.force, inner.force) };
    known.set(inner, both);
  }
  return both;
}

/** What holds of a call whose caller said these: all that is forced, and the defaults of the rest. */
export function inForce({ defaults, force }: OwnParameters, isSaid: (name: ParameterName) => boolean): Parameters {
  const unsaid = Object.entries(defaults).filter(([name]) => name === 'body' || !isSaid(name as ParameterName));
  const { body: _, ...values } = over(force, Object.fromEntries(unsaid));
  return values;
}

/** How much to think is one thing, in whichever of the two words it is said. */
export function isOfThinking(name: string): boolean {
  return name === 'reasoning_effort' || name === 'thinking_budget';
}

function over(first: Parameters, then: Parameters): Parameters {
  const thinks = Object.keys(first).some(isOfThinking);
  const kept = thinks ? Object.fromEntries(Object.entries(then).filter(([name]) => !isOfThinking(name))) : then;
  const body = first.body === undefined && then.body === undefined ? NONE : { body: { ...then.body, ...first.body } };
  return { ...kept, ...first, ...body };
}
