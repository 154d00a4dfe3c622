import type { TokenCounter } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import { type Counts, NO_USAGE, sumOf, type Usage, type UsageSource, usageOf } from '../core/usage.ts';
import type { AnswerPeek, Dialect, Envelope, ProducedText } from '../dialects/dialect.ts';
import type { PipelineSettings } from './parts.ts';
import { LARGE, turnIf } from './turns.ts';

/** For text that cannot be read or counted. */
const CHARACTERS_PER_TOKEN = 4;

/** The context window assumed for models without a known one, in tokens: the longest common size. */
const ASSUMED_CONTEXT_WINDOW = 1_000_000;

/** The most calls of a vendor's own tools that are believed of one call. */
const MAX_TOOL_CALLS = 10_000;

/** Usage and its source. `reported` is what the vendor reported, if it was implausible. */
export type MeasuredUsage = { usage: Usage; usageSource: UsageSource; reported: Usage | null };

/** What was seen of an answer. `prompt` is the reported usage of the prompt if the stream reported no usage. */
export type SeenAnswer = Pick<AnswerPeek, 'usage' | 'output' | 'shownCalls'> & { prompt?: Usage | null };

/** No usage that a vendor charges for. */
export const NOT_USED: MeasuredUsage = { usage: NO_USAGE, usageSource: 'none', reported: null };

/** The most that a vendor may plausibly report of one call. */
export type Believed = { tokens: number; dollars: number };

/**
 * The most tokens are `maxUsageFactor` times the context window of the model for each choice. A prompt longer than that by
 * its size replaces the window, because each input of an embeddings call has its own window.
 */
export function mostBelieved(
  call: Envelope,
  contextWindow: number | null,
  { maxUsageFactor, maxVendorCost }: PipelineSettings['limits'],
): Believed {
  const window = Math.max((contextWindow ?? ASSUMED_CONTEXT_WINDOW) * call.choices, call.estimatedInputTokens);
  return { tokens: maxUsageFactor * window, dollars: maxVendorCost };
}

/**
 * The usage that the vendor reported; `null` if it reported none or it is implausible. A cost that is not believed is left
 * out of it: a vendor's mistake must empty no budget.
 */
export function measuredNow(usage: Usage | null, most: Believed): MeasuredUsage | null {
  if (usage === null || !isWithin(usage, most)) return null;
  return { usage: withCredibleCost(usage, most), usageSource: 'provider', reported: null };
}

/** The reported usage of the prompt; `null` if there is none or it is implausible. */
export function believedPrompt({ prompt = null }: SeenAnswer, most: Believed): Usage | null {
  return prompt !== null && isWithin(prompt, most) ? prompt : null;
}

function withCredibleCost(usage: Usage, { dollars }: Believed): Usage {
  if (usage.reportedCost === undefined || Number(usage.reportedCost) <= dollars) return usage;
  const { reportedCost: _, ...counted } = usage;
  return counted;
}

/** Checks the details too, because a vendor may report details larger than the total. */
function isWithin(usage: Usage, { tokens: most }: Believed): boolean {
  return (
    usage.inputTokens + usage.outputTokens <= most &&
    usage.cacheReadTokens + usage.cacheWriteTokens + usage.audioInputTokens <= most &&
    usage.reasoningTokens + usage.audioOutputTokens <= most &&
    sumOf(usage.toolCalls) <= MAX_TOOL_CALLS
  );
}

/**
 * Counts prompt and output ourselves if the vendor reports no usage or an implausible one. A reported usage of the
 * prompt is kept, because we cannot count what the vendor's cache served, and so are the calls of its own tools that the
 * answer shows. Never rejects: it runs after the vendor's answer, and an answered call must be billed.
 */
export async function measure(
  asked: Dialect,
  call: Envelope,
  seen: SeenAnswer,
  tokens: TokenCounter,
): Promise<MeasuredUsage> {
  const { text, unseen } = orNull(() => seen.output()) ?? NOTHING;
  const told = seen.prompt ?? measurePrompt(asked, call, tokens);
  const [prompt, kept] = await Promise.all([told, count(tokens, text)]);
  const outputTokens = Math.ceil(kept + unseen * (text === '' ? 1 / CHARACTERS_PER_TOKEN : kept / text.length));
  const toolCalls = prompt.toolCalls ?? shownIn(seen);
  const usage = { ...prompt, outputTokens, ...(toolCalls !== undefined && { toolCalls }) };
  return { usage, usageSource: 'estimated', reported: seen.usage };
}

/** The calls of a vendor's own tools that an answer shows, if they are plausible. */
function shownIn(seen: SeenAnswer): Counts | undefined {
  const shown = orNull(() => seen.shownCalls?.() ?? null) ?? undefined;
  return sumOf(shown) <= MAX_TOOL_CALLS ? shown : undefined;
}

async function measurePrompt(asked: Dialect, call: Envelope, tokens: TokenCounter): Promise<Usage> {
  const isLarge = call.body.length > LARGE;
  await turnIf(isLarge);
  const prompt = orNull(() => asked.inbound.promptText(call));
  await turnIf(isLarge);
  const inputTokens = prompt === null ? call.estimatedInputTokens : await countPrompt(tokens, prompt, call);
  return usageOf({ inputTokens });
}

/** The name of a web search as a vendor's own tool. */
export const WEB_SEARCH = 'web_search';

/** Whether a target searches the web in every call without reporting it in its usage. */
export function alwaysSearches({ provider, model }: Target): boolean {
  return provider.quirks.searches?.test(model.upstreamId) === true;
}

/** The usage with the search of a target that always searches. */
export function withSearch(measured: MeasuredUsage, target: Target): MeasuredUsage {
  const { usage, usageSource } = measured;
  if (usageSource === 'none' || usage.toolCalls !== undefined || !alwaysSearches(target)) return measured;
  return { ...measured, usage: { ...usage, toolCalls: { [WEB_SEARCH]: 1 } } };
}

const NOTHING: ProducedText = { text: '', unseen: 0 };

/** Adds files to the count. Otherwise, a caller who leaves a stream before its usage could send files for free. */
async function countPrompt(tokens: TokenCounter, words: string, { fileTokens = 0 }: Envelope): Promise<number> {
  return (await count(tokens, words)) + fileTokens;
}

function count(tokens: TokenCounter, text: string): Promise<number> {
  return tokens.count(text).catch(() => Math.ceil(text.length / CHARACTERS_PER_TOKEN));
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
