/**
 * What stands on the wire of OpenAI's responses, as far as the gateway looks at it. Any field may be missing or odd:
 * vendors bend it, and callers send back what they got.
 */
export type Wire = Readonly<Record<string, unknown>>;

/** What the effort of a model's reasoning comes back as, to be sent again: without it an item cannot be used later. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';
export const LOGPROBS = 'message.output_text.logprobs';

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object; an empty one where there is none. */
export function wireOf(value: unknown): Wire {
  return isWire(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text; empty where there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text; `null` where there is none or it is empty. */
export function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
