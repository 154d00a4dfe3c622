import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageOf } from '../../core/usage.ts';
import { SearchCounter } from './search-counter.ts';

const delta = (...executed_tools: object[]) => ({ choices: [{ index: 0, delta: { executed_tools } }] });

function countedOf(chunks: readonly object[], toolCalls?: Record<string, number>): unknown {
  const searches = new SearchCounter();
  for (const chunk of chunks) searches.see(chunk);
  return searches.addTo(usageOf({ toolCalls })).toolCalls;
}

test('each search that an answer shows is counted once, and opened pages are not', () => {
  const search = { index: 0, type: 'browser.search' };
  const chunks = [delta(search), delta({ ...search, output: 'found' }, { index: 1, type: 'browser.open' })];
  assert.deepEqual(countedOf(chunks), { web_search: 1 });
  assert.deepEqual(countedOf([...chunks, delta({ index: 2, type: 'search' })]), { web_search: 2 });
  assert.equal(countedOf([delta({ index: 1, type: 'browser.open' })]), undefined);
});

test('a list of what was found counts as one, unless the usage counts searches', () => {
  for (const found of [{ web_search: [{}] }, { search_info: { search_results: [{}] } }]) {
    assert.deepEqual(countedOf([found, found]), { web_search: 1 });
    assert.deepEqual(countedOf([found], { web_search: 3 }), { web_search: 3 });
  }
  assert.equal(countedOf([{ web_search: [] }]), undefined);
});

test('searches that Mistral ran itself are told among its messages', () => {
  const call = (id: string | undefined, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: '{}' },
  });
  const messages = [
    {
      role: 'assistant',
      content: '',
      tool_calls: [call('a', 'web_search'), call('b', 'web_search'), call('c', 'open')],
    },
    ...['a', 'b', 'c'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'Found.' })),
    { role: 'assistant', content: 'So.', tool_calls: [call('d', 'web_search')] },
  ];
  const told = [{ choices: [{ index: 0, messages }] }];
  assert.deepEqual(countedOf(told), { web_search: 2 });
  assert.deepEqual(countedOf(told, { web_search: 1 }), { web_search: 1 });
  const unnamed = [
    { role: 'assistant', tool_calls: [call(undefined, 'web_search')] },
    { role: 'tool', content: '' },
  ];
  assert.equal(
    countedOf([{ choices: [{ index: 0, messages: unnamed }] }]),
    undefined,
    'two missing ids are not the same',
  );
});
