import { STEM } from './subjects.ts';

/**
 * One word of a text. `hash` is of all its letters (of a number: of how many digits it has), `stem` of the first few;
 * `start` and `end` tell where it stands.
 */
export type Word = { hash: number; stem: number; length: number; number: boolean; start: number; end: number };

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const APOSTROPHE = 0x27;
const NUMBER_SIGN = 0x23;
/** Numbers with more digits count as equal. */
const MAX_DIGITS = 5;

/**
 * Calls `onWord` for each word of a text in lower case; one `Word` is used again for all. Letters of scripts that put no
 * blanks between words are words of their own. Hashes must never change, since features are stored (`STORED_VERSION`).
 */
export function scanWords(text: string, onWord: (word: Word) => void): void {
  const word: Word = { hash: 0, stem: 0, length: 0, number: false, start: 0, end: 0 };
  const end = text.length;
  let at = 0;
  while (at < end) {
    const first = text.charCodeAt(at);
    if (!isWordCode(first)) {
      at += 1;
      continue;
    }
    word.start = at;
    word.hash = BASIS;
    word.number = true;
    let code = first;
    do {
      word.hash = Math.imul(word.hash ^ code, PRIME);
      at += 1;
      if (code < 0x30 || code > 0x39) word.number = false;
      if (at - word.start === STEM) word.stem = word.hash;
      if (at === end || standsAlone(code)) break;
      code = text.charCodeAt(at);
    } while (isWordCode(code) && !standsAlone(code));
    word.end = at;
    word.length = at - word.start;
    if (word.length < STEM) word.stem = word.hash;
    if (word.number) word.hash = joined(NUMBER_SIGN, Math.min(word.length, MAX_DIGITS));
    onWord(word);
  }
}

/** The hash that `scanWords` gives a word, of at most its first `STEM` letters. */
export function stemHash(word: string): number {
  let hash = BASIS;
  for (let at = 0; at < word.length && at < STEM; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME);
  return hash;
}

/** Combines two hashes. */
export function joined(one: number, other: number): number {
  return Math.imul(one, 31) + other;
}

/** Spreads a hash over all 32 bits, and tells apart those with another `salt`: 0 … 2³² - 1. */
export function spread(hash: number, salt: number): number {
  let mixed = hash ^ salt;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function isWordCode(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === APOSTROPHE;
  if (code < 0xc0) return false;
  // General and CJK punctuation, and full-width signs.
  return !(
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff0f)
  );
}

/** Thai, kana and Chinese characters. */
function standsAlone(code: number): boolean {
  return (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff);
}
