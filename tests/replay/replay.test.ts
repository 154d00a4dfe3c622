import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NO_USAGE } from '../../src/core/usage.ts';
import { field } from '../../src/testing/json.ts';
import { loadRecordings, type Recording, replay, SAMPLES, usageIn } from '../../src/testing/recordings.ts';
import { cutAt, cutEvery, type Plan } from '../../src/testing/reply.ts';
import { errorOf, type Lab, startLab, type UsageRow } from '../faults/lab.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { RECORDINGS } from '../support/recordings.ts';

const CUTS = 200;
const SEED = 20_261_121;

const real = await loadRecordings(RECORDINGS, 'openai-chat');
const samples = await loadRecordings(SAMPLES, 'openai-chat');

describe('what vendors answered arrives as they sent it', { concurrency: 1 }, () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab({ timeouts: { first_byte: 30_000, idle: 30_000, total: 60_000, ping: 30_000, hold: 2000 } });
  });
  after(() => lab[Symbol.asyncDispose]());

  test('the recordings of vendors are there', {
    skip: real.absent ? `there is no folder openai-chat in ${RECORDINGS}` : false,
  }, (context) => {
    context.diagnostic(`${real.recordings.length} recordings are replayed`);
    assert.ok(real.recordings.length > 0, `${RECORDINGS} has no recordings of chat completions`);
  });

  for (const recording of [...real.recordings, ...samples.recordings]) {
    test(`${recording.name}, ${bytesOf(recording).length} bytes`, async () => {
      if (recording.stream) await replayStream(recording);
      else await replayWhole(recording);
    });
  }

  async function replayStream(recording: Recording): Promise<void> {
    const [framed, ...cut] = [replay(recording), ...cuts(recording)];
    await send(recording, framed, true, bytesOf(recording));
    await send(recording, framed, false, unasked(recording));
    for (const plan of cut) await send(recording, plan, true, bytesOf(recording));
  }

  async function replayWhole(recording: Recording): Promise<void> {
    const plans = [replay(recording), ...cuts(recording)];
    for (const plan of plans) await send(recording, plan, false, bytesOf(recording));
  }

  /** Asserts the caller's bytes, and the record. */
  async function send(recording: Recording, plan: Plan, askUsage: boolean, expected: Buffer): Promise<void> {
    const body = askUsage ? { stream_options: { include_usage: true } } : {};
    using call = await lab.ask({ stream: recording.stream, plan, body });
    const answer = await call.answer();
    const row = await call.record();
    if (recording.status !== 200) assertRefused(answer, row, recording);
    else if (!isChat(recording)) assertNoChat(answer, row);
    else assertPassed(answer, row, recording, expected);
    assert.equal((await lab.released()).outcome, 'complete');
  }
});

function assertPassed(answer: RawAnswer, row: UsageRow, recording: Recording, expected: Buffer): void {
  assert.deepEqual([answer.status, answer.ending], [200, 'complete']);
  const body = answer.body();
  // Not `deepEqual`: a difference of a hundred kilobytes would be printed.
  assert.ok(
    body.equals(expected),
    `${body.length} bytes, ${expected.length} expected: ${firstDifference(body, expected)}`,
  );
  assert.deepEqual([row.status, row.http_status, row.error, row.attempts], ['succeeded', 200, null, 1]);
  assert.equal(row.streamed, recording.stream);
  assertUsage(row, recording);
}

/** The vendor's refusal: its words are in a body of our own. */
function assertRefused(answer: RawAnswer, row: UsageRow, recording: Recording): void {
  assert.equal(answer.status, recording.status);
  assert.deepEqual({ error: errorOf(answer) }, recording.payloads[0]);
  assert.deepEqual([row.status, row.http_status, row.usage_source], ['failed', recording.status, 'none']);
}

/** Recordings of transcriptions lie among those of chats. */
function assertNoChat(answer: RawAnswer, row: UsageRow): void {
  assert.deepEqual([answer.status, errorOf(answer).code], [502, 'upstream_invalid_answer']);
  assert.deepEqual([row.status, row.error], ['failed', 'upstream_invalid_answer']);
}

function assertUsage(row: UsageRow, recording: Recording): void {
  const stated = usageIn(recording);
  assert.equal(row.usage_source, stated === null ? 'estimated' : 'provider');
  if (stated === null) return;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = { ...NO_USAGE, ...stated };
  const names = ['input_tokens', 'output_tokens', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens'];
  assert.deepEqual(
    names.map((name) => row[name]),
    [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens],
  );
}

/** The ways a body is cut on its way: not at all, into bytes, and at random. */
function cuts(recording: Recording): Plan[] {
  const plan = replay(recording);
  const { length } = bytesOf(recording);
  const random = seeded(SEED + length);
  const offsets = Array.from({ length: CUTS }, () => Math.floor(random() * length));
  return [cutAt(plan, []), cutEvery(plan, 1), cutAt(plan, offsets)];
}

function isChat(recording: Recording): boolean {
  return recording.stream || Array.isArray(field(recording.payloads[0], 'choices'));
}

function bytesOf(recording: Recording): Buffer {
  return Buffer.concat(recording.frames);
}

/** What a caller gets who did not ask for usage: all but the chunks that have nothing else. */
function unasked(recording: Recording): Buffer {
  return Buffer.concat(recording.frames.filter((frame) => !isUsageAlone(frame.toString())));
}

function isUsageAlone(frame: string): boolean {
  if (!frame.startsWith('data: {')) return false;
  const chunk: unknown = JSON.parse(frame.slice('data: '.length));
  const choices = field(chunk, 'choices');
  const usage = field(chunk, 'usage');
  return Array.isArray(choices) && choices.length === 0 && typeof usage === 'object' && usage !== null;
}

function firstDifference(one: Buffer, other: Buffer): string {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return `${JSON.stringify(one.subarray(at, at + 80).toString())} where ${JSON.stringify(other.subarray(at, at + 80).toString())} should be`;
}

/** Numbers from 0 to 1, the same for the same seed: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
