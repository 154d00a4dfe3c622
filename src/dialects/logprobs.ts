import type { TokenLogprob } from '../core/call.ts';
import { listOf, objectOf, type Unchecked } from './unchecked-json.ts';

/** Reads log probabilities in OpenAI's form; `undefined` if there are none. Entries without a token are skipped. */
export function readLogprobs(value: unknown): TokenLogprob[] | undefined {
  const tokens = listOf(value).flatMap((each) => {
    const entry = objectOf(each);
    const token = readToken(entry);
    if (token === null) return [];
    return [{ ...token, top_logprobs: listOf(entry.top_logprobs).flatMap((top) => readToken(objectOf(top)) ?? []) }];
  });
  return tokens.length === 0 ? undefined : tokens;
}

function readToken({ token, logprob, bytes }: Unchecked): Omit<TokenLogprob, 'top_logprobs'> | null {
  if (typeof token !== 'string' || typeof logprob !== 'number') return null;
  return { token, logprob, bytes: Array.isArray(bytes) ? (bytes as number[]) : null };
}
