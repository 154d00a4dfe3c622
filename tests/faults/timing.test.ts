import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_TEXT, answer as normal } from '../../src/testing/answers.ts';
import { type Act, insert, paced, streamReply } from '../../src/testing/reply.ts';
import { LONG_MS } from '../support/timeouts.ts';
import {
  assertRecord,
  type Lab,
  payloads,
  REPORTED,
  startLab,
  streamError,
  TIMEOUTS,
  textOf,
  vendorBytes,
} from './lab.ts';

const COMMENT = ': keep-alive\n\n';
/** A vendor on a busy machine is not silent for as long, unless it is told to be. */
const SILENCE = 1500;

describe('a deadline for the first byte', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab({
      timeouts: { first_byte: SILENCE, idle: SILENCE, ping: TIMEOUTS.ping, hold: TIMEOUTS.hold },
    });
  });
  after(() => lab[Symbol.asyncDispose]());

  test('whole: silence longer than first_byte and idle is no fault, total alone counts', async () => {
    const startedAt = performance.now();
    using call = await lab.ask({ plan: insert(normal(), 0, { waitMs: 1.5 * SILENCE }) });
    assert.equal((await call.answer()).status, 200);
    assert.ok(performance.now() - startedAt >= 1.5 * SILENCE);
    assertRecord(await call.record(), REPORTED);
  });

  test('stream: one that only has comments fails at first_byte, though it is open by then', async () => {
    using call = await lab.ask({ stream: true, plan: 'comments-only' });
    const answer = await call.answer();
    assert.equal(streamError(answer).message, 'The provider was silent for too long.');
    assert.ok(answer.body().toString().startsWith(': FAKE PROCESSING\n\n'));
    assert.equal((await lab.released()).outcome, 'left');
    const { status, error, output_tokens } = await call.record();
    assert.deepEqual([status, error, output_tokens], ['failed', 'upstream_timeout', 0]);
  });
});

describe('a deadline between bytes', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab({ timeouts: { idle: SILENCE, ping: TIMEOUTS.ping } });
  });
  after(() => lab[Symbol.asyncDispose]());

  test('stream: one that is never silent for idle may take longer than idle', async () => {
    const startedAt = performance.now();
    using call = await lab.ask({ stream: true, plan: paced(normal(), SILENCE / 5) });
    const answer = await call.answer();
    assert.ok(performance.now() - startedAt > 1.5 * SILENCE);
    assert.equal(payloads(answer).at(-1), '[DONE]');
    assertRecord(await call.record(), REPORTED);
  });

  test('stream: a caller who takes nothing of a flood is let go at idle, and so is the vendor', async () => {
    using call = await lab.ask({ stream: true, plan: 'flood' });
    await call.client.head();
    call.client.pause();
    assert.equal((await lab.released()).outcome, 'left');
    const { status, error, usage_source } = await call.record();
    assert.deepEqual([status, error, usage_source], ['cancelled', 'client_closed_request', 'estimated']);
    call.client.resume();
    assert.ok(!(await call.answer()).body().includes('[DONE]'));
  });

  test('stream: one that goes on with comments alone fails at idle', async () => {
    using call = await lab.ask({ stream: true, plan: (request) => streamReply(begunOnly(normal()(request).acts)) });
    const answer = await call.answer();
    assert.equal(streamError(answer).message, 'The provider was silent for too long.');
    assert.equal(textOf(answer), 'Hello from');
    assert.equal((await call.record()).error, 'upstream_timeout');
  });

  test('stream: a silent one has a comment every ping, until it fails at idle', async () => {
    using call = await lab.ask({ stream: true, plan: 'stall' });
    const answer = await call.answer();
    assert.equal(streamError(answer).code, 'upstream_timeout');
    const comments = answer.body().toString().split(COMMENT).length - 1;
    assert.ok(comments >= 1 && comments <= SILENCE / TIMEOUTS.ping, `${comments} comments`);
  });
});

