export { readCountEnvelope } from './envelope.ts';

/** The answer to a question for the tokens of a prompt. https://docs.anthropic.com/en/api/messages-count-tokens */
export function writeCount(inputTokens: number): string {
  return JSON.stringify({ input_tokens: inputTokens });
}

/** The vendor's own answer to it; `null` where it is none. */
export function readCount(body: string): number | null {
  try {
    const { input_tokens: tokens } = JSON.parse(body) as { input_tokens?: unknown };
    return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null;
  } catch {
    return null;
  }
}
