import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, foldEvents } from '../../core/answer.ts';
import type { AnswerPart, Call, Message } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Seal } from '../../core/seal.ts';
import { caseWriteOptions, readStream } from '../contract/cases.ts';
import type { WriteOptions } from '../dialect.ts';
import { openAiChat } from './openai-chat.ts';

const translation = openAiChat.translation!;
const { writeCall, readAnswer } = translation;
const FOREIGN: Seal = {
  dialect: 'anthropic-messages',
  provider: 'elsewhere',
  form: 'signature',
  id: null,
  value: 's=',
};

test('what a vendor does not take is left out by name', () => {
  const call: Call = {
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'S', cache: { ttl: '5m' } }] },
      { role: 'user', name: 'ann', parts: [{ kind: 'image', source: { kind: 'id', dialect: 'gemini', id: 'f' } }] },
      { role: 'assistant', parts: [{ kind: 'reasoning', text: 'Hm.', form: 'full', seal: FOREIGN }, toolCall('a')] },
      { role: 'tool', parts: [{ ...result('a'), isError: true }] },
    ],
    tools: [
      { kind: 'native', dialect: 'gemini', type: 'search', value: {} },
      { kind: 'function', name: 'f', parameters: null },
    ],
    topK: 3,
    seed: 1,
    stop: ['1', '2', '3', '4', '5'],
    verbosity: 'low',
    metadata: { a: 'b' },
    user: 'x'.repeat(65),
    reasoning: { budgetTokens: 6000, summary: 'auto' },
    extra: { dialect: 'openai-responses', fields: { truncation: 'auto' } },
  };
  const options = caseWriteOptions({ quirks: { refuses: ['seed', 'name'] } });
  const { body, dropped } = writeCall(call, options);
  const names =
    'truncation cache_control file_id seal is_error reasoning tools.search top_k stop seed reasoning_summary user metadata verbosity';
  assert.deepEqual([...dropped].sort(), names.split(' ').sort());
  const written = JSON.parse(body.toString()) as { messages: unknown[]; [name: string]: unknown };
  assert.deepEqual(written.messages.length, 3);
  assert.deepEqual([written.stop, written.reasoning_effort], [['1', '2', '3', '4'], 'medium']);
});

test('ids of tool calls are made legal: the same each time, and never one for two', () => {
  const long = ['toolu_'.padEnd(60, 'x'), 'toolu_'.padEnd(61, 'x')];
  const ids = ['call_1', 'abcDEF123', ...long, ''];
  const messages = ids.flatMap((id): Message[] => [
    { role: 'assistant', parts: [toolCall(id)] },
    { role: 'tool', parts: [result(id)] },
  ]);
  for (const [quirks, legal] of [
    [{}, /^.{1,40}$/],
    [{ nineLetterCallIds: true }, /^[A-Za-z0-9]{9}$/],
  ] as const) {
    const written = messagesOf({ messages, tools: [] }, { quirks });
    const calls = written.flatMap(({ tool_calls: calls }) => (calls as { id: string }[] | undefined) ?? []);
    const results = written.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id as string]));
    assert.deepEqual(
      calls.map(({ id }) => id),
      results,
    );
    assert.equal(new Set(results).size, ids.length);
    for (const id of results) assert.match(id, legal);
    assert.ok(results.includes('abcDEF123'));
    assert.deepEqual(messagesOf({ messages: messages.slice(0, 6), tools: [] }, { quirks }), written.slice(0, 6));
  }
});

test('nothing stands between a call and its result', () => {
  const native = { kind: 'native', dialect: 'gemini', type: 'search', value: 1 } as const;
  const written = messagesOf({
    messages: [
      { role: 'assistant', parts: [toolCall('a')] },
      { role: 'assistant', parts: [native] },
      { role: 'assistant', parts: [toolCall('b')] },
      { role: 'tool', parts: [result('a'), result('b')] },
      { role: 'assistant', parts: [native, { kind: 'reasoning', text: '', form: 'full', seal: FOREIGN }] },
    ],
    tools: [],
  });
  assert.deepEqual(
    written.map(({ role }) => role),
    ['assistant', 'tool', 'tool'],
  );
});

test('ids that a vendor leaves out differ from answer to answer, and are the same in both forms', () => {
  const call = { function: { name: 'f', arguments: '{}' } };
  const whole = (id: string) =>
    readAnswer(Buffer.from(JSON.stringify({ id, choices: [{ message: { tool_calls: [call, call] } }] })));
  const stream = (id: string) => {
    const chunk = { id, choices: [{ delta: { tool_calls: [call] } }] };
    const last = { id, choices: [{ delta: { tool_calls: [call] }, finish_reason: 'stop' }] };
    return foldEvents(
      readStream(translation, [chunk, last].map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')),
    );
  };
  const ids = (answer: Answer) => answer.choices[0]!.parts.map((part) => (part.kind === 'tool-call' ? part.id : ''));
  assert.equal(new Set([...ids(whole('one')), ...ids(whole('two'))]).size, 4);
  assert.deepEqual(ids(stream('one')), ids(whole('one')));
});

test('answers that are none, or are nested without end, are refused', () => {
  const deep = `{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}}]}`;
  for (const body of ['', '{"choices":', '[]', 'null', '{"id":"x"}', deep, '{"choices":[{"finish_reason":"error"}]}']) {
    assert.throws(
      () => readAnswer(Buffer.from(body)),
      (error) => error instanceof GatewayError && error.status === 502,
    );
  }
  const [event] = translation.readEvents().push({ event: null, data: deep.replace('message', 'delta') });
  assert.equal(event?.kind, 'failure');
});

test('a choice that was asked for and never began has no finish, unless the vendor says itself that it is done', () => {
  const said = { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] };
  const kinds = (...data: string[]) => {
    const reader = translation.readEvents(2);
    const events = data.flatMap((one) => reader.push({ event: null, data: one }));
    return [...events, ...reader.end()].map(({ kind }) => kind);
  };
  assert.ok(!kinds(JSON.stringify(said)).includes('finish'));
  assert.ok(kinds(JSON.stringify(said), '[DONE]').includes('finish'));
});

test('a stream without its end has no finish', () => {
  const chunk = (fields: object, finish: string | null = null, index = 0) =>
    `data: ${JSON.stringify({ id: 'a', choices: [{ index, delta: fields, finish_reason: finish }] })}\n\n`;
  const cut = [
    '',
    chunk({ content: 'a' }),
    `${chunk({ content: 'a' })}data: [DONE]\n\n`,
    chunk({ content: 'a' }, 'stop') + chunk({ content: 'b' }, null, 1),
  ];
  for (const stream of cut)
    assert.ok(
      readStream(translation, stream).every(({ kind }) => kind !== 'finish'),
      stream,
    );
  assert.equal(readStream(translation, chunk({ content: 'a' }, 'stop')).at(-1)?.kind, 'finish');
});

function messagesOf(call: Call, more: Partial<WriteOptions> = {}): Record<string, unknown>[] {
  const { body } = writeCall(call, caseWriteOptions(more));
  return (JSON.parse(body.toString()) as { messages: Record<string, unknown>[] }).messages;
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
