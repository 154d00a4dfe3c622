import { seeded } from '../../src/testing/seeded.ts';

const CONTROL = [...range(0, 0x1f), ...range(0x7f, 0x9f)].map((code) => String.fromCharCode(code));
/** What turns the direction of text, joins, hides or marks it. */
const FORMAT = [
  '\u200b',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2069',
  '\ufeff',
  '\u2028',
  '\u2029',
  '\u00ad',
  '\u{e0041}',
];
const SURROGATES = ['\ud800', '\udbff', '\udc00', '\udfff', '\ude00\ud83d'];
const SQL = [
  "'; drop table settings; --",
  "' or '1'='1",
  '" or ""="',
  '1); delete from api_keys; --',
  "x' union select hash from api_keys --",
  '%',
  '_',
  "\\'",
  "'||(select 1)||'",
  'group by 1',
];
const HTML = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '&lt;b&gt;',
  'javascript:alert(1)',
  '<!--',
  ']]>',
  '{{7*7}}',
  '$' + '{7*7}',
  '#{7*7}',
  '<a href="http://x">x</a>',
];
const WORDS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '[]',
  '{}',
  '{"a":1}',
  '[object Object]',
  '../../etc/passwd',
  '..\\..\\x',
  '/',
  '//',
  '?',
  '#',
  '%00',
  '%2e%2e%2f',
  '%s%s%n',
  '$(id)',
  '`id`',
  '| id',
  '; id',
  'a\r\nSet-Cookie: b=1',
  '*',
  '(a+)+$',
  ')(uid=*',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  'owner',
  'org_acme',
  'role_owner',
  'null@null',
  'a@b',
  "=cmd|' /C calc'!A0",
  '@SUM(1)',
];
const UNICODE = [
  'é',
  'e\u0301',
  'ﬀ',
  'İ',
  'ß',
  'ſ',
  '𝒳',
  '漢字',
  'مرحبا',
  'שלום',
  '👩‍👩‍👧',
  '🏳️‍🌈',
  'Z\u0351\u036b\u0343',
  '\u00a0x\u00a0',
  '\u3000',
  'Ⅷ',
  '１２',
  'а',
  '\ufffd',
  '\ufffe',
  '\u{10ffff}',
];
const LENGTHS = [0, 1, 199, 200, 201, 254, 255, 256, 320, 1000, 1001, 4096, 10_240];

/** 500 texts such as nobody means well with. */
export function hostileStrings(): string[] {
  const random = seeded(14);
  const pieces = [...CONTROL, ...FORMAT, ...SURROGATES, ...SQL, ...HTML, ...WORDS, ...UNICODE];
  const texts = new Set([
    ...pieces,
    ...[...CONTROL, ...FORMAT, ...SURROGATES].map((piece) => `a${piece}b`),
    ...LENGTHS.flatMap((length) => ['a', '𝒳', '\u202e', ' '].map((letter) => letter.repeat(length))),
    ...['\n', '\0', '\ud800'].map((end) => 'a'.repeat(10_240) + end),
  ]);
  const piece = () => pieces[Math.floor(random() * pieces.length)]!;
  while (texts.size < 500) texts.add(piece() + piece() + piece());
  return [...texts].slice(0, 500);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
