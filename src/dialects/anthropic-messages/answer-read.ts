import type { Answer } from '../../core/answer.ts';
import type { AnswerPart } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import { scanAnswer } from '../answer-scan.ts';
import { parseAnswer } from './body.ts';
import { explanationOf, readFinish } from './finish.ts';
import { ID, readCitation, readSeal } from './seals.ts';
import { readUsage } from './usage.ts';
import { isList, type Loose, loose, textOf } from './wire.ts';

/** Reads a whole message. */
export function readAnswer(body: Buffer, isScanned = false): Answer {
  const text = body.toString('utf8');
  if (!isScanned) scanAnswer(text);
  const message = loose(parseAnswer(text));
  const { content } = message;
  if (!isList(content) || (message.type ?? 'message') !== 'message') {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is JSON, but is not a message.');
  }
  const id = textOf(message.id);
  const parts = content.map((block, index) => readBlock(loose(block), id, index));
  const explanation = explanationOf(message.stop_details);
  if (explanation !== '') parts.push({ kind: 'refusal', text: explanation });
  const last = parts.at(-1)?.kind ?? null;
  return {
    id: id || null,
    model: textOf(message.model) || null,
    createdAt: null,
    choices: [{ parts, finish: readFinish(message.stop_reason, message.stop_sequence, last) }],
    usage: readUsage(message.usage),
  };
}

/** A block that is whole. What the vendor ran itself is nothing that a caller could run. */
export function readBlock(block: Loose, messageId: string, index: number): AnswerPart {
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
      return { kind: 'native', dialect: ID, type: textOf(block.type), value: block };
  }
}

/** The id of a call; one that has none is named after its place, so that it has the same name wherever it is read. */
export function callId({ id }: Loose, messageId: string, index: number): string {
  return textOf(id) || `toolu_${messageId}_${index}`;
}

/** The input of a call as text; some servers send it as such. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input === '' ? '{}' : input;
  return JSON.stringify(input ?? {});
}
