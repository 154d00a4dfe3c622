import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, headerValue } from './header-values.ts';

test('a time span is written as OpenAI writes it, rounded up to milliseconds', () => {
  for (const [ms, text] of [
    [0, '0s'],
    [-5, '0s'],
    [0.2, '1ms'],
    [20, '20ms'],
    [999, '999ms'],
    [1000, '1s'],
    [1182, '1.182s'],
    [59_999.5, '1m0s'],
    [360_000, '6m0s'],
    [1_252_666, '20m52.666s'],
    [3_600_000, '1h0m0s'],
    [90_061_001, '25h1m1.001s'],
  ] as const) {
    assert.equal(duration(ms), text);
  }
});

test('printable ASCII stands in a header as it is, all else percent-encoded', () => {
  for (const [text, value] of [
    ['gpt-4o mini "x"', 'gpt-4o mini "x"'],
    ['', ''],
    ['50%', '50%25'],
    ['é', '%C3%A9'],
    ['🙂', '%F0%9F%99%82'],
    ['a\r\nx-evil: 1', 'a%0D%0Ax-evil: 1'],
    ['\u0000\u007f', '%00%7F'],
  ] as const) {
    assert.equal(headerValue(text), value);
    assert.equal(decodeURIComponent(headerValue(text)), text);
  }
});

test('a value is 1 KB at most, and never cut inside a character', () => {
  assert.equal(headerValue('x'.repeat(5000)), 'x'.repeat(1024));
  assert.equal(decodeURIComponent(headerValue('é'.repeat(5000))), 'é'.repeat(170));
});
