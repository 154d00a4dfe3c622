import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinLosses, LOSSES, type Loss, Losses, MAX_LOSS_NAME } from './losses.ts';

const MAX_LIST_BYTES = 4096;

function bytesOf(names: readonly string[]): number {
  return Buffer.byteLength(JSON.stringify(names));
}

function fieldsOf(count: number, name: (index: number) => string): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
}

test('each name is told once, in the order first met', () => {
  const losses = new Losses();
  losses.add('stop');
  losses.addFields({ invented: 1, other: 2 });
  losses.addTool('web_search');
  losses.add('stop');
  losses.addFields({ invented: 3 });
  assert.deepEqual(losses.names, ['stop', 'invented', 'other', 'tools.web_search']);
});

const HOSTILE: readonly [what: string, fields: Record<string, unknown>][] = [
  ['300,000 short names', fieldsOf(300_000, (index) => `f${index}`)],
  ['1,000 long names', fieldsOf(1_000, (index) => `${index}${'x'.repeat(6_000)}`)],
  ['names that JSON writes longer', fieldsOf(5_000, (index) => `${'\u0000'.repeat(100)}${index}`)],
  ['names of many bytes', fieldsOf(5_000, (index) => `${'\u{1f600}'.repeat(60)}${index}`)],
  ['names of broken characters', fieldsOf(5_000, (index) => `${'\ud800'.repeat(120)}${index}`)],
];

for (const [what, fields] of HOSTILE) {
  test(`a list is at most 4 KB, then a count: ${what}`, () => {
    const losses = new Losses();
    losses.addFields(fields);
    // The gateway reports its own omissions, whatever the caller sent beside them.
    for (const loss of Object.keys(LOSSES) as Loss[]) if (loss !== 'tools') losses.add(loss);
    const { names } = losses;
    assert(bytesOf(names) <= MAX_LIST_BYTES, `${bytesOf(names)} bytes`);
    const [, more] = /^\+(\d+) more$/.exec(names.at(-1) ?? '') ?? [];
    const told = names.length - 1 - (Object.keys(LOSSES).length - 1);
    assert.equal(told + Number(more), Object.keys(fields).length);
    assert(names.includes('temperature'));
    assert(bytesOf(joinLosses(names, names, names)) <= MAX_LIST_BYTES);
  });
}

test('a longer name is cut, and says so; names that are then the same are one', () => {
  const losses = new Losses();
  const long = 'x'.repeat(1_000_000);
  losses.addFields({ [long]: 1, [`${long}y`]: 2 });
  losses.addTool(long);
  assert.deepEqual(losses.names, [`${'x'.repeat(MAX_LOSS_NAME)}…`, `tools.${'x'.repeat(MAX_LOSS_NAME - 6)}…`]);
  assert.deepEqual(joinLosses(losses.names), losses.names, 'what was cut is not cut again');
});

test('lists are joined with their counts', () => {
  assert.deepEqual(joinLosses(['stop', 'a'], ['a', 'b', '+3 more'], ['seal', 'c', '+2 more']), [
    'stop',
    'a',
    'b',
    'seal',
    '+6 more',
  ]);
  assert.deepEqual(joinLosses([]), []);
});
