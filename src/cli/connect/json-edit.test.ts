import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonConflict, setJsonMember } from './json-edit.ts';

const CASES: readonly [name: string, before: string, path: string[], value: unknown, after: string][] = [
  ['an empty object', '{}\n', ['env', 'A'], '1', '{\n  "env": {\n    "A": "1"\n  }\n}\n'],
  ['a value that is there', '{"a": 1.50, "b":[1,2]}', ['a'], 'x', '{"a": "x", "b":[1,2]}'],
  ['an object on one line', '{"a": 1}', ['b'], true, '{"a": 1,\n  "b": true\n}'],
  ['tabs', '{\n\t"a": {}\n}\n', ['a', 'b'], 'x', '{\n\t"a": {\n\t\t"b": "x"\n\t}\n}\n'],
  ['CRLF', '{\r\n  "a": 1\r\n}\r\n', ['b'], { c: 1 }, '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n'],
  [
    'numbers and escapes that reading and writing would change',
    '{\n  "n": 12345678901234567890, "e": "\\u00e9\\/", "2": 1.0, "1": 1e3\n}',
    ['x'],
    1,
    '{\n  "n": 12345678901234567890, "e": "\\u00e9\\/", "2": 1.0, "1": 1e3,\n  "x": 1\n}',
  ],
  [
    'comments',
    '{\n  // "a": { in a comment\n  "b": "// no comment", /* } */\n  "c": { "d": 1 } // last\n}\n',
    ['c', 'e'],
    2,
    '{\n  // "a": { in a comment\n  "b": "// no comment", /* } */\n  "c": { "d": 1,\n    "e": 2\n  } // last\n}\n',
  ],
  ['a comment behind the last member', '{\n  "a": 1 // one\n}', ['b'], 2, '{\n  "a": 1, // one\n  "b": 2\n}'],
  ['a comma behind the last member', '{\n  "a": [1,],\n}', ['b'], 2, '{\n  "a": [1,],\n  "b": 2\n}'],
  ['nothing but a comment', '{\n  // later\n}', ['a'], 1, '{\n  // later\n  "a": 1\n}'],
  ['a byte order mark', '\uFEFF{"a":1}', ['a'], 2, '\uFEFF{"a":2}'],
  ['a name twice: the last counts', '{"a": 1, "a": 2}', ['a'], 3, '{"a": 1, "a": 3}'],
  ['a name with quotes', '{"x\\"y": 1}', ['x"y'], 2, '{"x\\"y": 2}'],
  ['a name like a part of every object', '{}', ['__proto__'], 1, '{\n  "__proto__": 1\n}'],
];

for (const [name, before, path, value, after] of CASES) {
  test(`${name}: only the member is set`, () => {
    assert.equal(setJsonMember(before, path, value), after);
    assert.equal(setJsonMember(after, path, value), after, 'a second time changes nothing');
  });
}

for (const text of ['', '[]', 'null', '{"a": 1', "{'a': 1}", '{"a": 1}}', '{"a": 1,, "b": 2}']) {
  test(`refused, since it is no JSON object: ${JSON.stringify(text)}`, () => {
    assert.throws(() => setJsonMember(text, ['a'], 1), JsonConflict);
  });
}

test('a path through what is no object is refused', () => {
  assert.throws(() => setJsonMember('{"env": ["x"]}', ['env', 'A'], 1), /“env” is not an object/);
});
