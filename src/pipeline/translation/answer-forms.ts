import { type Answer, type AnswerEvent, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Dialect, StreamEvent } from '../../dialects/dialect.ts';
import { cutShort } from '../../dialects/vendor-errors.ts';
import { type Frame, readFrame, readRest, SseSplitter } from '../../upstream/sse.ts';
import type { Pieces } from '../turns.ts';
import { BUILT, eventFault, refuseTooManyValues } from '../vendor-answer.ts';
import { MAX_PARTS, tooManyParts } from './translated.ts';

/**
 * Some vendors answer whole calls with streams of events, and streamed calls with one JSON object. Both are read as
 * what they are.
 */

/** The bytes of a stream that are read in one turn of the event loop. */
const BYTES_A_TURN = 64 * 1024;

/**
 * The whole answer of a stream of events in this dialect. Throws `GatewayError`: the vendor's error if the stream has
 * one, 502 if it is cut or does not follow its dialect.
 */
export function* answerOfEvents({ translation }: Dialect, choices: number, body: Buffer): Pieces<Answer> {
  if (translation === undefined) throw noOtherForm();
  const reader = translation.readEvents(choices);
  const events = new GatheredEvents();
  const splitter = new SseSplitter(body.length);
  for (let at = 0; at < body.length && !events.isFinished; at += BYTES_A_TURN) {
    for (const frame of splitter.push(body.subarray(at, at + BYTES_A_TURN))) {
      const read = eventOf(frame);
      if (read !== null && !events.isFinished) events.add(reader.push(read));
    }
    yield;
  }
  if (!events.isFinished) {
    const rest = readRest(splitter.end());
    if (rest.kind === 'cut') throw cutShort();
    const read = rest.kind === 'whole' ? eventOf(rest.frame) : null;
    if (read !== null) events.add(reader.push(read));
    if (!events.isFinished) events.add(reader.end());
    if (!events.isFinished) throw cutShort();
  }
  return foldEvents(events.list);
}

/** The events of a stream with a whole answer in this dialect. Throws as `answerOfEvents` does. */
export function* eventsOfWhole({ translation, outbound }: Dialect, body: Buffer): Pieces<AnswerEvent[]> {
  if (translation === undefined) throw noOtherForm();
  const { error, index } = outbound.peekAnswer(body);
  if (error !== null) throw error;
  yield;
  refuseTooManyValues(index, BUILT);
  const answer = translation.readAnswer(body, true);
  yield;
  return unfoldAnswer(answer);
}

/** The events of an answer, up to its finish. */
class GatheredEvents {
  readonly list: AnswerEvent[] = [];
  isFinished = false;

  add(events: readonly AnswerEvent[]): void {
    for (const event of events) {
      if (event.kind === 'failure') throw event.error;
      if (event.kind === 'part-start' && event.part >= MAX_PARTS) throw tooManyParts();
      this.list.push(event);
      this.isFinished ||= event.kind === 'finish';
    }
  }
}

function eventOf(frame: Frame): StreamEvent | null {
  const { event, data } = readFrame(frame);
  if (data === null || data.trim() === '') return null;
  const fault = eventFault(data, BUILT);
  if (fault !== null) throw fault;
  return { event, data };
}

function noOtherForm(): GatewayError {
  return new GatewayError('upstream_invalid_answer', 'The provider answered in a form that this call cannot use.');
}
