import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peekAnswer } from './peek.ts';

const BODY = { object: 'response', output: [], usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 } };

test('a response that has not ended fails, and is billed as told', () => {
  for (const [status, kind] of [
    ['in_progress', 'upstream_disconnected'],
    ['queued', 'upstream_disconnected'],
    ['completed', undefined],
    ['incomplete', undefined],
    [undefined, undefined],
  ] as const) {
    const { error, usage } = peekAnswer(Buffer.from(JSON.stringify({ ...BODY, status })));
    assert.deepEqual([error?.kind, usage?.inputTokens, usage?.outputTokens], [kind, 11, 7], String(status));
  }
});
