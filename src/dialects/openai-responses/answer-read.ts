import type { Answer, Finish } from '../../core/answer.ts';
import type { AnswerPart } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import { parseAnswer, scanAnswer } from '../answer-scan.ts';
import { foreignReason, reasonOfCutCall } from '../finish-reasons.ts';
import { lostWithin } from '../members.ts';
import { readUsage, shownCallsIn } from '../openai-usage.ts';
import { isCutInput } from '../streamed-arguments.ts';
import { isObject, listOf, objectOf, type Unchecked, wordOf } from '../unchecked-json.ts';
import { unfinished } from '../vendor-errors.ts';
import { readItem } from './items-read.ts';
import { RESPONSE } from './members.ts';

/** Reads a whole response. */
export function readAnswer(body: Buffer, isScanned = false): Answer {
  if (!isScanned) scanAnswer(body);
  const response = objectOf(parseAnswer(body.toString('utf8')));
  if (!Array.isArray(response.output)) throw invalid('The provider’s answer is JSON without `output`.');
  if (isUnderWay(response.status)) throw unfinished();
  const parts = listOf(response.output).flatMap((item) => (isObject(item) ? readItem(item) : []));
  const omitted = [...lostWithin(response, RESPONSE, '')];
  const usage = readUsage(response.usage, response);
  return {
    ...readAnswerStart(response),
    choices: [
      {
        parts,
        finish: readFinish(response, { kinds: new Set(parts.map(({ kind }) => kind)), isCut: parts.some(isCut) }),
      },
    ],
    usage,
    ...shownBeside(usage, response.output),
    ...(omitted.length > 0 && { omitted }),
  };
}

/** What a response without usage tells of the vendor's own tools, beside it. */
export function shownBeside(usage: Answer['usage'], output: unknown): Pick<Answer, 'shownCalls'> {
  const shownCalls = usage === null ? shownCallsIn(output) : undefined;
  return shownCalls === undefined ? {} : { shownCalls };
}

/** Whether a whole response has not ended. Only calls in the background are answered so, and these are refused. */
export function isUnderWay(status: unknown): boolean {
  return status === 'in_progress' || status === 'queued';
}

export function readAnswerStart(response: Unchecked): Pick<Answer, 'id' | 'model' | 'createdAt'> {
  const { created_at: createdAt } = response;
  return {
    id: wordOf(response.id),
    model: wordOf(response.model),
    createdAt: typeof createdAt === 'number' ? Math.floor(createdAt) : null,
  };
}

/** Why a response ended. A completed response does not say; its parts tell. */
export function readFinish(
  response: Unchecked,
  { kinds, isCut }: { kinds: ReadonlySet<AnswerPart['kind']>; isCut: boolean },
): Finish {
  if (response.status === 'incomplete' || response.status === 'cancelled') {
    const { reason } = objectOf(response.incomplete_details);
    return { reason: (typeof reason === 'string' ? foreignReason(reason) : null) ?? 'length' };
  }
  const reason = kinds.has('tool-call') ? 'tool-calls' : kinds.has('refusal') ? 'refusal' : 'stop';
  const isIncomplete = listOf(response.output).some((item) => isObject(item) && item.status === 'incomplete');
  return { reason: isCut || isIncomplete ? reasonOfCutCall(reason) : reason };
}

function isCut(part: AnswerPart): boolean {
  return part.kind === 'tool-call' && part.form === 'function' && isCutInput(part.input);
}

export function invalid(message: string, cause?: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', message, { cause });
}
