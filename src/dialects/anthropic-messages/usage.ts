import {
  type Counts,
  countsIn,
  countsOf,
  type ModelUsage,
  sumOf,
  type Usage,
  usageOf,
  VENDOR_NAME,
} from '../../core/usage.ts';
import { REPORTED_COST_MEMBERS, reportedCostOf } from '../reported-cost.ts';
import { writeSearchCount } from '../search-steps.ts';
import { countOf, isCount, isList, isObject, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import type { ShownCalls } from './shown-calls.ts';

/**
 * Reads a usage object; `null` if it has no `input_tokens`. Anthropic's `input_tokens` excludes cache reads and cache
 * writes; `inputTokens` is the sum of all three.
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#tracking-cache-performance
 *
 * @param shown the calls of the vendor's own tools in its blocks
 */
export function readUsage(value: unknown, shown?: ShownCalls): Usage | null {
  const wire = objectOf(value);
  if (!isCount(wire.input_tokens)) return null;
  const serviceTier = wire.speed === 'fast' ? wire.speed : wire.service_tier;
  const toolCalls = toolCallsOf(wire.server_tool_use, shown);
  const region = wire.inference_geo;
  const usage = usageOf({
    ...tokensOf(wire),
    reasoningTokens: countOf(objectOf(wire.output_tokens_details).thinking_tokens),
    serviceTier: typeof serviceTier === 'string' ? serviceTier : undefined,
    toolCalls,
    region: typeof region === 'string' && !ANYWHERE.has(region) && VENDOR_NAME.test(region) ? region : undefined,
    reportedCost: reportedCostOf(wire),
  });
  return isList(wire.iterations) ? withIterations(usage, wire.iterations.slice(0, MAX_ITERATIONS)) : usage;
}

/** The tokens of a whole usage object, or of one of its iterations. */
function tokensOf(wire: Unchecked) {
  const cacheReadTokens = countOf(wire.cache_read_input_tokens);
  const kept = objectOf(wire.cache_creation);
  const cacheWritesByLife = countsIn(kept, LIFE, ORDINARY_LIFE);
  const keptLonger = sumOf(cacheWritesByLife);
  // The last usage of a stream has the total of cache writes, but not their lifetimes.
  const told = countOf(wire.cache_creation_input_tokens) || countOf(kept.ephemeral_5m_input_tokens) + keptLonger;
  const cacheWriteTokens = Math.max(told, keptLonger);
  return {
    inputTokens: countOf(wire.input_tokens) + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countOf(wire.output_tokens),
    cacheWritesByLife,
  };
}

/**
 * Adds the iterations that the totals of a usage leave out: compactions, by the same model unless they name another,
 * and the work of other models. If a fallback answered, the totals are its own, and a model that declined is charged
 * only if it had begun to answer. An advisor without a model name counts as a tool call, so that a missing price does
 * not make the cost too low.
 * https://platform.claude.com/docs/en/build-with-claude/compaction
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback
 */
function withIterations(usage: Usage, iterations: readonly unknown[]): Usage {
  const all = { ...usage };
  const served = servedBy(iterations);
  const others: ModelUsage[] = [];
  for (const each of iterations) {
    const iteration = objectOf(each);
    const { type } = iteration;
    const model = textOf(iteration.model).slice(0, MAX_MODEL);
    if (type === 'compaction' && !isOfAnother(model, served)) addTokens(all, usageOf(tokensOf(iteration)));
    else if (type === 'advisor_message' && model === '') all.toolCalls = together(all.toolCalls, { [ADVISOR]: 1 })!;
    else if (
      type === 'compaction' ||
      type === 'advisor_message' ||
      (type === 'message' && declined(iteration, model, served))
    ) {
      const { serviceTier, region } = usage;
      others.push({ model, usage: usageOf({ ...tokensOf(iteration), serviceTier, region }) });
    }
  }
  if (served === null && others.length === 0) return all;
  const main = { model: served, usage: { ...all } };
  for (const other of others) addTokens(all, other.usage);
  return { ...all, byModel: [main, ...others] };
}

/** The model that answered in place of the requested one; `null` if none did. */
function servedBy(iterations: readonly unknown[]): string | null {
  const fallback = iterations.findLast((each) => objectOf(each).type === 'fallback_message');
  return textOf(objectOf(fallback).model).slice(0, MAX_MODEL) || null;
}

/** Whether an iteration is a charged attempt of another model than the one that answered. */
function declined({ output_tokens: output }: Unchecked, model: string, served: string | null): boolean {
  return isOfAnother(model, served) && countOf(output) > 0;
}

/** Whether an iteration names another model than the fallback that answered. */
function isOfAnother(model: string, served: string | null): boolean {
  return served !== null && model !== '' && model !== served;
}

function addTokens(to: Usage, tokens: Usage): void {
  to.inputTokens += tokens.inputTokens;
  to.cacheReadTokens += tokens.cacheReadTokens;
  to.cacheWriteTokens += tokens.cacheWriteTokens;
  to.outputTokens += tokens.outputTokens;
  const lives = together(to.cacheWritesByLife, tokens.cacheWritesByLife);
  if (lives !== undefined) to.cacheWritesByLife = lives;
}

function together(one: Counts = {}, other: Counts = {}): Counts | undefined {
  return countsOf([...Object.entries(one), ...Object.entries(other)]);
}

/** The most iterations read from one usage. */
const MAX_ITERATIONS = 64;
/** The most characters of a model's name. */
const MAX_MODEL = 200;
/** The vendor's name of the tool that asks another model. */
const ADVISOR = 'advisor';

/**
 * The calls of tools that the usage reports, or else those that the answer shows. A usage that counts tools and reports none
 * is believed, but no usage counts runs of code.
 */
function toolCallsOf(told: unknown, shown: ShownCalls | undefined): Counts | undefined {
  return countsIn(told, TOOL) ?? (isObject(told) ? shown?.codeRuns : shown?.counts);
}

/** How long a cache is kept by default. */
const ORDINARY_LIFE = '5m';
/** Values of `inference_geo` for calls without a fixed region. */
const ANYWHERE: ReadonlySet<string> = new Set(['global', 'not_available']);
const LIFE = /^ephemeral_(.+)_input_tokens$/;
const TOOL = /^(.+)_requests$/;

/** The usage members that are kept. Others are dropped, because a stream could add new ones with every event. */
const READ = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cache_creation',
  'iterations',
  'output_tokens',
  'output_tokens_details',
  'service_tier',
  'server_tool_use',
  'inference_geo',
  'speed',
  ...REPORTED_COST_MEMBERS,
] as const;

