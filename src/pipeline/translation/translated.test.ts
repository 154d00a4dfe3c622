import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerEvent } from '../../core/answer.ts';
import { type Usage, usageOf } from '../../core/usage.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { openAiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { TranslatedStream } from './translated.ts';

const MAX_PARTS = 4096;
const MAX_KEPT_TEXT = 256 * 1024;
const BODY = Buffer.from('{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}');

/** A stream of whose vendor each event says what the test gives, for a caller who asked in chat. */
function stream(told: Usage | null = null) {
  let next: AnswerEvent[] = [];
  const reader = { push: () => next, end: () => [], usage: () => told };
  const from: Dialect = {
    ...anthropicMessages,
    translation: { ...anthropicMessages.translation!, readEvents: () => reader },
  };
  const envelope = openAiChat.inbound.readEnvelope(BODY, { maxJsonDepth: 9, maxEmbeddingInputs: 1 });
  const call = openAiChat.translation!.readCall(envelope);
  const context = {
    call,
    envelope,
    model: 'm',
    provider: 'lab',
    createdAt: 1,
    newId: (prefix: string) => `${prefix}_1`,
  };
  const converter = new TranslatedStream({
    from,
    to: openAiChat,
    context,
    wrapped: new Set(),
    sentNames: new Map(),
    thinksInText: false,
  });
  return {
    converter,
    says(...events: AnswerEvent[]) {
      next = events;
      return converter.convert(Buffer.alloc(0), { event: null, data: '{}' }).role;
    },
  };
}

function start(part: number): AnswerEvent {
  return { kind: 'part-start', part, choice: 0, head: { kind: 'text' } };
}

test(`a translated stream may have ${MAX_PARTS} parts, and fails with one more`, () => {
  const { converter, says } = stream();
  assert.notEqual(says(start(MAX_PARTS - 1)), 'fails');
  assert.equal(says(start(MAX_PARTS)), 'fails');
  assert.match(converter.error().message, /more than 4096 parts/);
});

test('of its text 256 KB are kept to be counted, and of what is beyond it the length', () => {
  const { converter, says } = stream();
  const say = (text: string) => says({ kind: 'part-delta', part: 0, delta: { kind: 'text', text } });
  says(start(0));
  say('x'.repeat(MAX_KEPT_TEXT));
  assert.deepEqual([converter.output().text.length, converter.output().unseen], [MAX_KEPT_TEXT, 0]);
  say('yy');
  assert.deepEqual([converter.output().text.length, converter.output().unseen], [MAX_KEPT_TEXT, 2]);
});

test('a stream that does not end is billed by the usage that was told so far', () => {
  const told = usageOf({ inputTokens: 3, outputTokens: 2 });
  const { converter, says } = stream(told);
  says(start(0));
  assert.equal(converter.usage(), told);
  says({ kind: 'finish', choices: [{ reason: 'stop' }], usage: null });
  assert.equal(converter.usage(), null);
});
