// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstVariable, interpolate } from './interpolate.ts';

const ENV = { KEY: 'k-1', HOST: 'lab', EMPTY: '', NESTED: '${KEY}', DOLLAR: "$&$'" };

const REPLACED: [from: string, to: string][] = [
  ['${KEY}', 'k-1'],
  ['http://${HOST}/${KEY}', 'http://lab/k-1'],
  ['$${KEY}', '${KEY}'],
  ['$${KEY} and ${KEY}', '${KEY} and k-1'],
  ['${NESTED}', '${KEY}'],
  ['${DOLLAR}', "$&$'"],
  ['$KEY {KEY} $', '$KEY {KEY} $'],
];

for (const [from, to] of REPLACED) {
  test(`${from} becomes ${to}`, () => {
    assert.deepEqual(interpolate({ a: [from] }, ENV), { tree: { a: [to] }, missing: [], malformed: [], foreign: [] });
  });
}

for (const from of ['${}', '${A B}', '${KEY:-x}', '${KEY', '${1A}']) {
  test(`${from} names no variable`, () => {
    assert.deepEqual(interpolate({ a: from }, ENV).malformed, [['a']]);
  });
}

for (const variable of ['NOPE', 'EMPTY', 'toString']) {
  test(`${variable} is not set, and its value is left out`, () => {
    const { tree, missing } = interpolate({ a: `x$\{${variable}}`, b: 1 }, ENV);
    assert.deepEqual(missing, [{ path: ['a'], variable }]);
    assert.deepEqual(tree, { b: 1 });
  });
}

test('keys and what is not text stay as they are', () => {
  const tree = { '${KEY}': 1, a: true, b: null, c: [0.5] };
  assert.deepEqual(interpolate(tree, ENV).tree, tree);
});

test('the first variable that is set wins', () => {
  assert.deepEqual(firstVariable(ENV, ['NOPE', 'EMPTY', 'HOST', 'KEY']), { name: 'HOST', value: 'lab' });
  assert.equal(firstVariable(ENV, ['NOPE']), null);
});
