import type { GatewayError } from '../../core/errors.ts';
import { parseJson } from '../../json/parse.ts';
import { isWord } from '../../json/scan.ts';
import type { JsonIndex } from '../../json/tape.ts';
import type { AnswerPeek, ProducedText } from '../dialect.ts';
import { isFailureReason } from '../finish-reasons.ts';
import { ANSWER_SEAL_NAMES, ERROR_NAME, SEARCH_NAMES } from '../noticed-names.ts';
import { peekOpenAiAnswer } from '../openai-peek.ts';
import { type FoundSeal, NO_SEALS } from '../seal-marks.ts';
import { brokenOff } from '../vendor-errors.ts';
import { wordsOf } from './choice-words.ts';
import { errorOfChoices } from './chunk.ts';
import { sealsOfChoice } from './details.ts';
import { collectWords } from './produced-text.ts';
import { SearchCounter } from './search-counter.ts';
import type { WireAnswer, WireChunk } from './wire.ts';

/** Reads a whole chat completion. */
export function peekAnswer(body: Buffer): AnswerPeek {
  const peek = peekOpenAiAnswer(body, 'choices', () => producedBy(body));
  if (peek.error !== null) return peek;
  const broken = failureOf(body, peek.index);
  if (broken !== null) return { ...peek, error: broken };
  if ((peek.index.noticed & SEARCH_NAMES) === 0) return peek;
  if (peek.usage === null) return { ...peek, shownCalls: () => searchesOf(body).shown };
  return { ...peek, usage: searchesOf(body).addTo(peek.usage) };
}

function searchesOf(body: Buffer): SearchCounter {
  const searches = new SearchCounter();
  searches.see(parseJson(body.toString('utf8')) as WireChunk);
  return searches;
}

/**
 * The error of an answer that its vendor broke off, or `null`. /!\ Hot path: the choices are parsed only if one may
 * have an error.
 */
function failureOf(body: Buffer, { noticed }: JsonIndex): GatewayError | null {
  const isBrokenOff = isFailureReason(lastEndIn(body));
  if ((noticed & ERROR_NAME) === 0 && !isBrokenOff) return null;
  return errorOfChoices(parseJson(body.toString('utf8')) as WireChunk) ?? (isBrokenOff ? brokenOff() : null);
}

const END = Buffer.from('"finish_reason"');
/** The most bytes after the name that are searched for its value. */
const END_BYTES = 64;
const USUAL_ENDS = ['stop', 'tool_calls', 'length'].flatMap((word) => [`:"${word}"`, `: "${word}"`]);

/** The finish reason of the last choice, if it is an unusual one. */
function lastEndIn(body: Buffer): string | undefined {
  const at = body.lastIndexOf(END) + END.length;
  for (const usual of USUAL_ENDS) if (isWord(body, at, usual)) return undefined;
  return /^\s*:\s*"([^"]*)"/.exec(body.toString('latin1', at, at + END_BYTES))?.[1];
}

/** The seals in a whole chat completion. */
export function sealsOf(body: Buffer, { noticed }: JsonIndex): readonly FoundSeal[] {
  if ((noticed & ANSWER_SEAL_NAMES) === 0 || !SEALS.some((name) => body.includes(name))) return NO_SEALS;
  const answer = parseJson(body.toString('utf8')) as WireAnswer;
  return (answer.choices ?? []).flatMap((choice) => sealsOfChoice(choice));
}

const SEALS = ['ignature', '"reasoning.encrypted"'];

function producedBy(body: Buffer): ProducedText {
  const answer = parseJson(body.toString('utf8')) as WireAnswer;
  const words: string[] = [];
  for (const choice of answer.choices ?? []) collectWords(wordsOf(choice ?? {}), words);
  return { text: words.join('\n'), unseen: 0 };
}
