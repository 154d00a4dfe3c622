import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameTable } from './names.ts';

const NAMES = ['id', 'file_id', 'skill_id', 'kk', 'url'];
const OTHER_CASES: Readonly<Record<string, string>> = { i: 'ı', s: 'ſ', k: 'K' };

/** All spellings of a name for a case-insensitive reader. */
function waysToWrite(name: string): string[] {
  const choices = [...name].map((letter) => [letter, letter.toUpperCase(), OTHER_CASES[letter] ?? letter]);
  const ways = choices.reduce<string[]>(
    (begun, letters) => begun.flatMap((way) => letters.map((each) => way + each)),
    [''],
  );
  return [...new Set(ways)];
}

function like(table: NameTable, name: string): number {
  const body = Buffer.from(name);
  return table.like(body, 0, body.length);
}

test('a name is found however it is written', () => {
  const table = new NameTable(NAMES);
  for (const name of NAMES) {
    const bit = table.bitsOf([name]);
    for (const way of waysToWrite(name)) {
      assert.equal(like(table, way) & bit, bit, way);
      assert.equal(table.bitOf(JSON.stringify(way)), bit, way);
    }
  }
});

test('a name that is none of them is told so without being decoded, where its length or an end says it', () => {
  const table = new NameTable(NAMES);
  for (const other of ['role', 'content', 'type', 'i', 'file_ide', '', 'x'.repeat(64)]) {
    assert.equal(like(table, other), 0, other);
  }
});

test('a table of long names is made of what each letter adds, not of all their spellings', () => {
  const long = 'k'.repeat(20);
  const table = new NameTable([long]);
  assert.notEqual(like(table, long), 0);
});

test('a table has a bit for each of 31 names, and refuses more', () => {
  const names = Array.from({ length: 31 }, (_, index) => `name_${index}`);
  const table = new NameTable(names);
  assert.equal(new Set(names.map((name) => table.bitsOf([name]))).size, 31);
  assert.throws(() => new NameTable([...names, 'one_more']), RangeError);
  const shared = new NameTable([...names.slice(1), [names[0]!, 'one_more']]);
  assert.equal(shared.bitsOf(['one_more']), shared.bitsOf([names[0]!]));
  assert.notEqual(shared.like(Buffer.from('one_more'), 0, 8) & shared.bitOf('"one_more"'), 0);
});
