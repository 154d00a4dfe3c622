import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from './events-read.ts';

test('an event is nested up to 512 deep, and with one more the stream fails', () => {
  for (const [depth, kinds] of [
    [511, []],
    [512, ['failure']],
  ] as const) {
    const data = `{"type":"vendors.own","own":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const events = readEvents().push({ event: 'vendors.own', data });
    assert.deepEqual(
      events.map(({ kind }) => kind),
      kinds,
    );
  }
});

test('the searches of a stream that is cut are counted, each once', () => {
  const reader = readEvents();
  const item = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } };
  const data = JSON.stringify({ type: 'response.output_item.done', output_index: 0, item });
  for (let time = 0; time < 2; time += 1) reader.push({ event: null, data });
  assert.deepEqual(reader.shownCalls?.(), { web_search: 1 });
});
