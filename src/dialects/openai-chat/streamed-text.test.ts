import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamedText } from './streamed-text.ts';

/** More characters than are kept. */
const LONG = 'abcdefghij'.repeat(10_000);

function saidInPieces(text: string): StreamedText {
  const said = new StreamedText();
  for (let at = 0; at < text.length; at += 1000) said.piece(text.slice(at, at + 1000), false);
  return said;
}

for (const [name, text] of [
  ['short', 'Hello, you.'.repeat(200)],
  ['long', LONG],
] as const) {
  test(`a ${name} text that is said again is told once`, () => {
    assert.equal(saidInPieces(text).piece(text, true), '');
    assert.equal(saidInPieces(text).whole(text), '');
    const said = saidInPieces(text);
    assert.deepEqual([said.whole(`${text} More.`), said.length], [' More.', text.length + 6]);
  });

  test(`another than a ${name} text is none`, () => {
    const other = `x${text.slice(1)}`;
    assert.equal(saidInPieces(text).piece(other, true), other);
    assert.equal(saidInPieces(text).piece(text.slice(1), true), text.slice(1));
    assert.equal(saidInPieces(text).whole(text.slice(0, -1)), '');
  });
}
