import { hasMember } from '../../json/tape.ts';
import { membersOf } from '../answer-scan.ts';
import type { AnswerPeek, ProducedText } from '../dialect.ts';
import { peekOpenAiAnswer } from '../openai-peek.ts';
import { readInnerError } from '../vendor-errors.ts';
import { outputItem } from './references.ts';
import { listOf } from './wire.ts';
import { collectWords, outputText } from './words.ts';

/** Scans a whole response. Status `failed` is an error, even without an error object. */
export function peekAnswer(body: Buffer): AnswerPeek {
  const members = membersOf(body);
  let built: unknown;
  const output = (): unknown => {
    built ??= members.value('output');
    return built;
  };
  const peek = peekOpenAiAnswer(body, 'output', () => producedBy(output()), members);
  if (peek.error !== null) return peek;
  if (members.value('status') === 'failed') {
    return { ...peek, error: readInnerError({ message: 'The provider’s answer failed.' }) };
  }
  const tells = hasMember(body, members.index, 'output_text');
  return {
    ...peek,
    added: () => (tells ? '' : `"output_text":${JSON.stringify(outputText(output()))}`),
    items: () => listOf(output()).flatMap(outputItem),
  };
}

function producedBy(output: unknown): ProducedText {
  const words: string[] = [];
  collectWords(output, words);
  return { text: words.filter((word) => word !== '').join('\n'), unseen: 0 };
}
