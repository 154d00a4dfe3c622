import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeFound } from './usage-reader.ts';

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));

test('what was found in several organizations is one list, newest first', () => {
  const found = [
    { rows: rowsOf('usage_5', 'usage_2'), isCutShort: false },
    { rows: rowsOf('usage_4', 'usage_3'), isCutShort: false },
  ];
  assert.deepEqual(mergeFound(found), {
    rows: rowsOf('usage_5', 'usage_4', 'usage_3', 'usage_2'),
    isCutShort: false,
  });
});

test('behind where one of them was cut short, nothing is told of the others', () => {
  const found = [
    { rows: rowsOf('usage_9', 'usage_5', 'usage_2'), isCutShort: false },
    { rows: rowsOf('usage_8', 'usage_4'), isCutShort: true },
    { rows: rowsOf('usage_7', 'usage_6'), isCutShort: true },
  ];
  assert.deepEqual(mergeFound(found), { rows: rowsOf('usage_9', 'usage_8', 'usage_7', 'usage_6'), isCutShort: true });
});

test('where nothing of one was read, nothing is told', () => {
  const found = [
    { rows: rowsOf('usage_9'), isCutShort: false },
    { rows: [], isCutShort: true },
  ];
  assert.deepEqual(mergeFound(found), { rows: [], isCutShort: true });
});
