import { hasMember, type JsonIndex } from '../../json/tape.ts';
import { membersOf } from '../answer-scan.ts';
import type { AnswerPeek, ProducedText } from '../dialect.ts';
import { ANSWER_SEAL_NAMES } from '../noticed-names.ts';
import { peekOpenAiAnswer } from '../openai-peek.ts';
import { CHARGED_ITEMS, readUsage, shownCallsIn } from '../openai-usage.ts';
import { type FoundSeal, NO_SEALS } from '../seal-marks.ts';
import { listOf } from '../unchecked-json.ts';
import { readInnerError, unfinished } from '../vendor-errors.ts';
import { isUnderWay } from './answer-read.ts';
import { sealsOfItems } from './items-read.ts';
import { collectWords, outputText } from './produced-text.ts';
import { outputItem } from './references.ts';

/** Scans a whole response. Status `failed` is an error, even without an error object, and so is one that has not ended. */
export function peekAnswer(body: Buffer): AnswerPeek {
  const members = membersOf(body);
  let built: unknown;
  const output = (): unknown => {
    built ??= members.value('output');
    return built;
  };
  const peek = peekOpenAiAnswer(body, 'output', () => producedBy(output()), members);
  if (peek.error !== null) return peek;
  const status = members.value('status');
  if (status === 'failed') {
    return { ...peek, error: readInnerError({ message: 'The provider’s answer failed.' }) };
  }
  const { value } = members;
  // Of most answers the output is never built.
  const usage = namesTool(body)
    ? readUsage(value('usage'), {
        service_tier: value('service_tier'),
        tool_usage: value('tool_usage'),
        output: output(),
      })
    : peek.usage;
  const tells = hasMember(body, members.index, 'output_text');
  return {
    ...peek,
    usage,
    shownCalls: () => (namesTool(body) ? shownCallsIn(output()) : undefined),
    // The reported usage is billed.
    error: isUnderWay(status) ? unfinished() : null,
    added: () => (tells ? '' : `"output_text":${JSON.stringify(outputText(output()))}`),
    items: () => listOf(output()).flatMap(outputItem),
  };
}

/** The seals in a whole response. */
export function sealsOf(body: Buffer, { noticed }: JsonIndex): readonly FoundSeal[] {
  if ((noticed & ANSWER_SEAL_NAMES) === 0 || !body.includes('"encrypted_content":')) return NO_SEALS;
  return sealsOfItems(membersOf(body).value('output'));
}

const TOOL_NAMES = [...CHARGED_ITEMS.keys()].map((type) => `"${type}"`);

function namesTool(body: Buffer): boolean {
  return TOOL_NAMES.some((name) => body.includes(name));
}

function producedBy(output: unknown): ProducedText {
  const words: string[] = [];
  collectWords(output, words);
  return { text: words.filter((word) => word !== '').join('\n'), unseen: 0 };
}
