import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NO_USAGE } from '../../src/core/usage.ts';
import { ownMarks } from '../../src/dialects/seal-marks.ts';
import { splice } from '../../src/json/edits.ts';
import { field } from '../../src/testing/json.ts';
import { type RecordedDialect, type Recording, replay, usageIn } from '../../src/testing/recordings.ts';
import { cutAt, cutEvery, type Plan } from '../../src/testing/reply.ts';
import { seeded } from '../../src/testing/seeded.ts';
import { answersOf } from '../laws/recordings.ts';
import { type DialectLab, startDialectLab } from '../support/dialects.ts';
import type { RawAnswer } from '../support/raw-http.ts';

const CUTS = 200;
const SEED = 20_261_121;
/** Of a longer answer not every byte is a write of its own. */
const MAX_BYTE_BY_BYTE = 60_000;
const DIALECTS: readonly RecordedDialect[] = ['openai-responses', 'anthropic-messages'];

describe('what vendors of the other dialects answered arrives as they sent it', { concurrency: 1 }, async () => {
  let lab: DialectLab;
  before(async () => {
    lab = await startDialectLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const dialect of DIALECTS) {
    const { all, told } = await answersOf(dialect);
    test(`there are answers of ${dialect}`, (context) => context.diagnostic(told));
    for (const recording of all) {
      test(`${dialect}: ${recording.name}, ${bytesOf(recording).length} bytes`, async () => {
        for (const plan of waysToSend(recording)) await send(dialect, recording, plan);
      });
    }
  }

  async function send(dialect: RecordedDialect, recording: Recording, plan: Plan): Promise<void> {
    using call = await lab.ask({ surface: dialect, spoken: dialect, stream: recording.stream, plan });
    const answer = await call.client.answer();
    const row = await call.record();
    if (recording.status !== 200) {
      assert.equal(answer.status, recording.status);
      assert.partialDeepStrictEqual(json(answer), { error: field(recording.payloads[0], 'error') });
      assert.deepEqual([row.status, row.http_status, row.usage_source], ['failed', recording.status, 'none']);
    } else {
      assertPassed(answer, recording, dialect);
      assert.deepEqual([row.status, row.http_status, row.error, row.attempts], ['succeeded', 200, null, 1]);
      assertUsage(row, recording);
    }
    assert.equal((await lab.released()).outcome, 'complete');
  }
});

/**
 * But for the marks of who made its seals, which leave a call that brings them back. In a whole response callers are promised one
 * member more than vendors send.
 */
function assertPassed(answer: RawAnswer, recording: Recording, dialect: RecordedDialect): void {
  assert.deepEqual([answer.status, answer.ending], [200, 'complete']);
  const body = unmarked(answer.body(), dialect);
  if (recording.stream) return assertSame(body, bytesOf(recording));
  const { output_text: text, ...rest } = JSON.parse(body.toString()) as Record<string, unknown>;
  if (text === undefined) return assertSame(body, bytesOf(recording));
  assert.deepEqual(rest, recording.payloads[0]);
}

/** The provider of a dialect is called as the dialect is. */
function unmarked(body: Buffer, dialect: RecordedDialect): Buffer {
  const marks = ownMarks(body, dialect, dialect);
  assert(marks !== null);
  return splice(body, marks);
}

/** Not `deepEqual`: a difference of a hundred kilobytes would be printed. */
function assertSame(found: Buffer, expected: Buffer): void {
  assert.ok(found.equals(expected), `${found.length} bytes came, which are not the ${expected.length} that were sent`);
}

function assertUsage(row: Record<string, unknown>, recording: Recording): void {
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

/** Frame by frame, in one, into bytes, and cut at random. */
function waysToSend(recording: Recording): Plan[] {
  const plan = replay(recording);
  const { length } = bytesOf(recording);
  const random = seeded(SEED + length);
  const offsets = Array.from({ length: CUTS }, () => Math.floor(random() * length));
  const bytes = length > MAX_BYTE_BY_BYTE ? [] : [cutEvery(plan, 1)];
  return [plan, cutAt(plan, []), ...bytes, cutAt(plan, offsets)];
}

function json(answer: RawAnswer): unknown {
  return JSON.parse(answer.body().toString());
}

function bytesOf({ frames }: Recording): Buffer {
  return Buffer.concat(frames);
}
