import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import type { AnswerPart, Call, Message } from '../../core/call.ts';
import { packSeal, type Seal } from '../../core/seal.ts';
import { usageOf } from '../../core/usage.ts';
import { caseContext, caseWriteOptions, readStream } from '../contract/cases.ts';
import { Dice } from '../contract/dice.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { callerId, givenId, legalId } from './tool-ids.ts';

const { readCall, writeCall, readAnswer, writeAnswer, writeEvents } = anthropicMessages.translation!;
const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };
const RUNS = 400;

const SIGNED: Seal = { dialect: 'anthropic-messages', provider: null, form: 'signature', id: null, value: 'EqQB+/=' };
const REDACTED: Seal = { ...SIGNED, form: 'redacted', value: 'Emw=' };
const FOREIGN: Seal = { dialect: 'openai-responses', provider: 'lab', form: 'encrypted', id: 'rs_1', value: 'gAAA' };

/** What is read of what is written of an answer, whole and streamed. */
function across(answer: Answer): { whole: Answer; streamed: Answer; dropped: readonly string[] } {
  const written = writeAnswer(answer, caseContext());
  const writer = writeEvents(caseContext());
  const stream = unfoldAnswer(answer).flatMap((event) => writer.push(event));
  assert.deepEqual(new Set(writer.dropped), new Set(written.dropped));
  return {
    whole: readAnswer(Buffer.from(written.body)),
    streamed: foldEvents(readStream(anthropicMessages.translation!, stream.join(''))),
    dropped: written.dropped,
  };
}

test('an answer is the same behind its own writer and reader, whole and streamed', () => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const answer = randomAnswer(new Dice(seed));
    const { whole, streamed, dropped } = across(answer);
    assert.deepEqual(whole, madeHere(answer), `seed ${seed}`);
    // A stream tells the tier at its beginning, when a foreign vendor has not told it yet.
    const { serviceTier: _, ...usage } = answer.usage!;
    assert.deepEqual(streamed, { ...madeHere(answer), usage }, `seed ${seed}`);
    assert.deepEqual(dropped, []);
  }
});

/** The answer with its seals by the name of their maker, as callers are given them. */
function madeHere(answer: Answer): Answer {
  const own = (key: string, value: unknown) =>
    key === 'seal' && value !== null ? { ...value, provider: (value as Seal).provider ?? 'lab' } : value;
  return JSON.parse(JSON.stringify(answer, own)) as Answer;
}

test('what an answer loses is named, and no more is lost', () => {
  const parts: AnswerPart[] = [
    { kind: 'native', dialect: 'openai-responses', type: 'web_search_call', value: {} },
    {
      kind: 'text',
      text: 'Yes',
      logprobs: [],
      citations: [{ kind: 'native', dialect: 'openai-responses', value: {} }],
    },
    { kind: 'text', text: '' },
    { kind: 'reasoning', text: '', form: 'summary', seal: null },
  ];
  const answer = answerOf(parts);
  const { whole, streamed, dropped } = across({ ...answer, choices: [...answer.choices, ...answer.choices] });
  assert.deepEqual(new Set(dropped), new Set(['vendor_tool_calls', 'logprobs', 'citations', 'choices']));
  const kept = answerOf([{ kind: 'text', text: 'Yes' }]);
  assert.deepEqual(whole, kept);
  assert.deepEqual(streamed, kept);
});

test('the digits of a long number stay, whole and streamed', () => {
  const answer = answerOf([
    { kind: 'tool-call', id: 'toolu_1', name: 'a', input: '{"id":12345678901234567890}', form: 'function' },
  ]);
  const { whole, streamed } = across(answer);
  for (const { choices } of [whole, streamed]) assert.deepEqual(choices[0]?.parts, answer.choices[0]?.parts);
});

test('a call is the same behind its own writer and reader', () => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const call = randomCall(new Dice(seed));
    const quirks = { tools: { longestName: 128, takes: ['boolean'], source: 'a test' } } as const;
    const { body, dropped } = writeCall(call, caseWriteOptions({ upstreamModel: 'claude-sonnet-4-5', quirks }));
    const read = readCall(anthropicMessages.inbound.readEnvelope(body, LIMITS));
    assert.deepEqual(read, call, `seed ${seed}: ${body}`);
    assert.deepEqual(dropped, []);
  }
});

test('how much to think is the same behind the writer and reader of a model that is told so', () => {
  const told: readonly [model: string, wish: NonNullable<Call['reasoning']>][] = [
    ['claude-sonnet-4-5', { budgetTokens: 2048 }],
    ['claude-opus-4-8', { adaptive: true, effort: 'xhigh', summary: 'auto' }],
    ['claude-opus-5', { adaptive: true, summary: 'none' }],
    ['claude-sonnet-5', { effort: 'none' }],
  ];
  for (const [upstreamModel, reasoning] of told) {
    const call: Call = { messages: [user('Hi')], tools: [], maxOutputTokens: 9000, reasoning };
    const { body, dropped } = writeCall(call, caseWriteOptions({ upstreamModel }));
    assert.deepEqual(readCall(anthropicMessages.inbound.readEnvelope(body, LIMITS)), call);
    assert.deepEqual(dropped, []);
  }
});

