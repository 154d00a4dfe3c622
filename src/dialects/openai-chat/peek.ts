import { parseJson } from '../../json/parse.ts';
import type { JsonIndex } from '../../json/tape.ts';
import type { AnswerPeek, ProducedText } from '../dialect.ts';
import { SEARCH_NAMES } from '../noticed-names.ts';
import { peekOpenAiAnswer } from '../openai-peek.ts';
import { type FoundSeal, NO_SEALS } from '../seal-marks.ts';
import { sealsOfWords } from './details.ts';
import { collectWords } from './produced-text.ts';
import { ToldSearches } from './told-searches.ts';
import type { WireAnswer, WireChunk } from './wire.ts';

/** Reads a whole chat completion. */
export function peekAnswer(body: Buffer): AnswerPeek {
  const peek = peekOpenAiAnswer(body, 'choices', () => producedBy(body));
  if (peek.usage === null || (peek.index.noticed & SEARCH_NAMES) === 0) return peek;
  const searches = new ToldSearches();
  searches.see(parseJson(body.toString('utf8')) as WireChunk);
  return { ...peek, usage: searches.addTo(peek.usage) };
}

/** The seals in a whole chat completion. */
export function sealsOf(body: Buffer, { noticed }: JsonIndex): readonly FoundSeal[] {
  if (noticed === 0 || !SEALS.some((name) => body.includes(name))) return NO_SEALS;
  const answer = parseJson(body.toString('utf8')) as WireAnswer;
  return (answer.choices ?? []).flatMap((choice) => sealsOfWords(choice?.message));
}

const SEALS = ['ignature":', '"reasoning.encrypted"'];

function producedBy(body: Buffer): ProducedText {
  const answer = parseJson(body.toString('utf8')) as WireAnswer;
  const words: string[] = [];
  for (const choice of answer.choices ?? []) collectWords(choice?.message, words);
  return { text: words.join('\n'), unseen: 0 };
}
