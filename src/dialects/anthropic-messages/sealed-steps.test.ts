import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Losses } from '../../core/losses.ts';
import { packSeal } from '../../core/seal.ts';
import { openedSteps, withMarkedStep } from './sealed-steps.ts';

const CALL = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
const RESULT = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url: 'https://a.invalid', encrypted_content: 'EqQB' }],
};
const MARKED = withMarkedStep(RESULT, 'lab');
const FILLER = packSeal({ dialect: 'anthropic-messages', provider: 'lab', form: 'encrypted', id: null, value: '' });

function opened(result: object, provider: string | null): readonly unknown[] {
  return openedSteps([CALL, result], provider, new Losses());
}

test('a sealed step goes to its maker alone, and one without a mark to whoever is asked', () => {
  assert.deepEqual(opened(MARKED, 'lab'), [CALL, RESULT]);
  assert.deepEqual(opened(MARKED, 'other'), []);
  assert.deepEqual(opened(RESULT, 'other'), [CALL, RESULT]);
});

test('who has refused sealed steps gets none', () => {
  for (const result of [MARKED, RESULT]) assert.deepEqual(opened(result, null), []);
});

test('what stands for a seal in the search of another format goes to nobody', () => {
  const filled = { ...RESULT, content: [{ ...RESULT.content[0], encrypted_content: FILLER }] };
  assert.deepEqual(opened(filled, 'lab'), []);
});
