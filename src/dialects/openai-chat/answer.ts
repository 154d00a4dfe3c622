import { readWholeAnswer } from '../answer.ts';
import type { ProducedText, WholeAnswer } from '../dialect.ts';
import type { WireAnswer } from './wire.ts';
import { collectWords } from './words.ts';

/** Reads a whole chat completion. */
export function readAnswer(body: Buffer): WholeAnswer {
  return readWholeAnswer(body, 'choices', producedBy);
}

function producedBy(body: Buffer): ProducedText {
  const answer = JSON.parse(body.toString('utf8')) as WireAnswer;
  const words: string[] = [];
  for (const choice of answer.choices ?? []) collectWords(choice?.message, words);
  return { text: words.join('\n'), unseen: 0 };
}
