import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerEvent, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import type { AnswerPart, Call, Message, UserPart } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Seal } from '../../core/seal.ts';
import { usageOf } from '../../core/usage.ts';
import { pick, seeded } from '../../testing/seeded.ts';
import { caseContext, caseWriteOptions, framesOf } from '../contract/cases.ts';
import type { StreamEvent } from '../dialect.ts';
import { readAnswer } from './answer-read.ts';
import { writeAnswer } from './answer-write.ts';
import { readCall } from './call-read.ts';
import { writeCall } from './call-write.ts';
import { readEnvelope } from './envelope.ts';
import { readEvents } from './events-read.ts';
import { ResponseWriter } from './events-write.ts';
import { watchStream } from './watch.ts';

type Random = () => number;

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const ROUNDS = 400;
const TEXTS = ['a', ' ', 'One\n"two" \\ 日本 🙂\u2028', '{"type":"response.completed"}', 'data: x\n\n'];
const OWN: Seal = { dialect: 'openai-responses', provider: null, form: 'encrypted', id: 'rs_9', value: 'gAAA=' };
const FOREIGN: Seal = {
  dialect: 'anthropic-messages',
  provider: 'elsewhere',
  form: 'signature',
  id: null,
  value: 'sig+/=',
};

test('an answer is the same by its stream, however cut and mixed, and whole', () => {
  const random = seeded(20_260_201);
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = randomAnswer(random);
    const whole = readAnswer(Buffer.from(writeAnswer(answer, caseContext()).body));
    assert.deepEqual(whole, answer);
    const events = mixed(random, unfoldAnswer(answer).flatMap(inPieces(random)));
    assert.deepEqual(foldEvents(reread(frames(events))), answer);
  }
});

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
    const sightings = frames(unfoldAnswer(answer)).map((frame) => watch.see(frame));
    assert.deepEqual([...new Set(sightings.slice(0, 2))], ['opens']);
    assert.deepEqual(sightings.slice(-2), ['ends', 'ends']);
    assert.ok(sightings.slice(2, -2).every((sighting) => sighting === 'carries'));
    assert.equal(watch.complete(), true);
    assert.deepEqual(watch.usage(), answer.usage);
  }
});

test('a call comes back as it was, less what is named', () => {
  const random = seeded(20_260_205);
  for (let round = 0; round < ROUNDS; round += 1) {
    const call = randomCall(random);
    const { body, dropped } = writeCall(call, caseWriteOptions({ stream: random() < 0.5 }));
    assert.deepEqual(readCall(readEnvelope(body, LIMITS)), call);
    assert.deepEqual(dropped, []);
  }
});

test('what cannot be carried is named, and the rest comes back', () => {
  const { call, left, names } = richCall();
  const { body, dropped } = writeCall(call, caseWriteOptions());
  assert.deepEqual(readCall(readEnvelope(body, LIMITS)), left);
  assert.deepEqual([...dropped].sort(), names);
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

function randomAnswerPart(random: Random, index: number): AnswerPart {
  const text = pick(random, TEXTS);
  return pick<() => AnswerPart>(random, [
    () => ({ kind: 'text', text }),
    () => ({
      kind: 'text',
      text,
      citations: [
        { kind: 'url', url: 'http://a.invalid', title: 'A', start: 0, end: 1 },
        { kind: 'native', dialect: 'openai-responses', value: { type: 'file_citation', file_id: 'f', index: 0 } },
      ],
      logprobs: [{ token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -1, bytes: null }] }],
    }),
    () => ({ kind: 'refusal', text }),
    () => ({ kind: 'reasoning', text, form: 'summary', seal: pick(random, [null, OWN, FOREIGN]) }),
    () => ({ kind: 'reasoning', text: '', form: 'summary', seal: pick(random, [OWN, FOREIGN]) }),
    () => ({ kind: 'tool-call', id: `call_${index}`, name: 'look', input: '{"a":1.50}', form: 'function' }),
    () => ({ kind: 'tool-call', id: `call_${index}`, name: 'patch', input: text, form: 'custom' }),
    () => {
      const value = { id: `ws_${index}`, type: 'web_search_call', status: 'completed', action: { type: 'search' } };
      return { kind: 'native', dialect: 'openai-responses', type: 'web_search_call', value };
    },
  ])();
}

