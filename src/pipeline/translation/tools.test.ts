import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerEvent, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import type { Call } from '../../core/call.ts';
import { narrowTools, unwrapAnswer, unwrapEvents, wrapCustomTools } from './tools.ts';

const CALL: Call = {
  messages: [
    { role: 'user', parts: [{ kind: 'text', text: 'Patch it.' }] },
    {
      role: 'assistant',
      parts: [{ kind: 'tool-call', id: 't1', name: 'patch', input: '*** "Begin"\n', form: 'custom' }],
    },
    {
      role: 'tool',
      parts: [
        { kind: 'tool-result', callId: 't1', parts: [{ kind: 'text', text: 'ok' }], isError: false, form: 'custom' },
      ],
    },
  ],
  tools: [
    {
      kind: 'custom',
      name: 'patch',
      description: 'Edits.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    { kind: 'custom', name: 'plain' },
    { kind: 'function', name: 'look', parameters: null },
  ],
  toolChoice: { mode: 'one', name: 'patch', form: 'custom' },
};

function answerOf(name: string, input: string): Answer {
  return {
    id: null,
    model: null,
    createdAt: null,
    choices: [
      {
        parts: [
          { kind: 'text', text: 'So.' },
          { kind: 'tool-call', id: 't2', name, input, form: 'function' },
        ],
        finish: { reason: 'tool-calls' },
      },
    ],
    usage: null,
  };
}

/** The call of the answer, once whole and once as a stream of single characters; both must be the same. */
function unwrapped(name: string, input: string) {
  const { names } = wrapCustomTools(CALL);
  const answer = answerOf(name, input);
  const whole = unwrapAnswer(answer, names);
  const step = unwrapEvents(names);
  const streamed = unfoldAnswer(answer)
    .flatMap(inCharacters)
    .flatMap((event) => [...step(event)]);
  assert.deepEqual(foldEvents(streamed), whole);
  return whole.choices[0]?.parts[1];
}

function inCharacters(event: AnswerEvent): AnswerEvent[] {
  if (event.kind !== 'part-delta' || event.delta.kind !== 'text') return [event];
  return Array.from(event.delta.text, (text) => ({ ...event, delta: { kind: 'text', text } }));
}

test('a custom tool is sent as a function of one string, its grammar told in words and named as lost', () => {
  const { call, names, dropped } = wrapCustomTools(CALL);
  assert.deepEqual([...names], ['patch', 'plain']);
  assert.deepEqual(dropped, ['grammar']);
  const [patch, plain, look] = call.tools;
  assert.partialDeepStrictEqual(patch, { kind: 'function', name: 'patch', parameters: { required: ['input'] } });
  assert(patch?.kind === 'function' && plain?.kind === 'function');
  assert.equal(patch.description, 'Edits.\n\nThe input must follow this lark grammar:\nstart: "x"');
  assert.equal(plain.description, '');
  assert.equal(look, CALL.tools[2]);
  assert.deepEqual(call.toolChoice, { mode: 'one', name: 'patch', form: 'function' });
});

test('earlier calls and results are wrapped too', () => {
  const [, assistant, tool] = wrapCustomTools(CALL).call.messages;
  assert.partialDeepStrictEqual(assistant, {
    parts: [{ form: 'function', input: '{"input":"*** \\"Begin\\"\\n"}' }],
  });
  assert.partialDeepStrictEqual(tool, { parts: [{ form: 'function' }] });
});

test('a call comes back as the custom tool’s, its input as the model meant it', () => {
  const custom = (input: string) => ({ kind: 'tool-call', id: 't2', name: 'patch', input, form: 'custom' });
  assert.deepEqual(unwrapped('patch', '{"input":"a\\n\\"b\\" 🙂"}'), custom('a\n"b" 🙂'));
  assert.deepEqual(unwrapped('patch', '{"input":""}'), custom(''));
  assert.deepEqual(unwrapped('patch', '"bare"'), custom('bare'));
  for (const odd of ['not JSON', '{"other":1}', '[1]', 'null']) assert.deepEqual(unwrapped('patch', odd), custom(odd));
});

test('calls of other tools are not touched', () => {
  assert.partialDeepStrictEqual(unwrapped('look', '{"input":"x"}'), { form: 'function', input: '{"input":"x"}' });
});

const LIMITED: Call = {
  messages: [],
  tools: [
    { kind: 'function', name: 'a', parameters: null },
    { kind: 'custom', name: 'b' },
    { kind: 'native', dialect: 'openai-responses', type: 'web_search', value: {} },
    { kind: 'function', name: 'c', parameters: null },
  ],
};

test('of tools only those that are allowed are left, and the choice is among them', () => {
  const allowing = (required: boolean): Call => ({
    ...LIMITED,
    toolChoice: { mode: 'allowed', required, names: ['b', 'web_search', 'unknown'] },
  });
  for (const required of [true, false]) {
    const { tools, toolChoice } = narrowTools(allowing(required));
    assert.deepEqual(tools, [LIMITED.tools[1], LIMITED.tools[2]]);
    assert.deepEqual(toolChoice, { mode: required ? 'required' : 'auto' });
  }
});

test('any other choice changes nothing', () => {
  for (const mode of ['auto', 'none', 'required'] as const) {
    const call: Call = { ...LIMITED, toolChoice: { mode } };
    assert.equal(narrowTools(call), call);
  }
  assert.equal(narrowTools(LIMITED), LIMITED);
});
