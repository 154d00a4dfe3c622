import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Features,
  featuresOf,
  gramsOf,
  NAMED,
  readFeatures,
  type SmartText,
  SPACE,
  SYSTEM,
  writeFeatures,
} from './features.ts';
import { indexOfName, NAMES } from './named.ts';

function call(lastUser: string, more: Partial<SmartText> = {}): SmartText {
  return { lastUser, system: '', turns: 1, tools: 0, images: false, structured: false, promptTokens: 0, ...more };
}

function valueOfName({ indices, values }: Features, name: string): number {
  const at = indices.indexOf(indexOfName(name));
  return at === -1 ? 0 : values[at]!;
}

const TEXTS = [
  '',
  'What is the capital of France?',
  'Solve 3x + 4 = 19.\nA. 3\nB. 5\nC. 7\nD. 9',
  'Übersetze den Satz und schreibe nicht mehr als zehn Wörter. '.repeat(40),
  '日本語のテキストです。東京はどこですか。'.repeat(300),
  '\n \n'.repeat(50_000),
  `${'word '.repeat(100)}\ud83d\ude00`,
  '\u0000\ud800',
];

test('the same call has the same features, sorted and within their space', () => {
  for (const text of TEXTS) {
    const features = featuresOf(call(text, { system: text }));
    assert.deepEqual(featuresOf(call(text, { system: text })), features);
    const indices = [...features.indices];
    assert.deepEqual(
      indices,
      [...new Set(indices)].sort((one, other) => one - other),
    );
    for (const [at, index] of indices.entries()) {
      const value = features.values[at]!;
      assert.ok(index < SPACE && (index < NAMED ? value > 0 && value <= 1 : Number.isInteger(value) && value <= 255));
    }
  }
});

test('what is written is read again, exactly', () => {
  for (const text of TEXTS) {
    const features = featuresOf(call(text, { system: 'Be brief.', tools: 3, turns: 7 }));
    assert.deepEqual(readFeatures(writeFeatures(features)), features);
  }
});

test('what was not written as features is refused', () => {
  const written = Buffer.from(writeFeatures(featuresOf(call('one two three'))), 'base64');
  const other = Buffer.from(written);
  other[0] = 99;
  for (const bytes of [
    Buffer.alloc(0),
    other,
    written.subarray(0, -1),
    Buffer.from([1, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    Buffer.from([1, 1, 5, 0]),
    Buffer.from([1, 2, 5, 9, 0, 9]),
  ]) {
    assert.throws(() => readFeatures(bytes.toString('base64')), RangeError);
  }
});

test('of a long text the beginning and the end are looked at', () => {
  const middle = (word: string) => `${'begin '.repeat(1000)}${word} ${'end '.repeat(1000)}`;
  assert.deepEqual(featuresOf(call(middle('alpha'))), featuresOf(call(middle('gamma'))));
  const many = Array.from({ length: 100_000 }, (_, at) => at.toString(36)).join(' z');
  assert.ok(featuresOf(call(many, { system: many })).indices.length < 5000);
});

test('stored features keep their meaning: their places and hashes are pinned', () => {
  // Where this fails, what is stored means something else: raise STORED_VERSION.
  const features = featuresOf(call('Prove that 12 is even.', { system: 'Be brief.' }));
  assert.deepEqual(
    [...features.indices].filter((index) => index >= NAMED),
    PINNED,
  );
  assert.ok(NAMES.length <= NAMED);
  assert.deepEqual([indexOfName('length'), indexOfName('kind: code'), indexOfName('about literature')], PINNED_NAMES);
});

test('kinds, subjects and languages are told', () => {
  const has = (text: string, name: string) => valueOfName(featuresOf(call(text)), name) > 0;
  assert.ok(has('Translate this to French: good day', 'kind: translation'));
  assert.ok(has('Summarize the text.', 'kind: summary'));
  assert.ok(has('```js\nconst a = 1;\n```', 'kind: code'));
  assert.ok(has('How many apples are left?', 'kind: mathematics'));
  assert.ok(has('The plaintiff sued the defendant for negligence.', 'about law'));
  assert.ok(has('Was ist das und wie macht man es?', 'language: german'));
  assert.ok(has('Где находится Москва?', 'script: cyrillic'));
  assert.ok(!has('Hello there', 'kind: code'));
});

test('what stands beside the text is seen: tools, turns, images, structured output, tokens', () => {
  const plain = featuresOf(call('Go on.'));
  for (const [more, name] of [
    [{ tools: 2 }, 'tools'],
    [{ turns: 9 }, 'turns'],
    [{ images: true }, 'images'],
    [{ structured: true }, 'structured output'],
    [{ promptTokens: 5000 }, 'more than 4096 tokens'],
  ] as const) {
    assert.equal(valueOfName(plain, name), 0);
    assert.ok(valueOfName(featuresOf(call('Go on.', more)), name) > 0, name);
  }
});

test('words of the user and of the system prompt are told apart, and can be named', () => {
  const both = call('Red apple', { system: 'Red apple' });
  const grams = gramsOf(both);
  assert.deepEqual([...grams.values()].flat().sort(), ['apple', 'apple', 'red', 'red', 'red apple', 'red apple']);
  const stored = [...featuresOf(both).indices].filter((index) => index >= NAMED);
  assert.deepEqual(
    [...grams.keys()].sort((one, other) => one - other),
    stored,
  );
  assert.equal(stored.filter((index) => index >= SYSTEM).length, 3);
});

const PINNED: readonly number[] = [
  7863, 11051, 12264, 32731, 61656, 79774, 127184, 127477, 144272, 235091, 236784, 240678,
];
const PINNED_NAMES: readonly number[] = [0, 66, 150];