function randomCall(random: Random): Call {
  const may = <Part extends Partial<Call>>(part: Part): Part | object => (random() < 0.5 ? part : {});
  return {
    messages: randomMessages(random),
    tools: [
      { kind: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: true },
      { kind: 'function', name: 'bare', parameters: null, strict: false },
      { kind: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      { kind: 'native', dialect: 'openai-responses', type: 'web_search', value: { type: 'web_search' } },
    ],
    ...may({
      toolChoice: pick(random, [
        { mode: 'auto' },
        { mode: 'none' },
        { mode: 'required' },
        { mode: 'one', name: 'patch', form: 'custom' },
      ]),
    }),
    ...may({ parallelToolCalls: random() < 0.5 }),
    ...may({ maxOutputTokens: 300 }),
    ...may({ temperature: 0.5 }),
    ...may({ topP: 0.25 }),
    ...may({ logprobs: { top: pick(random, [0, 3]) } }),
    ...may({
      reasoning: pick(random, [{ effort: 'xhigh' }, { summary: 'auto' }, { effort: 'low', summary: 'concise' }]),
    }),
    ...may({
      format: pick(random, [
        { kind: 'text' },
        { kind: 'json' },
        { kind: 'schema', name: 'n', schema: { type: 'object' }, strict: true, description: 'd' },
      ]),
    }),
    ...may({ verbosity: 'low' }),
    ...may({ serviceTier: 'flex' }),
    ...may({ user: 'u1' }),
    ...may({ metadata: { a: 'b' } }),
    ...may({ promptCacheKey: 'k' }),
    ...may({ promptCacheRetention: '24h' }),
    ...may({
      extra: {
        dialect: 'openai-responses',
        fields: {
          invented: [1],
          truncation: 'auto',
          include: ['web_search_call.results'],
          'reasoning.context': 'auto',
        },
      },
    }),
  } as Call;
}

function randomMessages(random: Random): Message[] {
  const messages: Message[] = [];
  if (random() < 0.5) messages.push({ role: 'system', parts: [{ kind: 'text', text: 'Be.' }] });
  if (random() < 0.3) messages.push({ role: 'developer', parts: [{ kind: 'text', text: 'Be brief.' }] });
  for (let turn = 0; turn < 3; turn += 1) {
    messages.push({ role: 'user', parts: [pick(random, USER_PARTS), pick(random, USER_PARTS)] });
    const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) =>
      randomAnswerPart(random, turn * 10 + index),
    ).filter((part) => part.kind !== 'reasoning' || part.seal?.dialect === 'openai-responses');
    if (parts.length > 0) messages.push({ role: 'assistant', parts: parts.map(withoutLogprobs) });
    const results = parts.flatMap((part) => {
      if (part.kind !== 'tool-call') return [];
      const given = pick(random, [[], [{ kind: 'text', text: 'Found.' }], USER_PARTS.slice(0, 3)] as const);
      return [{ kind: 'tool-result', callId: part.id, parts: given, isError: false, form: part.form } as const];
    });
    if (results.length > 0) messages.push({ role: 'tool', parts: results as never });
  }
  return messages;
}

function withoutLogprobs(part: AnswerPart): AnswerPart {
  if (part.kind !== 'text') return part;
  const { logprobs: _, ...rest } = part;
  return rest;
}

const USER_PARTS: readonly UserPart[] = [
  { kind: 'text', text: 'What is this? 日本' },
  { kind: 'image', source: { kind: 'data', mediaType: 'image/png', data: 'AAAA' }, detail: 'low' },
  { kind: 'file', source: { kind: 'data', mediaType: 'application/pdf', data: 'BBBB' }, filename: 'a.pdf' },
  { kind: 'image', source: { kind: 'url', url: 'https://a.invalid/b.png' } },
  { kind: 'file', source: { kind: 'url', url: 'https://a.invalid/b.pdf' } },
];

function richCall(): { call: Call; left: Call; names: readonly string[] } {
  const call: Call = {
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be.', cache: { ttl: '1h' } }] },
      {
        role: 'user',
        name: 'Ada',
        parts: [
          { kind: 'text', text: 'Hi' },
          { kind: 'audio', data: 'AA', format: 'wav' },
          { kind: 'image', source: { kind: 'id', dialect: 'anthropic-messages', id: 'file_1' } },
          { kind: 'file', source: { kind: 'id', dialect: 'openai-chat', id: 'file-1' } },
          { kind: 'native', dialect: 'anthropic-messages', type: 'search_result', value: {} },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'Hm.', form: 'full', seal: FOREIGN },
          { kind: 'reasoning', text: '', form: 'full', seal: { ...OWN, provider: 'other' } },
          { kind: 'text', text: '' },
          { kind: 'native', dialect: 'anthropic-messages', type: 'server_tool_use', value: {} },
          { kind: 'tool-call', id: 't'.repeat(65), name: 'look', input: '', form: 'function' },
        ],
      },
      {
        role: 'tool',
        parts: [
          {
            kind: 'tool-result',
            callId: 't'.repeat(65),
            parts: [{ kind: 'text', text: 'No such thing.' }],
            isError: true,
            form: 'function',
          },
        ],
      },
      { role: 'assistant', parts: [{ kind: 'native', dialect: 'gemini', type: 'x', value: {} }] },
    ],
    tools: [{ kind: 'native', dialect: 'anthropic-messages', type: 'web_search_20250305', value: {} }],
    toolChoice: { mode: 'required' },
    maxOutputTokens: 5,
    choices: 2,
    topK: 3,
    frequencyPenalty: 1,
    presencePenalty: 1,
    seed: 1,
    stop: ['.'],
    logitBias: { 1: 2 },
    user: 'u'.repeat(65),
    serviceTier: 'standard_only',
    extra: { dialect: 'openai-chat', fields: { invented: 1 } },
  };
  const id = 'call_6P2g7vWR0ava8QXkbZG3ffVJbr8sGLqrPF2J1GvQXVI';
  const result = { kind: 'tool-result', callId: id, isError: false, form: 'function' } as const;
  const left: Call = {
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ kind: 'tool-call', id, name: 'look', input: '{}', form: 'function' }] },
      { role: 'tool', parts: [{ ...result, parts: [{ kind: 'text', text: 'No such thing.' }] }] },
    ],
    tools: [],
    maxOutputTokens: 16,
  };
  const names = [
    'audio',
    'cache_control',
    'choices',
    'file_id',
    'frequency_penalty',
    'invented',
    'is_error',
    'logit_bias',
    'name',
    'presence_penalty',
    'reasoning',
    'seal',
    'seed',
    'service_tier',
    'stop',
    'tool_choice',
    'tools.web_search_20250305',
    'top_k',
    'user',
    'vendor_tool_calls',
  ];
  return { call, left, names };
}
