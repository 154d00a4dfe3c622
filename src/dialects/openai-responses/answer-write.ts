import { type Answer, unfoldAnswer } from '../../core/answer.ts';
import type { AnswerContext, WrittenAnswer } from '../dialect.ts';
import { ResponseWriter } from './events-write.ts';
import { withOutputText } from './peek.ts';

/** Writes a whole response: what its stream ends with, and what all of it says. */
export function writeAnswer(answer: Answer, context: AnswerContext): WrittenAnswer {
  const writer = new ResponseWriter(context);
  for (const event of unfoldAnswer(answer)) writer.push(event);
  return { body: withOutputText(Buffer.from(writer.response)).toString(), dropped: writer.dropped };
}
