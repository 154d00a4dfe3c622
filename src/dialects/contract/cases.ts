import assert from 'node:assert/strict';
import type { Answer, AnswerEvent } from '../../core/answer.ts';
import type { Call } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AnswerContext, Dialect, PassOptions, StreamEvent, Translation, WriteOptions } from '../dialect.ts';
import { readRequestBody } from '../request.ts';

/**
 * The sections of a case of each kind, before the expected result:
 * - `pass`: how usage is asked for and the vendor's model name; a caller's body. Expected: the vendor's body and the
 *   dropped names.
 * - `read-call`: a caller's body. Expected: the `Call`, as JSON.
 * - `write-call`: further `WriteOptions`; a `Call`. Expected: the vendor's body, and a line `dropped: …` if anything
 * was.
 * - `read-answer`: a vendor's whole answer. Expected: the `Answer`.
 * - `write-answer`: further `AnswerContext`, an `Answer`. Expected: the caller's body and the dropped names.
 * - `read-events`: a vendor's stream as received. Expected: the `AnswerEvent`s, one per line.
 * - `write-events`: further `AnswerContext`; the events, one per line. Expected: the caller's stream and the dropped
 * names.
 * An error is expected as `status code param`.
 */
export const CASE_KINDS = [
  'pass',
  'read-call',
  'write-call',
  'read-answer',
  'write-answer',
  'read-events',
  'write-events',
] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };

/** Runs a case. @returns the result in the form of the case's expectation */
export function runCase(dialect: Dialect, kind: CaseKind, parts: readonly string[]): string {
  try {
    return kind === 'pass' ? passed(dialect, parts) : translated(dialect, kind, parts);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `${error.status} ${error.code} ${error.param}`;
  }
}

/** A context with fixed values: ids count up from 1, and the time is constant. */
export function caseContext(more: Partial<AnswerContext> = {}): AnswerContext {
  let ids = 0;
  return {
    call: { messages: [], tools: [] },
    envelope: {
      model: 'asked',
      stream: false,
      maxOutputTokens: null,
      choices: 1,
      wantsUsage: false,
      estimatedInputTokens: 0,
      ...readRequestBody(Buffer.from('{}'), 1),
    },
    model: 'served',
    provider: 'lab',
    createdAt: 1_750_000_000,
    newId: (prefix) => `${prefix}_${++ids}`,
    ...more,
  };
}

export function caseWriteOptions(more: Partial<WriteOptions> = {}): WriteOptions {
  return {
    upstreamModel: 'm',
    provider: 'lab',
    streamUsage: 'ask',
    stream: false,
    quirks: {},
    model: { maxOutputTokens: null, capabilities: null },
    ...more,
  };
}

/** The events that a reader makes of a vendor's stream. */
export function readStream({ readEvents }: Translation, stream: string): AnswerEvent[] {
  const reader = readEvents();
  return [...framesOf(stream).flatMap((frame) => reader.push(frame)), ...reader.end()];
}

/** The frames of a complete stream. */
export function framesOf(stream: string): StreamEvent[] {
  return stream.split(/(?:\r\n|\n|\r){2,}/).flatMap((frame) => {
    const lines = frame.split(/\r\n|\n|\r/);
    const values = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
    const data = values('data').join('\n');
    return data === '' ? [] : [{ event: values('event').at(-1) ?? null, data }];
  });
}

function passed(dialect: Dialect, [options = '', sent = '']: readonly string[]): string {
  const [streamUsage, upstreamModel = ''] = options.split(' ');
  const call = dialect.inbound.readEnvelope(Buffer.from(sent), LIMITS);
  const { body, dropped } = dialect.outbound.passCall(call, {
    upstreamModel,
    provider: 'lab',
    streamUsage: streamUsage as PassOptions['streamUsage'],
  });
  return withDropped(body.toString(), dropped);
}

function translated(dialect: Dialect, kind: Exclude<CaseKind, 'pass'>, parts: readonly string[]): string {
  const { translation } = dialect;
  assert(translation !== undefined, `${dialect.id} is not translated`);
  const [first = '', second = ''] = parts;
  switch (kind) {
    case 'read-call':
      return pretty(translation.readCall(dialect.inbound.readEnvelope(Buffer.from(first), LIMITS)));
    case 'write-call': {
      const options = caseWriteOptions(JSON.parse(first) as Partial<WriteOptions>);
      const { body, dropped } = translation.writeCall(JSON.parse(second) as Call, options);
      return withDropped(pretty(JSON.parse(body.toString())), dropped);
    }
    case 'read-answer':
      return pretty(translation.readAnswer(Buffer.from(first)));
    case 'write-answer': {
      const { body, dropped } = translation.writeAnswer(JSON.parse(second) as Answer, contextOf(dialect, first));
      return withDropped(pretty(JSON.parse(body)), dropped);
    }
    case 'read-events':
      return readStream(translation, first).map(eventLine).join('\n');
    case 'write-events': {
      const writer = translation.writeEvents(contextOf(dialect, first));
      const events = second.split('\n').map((line) => JSON.parse(line) as AnswerEvent);
      const frames = events.flatMap((event) =>
        event.kind === 'failure'
          ? writer.fail(new GatewayError(event.error.kind, event.error.message))
          : writer.push(event),
      );
      return withDropped(frames.join('').replace(/\n$/, ''), writer.dropped);
    }
    default:
      return kind satisfies never;
  }
}

/** Context from JSON. A `request` member is a body of the dialect that the call is read from; other members are copied. */
function contextOf(dialect: Dialect, text: string): AnswerContext {
  const { request, ...more } = JSON.parse(text) as Partial<AnswerContext> & { request?: unknown };
  if (request === undefined) return caseContext(more);
  const envelope = dialect.inbound.readEnvelope(Buffer.from(JSON.stringify(request)), LIMITS);
  const call = dialect.translation?.readCall(envelope);
  return caseContext({ envelope, ...(call && { call }), ...more });
}

function eventLine(event: AnswerEvent): string {
  if (event.kind !== 'failure') return JSON.stringify(event);
  const { kind, message, status } = event.error;
  return JSON.stringify({ kind: 'failure', error: { kind, message, status } });
}

function withDropped(text: string, dropped: readonly string[]): string {
  return dropped.length === 0 ? text : `${text}\ndropped: ${dropped.join(', ')}`;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
