import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { countsOf, type RecordedDialect, type Recording, usageIn } from '../../src/testing/recordings.ts';
import { type Frame, readFrame, SseSplitter } from '../../src/upstream/sse.ts';
import { DIALECTS } from '../support/dialects.ts';
import { answersOf } from './recordings.ts';
import { type Relayed, type RelayOptions, relay } from './relay.ts';

const MAX_FRAME = 16 * 1024 * 1024;
const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const;

for (const dialect of DIALECTS) {
  const { samples, all, told } = await answersOf(dialect);
  describe(dialect, () => keepLaws(dialect, all.filter(isStream), samples.filter(isStream), told));
}

function keepLaws(
  dialect: RecordedDialect,
  streams: readonly Recording[],
  ownStreams: readonly Recording[],
  told: string,
): void {
  const send = (pieces: readonly Buffer[], options?: RelayOptions) => relay(dialect, pieces, options);
  const ending = dialect === 'openai-chat' ? ['[DONE]'] : [];

  test('there is something to hold the laws to', (context) => {
    context.diagnostic(told);
    assert.ok(ownStreams.length > 2);
  });

  describe('pass', () => {
    for (const recording of streams) {
      test(`${recording.name}: bytes out are bytes in, together what came together, and the usage is what it says`, async () => {
        const relayed = await send([bytesOf(recording)]);
        assertPassed(relayed, recording);
        // The last frame waits for the record.
        assert.ok(relayed.writes.length <= 2);
        assertPassed(await send([bytesOf(recording)], { asBytes: true }), recording);
      });

      test(`${recording.name}: behind what was held back, each frame that comes alone is one write`, async () => {
        const relayed = await send(recording.frames);
        assertPassed(relayed, recording);
        const [held, ...alone] = relayed.writes;
        const behind = recording.frames.slice(recording.frames.length - alone.length);
        assertSame(held!, Buffer.concat(recording.frames.slice(0, -alone.length || undefined)));
        for (const [index, write] of alone.entries()) assertSame(write, behind[index]!);
      });

      if (dialect === 'openai-chat')
        test(`${recording.name}: a usage that was not asked for is left out, and read all the same`, async () => {
          const relayed = await send([bytesOf(recording)], { wantsUsage: false });
          const expected = recording.frames.filter((frame) => !isUsageAlone(frame));
          assertSame(Buffer.concat(relayed.writes), Buffer.concat(expected));
          assertUsage(relayed, recording);
        });

      test(`${recording.name}: with the byte path off the parsed frames are the same`, async () => {
        const rewritten = await send([bytesOf(recording)], { bytePath: false });
        assert.deepEqual(payloadsOf(rewritten), [...recording.payloads, ...ending]);
        assertUsage(rewritten, recording);
      });
    }
  });

  describe('split anywhere', () => {
    for (const recording of streams) {
      test(`${recording.name}: byte by byte`, async () => {
        const bytes = bytesOf(recording);
        const each = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
        assertPassed(await send(each), recording);
      });

      test(`${recording.name}: cut at every edge of its frames, and one byte beside it`, async () => {
        for (const asBytes of [false, true]) {
          assertPassed(await send(recording.frames, { asBytes }), recording);
          assertPassed(await send(besideEdges(recording), { asBytes }), recording);
        }
      });
    }

    for (const recording of [...ownStreams, ...(dialect === 'openai-chat' ? streams : [])]) {
      test(`${recording.name}: every two frames, cut at every byte, come apart as they should`, () => {
        for (const [index, frame] of recording.frames.entries()) cutEverywhere([frame, recording.frames[index + 1]]);
      });
    }

    for (const recording of ownStreams) {
      test(`${recording.name}: cut at every byte on its way to the caller`, async () => {
        const bytes = bytesOf(recording);
        for (let at = 0; at <= bytes.length; at += 1) {
          assertPassed(await send([bytes.subarray(0, at), bytes.subarray(at)]), recording);
        }
      });

      for (const [name, lineEnd] of Object.entries(LINE_ENDS)) {
        test(`${recording.name}: lines that end in ${name}`, async () => {
          const frames = recording.frames.map((frame) => Buffer.from(frame.toString().replaceAll('\n', lineEnd)));
          for (const [index, frame] of frames.entries()) cutEverywhere([frame, frames[index + 1]]);
          const bytes = Buffer.concat(frames);
          const relayed = await send(Array.from(bytes, (byte) => Buffer.from([byte])));
          // The CR of the last blank line ends the stream, so nothing waits for its LF.
          assertSame(Buffer.concat(relayed.writes), name === 'CRLF' ? bytes.subarray(0, -1) : bytes);
          assert.deepEqual(payloadsOf(relayed), [...recording.payloads, ...ending]);
          assertUsage(relayed, recording);
        });
      }
    }
  });
}

