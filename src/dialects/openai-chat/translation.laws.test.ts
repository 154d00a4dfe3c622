import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerEvent, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import type { AnswerPart, Call, Message, TokenLogprob } from '../../core/call.ts';
import type { Quirks } from '../../core/quirks.ts';
import type { Seal } from '../../core/seal.ts';
import { usageOf } from '../../core/usage.ts';
import { loadRecordings, SAMPLES } from '../../testing/recordings.ts';
import { caseContext, caseWriteOptions, readStream } from '../contract/cases.ts';
import type { AnswerContext } from '../dialect.ts';
import { openAiChat } from './openai-chat.ts';

const translation = openAiChat.translation!;
const { readCall, writeCall, readAnswer, writeAnswer, writeEvents } = translation;
const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const OPENAI: Quirks = {
  maxTokensField: 'max_completion_tokens',
  developerRole: true,
  customTools: true,
  takes: ['prompt_cache_key', 'prompt_cache_retention', 'refusal', 'service_tier', 'verbosity'],
  reasoningField: 'reasoning_content',
  cacheControl: { source: '' },
};
const FOREIGN: Seal = {
  dialect: 'anthropic-messages',
  provider: 'elsewhere',
  form: 'signature',
  id: null,
  value: 's=',
};
const OTHER = { token: 'b', logprob: -1, bytes: null };
const LOGPROB: TokenLogprob = { token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [OTHER] };
const ROUNDS = 1500;

test('a call comes back from what was written of it', () => {
  const random = seeded(4_001);
  for (let round = 0; round < ROUNDS; round += 1) {
    const call = randomCall(random);
    const { body, dropped } = writeCall(call, caseWriteOptions({ quirks: OPENAI, provider: 'lab' }));
    assert.deepEqual(dropped, [], JSON.stringify(call));
    assert.deepEqual(readCall(openAiChat.inbound.readEnvelope(body, LIMITS)), call);
  }
});

test('an answer is the same whole and streamed, and comes back as it was', () => {
  const random = seeded(4_002);
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = randomAnswer(random);
    const [whole, streamed] = [writtenWhole(answer), writtenStream(answer)];
    const told = JSON.stringify(answer);
    assert.deepEqual([whole.dropped, streamed.dropped], [[], []], told);
    assert.deepEqual(readAnswer(Buffer.from(whole.body)), answer, told);
    assert.deepEqual(foldEvents(readStream(translation, streamed.body)), answer, streamed.body);
  }
});

test('samples of every vendor are read, and written again without a loss', async () => {
  const { recordings } = await loadRecordings(SAMPLES, 'openai-chat');
  const answers = recordings.filter(({ status }) => status === 200);
  assert.ok(answers.length > 8);
  for (const { name, stream, frames } of answers) {
    const body = Buffer.concat(frames);
    const read = stream ? foldEvents(readStream(translation, body.toString())) : readAnswer(body);
    const answer = { ...withoutWhatIsTold(read), id: 'chatcmpl-1' };
    const [whole, streamed] = [writtenWhole(answer), writtenStream(answer)];
    assert.deepEqual(readAnswer(Buffer.from(whole.body)), answer, name);
    assert.deepEqual(foldEvents(readStream(translation, streamed.body)), answer, name);
  }
});

/** What the vendor says that it charged is for the bill alone, and what was left out is told beside the answer. */
function withoutWhatIsTold({ omitted: _, ...answer }: Answer): Answer {
  if (answer.usage === null || answer.usage === undefined) return answer;
  const { reportedCost: __, ...usage } = answer.usage;
  return { ...answer, usage };
}

function context(): AnswerContext {
  const given = caseContext();
  return { ...given, envelope: { ...given.envelope, wantsUsage: true } };
}

function writtenWhole(answer: Answer): { body: string; dropped: readonly string[] } {
  return writeAnswer(answer, context());
}

function writtenStream(answer: Answer): { body: string; dropped: readonly string[] } {
  const writer = writeEvents(context());
  const frames = unfoldAnswer(answer)
    .flatMap(inPieces)
    .flatMap((event) => writer.push(event));
  return { body: frames.join(''), dropped: writer.dropped };
}

