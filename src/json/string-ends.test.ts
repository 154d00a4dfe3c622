import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import loadWabt from 'wabt';
import * as bytes from './string-ends.ts';

const WINDOW = 65_536;

const stringEndsOf = (text: string) => bytes.stringEndsOf(Buffer.from(text));
const endOfString = (text: string, start: number) => bytes.endOfString(Buffer.from(text), start);

/**
 * The end of the string at the beginning of the text according to `JSON.parse`: the shortest prefix that is a string.
 */
function parsedEnd(text: string): number {
  for (let end = text.indexOf('"', 1); end >= 0; end = text.indexOf('"', end + 1)) {
    try {
      JSON.parse(text.slice(0, end + 1));
      return end;
    } catch {
      // An escaped quote.
    }
  }
  return -1;
}

/** The end that the native reader finds, with so many bytes of another string before it that both share the window. */
function nativeEnd(text: string, before: number): number {
  const first = `"${'x'.repeat(before)}"`;
  const ends = stringEndsOf(`${first}${text}${'"\\'.repeat(600)}`);
  assert.ok(ends !== null, 'this machine does it natively');
  assert.equal(ends.endOf(1), before + 1);
  return ends.endOf(first.length + 1) - first.length;
}

test('the module is what its source says', async () => {
  const { parseWat } = await loadWabt();
  const source = readFileSync(new URL('string-ends.wat', import.meta.url), 'utf8');
  const module = parseWat('string-ends.wat', source, { simd: true });
  const shipped = readFileSync(new URL('string-ends.wasm', import.meta.url));
  assert.deepEqual(shipped, Buffer.from(module.toBinary({}).buffer));
  module.destroy();
});

test('a string ends at its first quote that is not escaped, wherever it and its backslashes stand', () => {
  for (let before = 0; before < 66; before += 1) {
    for (const words of [0, 1, 61, 62, 63, 64, 65, 127, 128]) {
      for (let slashes = 0; slashes < 6; slashes += 1) {
        const inner = `${'a'.repeat(words)}${'\\'.repeat(slashes)}`;
        const text = `"${inner}"${slashes % 2 === 0 ? '' : 'b"'}`;
        const end = text.length - 1;
        assert.equal(endOfString(text, 1), end, text);
        assert.equal(parsedEnd(text), end, text);
        assert.equal(nativeEnd(text, before), end, `${before} before ${text}`);
      }
    }
  }
});

test('what follows a string is not looked at, and rows of backslashes of any length are', () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 3000; round += 1) {
    let inner = '';
    while (inner.length < 300 && random(40) > 0)
      inner += random(3) > 0 ? '\\'.repeat(random(9)) : `\\"${'x'.repeat(random(70))}`;
    const text = `"${inner}"`;
    const end = parsedEnd(`${text}"`);
    // An odd number of backslashes before the last quote escapes it, so the text has no end.
    const isEnded = end === text.length - 1;
    assert.equal(nativeEnd(isEnded ? text : `${text}"`, round % 65), end, text);
  }
});

test('a string goes on through windows, and an escaped quote or backslash may be the first of the next', () => {
  for (const escaped of ['"', '\\', 'n']) {
    for (let words = WINDOW - 5; words < WINDOW + 5; words += 1) {
      const text = `"${'a'.repeat(words)}\\${escaped}","${'b'.repeat(2 * WINDOW)}"`;
      const ends = stringEndsOf(text)!;
      const end = ends.endOf(1);
      assert.equal(end, words + 3);
      assert.equal(ends.endOf(end + 3), text.length - 1, 'further strings are found behind it');
    }
  }
});

test('a long text that ends inside a string has no end of it', () => {
  for (const rest of ['', '\\', '\\"', '\\\\\\"']) {
    for (const words of [2000, WINDOW - 2, WINDOW - 1, WINDOW]) {
      const text = `"${'a'.repeat(words)}${rest}`;
      assert.equal(stringEndsOf(text)!.endOf(1), -1, `${words} ${rest}`);
      assert.equal(endOfString(text, 1), -1);
    }
  }
});

test('what an earlier text left in the memory is not seen', () => {
  assert.equal(stringEndsOf(`"${'a'.repeat(5000)}"`)!.endOf(1), 5001);
  assert.equal(stringEndsOf(`"${'b'.repeat(3000)}`)!.endOf(1), -1);
});

test('a short text is left to the search for one quote after the other', () => {
  assert.equal(stringEndsOf(' '.repeat(511)), null);
  assert.notEqual(stringEndsOf(' '.repeat(512)), null);
});

test('where the module cannot run, a long text is scanned all the same', () => {
  // Node loads its module for type stripping with the first file.
  const program = `
    await import('${new URL('tape.ts', import.meta.url)}');
    WebAssembly.Instance = class { constructor() { throw new WebAssembly.CompileError('no SIMD'); } };
    const { stringEndsOf } = await import('${new URL('string-ends.ts', import.meta.url)}');
    const { scanObject } = await import('${new URL('scan.ts', import.meta.url)}');
    const body = Buffer.from(JSON.stringify({ a: '"'.repeat(5000), b: 1 }));
    console.log(stringEndsOf(body), scanObject(body, 9).members);`;
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.equal(told, 'null 2\n');
});
