import type { FinishReason } from '../core/answer.ts';

/**
 * Finish reasons that vendors use besides those of their format, in lower case: of Z.ai
 * (https://docs.z.ai/api-reference/llm/chat-completion), Mistral, SGLang, Cohere (its `FinishReason`), Gemini
 * (`FinishReason` in https://googleapis.github.io/js-genai/release_docs/enums/types.FinishReason.html, read in the
 * SDK's types on 2026-11-27) and of servers that pass on another format's.
 */

export const FOREIGN_REASONS = {
  /** The answer was cut by a limit on its tokens or by the context window. */
  length: [
    ...['length', 'max_tokens', 'max_output_tokens', 'max_new_tokens', 'max_length', 'model_length', 'token_limit'],
    ...['model_context_window_exceeded', 'context_window_exceeded', 'context_length_exceeded', 'context_length'],
    ...['incomplete', 'truncated', 'cut_off', 'error_limit'],
  ],
  /** A filter withheld the answer or the rest of it. */
  'content-filter': [
    ...['content_filter', 'content_filtered', 'safety', 'sensitive', 'recitation', 'blocklist', 'prohibited_content'],
    ...['spii', 'guardrail_intervened', 'moderation', 'image_safety', 'image_prohibited_content', 'image_recitation'],
    // Gemini stops at a language that it does not support; no format has a nearer word for that.
    'language',
    ...['error_toxic', 'content_blocked'],
  ],
} as const;

const CUT: ReadonlySet<string> = new Set(FOREIGN_REASONS.length);
const FILTERED: ReadonlySet<string> = new Set(FOREIGN_REASONS['content-filter']);

/**
 * Finish reasons of an answer that the vendor broke off: of OpenRouter, Zhipu, DeepSeek, SGLang, Cohere and Bedrock.
 * Gemini's mean that it could not parse its model's call, or missed a signature:
 * https://ai.google.dev/api/generate-content#FinishReason
 */
const FAILURES: ReadonlySet<string> = new Set([
  ...['error', 'network_error', 'insufficient_system_resource', 'abort', 'aborted', 'timeout', 'failed'],
  ...['cancelled', 'canceled', 'user_cancel', 'server_error', 'internal_error'],
  ...[
    'malformed_function_call',
    'malformed_tool_call',
    'malformed_tool_use',
    'malformed_response',
    'malformed_model_output',
  ],
  ...['function_call_filter', 'unexpected_tool_call', 'too_many_tool_calls', 'missing_thought_signature'],
]);

/** Whether a finish reason means that the vendor broke the answer off. */
export function isFailureReason(word: unknown): boolean {
  return typeof word === 'string' && FAILURES.has(normalizedReason(word));
}

/**
 * The finish reason of an answer with a call whose input is cut. Such an answer is not whole, whatever its vendor
 * reports.
 */
export function reasonOfCutCall(reason: FinishReason): FinishReason {
  return reason === 'stop' || reason === 'tool-calls' ? 'length' : reason;
}

/**
 * A finish reason in lower case, however its parts are joined (`max-tokens`, `MaxTokens`, `FinishReason.MAX_TOKENS`),
 * without an explanation: Gemini's OpenAI form has `content_filter: PROHIBITED_CONTENT`.
 * https://ai.google.dev/gemini-api/docs/openai (not checked there; seen in reports of callers)
 */
export function normalizedReason(word: string): string {
  const end = word.indexOf(':');
  const said = (end < 0 ? word : word.slice(0, end)).trim();
  return said
    .slice(said.lastIndexOf('.') + 1)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Finish reasons of any format for a regular end. */
const REGULAR: ReadonlySet<string> = new Set([
  ...['stop', 'stop_sequence', 'end', 'end_turn', 'end_of_sequence', 'eos', 'eos_token', 'normal', 'done'],
  ...['complete', 'completed', 'finished', 'finish_reason_stop', 'finish_reason_unspecified'],
  ...['tool_calls', 'tool_call', 'tool_use', 'function_call', 'function_calls'],
]);

/** Whether no table has this finish reason. */
export function isUnknownReason(word: string): boolean {
  return !REGULAR.has(normalizedReason(word)) && foreignReason(word) === null && !isFailureReason(word);
}

/** The meaning of a finish reason of another format; `null` if it is unknown. */
export function foreignReason(word: string): 'length' | 'content-filter' | null {
  const known = normalizedReason(word);
  if (CUT.has(known)) return 'length';
  return FILTERED.has(known) ? 'content-filter' : null;
}
