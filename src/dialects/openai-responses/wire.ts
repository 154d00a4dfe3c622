/**
 * An object of OpenAI's responses format that was received and not checked. Any member may be missing or of any type,
 * because vendors deviate and callers send back what they received.
 */
export type Wire = Readonly<Record<string, unknown>>;

/** The `include` value that asks for encrypted reasoning, without which a reasoning item cannot be sent back. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';
export const LOGPROBS = 'message.output_text.logprobs';
/** The `include` value that asks for all pages that a search has found. */
export const FOUND_PAGES = 'web_search_call.action.sources';

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one if the value is not an object. */
export function wireOf(value: unknown): Wire {
  return isWire(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or an empty one if the value is not a string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text; `null` if it is empty or not a string. */
export function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
