/**
 * Words of vendors for ends that are none of their format's own, in lower case. They are those of Z.ai
 * (https://docs.z.ai/api-reference/llm/chat-completion), Mistral, SGLang, Gemini (`FinishReason` in
 * https://googleapis.github.io/js-genai/release_docs/enums/types.FinishReason.html, read in the SDK's types on 2026-11-27) and of
 * servers that repeat another format's.
 */

export const FOREIGN_ENDS = {
  /** The answer was cut: by a limit on its tokens, or by the context window. */
  length: [
    ...['length', 'max_tokens', 'max_output_tokens', 'max_new_tokens', 'max_length', 'model_length', 'token_limit'],
    ...['model_context_window_exceeded', 'context_window_exceeded', 'context_length_exceeded', 'context_length'],
    ...['incomplete', 'truncated', 'cut_off'],
  ],
  /** A filter withheld the answer or the rest of it. */
  'content-filter': [
    ...['content_filter', 'content_filtered', 'safety', 'sensitive', 'recitation', 'blocklist', 'prohibited_content'],
    ...['spii', 'guardrail_intervened', 'moderation', 'image_safety', 'image_prohibited_content', 'image_recitation'],
    // Gemini stops at a language that it does not support; no format has a nearer word for that.
    'language',
  ],
} as const;

const CUT: ReadonlySet<string> = new Set(FOREIGN_ENDS.length);
const FILTERED: ReadonlySet<string> = new Set(FOREIGN_ENDS['content-filter']);

/**
 * The word of an end in lower case, however its parts are joined (`max-tokens`, `MaxTokens`, `FinishReason.MAX_TOKENS`),
 * without what it says beyond: Gemini's OpenAI form has `content_filter: PROHIBITED_CONTENT`.
 * https://ai.google.dev/gemini-api/docs/openai (not checked there; seen in reports of callers)
 */
export function endWord(word: string): string {
  const end = word.indexOf(':');
  const said = (end < 0 ? word : word.slice(0, end)).trim();
  return said
    .slice(said.lastIndexOf('.') + 1)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** What an end means that the dialect itself has no word for; `null` for one that is not known. */
export function foreignEnd(word: string): 'length' | 'content-filter' | null {
  const known = endWord(word);
  if (CUT.has(known)) return 'length';
  return FILTERED.has(known) ? 'content-filter' : null;
}
