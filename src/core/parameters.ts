/**
 * Parameters of a call in the gateway's own format. Each conversation dialect maps every parameter, or declares that it has no
 * equivalent. Counts are tokens.
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
  /** Tokens of thinking. Cannot be combined with `reasoning_effort`. */
  thinking_budget?: number;
  verbosity?: string;
  service_tier?: string;
  /** Top-level members added to the request body, in the vendor's format. */
  body?: Readonly<Record<string, unknown>>;
}>;

export type ParameterName = Exclude<keyof Parameters, 'body'>;

/** Defaults for parameters that the caller does not set, and forced parameters. */
export type OwnParameters = Readonly<{ defaults: Parameters; force: Parameters }>;

/** The values of `reasoning_effort`, lowest first. */
export const PARAMETER_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Body members that select the target, carry the content, control storage, or have their own parameter above. */
const RESERVED_MEMBERS: ReadonlySet<string> = new Set([
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

/** Output token counts inside a member, which the reservation for a call would miss. */
const INNER_COUNTS: readonly (readonly [string, string])[] = [
  ['options', 'num_predict'],
  ['thinking', 'budget_tokens'],
  ['reasoning', 'max_tokens'],
];

/** The fault of a member in `body`, as a predicate; `null` if it is allowed. */
export function bodyMemberFault(name: string, value: unknown): string | null {
  if (RESERVED_MEMBERS.has(name)) return 'cannot be set here: the gateway reads it itself';
  const inner = INNER_COUNTS.find(([outer]) => outer === name)?.[1];
  const holds = typeof value === 'object' && value !== null && inner !== undefined && Object.hasOwn(value, inner);
  return holds ? `cannot hold ${inner} here: use max_output_tokens or thinking_budget` : null;
}

const NONE: Parameters = {};
const joined = new WeakMap<OwnParameters, WeakMap<OwnParameters, OwnParameters>>();

/**
 * The parameters of a model called through a route; `null` if neither has any. The route's parameters take precedence.
 *
 * /!\ Hot path: nothing is built for models and routes without parameters; merged parameters are built once.
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

/** The parameters to apply to a call: all forced ones, and defaults for those that the caller did not set. */
export function inForce({ defaults, force }: OwnParameters, isSaid: (name: ParameterName) => boolean): Parameters {
  const unsaid = Object.entries(defaults).filter(([name]) => name === 'body' || !isSaid(name as ParameterName));
  const { body: _, ...values } = over(force, Object.fromEntries(unsaid));
  return values;
}

/** True for the parameters of thinking, which exclude each other. */
export function isThinkingParameter(name: string): boolean {
  return name === 'reasoning_effort' || name === 'thinking_budget';
}

function over(first: Parameters, then: Parameters): Parameters {
  const thinks = Object.keys(first).some(isThinkingParameter);
  const kept = thinks ? Object.fromEntries(Object.entries(then).filter(([name]) => !isThinkingParameter(name))) : then;
  const body = first.body === undefined && then.body === undefined ? NONE : { body: { ...then.body, ...first.body } };
  return { ...kept, ...first, ...body };
}
