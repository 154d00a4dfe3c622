import type { Citation, ReasoningPart, ToolCallPart } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import type { Usage } from '../../core/usage.ts';
import { hasMember } from '../../json/tape.ts';
import type { AnswerContext } from '../dialect.ts';
import { writeSearchCount } from '../search-steps.ts';
import { objectOf } from '../unchecked-json.ts';
import { markDetails, writeDetails } from './details.ts';
import type { WireDetail } from './wire.ts';

/** Writers of OpenAI's format for pieces that whole answers and streams share. */

export function writeUsage(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      audio_tokens: usage.audioInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    ...writeSearchCount(usage),
  };
}

/** `before` is the length of the message's content before the citation's part. */
export function writeCitation(citation: Citation, before: number, losses: Losses): unknown[] {
  if (citation.kind === 'native') {
    if (citation.dialect === 'openai-chat') return [citation.value];
    losses.add('citations');
    return [];
  }
  const { url, title, start, end, citedText } = citation;
  const place = { start_index: before + start, end_index: before + end };
  return [
    {
      type: 'url_citation',
      url_citation: { ...place, title, url, ...(citedText !== undefined && { content: citedText }) },
    },
  ];
}

/** Writes a complete call. A function's empty arguments become `{}`. */
export function writeWholeCall(call: Omit<ToolCallPart, 'kind'>, extra: unknown): Record<string, unknown> {
  return writeToolCall(call.form === 'function' && call.input === '' ? { ...call, input: '{}' } : call, extra);
}

export function writeToolCall(
  { id, name, input, form }: Omit<ToolCallPart, 'kind'>,
  extra: unknown,
): Record<string, unknown> {
  const { function: within, ...beside } = objectOf(extra);
  const inner = form === 'custom' ? { name, input } : { name, arguments: input };
  return { id, type: form, [form]: { ...inner, ...objectOf(within) }, ...beside };
}

/** A part of an answer as entries of `reasoning_details`, with its seal marked with its maker. */
export function writeMarked(part: ReasoningPart, index: number, { provider }: AnswerContext): WireDetail[] {
  if (part.seal === null) return writeDetails(part, index);
  const maker = part.seal.provider ?? provider;
  return markDetails(writeDetails({ ...part, seal: { ...part.seal, provider: maker } }, index), maker);
}

/** The member of a message that holds native parts of this type. */
export function nativeMember(type: string): 'audio' | 'images' | 'executed_tools' | null {
  if (type === 'audio') return 'audio';
  if (type === 'image') return 'images';
  return type === 'executed_tool' ? 'executed_tools' : null;
}

/** The service tier by OpenAI's name. */
export function writeTier(usage: Usage | null): { service_tier?: string } {
  if (usage?.serviceTier === undefined) return {};
  return { service_tier: usage.serviceTier === 'standard' ? 'default' : usage.serviceTier };
}

export function newAnswerId(context: AnswerContext): string {
  return context.newId('chatcmpl').replace('_', '-');
}

/** Whether the caller declared the older `functions`, and expects `function_call`. */
export function speaksOfFunctions({ envelope: { body, index } }: AnswerContext): boolean {
  return hasMember(body, index, 'functions') && !hasMember(body, index, 'tools');
}
