import { type Answer, foldEvents } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import { AnswerEvents } from '../answer-events.ts';
import { parseAnswer, scanAnswer } from '../answer-scan.ts';
import { brokenOff, readInnerError } from '../vendor-errors.ts';
import { ChoiceReader } from './choice-read.ts';
import { errorOfChoices, omittedIn, usageIn } from './chunk.ts';
import { readStart, seedOf } from './events-read.ts';
import { unknownFinishReasonOf } from './finish.ts';
import { SearchCounter } from './search-counter.ts';
import { sourcesOf } from './sources.ts';
import type { WireChunk } from './wire.ts';

/** Reads a whole chat completion. Each message is read as one large delta, so both forms share one reader. */
export function readAnswer(body: Buffer, isScanned = false): Answer {
  if (!isScanned) scanAnswer(body);
  const answer = parseAnswer(body.toString('utf8')) as WireChunk;
  if (answer.error) throw readInnerError(answer);
  const error = errorOfChoices(answer);
  if (error !== null) throw error;
  if (!Array.isArray(answer.choices)) {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is JSON without `choices`.');
  }
  const start = readStart(answer);
  const events = new AnswerEvents();
  events.push({ kind: 'start', ...start });
  const sources = sourcesOf(answer);
  const choices = answer.choices.map((choice, index) => {
    const reader = new ChoiceReader(index, events, seedOf(start));
    if (choice !== null) reader.read(choice);
    reader.readSources(sources);
    if (reader.failed) throw brokenOff();
    return reader.end();
  });
  const omitted = [...omittedIn(answer), ...answer.choices.flatMap(unknownFinishReasonOf)];
  const searches = new SearchCounter();
  searches.see(answer);
  const usage = usageIn(answer);
  const counted = usage === null ? null : searches.addTo(usage);
  const beside = { ...searches.beside(usage), ...(omitted.length > 0 && { omitted }) };
  events.push({ kind: 'finish', choices, usage: counted, ...beside });
  return foldEvents(events.take());
}
