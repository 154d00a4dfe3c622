import { parseJson } from '../../json/parse.ts';

export { readCountEnvelope } from './envelope.ts';

/** Writes the answer of a token count request. https://docs.anthropic.com/en/api/messages-count-tokens */
export function writeCount(inputTokens: number): string {
  return JSON.stringify({ input_tokens: inputTokens });
}

/** Reads the vendor's answer of a token count request; `null` if it contains no count. */
export function readCount(body: string): number | null {
  try {
    const { input_tokens: tokens } = parseJson(body) as { input_tokens?: unknown };
    return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null;
  } catch {
    return null;
  }
}
