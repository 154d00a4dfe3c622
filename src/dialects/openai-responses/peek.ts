import type { AnswerPeek, ProducedText } from '../dialect.ts';
import { peekOpenAiAnswer, scanAnswer } from '../openai-peek.ts';
import { readInnerError } from '../vendor-errors.ts';
import { wireOf } from './wire.ts';
import { collectWords, outputText } from './words.ts';

/** Reads a whole response. One that says that it failed is an error, with or without words. */
export function peekAnswer(body: Buffer): AnswerPeek {
  const peek = peekOpenAiAnswer(body, 'output', producedBy);
  if (peek.error !== null || !body.includes('"failed"') || memberOf(body, 'status') !== 'failed') return peek;
  return { ...peek, error: readInnerError({ message: 'The provider’s answer failed.' }) };
}

/** A whole response with `output_text`, all that it says, beside its items. */
export function withOutputText(body: Buffer): Buffer {
  const output = memberOf(body, 'output');
  const text = body.toString('latin1');
  const spans = scanAnswer(body);
  if (output === undefined || spans.has('output_text')) return body;
  const closeAt = text.lastIndexOf('}');
  const added = Buffer.from(`,"output_text":${JSON.stringify(outputText(output))}`);
  return Buffer.concat([body.subarray(0, closeAt), added, body.subarray(closeAt)]);
}

function memberOf(body: Buffer, name: string): unknown {
  const span = scanAnswer(body).get(name);
  return span === undefined ? undefined : JSON.parse(body.toString('utf8', span.start, span.end));
}

function producedBy(body: Buffer): ProducedText {
  const words: string[] = [];
  collectWords(wireOf(JSON.parse(body.toString('utf8'))).output, words);
  return { text: words.filter((word) => word !== '').join('\n'), unseen: 0 };
}
