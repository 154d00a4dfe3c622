import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type AnswerEvent, foldEvents } from '../../src/core/answer.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { DIALECTS } from '../../src/dialects/built.ts';
import { caseContext, caseWriteOptions } from '../../src/dialects/contract/cases.ts';
import type { Dialect, Envelope, StreamEvent, Translation } from '../../src/dialects/dialect.ts';
import { ItemMemory } from '../../src/pipeline/item-memory.ts';
import { STREAMS, WHOLE } from './answers.ts';
import { CALLS } from './calls.ts';
import { assertLinear } from './measure.ts';

/**
 * `npm run test:growth`: twice as much of anything that a caller or a vendor may repeat takes about twice the time, in every
 * reader and writer of every dialect. What grows faster lets one call hold up all others.
 */
const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1_000_000 };
const PASSING = { upstreamModel: 'other', provider: 'lab', streamUsage: 'ask', drop: ['models', 'provider'] } as const;

const translations = DIALECTS.flatMap(({ id, translation }) =>
  translation === undefined ? [] : [{ id, translation }],
);

for (const dialect of DIALECTS) {
  for (const [name, body] of Object.entries(CALLS[dialect.id] ?? {})) {
    const make = (count: number) => Buffer.from(JSON.stringify({ model: 'm', ...body(count) }));
    test(`${dialect.id} looks at and passes ${name}`, async () => {
      passes(dialect, make);
      await turn();
    });
    if (dialect.translation === undefined) continue;
    test(`${dialect.id} reads a call with ${name}, and all write it`, async () => {
      translatesCall(dialect, make);
      await turn();
    });
  }
  for (const [name, body] of Object.entries(WHOLE[dialect.id] ?? {})) {
    const make = (count: number) => Buffer.from(JSON.stringify(body(count)));
    test(`${dialect.id} reads a whole answer with ${name}, and all write it`, async () => {
      translatesAnswer(dialect, make);
      await turn();
    });
  }
  for (const [name, events] of Object.entries(STREAMS[dialect.id] ?? {})) {
    test(`${dialect.id} watches a stream with ${name}`, async () => {
      watches(dialect, events);
      await turn();
    });
    test(`${dialect.id} reads a stream with ${name}, and all write it`, async () => {
      translatesStream(dialect, events);
      await turn();
    });
  }
}

test('every dialect has calls to grow, and each that is translated answers', () => {
  for (const { id, translation } of DIALECTS) {
    assert.ok(CALLS[id] !== undefined, id);
    if (translation !== undefined) assert.ok(WHOLE[id] !== undefined && STREAMS[id] !== undefined, id);
  }
});

test('one key keeps items behind those of another', async () => {
  const bytes = 202; // Of one item, with what it costs beside its text.
  assertLinear('keep', {
    make: (count) => count,
    run(count) {
      const limits = { maxOutputItems: 2 * count * bytes };
      const memory = new ItemMemory(
        () => ({ limits, retention: { outputItems: 1000 } }),
        () => 0,
      );
      for (let item = 0; item < count; item += 1) memory.keep('other', `${item}`, '{}');
      for (let item = 0; item < count; item += 1) memory.keep('own', `${item}`, '{}');
    },
  });
});

function passes(dialect: Dialect, make: (count: number) => Buffer): void {
  const { inbound, outbound } = dialect;
  assertLinear('readEnvelope', { make, run: (body) => inbound.readEnvelope(body, LIMITS) });
  const called = (count: number) => inbound.readEnvelope(make(count), LIMITS);
  assertLinear('look', { make: called, run: inbound.summarize });
  assertLinear('promptText', { make: called, run: inbound.promptText });
  assertLinear('passCall', { make: called, run: (call) => unlessRefused(() => outbound.passCall(call, PASSING)) });
  const { references } = inbound;
  if (references !== undefined) assertLinear('references', { make: called, run: references.within });
}

function translatesCall({ inbound, translation }: Dialect, make: (count: number) => Buffer): void {
  const called = (count: number) => inbound.readEnvelope(make(count), LIMITS);
  const { readCall } = translation!;
  // What is refused is refused in one look at it, too.
  assertLinear('readCall', { make: called, run: (call) => unlessRefused(() => readCall(call)) });
  if (unlessRefused(() => readCall(called(1))) === null) return;
  for (const { id, translation: to } of translations) {
    const options = caseWriteOptions({
      upstreamModel: 'claude-opus-4-8',
      model: { maxOutputTokens: 9000, capabilities: null },
    });
    assertLinear(`writeCall of ${id}`, {
      make: (count) => readCall(called(count)),
      run: (call) => to.writeCall(call, options),
    });
  }
}

function translatesAnswer({ outbound, translation }: Dialect, make: (count: number) => Buffer): void {
  const { readAnswer } = translation!;
  assertLinear('peekAnswer', { make, run: (body) => outbound.peekAnswer(body).output() });
  assertLinear('readAnswer', { make, run: readAnswer });
  for (const { id, translation: to } of translations) {
    assertLinear(`writeAnswer of ${id}`, {
      make: (count) => readAnswer(make(count)),
      run: (answer) => to.writeAnswer(answer, contextFor(id)),
    });
  }
}

function watches({ outbound, inbound, id }: Dialect, events: (count: number) => StreamEvent[]): void {
  const call = envelopeOf(id, inbound);
  assertLinear('watchStream', {
    make: events,
    run(all) {
      const watch = outbound.watch!(call);
      for (const event of all) watch.see(event);
      watch.complete();
      return [watch.output(), watch.outputItems?.()];
    },
  });
}

function translatesStream({ translation }: Dialect, events: (count: number) => StreamEvent[]): void {
  const read = (all: readonly StreamEvent[]) => readAll(translation!, all);
  assertLinear('readEvents', { make: events, run: read });
  const kinds = new Set(read(events(10)).map(({ kind }) => kind));
  assert.ok(kinds.has('finish'), 'the stream comes to its finish');
  assertLinear('fold', { make: (count) => read(events(count)), run: foldEvents });
  for (const { id, translation: to } of translations) {
    assertLinear(`writeEvents of ${id}`, {
      make: (count) => read(events(count)),
      run(all) {
        const writer = to.writeEvents(contextFor(id));
        for (const event of all) writer.push(event);
        return [writer.dropped, writer.outputItems?.()];
      },
    });
  }
}

function readAll({ readEvents }: Translation, all: readonly StreamEvent[]): AnswerEvent[] {
  const reader = readEvents();
  const events: AnswerEvent[] = [];
  for (const event of all) for (const read of reader.push(event)) events.push(read);
  for (const read of reader.end()) events.push(read);
  return events;
}

function contextFor(id: string) {
  const { inbound } = DIALECTS.find((dialect) => dialect.id === id)!;
  return caseContext({ envelope: envelopeOf(id, inbound) });
}

function envelopeOf(id: string, inbound: Dialect['inbound']): Envelope {
  const body = JSON.stringify({ model: 'm', stream: true, ...CALLS[id]!['unknown members']!(1) });
  return inbound.readEnvelope(Buffer.from(body), LIMITS);
}

function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
