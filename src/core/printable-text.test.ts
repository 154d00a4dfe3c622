import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  nameFault,
  printableJson,
  printableLines,
  printableText,
  textFault,
  withStoredTextPrintable,
} from './printable-text.ts';

/** Code points that no name may contain: first and last of each range. */
const HIDDEN: readonly (readonly [number, number])[] = [
  ...([
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x180e, 0x180e],
  ] as const),
  ...([
    [0x200b, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
  ] as const),
  ...([
    [0xd800, 0xdfff],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff9, 0xfffb],
    [0xe0000, 0xe00ff],
  ] as const),
];

test('characters that nobody sees, and those that change how others are seen, are named', () => {
  for (const [first, last] of HIDDEN) {
    for (let code = first; code <= last; code += 1) {
      const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      const fault = nameFault(`a${String.fromCodePoint(code)}b`);
      assert.equal(fault, `must not contain ${shown}, which is not seen, or changes how other text is seen`);
    }
  }
});

test('names of all scripts are good, with their joiners, marks and variation selectors', () => {
  const names = [
    'ci',
    'می‌خواهم',
    'क्‍ष',
    'ක්‍රි',
    'e\u0301',
    'שלום',
    '漢\u{e0100}字',
    '👩‍👩‍👧',
    '🏳️‍🌈',
    '✈\ufe0e',
    'a\u00a0b',
    '\u3000',
  ];
  for (const name of [...names, '\u1820\u180b', 'Z\u0351\u036b', '\u034f', '\ue000']) {
    assert.equal(nameFault(name), null, JSON.stringify(name));
    assert.equal(printableText(name), name);
  }
});

test('a text of several lines may have ends of lines and nothing more', () => {
  assert.equal(textFault('a\r\n\tb'), null);
  assert.match(textFault('a\n\u2066b') ?? '', /U\+2066/);
});

test('what is shown has another character in the place of each', () => {
  assert.equal(printableText('a\u202eb\n\u{e0041}', '·'), 'a·b··');
  assert.equal(printableLines('a\u202eb\n\u{e0041}', '·'), 'a·b\n·');
  assert.equal(printableLines('a\r\nb\rc\r', '·'), 'a\r\nb·c·', 'nothing begins a line anew');
});

test('JSON says the same, and has no such character in it', () => {
  const value = { name: 'a\u202e\u{e0041}\u007f\u0085"\n', '\u2028': '👩‍👩‍👧' };
  const json = printableJson(JSON.stringify(value));
  assert.deepEqual(JSON.parse(json), value);
  assert.equal(nameFault(json), null);
  assert.ok(json.includes('\\u202e\\udb40\\udc41') && json.includes('👩‍👩‍👧'), json);
});

test('only what was kept before is let pass, as it may be shown', () => {
  const kept = { label: 'a\u202eb', models: [{ id: 'm', name: 'x\u200b' }] };
  const value = { models: [{ id: 'm', name: 'x\u200b' }, 'y\u200b'], label: 'a\u202eb', n: 1, none: null };
  assert.deepEqual(withStoredTextPrintable(value, kept), {
    models: [{ id: 'm', name: 'x\ufffd' }, 'y\u200b'],
    label: 'a\ufffdb',
    n: 1,
    none: null,
  });
  assert.equal(withStoredTextPrintable(value, { label: 'good' }), value);
  assert.deepEqual(withStoredTextPrintable(kept), { label: 'a\ufffdb', models: [{ id: 'm', name: 'x\ufffd' }] });
});