/** A text comes in more than one delta. */
function inPieces(event: AnswerEvent): AnswerEvent[] {
  if (event.kind !== 'part-delta' || event.delta.kind !== 'text' || event.delta.text.length < 2) return [event];
  const { text, ...rest } = event.delta;
  const [first, second] = [text.slice(0, 1), text.slice(1)];
  return [
    { ...event, delta: { kind: 'text', text: first } },
    { ...event, delta: { ...rest, text: second } },
  ];
}

function toolCall(id: string): Extract<AnswerPart, { kind: 'tool-call' }> {
  return { kind: 'tool-call', id, name: 'f', input: '{"a": 1}', form: 'function' };
}

function result(callId: string) {
  return {
    kind: 'tool-result',
    callId,
    parts: [{ kind: 'text', text: 'R' }],
    isError: false,
    form: 'function',
  } as const;
}

/** An answer as this dialect can say it: thoughts, then text, then a refusal, then calls. */
function randomAnswer(random: () => number): Answer {
  const choices = Array.from({ length: pick(random, [1, 1, 1, 3]) }, (_, choice) => {
    const thoughts = Array.from({ length: Math.floor(random() * 4) }, (_, at) => randomThought(random, `T${at}`));
    const text = randomText(random);
    const refused = random() < 0.15;
    const calls = Array.from({ length: Math.floor(random() * 3) }, (_, at) => randomToolCall(random, `${choice}${at}`));
    const parts: AnswerPart[] = [
      ...thoughts,
      ...(random() < 0.7 ? [text] : []),
      ...(refused ? [{ kind: 'refusal', text: 'No.', logprobs: [LOGPROB] } as const] : []),
      ...calls,
    ];
    const ends =
      calls.length > 0
        ? (['tool-calls', 'length'] as const)
        : refused
          ? (['refusal'] as const)
          : (['stop', 'length', 'content-filter'] as const);
    return { parts, finish: { reason: pick(random, ends) } };
  });
  const usage = usageOf({
    inputTokens: 9,
    cacheReadTokens: 4,
    cacheWriteTokens: 2,
    outputTokens: 5,
    reasoningTokens: 3,
  });
  return {
    id: 'chatcmpl-1',
    model: 'm',
    createdAt: 1_700_000_000,
    choices,
    usage: pick(random, [null, usage, { ...usage, serviceTier: 'flex' }]),
  };
}

function randomThought(random: () => number, text: string): AnswerPart {
  const seal = pick(random, [null, FOREIGN, { ...FOREIGN, form: 'encrypted', id: 'rs_1' } as const]);
  const redacted = { kind: 'reasoning', text: '', form: 'full', seal: { ...FOREIGN, form: 'redacted' } } as const;
  if (random() < 0.2) return redacted;
  if (random() < 0.2) return { ...redacted, form: 'summary', seal: { ...FOREIGN, form: 'encrypted', id: null } };
  if (random() < 0.2) return { ...redacted, seal: FOREIGN };
  return { kind: 'reasoning', text: `${text} "日本"`, form: 'full', seal };
}

function randomText(random: () => number): AnswerPart {
  return {
    kind: 'text',
    text: 'One "two" 🙂\n',
    ...(random() < 0.3 && {
      citations: [
        { kind: 'url', url: 'https://a.invalid', title: 'A', start: 0, end: 3 },
        { kind: 'url', url: 'https://b.invalid', title: '', start: 4, end: 9, citedText: 'c' },
        { kind: 'native', dialect: 'openai-chat', value: { type: 'file', file: { name: 'x' } } },
      ] as const,
    }),
    ...(random() < 0.3 && { logprobs: [LOGPROB, { ...LOGPROB, bytes: null }] }),
  };
}

function randomToolCall(random: () => number, id: string): AnswerPart {
  const form = pick(random, ['function', 'function', 'custom'] as const);
  const input =
    form === 'custom' ? pick(random, ['', 'free "text"']) : pick(random, ['{}', '{"a": 1.0}', '{"b":"日本"}']);
  return { kind: 'tool-call', id, name: 'f', input, form };
}

