import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonInTurns, mapInTurns, sortInTurns } from './in-turns.ts';

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

test('lists inside of many others are read once, and not once for each level', async () => {
  let read = 0;
  const items = Array.from({ length: 2 }, () => {
    const list = rows(400);
    return new Proxy(list, {
      get(_, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) read += 1;
        return Reflect.get(list, name);
      },
    });
  });
  let value: unknown = items;
  for (let level = 0; level < 50; level += 1) value = level % 2 === 0 ? [value] : { value };
  const expected = JSON.stringify(value);
  read = 0;
  assert.equal(await jsonInTurns(value), expected);
  assert.equal(read, 2 * 400);
});

test('work in turns comes to what it comes to at once, and others have their turn meanwhile', async () => {
  const numbers = Array.from({ length: 5_001 }, (_, number) => (number * 7_919) % 5_003);
  const order = (one: number, other: number) => one - other;
  const works: [string, () => Promise<unknown>, unknown][] = [
    ['json', () => jsonInTurns({ data: rows(5_000) }), JSON.stringify({ data: rows(5_000) })],
    [
      'json of many short lists',
      () => jsonInTurns({ a: rows(499), b: rows(499), c: rows(499), d: rows(499), e: rows(499), f: rows(499) }),
      JSON.stringify(Object.fromEntries([...'abcdef'].map((name) => [name, rows(499)]))),
    ],
    ['map', () => mapInTurns(numbers, String), numbers.map(String)],
    ['sort', () => sortInTurns(numbers, order), numbers.toSorted(order)],
  ];
  for (const [name, work, expected] of works) {
    let isDone = false;
    let seen = 0;
    const look = () => {
      seen += 1;
      if (!isDone) setImmediate(look);
    };
    setImmediate(look);
    assert.deepEqual(await work(), expected, name);
    isDone = true;
    assert.ok(seen >= 5, `${name}: ${seen} turns`);
  }
});

test('what is alike stays in its order when it is sorted in turns', async () => {
  for (const count of [0, 1, 500, 501, 1_500, 2_003]) {
    const items = Array.from({ length: count }, (_, number) => ({ of: number % 3, number }));
    const order = (one: (typeof items)[number], other: (typeof items)[number]) => one.of - other.of;
    assert.deepEqual(await sortInTurns(items, order), items.toSorted(order));
  }
});
