import type { AnswerPeek } from '../dialect.ts';
import { nothing, peekOpenAiAnswer } from '../openai-peek.ts';

/** Reads an embedding list. */
export function peekAnswer(body: Buffer): AnswerPeek {
  return peekOpenAiAnswer(body, 'data', nothing);
}
