import assert from 'node:assert/strict';
import { GatewayError } from '../../src/core/errors.ts';
import type { CallerAnswer, UpstreamHold, UpstreamRequest } from '../../src/core/ports.ts';
import type { Usage } from '../../src/core/usage.ts';
import { TimerWheel } from '../../src/deadlines/timer-wheel.ts';
import { DIALECTS } from '../../src/dialects/built.ts';
import type { Dialect, Envelope } from '../../src/dialects/dialect.ts';
import { StreamRelay } from '../../src/pipeline/stream.ts';
import type { StreamOutcome } from '../../src/pipeline/stream-parts.ts';
import { TranslatedStream } from '../../src/pipeline/translation/translated.ts';
import { PassingStream } from '../../src/pipeline/translation/translator.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { asciiIn } from '../../src/upstream/delivery.ts';

export type Relayed = {
  end: StreamOutcome;
  /** What the caller got, one item a write. */
  writes: readonly Buffer[];
  usage: Usage | null;
};

export type RelayOptions = {
  wantsUsage?: boolean;
  bytePath?: boolean;
  /** By way of the waist, as for a vendor whose streams need repair. */
  repair?: boolean;
  /** Asked for, where the dialect knows of several. */
  choices?: number;
  /** Each piece comes as bytes; else as the fast way to vendors gives it out. */
  asBytes?: boolean;
  /** The connection breaks behind the pieces; else the body ends in order. */
  breaks?: boolean;
};

/** The relay hands it on and never looks at it. */
const REQUEST = {} as UpstreamRequest;
const SERVED = { provider: 'p', model: 'm', attempts: 1, dropped: [], route: null };
const HOUR = 3_600_000;
const LIMITS = {
  firstByte: HOUR,
  idle: HOUR,
  total: HOUR,
  ping: HOUR,
  hold: HOUR,
  maxLine: 16 * 1024 * 1024,
  maxAnswer: 16 * 1024 * 1024,
  mayMove: false,
  minSpeed: 0,
  minSpeedAfter: HOUR,
};

/** Sends the pieces of a vendor's stream through the pipeline's relay, with no socket on either side. */
export async function relay(
  id: RecordedDialect,
  pieces: readonly Buffer[],
  {
    wantsUsage = true,
    bytePath = true,
    repair = false,
    choices = 1,
    breaks = false,
    asBytes = false,
  }: RelayOptions = {},
): Promise<Relayed> {
  const dialect = dialectOf(id);
  const asked = {
    model: 'm',
    stream: true,
    ...ASKED[id],
    ...(!wantsUsage && UNASKED),
    ...(choices > 1 && { n: choices }),
  };
  const limits = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
  const envelope = dialect.inbound.readEnvelope(Buffer.from(JSON.stringify(asked)), limits);
  const converter = repair ? repaired(dialect, envelope) : new PassingStream(dialect, envelope, bytePath);
  const writes: Buffer[] = [];
  const ofWhole = () => assert.fail('a stream was taken for a whole answer');
  const ends = { spoken: dialect, converter, ofWhole, caller: callerOf(writes), served: SERVED, keepsLast: false };
  const one = new StreamRelay(ends, LIMITS, new TimerWheel(() => 0));
  const ended = one.run({ send: () => HOLD }, REQUEST);
  one.onStart(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    const text = asBytes ? null : asciiIn(piece, 0, piece.length);
    if (text === null) one.onData(piece);
    else one.onText(text);
  }
  if (breaks) one.onFailure(new GatewayError('upstream_disconnected', 'The connection broke.'));
  else one.onEnd();
  const end = await ended;
  if (end.kind === 'complete') writes.push(Buffer.from(end.last));
  return { end, writes, usage: converter.usage() };
}

function repaired(dialect: Dialect, envelope: Envelope): TranslatedStream {
  const call = dialect.translation!.readCall(envelope);
  const newId = (prefix: string) => `${prefix}_1`;
  const context = { call, envelope, model: 'm', provider: 'p', createdAt: 0, newId };
  return new TranslatedStream({
    from: dialect,
    to: dialect,
    context,
    wrapped: new Set(),
    sentNames: new Map(),
    thinksInText: false,
  });
}

export function dialectOf(id: RecordedDialect): Dialect {
  return DIALECTS.find((dialect) => dialect.id === id)!;
}

const ASKED: Record<RecordedDialect, object> = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } },
  'openai-responses': { input: 'a', store: false },
  'anthropic-messages': { messages: [{}], max_tokens: 1 },
};
/** The one dialect whose callers have to ask for the usage of a stream. */
const UNASKED = { stream_options: { include_usage: false } };

const HOLD: UpstreamHold = { pause: ignore, resume: ignore, abort: ignore };

/** A caller who stays, and takes everything at once. */
function callerOf(writes: Buffer[]): CallerAnswer {
  return {
    gone: false,
    onGone: ignore,
    onDrain: ignore,
    begin: ignore,
    write: (frame) => writes.push(Buffer.from(frame)) > 0,
    whole: () => assert.fail('a stream was answered whole'),
    end: () => assert.fail('the relay leaves the end to the pipeline'),
    unread: false,
    onTaken: ignore,
  };
}

function ignore(): void {}
