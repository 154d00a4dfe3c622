import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConfigDocument,
  type FileFault,
  MAX_DEPTH,
  MAX_FILE_BYTES,
  MAX_VALUES,
  readDocument,
} from './document.ts';

function opened(text: string): ConfigDocument {
  const document = readDocument(text);
  assert.ok(!('faults' in document), JSON.stringify(document));
  return document;
}

function faults(text: string): FileFault[] {
  const document = readDocument(text);
  assert.ok('faults' in document, 'was not refused');
  return document.faults;
}

test('a setting stands where its key stands, an item where it begins, and what is missing where its map stands', () => {
  const document = opened('a:\n  b: 1\n  c: [x, { d: 2 }]\n');
  assert.deepEqual(document.tree, { a: { b: 1, c: ['x', { d: 2 }] } });
  assert.deepEqual(document.place(['a', 'b']), { line: 2, column: 3 });
  assert.deepEqual(document.place(['a', 'c', 1]), { line: 3, column: 10 });
  assert.deepEqual(document.place(['a', 'c', 1, 'd']), { line: 3, column: 12 });
  assert.deepEqual(document.place(['a', 'c', 1, 'e', 'f']), { line: 3, column: 10 });
  assert.deepEqual(document.place(['z']), { line: 1, column: 1 });
});

test('places hold with CRLF and a byte order mark', () => {
  assert.deepEqual(opened('\uFEFFa: 1\r\nb: 2\r\n').place(['b']), { line: 2, column: 1 });
});

test('an empty file and one of comments hold nothing', () => {
  assert.equal(opened('').tree, null);
  assert.equal(opened('# nothing\n').tree, null);
});

test('keys are text, whatever they look like', () => {
  assert.deepEqual(opened('1: a\ntrue: b\n').tree, { 1: 'a', true: 'b' });
});

test('an anchor is copied where it is used', () => {
  const { tree } = opened('a: &x { b: 1 }\nc: *x\n');
  assert.deepEqual(tree, { a: { b: 1 }, c: { b: 1 } });
  const { a, c } = tree as { a: unknown; c: unknown };
  assert.notEqual(a, c);
});

const BROKEN: [name: string, text: string, line: number, column: number, message: RegExp][] = [
  ['a list that does not end', 'a: [1\nb: 2', 2, 1, /not valid YAML/],
  ['a quote that does not end', 'a: 1\nb: "x', 2, 6, /not valid YAML: Missing closing "quote/],
  ['a key that stands twice', 'a: 1\nb: 2\na: 3', 3, 1, /is a duplicate key/],
  ['a tab as indentation', 'a:\n\tb: 1', 2, 1, /not valid YAML: Tabs/],
  ['a second document', 'a: 1\n---\nb: 2', 2, 1, /second document/],
  ['a tag', 'a: !secret x', 1, 4, /Unresolved tag/],
  ['a key that is a list', '[a]: 1', 1, 1, /key must be plain text/],
  ['a key that would be a prototype', 'a: { __proto__: {} }', 1, 6, /has a key that is not allowed/],
  ['a key that is empty', '"": 1', 1, 1, /has a key that is not allowed/],
  ['an anchor that is not set', 'a: 1\nb: *x', 2, 1, /refers to an anchor/],
  ['an anchor inside itself', 'a: &x { b: *x }', 1, 9, /more than 20 levels/],
  ['a date of YAML 1.1', '%YAML 1.1\n---\na: 2001-01-01', 3, 1, /must be text/],
  ['flow that is nested too deep for the parser', '['.repeat(20_000), 1, -1, /nested too deep/],
];

for (const [name, text, line, column, message] of BROKEN) {
  test(`${name} is a fault with its place`, () => {
    const [fault] = faults(text);
    assert.match(fault!.message, message);
    assert.equal(fault!.line, line);
    if (column > 0) assert.equal(fault!.column, column);
  });
}

test('what is nested too deep is one fault', () => {
  assert.equal(faults('['.repeat(20_000)).length, 1);
});

test('a fault does not quote the file', () => {
  for (const text of [
    'a: { api_key: sk-123 }}',
    'a: "\\qsk-123"',
    'a: @sk-123',
    'a: b: sk-123',
    'a: "sk-123',
    'sk-123\nb: 2',
  ]) {
    assert.doesNotMatch(JSON.stringify(faults(text)), /sk-123/);
  }
});

test(`a file of ${MAX_FILE_BYTES} bytes is read, and of one more is not`, () => {
  assert.equal(opened('#'.repeat(MAX_FILE_BYTES)).tree, null);
  assert.match(faults('#'.repeat(MAX_FILE_BYTES + 1))[0]!.message, /larger than 1 MB/);
  assert.match(faults('é'.repeat(MAX_FILE_BYTES / 2 + 1))[0]!.message, /larger than 1 MB/);
});

test(`maps ${MAX_DEPTH} deep are read, and one deeper are not`, () => {
  const nested = (depth: number): string => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`;
  opened(nested(MAX_DEPTH));
  assert.match(faults(nested(MAX_DEPTH + 1))[0]!.message, /levels deep/);
});

test(`a few lines of anchors cannot make more than ${MAX_VALUES} values`, () => {
  const lines = Array.from({ length: 8 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`);
  assert.match(faults(['l0: &l0 [x]', ...lines].join('\n'))[0]!.message, /values, with anchors/);
});
