import type { Answer } from '../../core/answer.ts';
import type { AnswerPart, NativePart } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import { scanAnswer } from '../answer-scan.ts';
import { isFailedEnd } from '../finish-words.ts';
import { toldWithin } from '../members.ts';
import { withStep } from '../search-steps.ts';
import { functionInput } from '../streamed-arguments.ts';
import { brokenOff } from '../vendor-errors.ts';
import { parseAnswer } from './body.ts';
import { explanationOf, isUnknownEnd, readFinish } from './finish.ts';
import { MESSAGE } from './members.ts';
import { readCitation, readSeal } from './seals.ts';
import { readSearchStep } from './search-blocks.ts';
import { readUsage, runsCode } from './usage.ts';
import { ID, isList, type Loose, loose, textOf } from './wire.ts';

/** Reads a whole message. */
export function readAnswer(body: Buffer, isScanned = false): Answer {
  if (!isScanned) scanAnswer(body);
  const message = loose(parseAnswer(body.toString('utf8')));
  const { content } = message;
  if (!isList(content) || (message.type ?? 'message') !== 'message') {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is JSON, but is not a message.');
  }
  if (isFailedEnd(message.stop_reason)) throw brokenOff();
  const id = textOf(message.id);
  const parts = content.map((block, index) => readBlock(loose(block), id, index));
  const explanation = explanationOf(message.stop_details);
  if (explanation !== '') parts.push({ kind: 'refusal', text: explanation });
  const last = parts.at(-1)?.kind ?? null;
  const unread = [...toldWithin(message, MESSAGE, ''), ...(isUnknownEnd(message.stop_reason) ? ['stop_reason'] : [])];
  return {
    id: id || null,
    model: textOf(message.model) || null,
    createdAt: null,
    choices: [{ parts, finish: readFinish(message.stop_reason, message.stop_sequence, last) }],
    usage: readUsage(message.usage, content.filter((block) => runsCode(loose(block))).length),
    ...(unread.length > 0 && { unread }),
  };
}

/** Reads a complete block. Tools that the vendor ran itself become native parts, because the caller cannot run them. */
function readBlock(block: Loose, messageId: string, index: number): AnswerPart {
  switch (block.type) {
    case 'text': {
      const text = textOf(block.text);
      const citations = isList(block.citations)
        ? block.citations.map((each) => readCitation(loose(each), text.length))
        : [];
      return { kind: 'text', text, ...(citations.length > 0 && { citations }) };
    }
    case 'thinking':
      return {
        kind: 'reasoning',
        text: textOf(block.thinking),
        form: 'summary',
        seal: readSeal(block.signature, 'signature'),
      };
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', form: 'summary', seal: readSeal(block.data, 'redacted') };
    case 'tool_use':
      return {
        kind: 'tool-call',
        id: callId(block, messageId, index),
        name: textOf(block.name),
        input: inputText(block.input),
        form: 'function',
      };
    default:
      return nativeOf(block);
  }
}

/** A block that only this format has, with the step of a search that it is. */
export function nativeOf(block: Loose): NativePart {
  return withStep({ kind: 'native', dialect: ID, type: textOf(block.type), value: block }, readSearchStep(block));
}

/** The id of a tool call. Without one it is made from message and position, so every reader makes the same. */
export function callId({ id }: Loose, messageId: string, index: number): string {
  return textOf(id) || `toolu_${messageId}_${index}`;
}

/** The input of a tool call as text. Some servers already send a string. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return functionInput(input);
  return functionInput(JSON.stringify(input ?? {}));
}
