import { type Answer, unfoldAnswer } from '../../core/answer.ts';
import type { AnswerContext, WrittenAnswer } from '../dialect.ts';
import { ResponseWriter } from './events-write.ts';

/** Writes a whole response: the response that its stream would end with, plus `output_text`. */
export function writeAnswer(answer: Answer, context: AnswerContext): WrittenAnswer {
  const writer = new ResponseWriter(context, true);
  for (const event of unfoldAnswer(answer)) writer.push(event);
  const body = `${writer.response.slice(0, -1)},"output_text":${JSON.stringify(writer.said)}}`;
  return { body, dropped: writer.dropped, items: writer.outputItems() };
}