/** The bytes in pieces that each begin one byte before a frame does, or one behind. */
function besideEdges(recording: Recording): Buffer[] {
  const bytes = bytesOf(recording);
  let edge = 0;
  const cuts = recording.frames.flatMap((frame) => {
    edge += frame.length;
    return [edge - 1, Math.min(edge + 1, bytes.length)];
  });
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
}

function bytesIn(frame: Frame): Buffer {
  return typeof frame === 'string' ? Buffer.from(frame, 'latin1') : frame;
}

function isStream({ stream }: Recording): boolean {
  return stream;
}

/** Cuts frames that follow each other at each of their bytes. What comes together again is the same, whatever the cut. */
function cutEverywhere(frames: readonly (Buffer | undefined)[]): void {
  const whole = frames.filter((frame) => frame !== undefined);
  const bytes = Buffer.concat(whole);
  const expected = whole.map((frame) => readFrame(frame).data);
  for (let at = 1; at < bytes.length; at += 1) {
    const splitter = new SseSplitter(MAX_FRAME);
    const found = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((piece) => splitter.push(piece)).map(bytesIn);
    const rest = splitter.end();
    if (rest !== null) found.push(rest);
    assert.ok(Buffer.concat(found).equals(bytes), `bytes differ after a cut at ${at}`);
    // An LF that came after its CR's frame had left is a frame of its own, without data.
    const data = found
      .map((frame) => readFrame(frame).data)
      .filter((one, index) => one !== null || expected[index] === null);
    if (data.join() !== expected.join()) assert.deepEqual(data, expected, `cut at ${at}`);
  }
}

function assertPassed(relayed: Relayed, recording: Recording): void {
  assert.equal(relayed.end.kind, 'complete');
  assertSame(Buffer.concat(relayed.writes), bytesOf(recording));
  assertUsage(relayed, recording);
}

function assertUsage(relayed: Relayed, recording: Recording): void {
  assert.deepEqual(relayed.usage === null ? null : countsOf(relayed.usage), usageIn(recording));
}

/** Not `deepEqual`: a difference of a hundred kilobytes would be printed. */
function assertSame(found: Buffer, expected: Buffer): void {
  if (found.equals(expected)) return;
  const at = found.findIndex((byte, index) => byte !== expected[index]);
  const near = (bytes: Buffer) => JSON.stringify(bytes.subarray(at, at + 80).toString());
  assert.fail(`${found.length} bytes, not ${expected.length}: ${near(found)} where ${near(expected)} should be`);
}

/** The data of each frame that has any, parsed. */
function payloadsOf({ writes }: Relayed): unknown[] {
  const splitter = new SseSplitter(MAX_FRAME);
  const frames = writes.flatMap((write) => splitter.push(write));
  const rest = splitter.end();
  return (rest === null ? frames : [...frames, rest])
    .map((frame) => readFrame(frame).data)
    .filter((data) => data !== null)
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
}

function isUsageAlone(frame: Buffer): boolean {
  const { data } = readFrame(frame);
  if (data === null || data === '[DONE]') return false;
  const chunk: unknown = JSON.parse(data);
  const choices = field(chunk, 'choices');
  return Array.isArray(choices) && choices.length === 0 && typeof (field(chunk, 'usage') ?? 0) === 'object';
}

function bytesOf({ frames }: Recording): Buffer {
  return Buffer.concat(frames);
}

test('what a vendor says behind its end in one piece with it goes with it', async () => {
  const stream = sseOf(['{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}', '[DONE]']);
  const behind = Buffer.from(': bye\n\n');
  const { writes } = await relay('openai-chat', [Buffer.concat([stream, behind])]);
  assertSame(Buffer.concat(writes), Buffer.concat([stream, behind]));
});

function sseOf(payloads: readonly string[]): Buffer {
  return Buffer.from(payloads.map((payload) => `data: ${payload}\n\n`).join(''));
}
