import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dice } from '../dialects/contract/dice.ts';
import { isJson, parseJson } from './parse.ts';

/** The characters of names that may be escaped, and of names that must be. */
const CHARACTERS = ['a', 'u', 'n', '1', '"', '\\', '\n', '\b', '\u0000', 'é', '姓', '\ud83d', '\ue000', '/', ' ', ':'];
const FIRST = ['{"a":1,', '{"a":[],', '{"a":1,"b":{},'];

test('an escaped name is read as it is, whatever was read in its place before', () => {
  for (const first of FIRST) {
    JSON.parse(`${first}"\\\\":2}`);
    JSON.parse(`${first}"n\\\\u":2}`);
    JSON.parse(`${first}"\\\\u":2}`);
    for (const [written, name] of [
      ['\\n', '\n'],
      ['\\"', '"'],
      ['n\\u0075m', 'num'],
      ['\\u59d3\\u540d', '姓名'],
    ])
      assert.deepEqual(Object.keys(parseJson(`${first}"${written}":2}`) as object).at(-1), name);
  }
});

test('what is read is what was written: 20,000 values whose names are escaped at random', () => {
  const dice = new Dice(63_785);
  const name = () => dice.many(3, () => dice.pick(CHARACTERS)).join('');
  const string = (text: string) => `"${[...text].map((character) => spelled(dice, character)).join('')}"`;
  const value = (depth: number): { value: unknown; text: string } => {
    const kind = dice.below(depth === 0 ? 2 : 4);
    if (kind === 0) return { value: dice.below(3), text: '' };
    if (kind === 1) return { value: name(), text: '' };
    const items = dice.many(4, () => ({ name: name(), ...value(depth - 1) }));
    if (kind === 2) return { value: items.map((item) => item.value), text: `[${items.map(textOf).join(' , ')}]` };
    const object: Record<string, unknown> = {};
    for (const item of items) define(object, item.name, item.value);
    const members = items.map((item) => `${string(item.name)}${dice.pick(['', ' ', '\n\t'])}:${textOf(item)}`);
    return { value: object, text: `{${members.join(',')}}` };
  };
  const textOf = (of: { value: unknown; text: string }) =>
    of.text !== '' ? of.text : typeof of.value === 'string' ? string(of.value) : String(of.value);
  for (let round = 0; round < 20_000; round += 1) {
    const written = value(3);
    const read = parseJson(textOf(written));
    // The text is compared too, because it shows the order of the members.
    assert.equal(JSON.stringify(read), JSON.stringify(written.value), textOf(written));
    assert.deepEqual(read, written.value);
  }
});

/** A character in one of its JSON spellings. */
function spelled(dice: Dice, character: string): string {
  const escaped = [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
  if (dice.maybe()) return escaped;
  const short = JSON.stringify(character).slice(1, -1);
  return character === '/' ? dice.pick(['/', '\\/']) : short;
}

function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

test('a name that stands for another is none of those that are there', () => {
  const text = '{"\\n":1,"\ue0000\ue000":2,"\\ue0001\\ue000":3,"\\"":4}';
  assert.deepEqual(Object.entries(parseJson(text) as object), [
    ['\n', 1],
    ['\ue0000\ue000', 2],
    ['\ue0001\ue000', 3],
    ['"', 4],
  ]);
});

test('a member by the name of `__proto__` is one like others', () => {
  const read = parseJson('{"__\\u0070roto__":{"\\n":1},"\\n":2}') as object;
  assert.deepEqual(Object.keys(read), ['__proto__', '\n']);
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
});

test('values may be replaced, and names stay', () => {
  const tenfold = (_: string, value: unknown) => (typeof value === 'number' ? value * 10 : value);
  assert.deepEqual(parseJson('{"\\n":[1,{"\\u0061":2}]}', false, tenfold), { '\n': [10, { a: 20 }] });
});

test('what is not JSON is refused, escapes in its names or not', () => {
  const wrong = [
    '',
    '{',
    '{"a\\"":}',
    '{"a":1}\\"x":2',
    '{"\\q":1}',
    '{"\\n":1,}',
    '\\',
    '"\\',
    '{"\\n" :',
    '{"a"\\n":1}',
  ];
  for (const text of wrong) {
    assert.throws(() => parseJson(text), SyntaxError, text);
    assert.equal(isJson(text), false, text);
  }
  assert.equal(isJson('{"\\n":1}'), true);
});

test('texts of a megabyte that are full of escapes, or deep, are read', () => {
  const texts = [
    `{"${'\\\\'.repeat(500_000)}":1}`,
    `["${'\\n'.repeat(500_000)}"]`,
    `{${Array.from({ length: 50_000 }, (_, index) => `"\\n${index}":1`).join(',')}}`,
    `{"\\n":"${'\ue000'.repeat(500_000)}"}`,
    `{"\\n":"${Array.from({ length: 50_000 }, (_, index) => `\ue000${index}`).join('')}\ue000"}`,
    `${'{"\\n":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  ];
  for (const text of texts) assert.equal(Object.keys(parseJson(text) as object).length > 0, true);
});