/** The members that count the prompt. */
const PROMPT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/** Merges the usage reports at a stream's start and at its end; later values replace earlier ones. */
export function mergeUsage(earlier: Unchecked, later: unknown): Unchecked {
  const told = objectOf(later);
  const merged: Record<string, unknown> = { ...earlier };
  for (const name of READ) merged[name] = told[name] ?? earlier[name];
  // Counts are running totals: a prompt does not become nothing, as some vendors say at the end.
  if (PROMPT.some((name) => countOf(told[name]) > 0)) return merged;
  for (const name of PROMPT) merged[name] = earlier[name] ?? told[name];
  if (told.input_tokens === 0 && told.output_tokens === 0) merged.output_tokens = earlier.output_tokens ?? 0;
  return merged;
}

/**
 * The usage of the prompt at a stream's start, without the output, which is not final there; `null` if there is none.
 * Some servers report 0 at the start and the counts at the end.
 */
export function readPromptUsage(start: Unchecked, shown: ShownCalls): Usage | null {
  const usage = readUsage(start, shown);
  return usage === null || usage.inputTokens === 0 ? null : { ...usage, outputTokens: 0, reasoningTokens: 0 };
}

/** The token counts of a usage object; a stream's last event repeats them. */
export function writeCounts(usage: Usage) {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWritesByLife, outputTokens, reasoningTokens } = usage;
  // The format has two lifetimes: everything kept longer than by default counts under the longer one.
  const keptLonger = Math.min(cacheWriteTokens, sumOf(cacheWritesByLife));
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens - keptLonger,
      ephemeral_1h_input_tokens: keptLonger,
    },
    output_tokens: outputTokens,
    ...(reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
    ...writeSearchCount(usage),
  };
}

/** The usage object of a message. */
export function writeUsage(usage: Usage) {
  return { ...writeCounts(usage), service_tier: TIERS.get(usage.serviceTier ?? '') ?? null };
}

/** Anthropic's tiers by the names that other formats use. */
const TIERS = new Map([
  ['standard', 'standard'],
  ['default', 'standard'],
  ['priority', 'priority'],
  ['batch', 'batch'],
]);