describe('an open stream that is silent', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab({ timeouts: { ping: TIMEOUTS.ping, hold: TIMEOUTS.hold } });
  });
  after(() => lab[Symbol.asyncDispose]());

  test('gets a comment every ping, and goes on', async () => {
    const plan = insert(normal(), 3, 'hold');
    using call = await lab.ask({ stream: true, plan });
    await call.client.bodyHas(COMMENT.repeat(3));
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    lab.vendor.release();
    const answer = await call.answer();
    const body = answer.body().toString();
    const frames = vendorBytes(plan, await lab.released())
      .toString()
      .split(/(?<=\n\n)/);
    const expected = frames.filter((frame) => !frame.includes('"choices":[]')).join('');
    assert.equal(body.replaceAll(COMMENT, ''), expected);
    const comments = answer.pieces.filter(({ bytes }) => bytes.toString() === COMMENT);
    assert.ok(comments.length >= 3);
    for (const [index, { atMs }] of comments.entries()) {
      const gap = atMs - (comments[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY);
      assert.ok(gap > TIMEOUTS.ping * 0.8, `${gap} ms between comments`);
    }
    assertRecord(await call.record(), REPORTED);
  });

  test('gets its opening frames after hold', async () => {
    const startedAt = performance.now();
    using call = await lab.ask({ stream: true, plan: insert(normal(), 1, 'hold') });
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    const begun = await call.client.bodyHas('"role":"assistant"');
    assert.ok(performance.now() - startedAt >= TIMEOUTS.hold);
    assert.deepEqual([begun.status, lab.vendor.heldCalls()], [200, 1]);
    lab.vendor.release();
    assert.equal(textOf(await call.answer()), DEFAULT_TEXT);
    assertRecord(await call.record(), REPORTED);
  });

  test('gets comments before its first frame, once the head is there', async () => {
    using call = await lab.ask({ stream: true, plan: insert(normal(), 0, 'head', 'hold') });
    await call.client.bodyHas(COMMENT.repeat(2));
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    lab.vendor.release();
    assert.equal(textOf(await call.answer()), DEFAULT_TEXT);
    assertRecord(await call.record(), REPORTED);
  });
});

describe('opening frames', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  test('leave with the first content, not at hold', async () => {
    const startedAt = performance.now();
    using call = await lab.ask({ stream: true, plan: insert(normal(), 2, 'hold') });
    await call.client.bodyHas('"content":"Hello"');
    assert.ok(performance.now() - startedAt < LONG_MS);
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    lab.vendor.release();
    assert.equal(payloads(await call.answer()).at(-1), '[DONE]');
    assertRecord(await call.record(), REPORTED);
  });

  test('leave with the end of an answer that has no content', async () => {
    const startedAt = performance.now();
    using call = await lab.ask({ stream: true, plan: normal({ text: '' }) });
    const answer = await call.answer();
    assert.deepEqual([answer.status, textOf(answer), payloads(answer).at(-1)], [200, '', '[DONE]']);
    assert.ok(performance.now() - startedAt < LONG_MS);
    assertRecord(await call.record(), { ...REPORTED, output_tokens: 0 });
  });

  test('leave when there are more than a gateway should keep', async () => {
    const startedAt = performance.now();
    const opening = vendorBytes(normal(), { ...lab.vendor.requests[0]!, stream: true });
    const first = opening.subarray(0, opening.indexOf('\n\n') + 2);
    const plan = () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, acts: endless(first) });
    using call = await lab.ask({ stream: true, plan });
    await call.client.head();
    assert.ok(performance.now() - startedAt < LONG_MS);
    call.client.leave();
    assert.equal((await lab.released()).outcome, 'left');
    assert.equal((await call.record()).status, 'cancelled');
  });
});

function* endless(bytes: Buffer): Generator<Buffer> {
  while (true) yield bytes;
}

/** The first three frames of an answer, then comments. */
function* begunOnly(acts: Iterable<Act>): Generator<Act> {
  yield* [...acts].slice(0, 3);
  while (true) yield* [Buffer.from(': still there\n\n'), { waitMs: SILENCE / 10 }];
}
