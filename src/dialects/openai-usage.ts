import { type Counts, countsIn, countsOf, sumOf, type Usage, usageOf } from '../core/usage.ts';
import { reportedCostOf } from './reported-cost.ts';
import { countOf, isCount, isObject } from './unchecked-json.ts';

type PromptDetails = {
  cached_tokens?: unknown;
  cache_write_tokens?: unknown;
  /** Alibaba's name for it. */
  cache_creation_input_tokens?: unknown;
  /** Cache writes by how long they are kept: `ttl_12h_tokens`. */
  cache_write_tokens_details?: unknown;
  audio_tokens?: unknown;
} | null;
type OutputDetails = { reasoning_tokens?: unknown; audio_tokens?: unknown } | null;

/** The usage object of OpenAI's answers, including other vendors' variants. */
type WireUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  prompt_tokens_details?: PromptDetails;
  completion_tokens_details?: OutputDetails;
  /** The names used by responses. */
  input_tokens?: unknown;
  output_tokens?: unknown;
  input_tokens_details?: PromptDetails;
  output_tokens_details?: OutputDetails;
  /** Used by DeepSeek and Moonshot. */
  prompt_cache_hit_tokens?: unknown;
  cached_tokens?: unknown;
  /** Calls of a vendor's own tools, at OpenRouter. */
  server_tool_use?: unknown;
  /** Calls of a vendor's own tools at xAI: by tool, or their sum. */
  server_side_tool_usage_details?: unknown;
  num_server_side_tools_used?: unknown;
  /** Perplexity searches with every call. The price depends on how much of the results is read. */
  search_context_size?: unknown;
  num_search_queries?: unknown;
};

/** Other members of an answer that report its usage. */
export type BesideUsage = {
  service_tier?: unknown;
  /** Calls of OpenAI's own tools, in responses. */
  tool_usage?: unknown;
  /** The items of a response: each call of a vendor's own tool is one. */
  output?: unknown;
};

/** Reads a usage object; `null` if it has no prompt tokens. */
export function readUsage(value: unknown, beside: BesideUsage = {}): Usage | null {
  if (!isObject(value)) return null;
  const wire: WireUsage = value;
  const inputTokens = wire.prompt_tokens ?? wire.input_tokens;
  if (!isCount(inputTokens)) return null;
  const promptDetails = wire.prompt_tokens_details ?? wire.input_tokens_details ?? {};
  const completionDetails = wire.completion_tokens_details ?? wire.output_tokens_details ?? {};
  const completion = countOf(wire.completion_tokens ?? wire.output_tokens);
  const told = countOf(completionDetails.reasoning_tokens);
  const beyond = countOf(wire.total_tokens) - inputTokens - completion;
  // xAI does not count reasoning in `completion_tokens`, but counts it in the total and bills it.
  const isApart = beyond > 0 && (told > 0 ? beyond === told : isThoughts(wire));
  const cacheWrites = countOf(promptDetails.cache_write_tokens) || countOf(promptDetails.cache_creation_input_tokens);
  const longer = countsIn(promptDetails.cache_write_tokens_details, LIFE, ORDINARY_LIFE);
  const toolCalls = toolCallsOf(wire, beside);
  const { service_tier: serviceTier } = beside;
  return usageOf({
    inputTokens,
    cacheReadTokens: Math.min(
      inputTokens,
      countOf(promptDetails.cached_tokens) || countOf(wire.prompt_cache_hit_tokens) || countOf(wire.cached_tokens),
    ),
    cacheWriteTokens: Math.max(cacheWrites, sumOf(longer)),
    outputTokens: isApart ? completion + beyond : completion,
    reasoningTokens: isApart ? beyond : told,
    audioInputTokens: countOf(promptDetails.audio_tokens),
    audioOutputTokens: countOf(completionDetails.audio_tokens),
    serviceTier: typeof serviceTier === 'string' ? serviceTier : undefined,
    cacheWritesByLife: longer,
    toolCalls,
    reportedCost: reportedCostOf(wire),
  });
}