test('what came of another vendor goes back to it, and to no other', () => {
  const answer = answerOf([
    { kind: 'reasoning', text: 'Hm', form: 'summary', seal: { ...FOREIGN, provider: null } },
    { kind: 'text', text: 'Yes' },
  ]);
  const { content } = JSON.parse(writeAnswer(answer, caseContext()).body) as { content: unknown };
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'assistant', content }] };
  const envelope = anthropicMessages.inbound.readEnvelope(Buffer.from(JSON.stringify(body)), LIMITS);
  const [message] = readCall(envelope).messages;
  assert.equal(message?.role, 'assistant');
  assert.deepEqual(message.parts[0], { kind: 'reasoning', text: 'Hm', form: 'summary', seal: FOREIGN });
  const passed = anthropicMessages.outbound.passCall(envelope, {
    upstreamModel: 'm',
    provider: 'other',
    streamUsage: 'as-sent',
  });
  assert.deepEqual(JSON.parse(passed.body.toString()), {
    ...body,
    messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Yes' }] }],
  });
  assert.ok(passed.body.indexOf(packSeal(FOREIGN)) < 0);
});

test('ids are legal, and no two become one', () => {
  const ids = [
    'a',
    'hg_YQ',
    'hg_',
    'hgh_x',
    'hgr_x_YQ',
    'a b',
    'a:b',
    'ä',
    '',
    'x'.repeat(64),
    'x'.repeat(65),
    'x'.repeat(66),
  ];
  const written = ids.map(legalId);
  for (const id of written) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/);
  assert.equal(new Set(written).size, ids.length);
  assert.equal(legalId('toolu_01-A'), 'toolu_01-A');
});

test('an id that a caller was given is read as what the vendor gave, and one too long to be is not changed', () => {
  for (const id of [
    'functions.look:0',
    'toolu_01-A',
    'hg_YQ',
    'hgh_x',
    'hgr_x_YQ',
    'ä',
    '',
    'a:'.repeat(40),
    'x'.repeat(80),
  ]) {
    const told = callerId(id);
    assert.equal(givenId(told), id);
    if (id.length < 40) assert.match(told, /^[a-zA-Z0-9_-]{1,64}$/);
    else assert.equal(told, id);
  }
});

test('an id that had a call before is another one for the caller, and is read as what the vendor gave', () => {
  const ids = ['call_0', 'functions.look:0', 'call_0', 'x'.repeat(30)];
  const calls = ids.map((id): AnswerPart => ({ kind: 'tool-call', id, name: 'look', input: '{}', form: 'function' }));
  let call: Call = { messages: [user('Look.')], tools: [] };
  let token = 0;
  const turns: { id: string }[][] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const newId = (prefix: string) => {
      token += 1;
      return `${prefix}_${String(token).padStart(12, '0')}`;
    };
    const context = () => caseContext({ call, newId });
    const whole = JSON.parse(writeAnswer(answerOf(calls), context()).body).content as { id: string }[];
    const writer = writeEvents(context());
    const stream = unfoldAnswer(answerOf(calls)).flatMap((event) => writer.push(event));
    const streamed = foldEvents(readStream(anthropicMessages.translation!, stream.join(''))).choices[0]!.parts;
    assert.deepEqual(
      streamed.map((part) => givenId((part as { id: string }).id)),
      ids,
    );
    assert.equal(new Set(streamed.map((part) => (part as { id: string }).id)).size, ids.length);
    turns.push(whole);
    // The first turn is forgotten, as by a client that compacts its conversation.
    const kept = turns.slice(-2).map((content) => ({ role: 'assistant', content }));
    call = readCall(
      anthropicMessages.inbound.readEnvelope(
        Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages: kept })),
        LIMITS,
      ),
    );
    const read = call.messages.flatMap(({ parts }) => parts.map((part) => (part as { id: string }).id));
    assert.deepEqual(
      read,
      turns.slice(-2).flatMap(() => ids),
    );
  }
  const told = turns.flat().map(({ id }) => id);
  assert.equal(new Set(told).size, told.length);
  for (const id of told) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/);
  assert.deepEqual(told.slice(0, 2), ['call_0', callerId('functions.look:0')]);
});

