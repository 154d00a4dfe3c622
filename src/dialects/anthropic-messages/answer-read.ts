import { type Answer, foldEvents } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import { scanAnswer } from '../answer-scan.ts';
import { isList, objectOf } from '../unchecked-json.ts';
import { parseMessage } from './body.ts';
import { MessageReader } from './events-read.ts';

/** Reads a whole message as a stream that starts with all of its blocks, so both forms share one reader. */
export function readAnswer(body: Buffer, isScanned = false): Answer {
  if (!isScanned) scanAnswer(body);
  const message = objectOf(parseMessage(body.toString('utf8')));
  if (!isList(message.content) || (message.type ?? 'message') !== 'message') {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is JSON, but is not a message.');
  }
  return foldEvents(new MessageReader().whole(message));
}