/** The later usage of a stream. It removes neither the prompt, which some vendors report as 0 at the end, nor a reported cost. */
export function laterUsage(earlier: Usage | null, later: Usage | null): Usage | null {
  if (later === null || earlier === null) return later ?? earlier;
  const { outputTokens, reasoningTokens, reportedCost } = later;
  if (later.inputTokens > 0 || earlier.inputTokens === 0) {
    const isCostLost = reportedCost === undefined && earlier.reportedCost !== undefined;
    return isCostLost ? usageOf({ ...later, reportedCost: earlier.reportedCost }) : later;
  }
  return usageOf({
    ...earlier,
    outputTokens: Math.max(earlier.outputTokens, outputTokens),
    reasoningTokens: Math.max(earlier.reasoningTokens, reasoningTokens),
    reportedCost: reportedCost ?? earlier.reportedCost,
  });
}

/**
 * Whether the tokens that a total has beyond prompt and completion are reasoning. Gemini reports them nowhere else, and
 * bills them as output. They are not if the answer has details of the completion or any other count: some servers add
 * cached tokens to the total.
 */
function isThoughts(wire: WireUsage): boolean {
  if (!isCount(wire.completion_tokens) || isObject(wire.completion_tokens_details)) return false;
  for (const [name, value] of Object.entries(wire)) {
    if (!SUMMED.has(name) && typeof value === 'number' && value > 0) return false;
  }
  return true;
}

const SUMMED: ReadonlySet<string> = new Set(['prompt_tokens', 'completion_tokens', 'total_tokens']);

/** How long OpenAI keeps a cache by default. */
const ORDINARY_LIFE = '30m';
const LIFE = /^ttl_(.+)_tokens$/;

/** /!\ Hot path: an answer without tools takes six lookups. */
function toolCallsOf(wire: WireUsage, { tool_usage: toolUsage, output }: BesideUsage): Counts | undefined {
  const { server_tool_use: byRequests, server_side_tool_usage_details: byCalls } = wire;
  if (isObject(byRequests)) return countsIn(byRequests, /^(.+)_requests$/);
  if (isObject(byCalls)) return countsIn(byCalls, /^(.+)_calls$/);
  if (wire.num_server_side_tools_used !== undefined) {
    return countsOf([['server_side_tool', wire.num_server_side_tools_used]]);
  }
  const { search_context_size: size, num_search_queries: searches } = wire;
  if (typeof size === 'string') return countsOf([[`web_search_${size}`, searches ?? 1]]);
  const told = isObject(toolUsage) ? toolUsage : NOTHING_TOLD;
  if (told === NOTHING_TOLD && !Array.isArray(output)) return undefined;
  const named = Object.entries(told).map(([name, each]) => [name, timesOf(each)] as const);
  return Array.isArray(output) ? countsOf([...named, ...untoldCalls(output, told)]) : countsOf(named);
}

const NOTHING_TOLD: Readonly<Record<string, unknown>> = {};

/** OpenAI's own tools that are charged per call, by the type of the item of a call. */
export const CHARGED_ITEMS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['web_search_call', 'web_search'],
  ['file_search_call', 'file_search'],
  ['code_interpreter_call', 'code_interpreter'],
  ['image_generation_call', 'image_gen'],
]);

/** The calls of a vendor's own tools in a response without usage; `undefined` if there are none. */
export function shownCallsIn(output: unknown): Counts | undefined {
  return Array.isArray(output) ? countsOf(untoldCalls(output, NOTHING_TOLD)) : undefined;
}

/**
 * Calls of tools that the usage does not report. Of the steps of a search only the searches are charged, not opened
 * pages.
 */
function untoldCalls(output: readonly unknown[], told: Readonly<Record<string, unknown>>): Map<string, number> {
  const calls = new Map<string, number>();
  for (const item of output) {
    if (!isObject(item) || item.status === 'failed') continue;
    const tool = CHARGED_ITEMS.get(item.type);
    if (tool === undefined || Object.hasOwn(told, tool)) continue;
    if (isObject(item.action) && item.action.type !== 'search') continue;
    calls.set(tool, (calls.get(tool) ?? 0) + 1);
  }
  return calls;
}

/** How often one of OpenAI's tools was called. A tool that reports only tokens counts once if it used any. */
function timesOf(told: unknown): unknown {
  if (!isObject(told)) return undefined;
  return told.num_requests ?? Math.min(1, countOf(told.total_tokens));
}