function user(text: string): Message {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

function answerOf(parts: readonly AnswerPart[]): Answer {
  const reason = parts.at(-1)?.kind === 'tool-call' ? 'tool-calls' : 'stop';
  return {
    id: 'msg_1',
    model: 'm',
    createdAt: null,
    choices: [{ parts, finish: { reason } }],
    usage: usageOf({ inputTokens: 1, outputTokens: 1 }),
  };
}

function randomAnswer(dice: Dice): Answer {
  const parts = dice.many(6, () => randomAnswerPart(dice, [SIGNED, REDACTED, FOREIGN]));
  const [cacheReadTokens, hour, more] = [dice.below(50), dice.below(50), dice.below(50)];
  const usage = usageOf({
    inputTokens: cacheReadTokens + hour + more + dice.below(50),
    cacheReadTokens,
    cacheWriteTokens: hour + more,
    ...(hour > 0 && { cacheWritesByLife: { '1h': hour } }),
    outputTokens: 50 + dice.below(50),
    reasoningTokens: dice.below(50),
    serviceTier: dice.pick(['standard', 'priority', 'batch']),
  });
  const finish = dice.pick([
    answerOf(parts).choices[0]!.finish,
    { reason: 'stop', stopSequence: dice.text() },
    { reason: 'length' },
    { reason: 'refusal' },
    { reason: 'pause' },
  ] as const);
  return { ...answerOf(parts), choices: [{ parts, finish }], usage };
}

function randomAnswerPart(dice: Dice, seals: readonly Seal[]): AnswerPart {
  const index = dice.below(1e9);
  switch (dice.below(4)) {
    case 0:
      return { kind: 'text', text: dice.text() };
    case 1: {
      const seal = dice.pick(seals);
      return { kind: 'reasoning', text: seal.form === 'redacted' ? '' : dice.text(), form: 'summary', seal };
    }
    case 2: {
      const input = JSON.stringify(dice.object());
      return { kind: 'tool-call', id: `toolu_${index}`, name: dice.pick(['a', 'b_c']), input, form: 'function' };
    }
    default: {
      const value = { type: 'server_tool_use', id: `srvtoolu_${index}`, name: 'web_fetch', input: dice.object() };
      return { kind: 'native', dialect: 'anthropic-messages', type: 'server_tool_use', value };
    }
  }
}

function randomCall(dice: Dice): Call {
  const messages: Message[] = [];
  if (dice.maybe()) messages.push({ role: 'system', parts: [text(dice, true)] });
  for (let turn = dice.below(4); turn >= 0; turn -= 1) {
    messages.push({ role: 'user', parts: dice.many(3, () => randomUserPart(dice)) });
    const parts = dice.many(4, () => randomAnswerPart(dice, [SIGNED, REDACTED]));
    // Thinking that ends a turn is left out.
    if (parts.at(-1)?.kind === 'reasoning') parts.push({ kind: 'text', text: 'So.' });
    messages.push({ role: 'assistant', parts });
    const calls = parts.filter((part) => part.kind === 'tool-call');
    if (calls.length === 0) continue;
    messages.push({
      role: 'tool',
      parts: calls.map(({ id }) => {
        const isError = dice.maybe();
        const content = dice.many(2, () => (isError ? text(dice, false) : randomUserPart(dice)));
        return { kind: 'tool-result', callId: id, parts: content, isError, form: 'function' };
      }),
    });
  }
  messages.push(user(dice.text()));
  return {
    messages,
    tools: [
      {
        kind: 'function',
        name: 'a',
        description: dice.text(),
        parameters: { type: 'object', properties: {}, additionalProperties: false },
        strict: true,
        held: true,
      },
      { kind: 'function', name: 'b_c', parameters: { type: 'object', properties: dice.object() } },
      { kind: 'native', dialect: 'anthropic-messages', type: 'bash_20250124', value: { type: 'bash_20250124' } },
    ],
    toolChoice: dice.pick([
      { mode: 'auto' },
      { mode: 'required' },
      { mode: 'one', name: 'a', form: 'function' },
    ] as const),
    ...(dice.maybe() && { parallelToolCalls: false }),
    maxOutputTokens: 1 + dice.below(9999),
    ...(dice.maybe() ? { temperature: dice.below(11) / 10 } : { topP: dice.below(11) / 10 }),
    ...(dice.maybe() && { topK: dice.below(100) }),
    ...(dice.maybe() && { stop: [dice.text(), 'END'] }),
    ...(dice.maybe() && {
      format: { kind: 'schema', schema: { type: 'object', additionalProperties: false, properties: {} }, held: true },
    }),
    ...(dice.maybe() && { serviceTier: dice.pick(['auto', 'default']) }),
    ...(dice.maybe() && { user: dice.text() }),
    ...(dice.maybe() && { extra: { dialect: 'anthropic-messages', fields: { invented: dice.object() } } }),
  };
}

function randomUserPart(dice: Dice) {
  switch (dice.below(4)) {
    case 0:
      return { kind: 'image', source: { kind: 'data', mediaType: 'image/png', data: 'iVBO' } } as const;
    case 1:
      return { kind: 'image', source: { kind: 'url', url: 'https://a.example/a.png' } } as const;
    case 2: {
      const source = dice.pick([
        { kind: 'data', mediaType: 'application/pdf', data: 'JVBE' },
        { kind: 'text', text: dice.text() },
        { kind: 'url', url: 'https://a.example/a.pdf' },
        { kind: 'id', dialect: 'anthropic-messages', id: 'file_1' },
      ] as const);
      return { kind: 'file', source, filename: dice.text() } as const;
    }
    default:
      return text(dice, false);
  }
}

function text(dice: Dice, marked: boolean) {
  return {
    kind: 'text',
    text: dice.text(),
    ...(marked && { cache: { ttl: dice.pick(['5m', '1h'] as const) } }),
  } as const;
}
