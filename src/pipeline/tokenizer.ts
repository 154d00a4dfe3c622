import type { TokenCounter } from '../core/ports.ts';

/** The most characters that are counted; longer text is extrapolated, because counting must not block other calls. */
const MAX_COUNTED = 64 * 1024;
/** Tokenizing takes quadratic time in the length of a run without breaks, so text is counted in pieces. */
const PIECE = 512;
/** Text that looks like a tokenizer's special tokens (`<|endoftext|>`) counts as ordinary text. */
const PLAIN = { disallowedSpecial: new Set<string>() };

type CountPiece = (text: string) => number;

async function loadTokenizer(): Promise<CountPiece> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (piece) => countTokens(piece, PLAIN);
}

/**
 * Counts with the tokenizer of OpenAI's current models, loaded on first use. For other models, the count is an estimate.
 *
 * @param onMissing - told once, with the error, if the tokenizer cannot be loaded: each count rejects then
 */
export function createTokenCounter(onMissing: (error: unknown) => void, load = loadTokenizer): TokenCounter {
  let loading: Promise<CountPiece> | null = null;
  return {
    count: async (text) => {
      if (text === '') return 0;
      loading ??= load().catch((error: unknown) => {
        onMissing(error);
        throw error;
      });
      const countPiece = await loading;
      const counted = text.slice(0, MAX_COUNTED);
      let tokens = 0;
      for (const piece of pieces(counted)) tokens += countPiece(piece);
      return Math.ceil((tokens * text.length) / counted.length);
    },
  };
}

/** Splits text before spaces if possible, since a word and the space before it are one token. */
function* pieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PIECE);
    const space = end < text.length ? text.lastIndexOf(' ', end) : -1;
    if (space > start) end = space;
    yield text.slice(start, end);
    start = end;
  }
}