function randomCall(random: () => number): Call {
  const maybe = <T extends object>(members: T): Partial<T> => (random() < 0.5 ? members : {});
  const messages: Message[] = [{ role: pick(random, ['system', 'developer']), parts: [{ kind: 'text', text: 'Be.' }] }];
  for (let turn = 0; turn < 1 + random() * 4; turn += 1) messages.push(...randomTurns(random, turn));
  return {
    messages,
    tools: [
      {
        kind: 'function',
        name: 'f',
        parameters: { type: 'object', properties: {} },
        ...maybe({ description: 'D', strict: true }),
      },
      { kind: 'custom', name: 'c', ...maybe({ format: { type: 'grammar', syntax: 'lark', definition: 'x' } }) },
    ],
    ...maybe({
      toolChoice: pick(random, [
        { mode: 'required' } as const,
        { mode: 'one', name: 'f', form: 'function' } as const,
        { mode: 'one', name: 'c', form: 'custom' } as const,
      ]),
      parallelToolCalls: false,
    }),
    ...maybe({ maxOutputTokens: 5, choices: 2, temperature: 0.5, topP: 1 }),
    ...maybe({ frequencyPenalty: 1, presencePenalty: -1, seed: 7, stop: ['a', 'b'], logitBias: { '50256': -100 } }),
    ...maybe({ logprobs: { top: pick(random, [0, 5]) }, reasoning: { effort: 'xhigh' }, verbosity: 'low' }),
    ...maybe({
      format: pick(random, [
        { kind: 'json' } as const,
        { kind: 'schema', name: 'n', schema: { type: 'object' }, strict: true } as const,
      ]),
    }),
    ...maybe({ serviceTier: 'flex', user: 'u', promptCacheKey: 'k', promptCacheRetention: '24h' }),
    ...maybe({ extra: { dialect: 'openai-chat', fields: { prediction: { type: 'content' } } } as const }),
  };
}

function randomTurns(random: () => number, turn: number): Message[] {
  // A prompt takes four marks, and a turn has up to two.
  const cache = turn < 2 && random() < 0.3 ? { cache: { ttl: pick(random, ['5m', '1h']) } as const } : {};
  const user: Message = {
    role: 'user',
    parts: pick(random, [
      [{ kind: 'text', text: `Q${turn}`, ...cache }],
      [
        { kind: 'text', text: 'See', ...cache },
        { kind: 'image', source: { kind: 'data', mediaType: 'image/png', data: 'AAAA' }, detail: 'low' },
        { kind: 'image', source: { kind: 'url', url: 'https://a.invalid/b.png' } },
        { kind: 'audio', data: 'AA', format: 'wav' },
        { kind: 'file', source: { kind: 'data', mediaType: 'application/pdf', data: 'JVBERi0' }, filename: 'a.pdf' },
        { kind: 'file', source: { kind: 'id', dialect: 'openai-chat', id: 'file_1' } },
      ],
    ]),
    ...(random() < 0.2 && { name: 'ann' }),
  };
  const own: Seal = {
    dialect: 'openai-chat',
    provider: null,
    form: 'signature',
    id: null,
    value: '[{"type":"reasoning.text","signature":"z","format":"x","index":0}]',
  };
  const parts: AnswerPart[] = [
    ...(random() < 0.5
      ? [{ kind: 'reasoning', text: 'Hm.', form: 'full', seal: pick(random, [null, own]) } as const]
      : []),
    ...(random() < 0.5 ? [{ kind: 'text', text: 'A' } as const] : []),
    ...(random() < 0.2 ? [{ kind: 'refusal', text: 'No.' } as const] : []),
    { ...toolCall(`t${turn}a`), form: 'function' },
    { kind: 'tool-call', id: `t${turn}b`, name: 'c', input: 'free', form: 'custom' },
  ];
  const results: Message = { role: 'tool', parts: [result(`t${turn}a`), { ...result(`t${turn}b`), form: 'custom' }] };
  return random() < 0.5 ? [user] : [user, { role: 'assistant', parts }, results];
}

function pick<const T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

/** Mulberry32: the same seed gives the same run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
