import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './plain-text.ts';

test('what steers a terminal, turns letters round or is known to nobody is a question mark, and letters stay', () => {
  for (const hidden of ['\u001b', '\n', '\u202e', '\u2028', '\u200b', '\ud800', '\ue000', '\u0378', '\u{e0041}']) {
    assert.equal(plainText(`a${hidden}b`), 'a?b', JSON.stringify(hidden));
  }
  for (const letters of ['é', 'می‌خواهم', '👩‍🚀', '❤️']) assert.equal(plainText(letters), letters);
});
