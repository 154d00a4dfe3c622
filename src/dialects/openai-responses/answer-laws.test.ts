import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerEvent, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Seal } from '../../core/seal.ts';
import { usageOf } from '../../core/usage.ts';
import { randomAnswerPart } from '../../testing/response-parts.ts';
import { pick, seeded } from '../../testing/seeded.ts';
import { caseContext, framesOf } from '../contract/cases.ts';
import type { StreamEvent } from '../dialect.ts';
import { readAnswer } from './answer-read.ts';
import { writeAnswer } from './answer-write.ts';
import { readEnvelope } from './envelope.ts';
import { readEvents } from './events-read.ts';
import { ResponseWriter } from './events-write.ts';
import { watchStream } from './watch.ts';

type Random = () => number;

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const ROUNDS = 400;
test('an answer is the same by its stream, however cut and mixed, and whole', () => {
  const random = seeded(20_260_201);
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = randomAnswer(random);
    const whole = readAnswer(Buffer.from(writeAnswer(answer, caseContext()).body));
    assert.deepEqual(whole, madeHere(answer));
    const events = mixed(random, unfoldAnswer(answer).flatMap(inPieces(random)));
    assert.deepEqual(foldEvents(reread(frames(events))), madeHere(answer));
  }
});

/** The answer with its seals by the name of their maker, as callers are given them. */
function madeHere(answer: Answer): Answer {
  const own = (key: string, value: unknown) =>
    key === 'seal' && value !== null ? { ...value, provider: (value as Seal).provider ?? 'lab' } : value;
  return JSON.parse(JSON.stringify(answer, own)) as Answer;
}

test('of every stream each item and piece that is added is done, in one order, as the response has it in the end', () => {
  const random = seeded(20_260_202);
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = randomAnswer(random);
    const payloads = frames(mixed(random, unfoldAnswer(answer).flatMap(inPieces(random)))).slice(0, -1);
    const events = payloads.map(({ data }) => JSON.parse(data) as Payload);
    assert.deepEqual(
      events.map((event) => event.sequence_number),
      events.map((_, index) => index),
    );
    assert.deepEqual(
      payloads.map(({ event }) => event),
      events.map(({ type }) => type),
    );
    const done: unknown[] = [];
    const open = new Set<string>();
    let items = 0;
    for (const event of events) {
      if (event.type === 'response.output_item.added') assert.equal(event.output_index, items++);
      if (event.type === 'response.output_item.done') done[event.output_index ?? -1] = event.item;
      const [, what, step] =
        /^response\.(output_item|content_part|reasoning_summary_part)\.(\w+)$/.exec(event.type) ?? [];
      const name = `${what} ${event.item?.id ?? event.item_id} ${event.content_index}`;
      if (step === 'added') open.add(name);
      else if (step === 'done') assert.ok(open.delete(name), name);
    }
    assert.equal(open.size, 0);
    const last = events.at(-1)?.response;
    assert.deepEqual(last?.output, done);
    assert.deepEqual(Object.keys(last?.usage ?? {}).length, 5);
  }
});

test('a stream that fails at any step ends in an error and a failed response, and is read as one', () => {
  const random = seeded(20_260_203);
  const error = new GatewayError('upstream_rate_limited', 'Slow down.', { retryAfterMs: 1500 });
  for (let round = 0; round < 20; round += 1) {
    const events = unfoldAnswer(randomAnswer(random));
    for (let cut = 0; cut < events.length; cut += 1) {
      const writer = new ResponseWriter(caseContext());
      const before = events.slice(0, cut).flatMap((event) => writer.push(event));
      const [first, second, ...none] = writer.fail(error);
      assert.deepEqual(none, []);
      const flat = JSON.parse(framesOf(first ?? '')[0]?.data ?? '') as Payload;
      assert.partialDeepStrictEqual(flat, {
        type: 'error',
        code: 'rate_limit_exceeded',
        sequence_number: before.length,
      });
      const failed = JSON.parse(framesOf(second ?? '')[0]?.data ?? '') as Payload;
      assert.partialDeepStrictEqual(failed, {
        sequence_number: before.length + 1,
        response: {
          status: 'failed',
          error: { code: 'rate_limit_exceeded', message: 'Slow down. Please try again in 1.5s.' },
        },
      });
      for (const frame of [first, second]) {
        const read = reread(framesOf([...before, frame].join('')));
        const end = read.at(-1);
        assert(end?.kind === 'failure');
        assert.equal(end.error.kind, 'upstream_rate_limited');
      }
    }
  }
});

