import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, foldEvents, unfoldAnswer } from '../../core/answer.ts';
import type { Call } from '../../core/call.ts';
import { legalNames, restoreAnswer, restoreEvent } from './tool-names.ts';

const LONGEST = 64;
/** Two names that begin with the same 64 characters, and one of the maximum length. */
const LONG = `mcp__plugin_oh-my-claudecode_omc-tools__${'lsp_diagnostics_'.repeat(3)}`;
const [ONE, OTHER, SHORT] = [`${LONG}one`, `${LONG}other`, LONG.slice(0, LONGEST)];

function callOf(...names: string[]): Call {
  return {
    messages: [
      { role: 'user', parts: [{ kind: 'text', text: 'Look.' }] },
      {
        role: 'assistant',
        parts: names.map((name) => ({ kind: 'tool-call', id: name, name, input: '{}', form: 'function' })),
      },
    ],
    tools: [
      ...names.map((name) => ({ kind: 'function', name, parameters: null }) as const),
      { kind: 'native', dialect: 'openai-chat', type: ONE, value: {} },
    ],
    toolChoice: { mode: 'one', name: names[0]!, form: 'function' },
  };
}

/** The names of the tools, of the earlier calls and of the choice. */
function namesOf({ tools, messages, toolChoice }: Call) {
  return {
    tools: tools.flatMap((tool) => (tool.kind === 'native' ? [] : [tool.name])),
    calls: messages.flatMap((message) =>
      message.role !== 'assistant' ? [] : message.parts.flatMap((part) => (part.kind === 'tool-call' ? part.name : [])),
    ),
    choice: toolChoice?.mode === 'one' ? toolChoice.name : null,
  };
}

function shortened(...names: string[]): string[] {
  return namesOf(legalNames(callOf(...names), { longest: LONGEST }).call).tools;
}

test('long names are shortened alike in the tools, the earlier calls and the choice', () => {
  const { call, sent } = legalNames(callOf(ONE, SHORT, OTHER), { longest: LONGEST });
  const { tools, calls, choice } = namesOf(call);
  assert.deepEqual([calls, choice], [tools, tools[0]]);
  for (const name of tools) assert.match(name, /^mcp__plugin_oh-my-claudecode_omc-tools__[a-z_0-9]{24}$/);
  assert.equal(tools[1], SHORT);
  assert.deepEqual(
    [...sent],
    [
      [tools[0], ONE],
      [tools[2], OTHER],
    ],
  );
  assert.deepEqual(call.tools[3], callOf(ONE).tools[1], 'a native tool has no name of the caller’s');
});

test('a list of the tools that may be called has the names that are sent', () => {
  const asked: Call = { ...callOf(ONE, SHORT), toolChoice: { mode: 'allowed', required: true, names: [SHORT, ONE] } };
  const { call } = legalNames(asked, { longest: LONGEST });
  const [one] = namesOf(call).tools;
  assert.deepEqual(call.toolChoice, { mode: 'allowed', required: true, names: [SHORT, one] });
});

test('a name always becomes the same, and no two become one', () => {
  const [one = '', other = ''] = shortened(ONE, OTHER);
  assert.notEqual(one, other);
  assert.deepEqual(shortened(SHORT, OTHER, ONE), [SHORT, other, one]);
  // A caller has a tool of the very name that another one's becomes.
  const [taken, moved = ''] = shortened(one, ONE);
  assert.equal(taken, one);
  assert.notEqual(moved, one);
  assert.equal(moved.length, LONGEST);
});

test('without a long name the call stays as it is', () => {
  const call = callOf(SHORT);
  assert.equal(legalNames(call, { longest: LONGEST }).call, call);
  const long = callOf(ONE);
  assert.equal(legalNames(long, { longest: Number.POSITIVE_INFINITY }).call, long);
});

test('the calls of an answer get their tools’ own names back, whole and streamed', () => {
  const { call, sent } = legalNames(callOf(ONE, SHORT, OTHER), { longest: LONGEST });
  const answer = (names: readonly string[]): Answer => ({
    id: null,
    model: null,
    createdAt: null,
    choices: [
      {
        parts: [
          { kind: 'text', text: 'So.' },
          ...names.map((name) => ({ kind: 'tool-call', id: 't', name, input: '{}', form: 'function' }) as const),
        ],
        finish: { reason: 'tool-calls' },
      },
    ],
    usage: null,
  });
  const given = answer([...namesOf(call).tools, 'unknown']);
  const wanted = answer([ONE, SHORT, OTHER, 'unknown']);
  assert.deepEqual(restoreAnswer(given, sent), wanted);
  assert.deepEqual(foldEvents(unfoldAnswer(given).map((event) => restoreEvent(event, sent))), wanted);
});
