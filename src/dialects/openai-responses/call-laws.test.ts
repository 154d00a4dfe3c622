import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerPart, Call, Message, UserPart } from '../../core/call.ts';
import { FOREIGN, OWN, randomAnswerPart } from '../../testing/response-parts.ts';
import { pick, seeded } from '../../testing/seeded.ts';
import { caseWriteOptions } from '../contract/cases.ts';
import { readCall } from './call-read.ts';
import { writeCall } from './call-write.ts';
import { readEnvelope } from './envelope.ts';

type Random = () => number;

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const ROUNDS = 400;

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

function randomCall(random: Random): Call {
  const may = <Part extends Partial<Call>>(part: Part): Part | object => (random() < 0.5 ? part : {});
  return {
    messages: randomMessages(random),
    tools: [
      {
        kind: 'function',
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: {} },
        strict: true,
      },
      { kind: 'function', name: 'bare', parameters: { type: 'object', properties: {} }, strict: false },
      { kind: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      {
        kind: 'native',
        dialect: 'openai-responses',
        type: 'web_search',
        value: { type: 'web_search' },
        search: { name: 'web_search' },
      },
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
    while (parts.at(-1)?.kind === 'reasoning') parts.pop();
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
