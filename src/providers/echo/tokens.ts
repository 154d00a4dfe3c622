/**
 * A token of the echo: a word with the space before it. Long words and gaps are split, so that every token is short.
 */
const TOKEN = /\s{0,16}\S{1,64}|\s{1,16}/gu;

/** Counts tokens, up to `most`. */
export function countTokens(text: string, most: number): number {
  let count = 0;
  for (const _ of text.matchAll(TOKEN)) {
    count += 1;
    if (count >= most) break;
  }
  return count;
}

/** The first `most` tokens of a text, and whether there are more. */
export function takeTokens(text: string, most: number): { tokens: string[]; more: boolean } {
  const tokens: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (tokens.length === most) return { tokens, more: true };
    tokens.push(token);
  }
  return { tokens, more: false };
}
