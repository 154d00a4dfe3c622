import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cuts, omissions, splice } from './edits.ts';
import { NameTable } from './names.ts';
import { JsonNode } from './node.ts';
import { indexObject, JsonError } from './scan.ts';

const NAMES = new NameTable(['file_id', 'skill_id', 'id']);

function read(json: string) {
  const body = Buffer.from(json);
  const index = indexObject(body, 600, NAMES);
  return { body, index, root: new JsonNode({ body, tape: index.tape }) };
}

const VALUES = [
  {},
  { a: 'text', b: '', c: null, d: [1, 'x', [], {}, null, ['y', [true, { z: 'deep' }]]], e: { f: { g: 'h' } } },
  { 'na"me': 'a "quoted" \\ one\n', 日本: '🙂 日本', '': 'nameless', long: 'é'.repeat(50), 'a long name of ASCII': 1 },
  { list: Array.from({ length: 3000 }, (_, at) => ({ at, text: `t${at}` })) },
];

/** Rebuilds a value from a node; lists lack the items that the tape leaves out. */
function rebuilt(node: JsonNode): unknown {
  if (node.isText) return node.text;
  if (node.isList) return node.items().map(rebuilt);
  if (node.isObject) return Object.fromEntries(node.children().map((child) => [child.name, rebuilt(child)]));
  return node.parsed();
}

function withoutScalars(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item) => typeof item === 'string' || (typeof item === 'object' && item !== null))
      .map(withoutScalars);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutScalars(inner)]));
}

test('nodes tell what a parse gives, however it is written', () => {
  for (const value of VALUES) {
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      assert.deepEqual(rebuilt(read(json).root), withoutScalars(value));
    }
  }
});

test('a walk shows each value once, in its order, and nothing inside of what is left out', () => {
  const { root } = read('{"a":{"b":"c","skip":{"d":"e"}},"f":[{"g":"h"},"i"]}');
  const seen: unknown[] = [];
  root.walk((value, outer) => {
    seen.push([outer.name, value.name, value.text]);
    return value.name !== 'skip';
  });
  assert.deepEqual(seen, [
    [null, 'a', null],
    ['a', 'b', 'c'],
    ['a', 'skip', null],
    [null, 'f', null],
    ['f', null, null],
    [null, 'g', 'h'],
    ['f', null, 'i'],
  ]);
});

test('in a walk, what each member asks of the object that it is in costs no more than the walk', () => {
  const looksAt = (members: number) => {
    const json = `{${'"data":"a","in":{"data":"b"},'.repeat(members)}"type":"t","media_type":"m"}`;
    let looks = 0;
    const { body, index } = read(json);
    const tape = new Proxy(index.tape, {
      get(of, name) {
        looks += 1;
        return Reflect.get(of, name);
      },
    });
    new JsonNode({ body, tape }).walk((value, outer) => {
      if (value.name === 'data') return outer.get('type')?.text === 't' && outer.get('media_type') !== null;
      return true;
    });
    return looks;
  };
  assert.ok(looksAt(400) < 2.5 * looksAt(200));
});

test('of several members of one name the last is told, as by a parse, and escapes hide none', () => {
  const { root } = read('{"a":{"x":"1","\\u0078":"2"},"b":[0,{"y":1},"z"]}');
  assert.equal(root.get('a')?.get('x')?.text, '2');
  const list = root.get('b')!;
  assert.deepEqual(
    list.items().map((item) => list.indexOf(item)),
    [1, 2],
  );
  assert.equal(root.get('none'), null);
});

test('what is broken in a text is an error where that is read, and nowhere else', () => {
  const { root } = read('{"a":"\\x","b":"fine"}');
  assert.equal(root.get('b')?.text, 'fine');
  assert.throws(() => root.get('a')?.text, JsonError);
  assert.throws(() => root.get('a')?.parsed(), JsonError);
});

test('names to look out for are noticed in any case and writing, and no others', () => {
  const noticed = (json: string) => read(json).index.noticed;
  const bit = NAMES.bitsOf(['skill_id']);
  for (const name of [
    'skill_id',
    'Skill_ID',
    'SKILL_ID',
    'ſkill_id',
    's\u212aill_id',
    '\\u0073kill_id',
    'skill\\u005fid',
  ]) {
    assert.equal(noticed(`{"a":[{"${name}":0}]}`), bit, name);
  }
  for (const name of ['skill_i', 'skill_ids', 'skull_id', 'x', '日本語', 'skill-id'])
    assert.equal(noticed(`{"${name}":0}`), 0);
  assert.equal(noticed('{"a":"skill_id","b":["skill_id"]}'), 0, 'a text is no name');
  assert.equal(noticed('{"skill\\_id":0}') & bit, bit, 'what cannot be read may be any');
});

test('members and items are left out with one comma each, whatever stands around them', () => {
  for (const json of ['{"a":1,"b":[2],"c":{}}', '{ "a" : 1 , "b" : [2] ,\n"c" : {} }']) {
    for (const names of [['a'], ['b'], ['c'], ['a', 'b'], ['b', 'c'], ['c', 'a'], ['a', 'b', 'c'], ['none']]) {
      const { body, index } = read(json);
      const left = JSON.parse(splice(body, omissions(body, index, names)).toString());
      assert.deepEqual(
        Object.keys(left),
        ['a', 'b', 'c'].filter((name) => !names.includes(name)),
        json,
      );
    }
  }
  const { body, root } = read('{"list":["a" , "b","c"]}');
  const list = root.get('list')!;
  const [, second, third] = list.items();
  const edits = cuts(body, list.start + 1, [third!, second!]);
  assert.equal(splice(body, edits).toString(), '{"list":["a" ]}');
});
