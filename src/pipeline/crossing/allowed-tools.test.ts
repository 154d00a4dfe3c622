import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../core/call.ts';
import { narrowTools } from './allowed-tools.ts';

const CALL: Call = {
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
    ...CALL,
    toolChoice: { mode: 'allowed', required, names: ['b', 'web_search', 'unknown'] },
  });
  for (const required of [true, false]) {
    const { tools, toolChoice } = narrowTools(allowing(required));
    assert.deepEqual(tools, [CALL.tools[1], CALL.tools[2]]);
    assert.deepEqual(toolChoice, { mode: required ? 'required' : 'auto' });
  }
});

test('any other choice changes nothing', () => {
  for (const mode of ['auto', 'none', 'required'] as const) {
    const call: Call = { ...CALL, toolChoice: { mode } };
    assert.equal(narrowTools(call), call);
  }
  assert.equal(narrowTools(CALL), CALL);
});
