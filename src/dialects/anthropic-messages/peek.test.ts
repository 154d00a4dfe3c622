import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peekAnswer } from './peek.ts';

const USAGE = { input_tokens: 11, output_tokens: 7 };
const peeked = (more: object) =>
  peekAnswer(
    Buffer.from(JSON.stringify({ type: 'message', content: [{ type: 'text', text: 'Hel' }], usage: USAGE, ...more })),
  );

test('a message with any stop reason but a failure is whole', () => {
  for (const stop_reason of [
    'end_turn',
    'tool_use',
    'max_tokens',
    'stop_sequence',
    'refusal',
    'end_turn_of_tomorrow',
  ]) {
    assert.equal(peeked({ stop_reason }).error, null, stop_reason);
  }
});

test('a message that was cut or broken off fails, and its usage is told', () => {
  for (const stop_reason of [undefined, null, '', 'error', 'aborted']) {
    const { error, usage, output } = peeked({ stop_reason });
    assert.notEqual(error, null, String(stop_reason));
    assert.deepEqual([usage?.inputTokens, usage?.outputTokens, output().text], [11, 7, 'Hel']);
  }
});
