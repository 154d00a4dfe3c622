import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonInTurns } from './json-in-turns.ts';

const row = (number: number) => ({ id: number, text: 'é"\\', none: null, left: undefined, of: { amount: 1.5 } });
const rows = (count: number) => Array.from({ length: count }, (_, number) => row(number));

test('JSON in turns is what JSON.stringify writes', async () => {
  const bucket = (count: number) => ({ object: 'bucket', results: rows(count), tags: [] });
  const values = [
    null,
    'text',
    [],
    {},
    row(1),
    rows(500),
    rows(501),
    [...rows(700), null, 5, undefined, 'x', [1, [2]]],
    {
      object: 'page',
      data: [bucket(0), bucket(1_800), bucket(3), bucket(499), bucket(2)],
      more: false,
      left: undefined,
    },
    { data: Array.from({ length: 1_440 }, () => bucket(1)) },
    { deep: { deeper: { list: rows(1_200) } }, after: 1 },
  ];
  for (const value of values) assert.equal(await jsonInTurns(value), JSON.stringify(value));
});

test('others have their turn while a long list is written', async () => {
  let isWritten = false;
  const written = jsonInTurns({ data: rows(5_000) }).then(() => (isWritten = true));
  let seen = 0;
  const look = () => {
    seen += 1;
    if (!isWritten) setImmediate(look);
  };
  setImmediate(look);
  await written;
  assert.ok(seen >= 5, `${seen} turns`);
});
