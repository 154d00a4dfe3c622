import assert from 'node:assert/strict';
import type { CallerAnswer, UpstreamHold, UpstreamRequest } from '../../src/core/ports.ts';
import type { Usage } from '../../src/core/usage.ts';
import { openAiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import { PassingStream } from '../../src/pipeline/crossing/pass.ts';
import { type StreamEnd, StreamRelay } from '../../src/pipeline/stream.ts';

export type Relayed = {
  end: StreamEnd;
  /** What the caller got, one item a write. */
  frames: readonly Buffer[];
  usage: Usage | null;
};

/** The relay hands it on and never looks at it. */
const REQUEST = {} as UpstreamRequest;
const HOUR = 3_600_000;
const LIMITS = { firstByte: HOUR, idle: HOUR, total: HOUR, ping: HOUR, hold: HOUR, maxLine: 16 * 1024 * 1024 };

/** Sends the pieces of a vendor's stream through the pipeline's relay, with no socket on either side. */
export async function relay(
  pieces: readonly Buffer[],
  { wantsUsage = true, bytePath = true }: { wantsUsage?: boolean; bytePath?: boolean } = {},
): Promise<Relayed> {
  const asked = { model: 'm', messages: [{}], stream: true, stream_options: { include_usage: wantsUsage } };
  const limits = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
  const envelope = openAiChat.inbound.readEnvelope(Buffer.from(JSON.stringify(asked)), limits);
  const way = new PassingStream(openAiChat, envelope, bytePath);
  const frames: Buffer[] = [];
  const one = new StreamRelay(openAiChat, way, callerOf(frames), LIMITS, () => 0);
  const ended = one.run({ send: () => HOLD }, REQUEST);
  one.onStart(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) one.onData(piece);
  one.onEnd();
  const end = await ended;
  if (end.kind === 'complete') frames.push(Buffer.from(end.last));
  return { end, frames, usage: way.usage() };
}

const HOLD: UpstreamHold = { pause: ignore, resume: ignore, abort: ignore };

/** A caller who stays, and takes everything at once. */
function callerOf(frames: Buffer[]): CallerAnswer {
  return {
    gone: false,
    served: null,
    onGone: ignore,
    onDrain: ignore,
    begin: ignore,
    write: (frame) => frames.push(Buffer.from(frame)) > 0,
    whole: () => assert.fail('a stream was answered whole'),
    end: () => assert.fail('the relay leaves the end to the pipeline'),
  };
}

function ignore(): void {}
