import assert from 'node:assert/strict';
import { test } from 'node:test';
import { align, table } from './table.ts';

test('columns are as wide as their longest cell, and nothing is left hanging at the end of a line', () => {
  const rows = [
    { name: 'a', count: 5 },
    { name: 'longer', count: 1000 },
  ];
  const text = table<(typeof rows)[number]>(
    [
      { title: 'NAME', of: ({ name }) => name },
      { title: 'COUNT', of: ({ count }) => `${count}`, align: 'right' },
      { title: 'X', of: () => '' },
    ],
    rows,
  );
  assert.deepEqual(text.split('\n'), ['NAME    COUNT  X', 'a           5', 'longer   1000']);
});

test('a name cannot move the cursor, nor turn what stands beside it', () => {
  assert.equal(align([['evil\u001b[2J\nname', 'x']]), 'evil·[2J·name  x');
  assert.equal(align([['a\u202eb\u200b', 'x']]), 'a·b·  x');
});