test('what is written is seen by the watch as what it is', () => {
  const random = seeded(20_260_204);
  for (let round = 0; round < 50; round += 1) {
    const answer = randomAnswer(random);
    const watch = watchStream(readEnvelope(Buffer.from('{"model":"m","input":"a"}'), LIMITS));
    const roles = frames(unfoldAnswer(answer)).map((frame) => watch.see(frame));
    assert.deepEqual([...new Set(roles.slice(0, 2))], ['opens']);
    assert.deepEqual(roles.slice(-2), ['ends', 'ends']);
    assert.ok(roles.slice(2, -2).every((role) => role === 'carries'));
    assert.equal(watch.complete(), true);
    assert.deepEqual(watch.usage(), answer.usage);
  }
});

type Payload = {
  type: string;
  sequence_number: number;
  output_index?: number;
  content_index?: number;
  item_id?: string;
  item?: { id: string };
  response?: { output: unknown[]; usage: object };
};

function frames(events: readonly AnswerEvent[]): StreamEvent[] {
  const writer = new ResponseWriter(caseContext());
  return events.flatMap((event) => writer.push(event)).flatMap(framesOf);
}

function reread(stream: readonly StreamEvent[]): AnswerEvent[] {
  const reader = readEvents();
  return [...stream.flatMap((frame) => reader.push(frame)), ...reader.end()];
}

/** A delta of text as several; log probabilities stay with the first. */
function inPieces(random: Random): (event: AnswerEvent) => AnswerEvent[] {
  return (event) => {
    if (event.kind !== 'part-delta' || event.delta.kind !== 'text' || event.delta.text.length < 2) return [event];
    const { text, ...rest } = event.delta;
    const at = 1 + Math.floor(random() * (text.length - 1));
    return [
      { ...event, delta: { ...rest, text: text.slice(0, at) } },
      { ...event, delta: { kind: 'text', text: text.slice(at) } },
    ];
  };
}

/** Parts that overlap: now and then one ends only after the next has begun. Reasoning and vendors’ steps are heard of when they are told. */
function mixed(random: Random, events: readonly AnswerEvent[]): AnswerEvent[] {
  const late: AnswerEvent[] = [...events];
  const told = new Set<number>();
  for (const event of events) {
    if (event.kind !== 'part-start') continue;
    if (event.head.kind === 'reasoning' || event.head.kind === 'native') told.add(event.part);
  }
  for (let at = 0; at + 1 < late.length; at += 1) {
    const [one, other] = [late[at]!, late[at + 1]!];
    if (one.kind !== 'part-end' || !('part' in other) || told.has(one.part)) continue;
    if (random() < 0.3) late.splice(at, 2, other, one);
  }
  return late;
}

function randomAnswer(random: Random): Answer {
  const parts = Array.from({ length: Math.floor(random() * 5) }, (_, index) => randomAnswerPart(random, index));
  const kinds = new Set(parts.map(({ kind }) => kind));
  const whole = kinds.has('tool-call') ? 'tool-calls' : kinds.has('refusal') ? 'refusal' : 'stop';
  return {
    id: 'resp_1',
    model: pick(random, ['m', 'vendor/model']),
    createdAt: 1_750_000_123,
    choices: [{ parts, finish: { reason: pick(random, [whole, whole, 'length', 'content-filter']) } }],
    usage: usageOf({
      inputTokens: 9,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
      outputTokens: 7,
      reasoningTokens: 3,
      serviceTier: 'default',
    }),
  };
}
