import { membersOf } from '../answer-scan.ts';
import type { AnswerPeek } from '../dialect.ts';
import { nothing, peekOpenAiAnswer } from '../openai-peek.ts';
import { readUsage } from '../openai-usage.ts';

/**
 * Reads an embedding list. Voyage tells the total alone (https://docs.voyageai.com/reference/embeddings-api). A usage of nothing, as some
 * servers of one's own tell it, tells nothing.
 */
export function peekAnswer(body: Buffer): AnswerPeek {
  const members = membersOf(body);
  const peek = peekOpenAiAnswer(body, 'data', nothing, members);
  if (peek.usage !== null && (peek.usage.inputTokens > 0 || peek.usage.toldCost !== undefined)) return peek;
  const total = members.value('usage') as { total_tokens?: unknown } | undefined | null;
  const usage = readUsage({ prompt_tokens: total?.total_tokens });
  return { ...peek, usage: usage === null || usage.inputTokens === 0 ? null : { ...peek.usage, ...usage } };
}
