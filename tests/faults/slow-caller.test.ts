import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DONE } from '../../src/testing/answers.ts';
import { type Act, frame, type Plan, streamReply } from '../../src/testing/reply.ts';
import type { Piece } from '../support/raw-http.ts';
import { assertParting, assertRecord, type Lab, REPORTED, startLab } from './lab.ts';

const MB = 1024 * 1024;
/**
 * More than Linux keeps for two connections, many times what the gateway may. A connection keeps up to 36 MB where the
 * kernel's limits are high (`tcp_rmem`, `tcp_wmem`), and what it keeps compressed is twice as much unpacked.
 */
const STREAM_BYTES = 160 * MB;
const WRITE_BYTES = 64 * 1024;
/** What a gateway may need for one call, and what Node's collector leaves lying about. */
const MAX_GROWTH = 40 * MB;
const STILL = 800;

/** Words that gzip cannot make smaller, as frames of one kilobyte. */
const NOISE = writeOf(() => randomBytes(512).toString('hex'));
const ZEROS = writeOf(() => '0'.repeat(1024));

describe('a caller who reads slowly', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  test('slows the vendor down, and has every byte in the end', () => expectPatience(NOISE, NOISE, true));

  test('slows down a vendor that compresses, too', () => expectPatience(NOISE, gzipSync(NOISE), true));

  test('is not drowned by a small answer that unpacks to a large one', () =>
    expectPatience(ZEROS, gzipSync(ZEROS), false));

  /**
   * Streams `plain` again and again, as `sent` on the wire, to a caller who does not read for long. The gateway must not
   * take it all in.
   */
  async function expectPatience(plain: Buffer, sent: Buffer, slowsVendor: boolean): Promise<void> {
    const writes = STREAM_BYTES / WRITE_BYTES;
    let written = 0;
    const plan: Plan = () => {
      const reply = streamReply(acts());
      return sent === plain ? reply : { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } };
    };
    function* acts(): Generator<Act> {
      for (; written < writes; written += 1) yield sent;
      const end = Buffer.concat([
        frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE }),
        DONE,
      ]);
      yield sent === plain ? end : gzipSync(end);
    }

    const before = await memory();
    using call = await lab.ask({ stream: true, plan });
    // Before the first byte: what a caller had read by then would count as taken.
    call.client.pause();
    await stillFor(STILL, () => written);
    const growth = (await memory()) - before;
    assert.ok(growth < MAX_GROWTH, `the gateway grew by ${Math.round(growth / MB)} MB`);
    if (slowsVendor) assert.ok(written < writes, `all ${writes} writes were taken`);

    call.client.resume();
    const answer = await call.answer();
    assert.equal(answer.ending, 'complete');
    assertBytes(answer.pieces, plain, writes);
    assertParting(await lab.released(), 'ended');
    assertRecord(await call.record(), { ...REPORTED, input_tokens: 1, output_tokens: 2 });
  }

  /** Asks the gateway this and that until a count has begun, and has not changed for so long. */
  async function stillFor(ms: number, count: () => number): Promise<void> {
    let last = -1;
    let since = performance.now();
    while (performance.now() - since < ms) {
      await (await fetch(`${lab.gateway.url}/healthz`)).text();
      if (count() === last && last > 0) continue;
      last = count();
      since = performance.now();
    }
  }

  /** Bytes that the gateway's process has in memory. */
  async function memory(): Promise<number> {
    const text = await (await fetch(`${lab.gateway.url}/metrics`)).text();
    const value = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1];
    assert.ok(value !== undefined, 'the metrics tell the memory');
    return Number(value);
  }
});

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

function assertBytes(pieces: readonly Piece[], plain: Buffer, writes: number): void {
  const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
  assert.ok(body.subarray(-DONE.length).equals(DONE));
  for (let index = 0; index < writes; index += 1) {
    const piece = body.subarray(index * plain.length, (index + 1) * plain.length);
    assert.ok(piece.equals(plain), `write ${index} is not what the vendor wrote`);
  }
}

/** One write of many frames. */
function writeOf(words: () => string): Buffer {
  const frames = Array.from({ length: WRITE_BYTES / 1024 }, () =>
    frame({ choices: [{ index: 0, delta: { content: words() }, finish_reason: null }] }),
  );
  return Buffer.concat(frames);
}
