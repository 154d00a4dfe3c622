import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Losses } from '../../core/losses.ts';
import type { Envelope } from '../dialect.ts';
import { readRequestBody } from '../request.ts';
import { withStrictContent } from './strict-content.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const file = (type: string, source: object) => ({ type, source });
const image = (data: string) => file('image', { type: 'base64', media_type: 'image/png', data });

/** Whether a call with this block passes as it is, and whether it was written again to find that out. */
function passed(block: object, spell = (json: string) => json): { isSame: boolean; isWritten: boolean } {
  const json = spell(JSON.stringify({ messages: [{ role: 'user', content: [block] }] }));
  const call = readRequestBody(Buffer.from(json), 64) as Envelope;
  const { stringify } = JSON;
  let isWritten = false;
  JSON.stringify = (...given: unknown[]) => {
    isWritten = true;
    return Reflect.apply(stringify, JSON, given);
  };
  try {
    return { isSame: withStrictContent(call, new Losses()) === call, isWritten };
  } finally {
    JSON.stringify = stringify;
  }
}

test('documents of plain text and base64 with escaped slashes pass without being read', () => {
  const AS_IS = { isSame: true, isWritten: false };
  const words = { media_type: 'text/plain', data: 'Title\nLine "one".\n' };
  assert.deepEqual(passed(file('document', { type: 'text', ...words })), AS_IS);
  assert.deepEqual(passed(file('document', { ...words, type: 'text' })), AS_IS);
  const escaped = (json: string) => json.replaceAll('/', '\\/');
  assert.deepEqual(
    passed(image(PNG), (json) => json.replace(PNG, escaped(PNG))),
    AS_IS,
  );
  const slashes = `${PNG.slice(0, 20)}//${PNG.slice(22, -1)}/`;
  assert.deepEqual(
    passed(image(slashes), (json) => json.replace(slashes, escaped(slashes))),
    AS_IS,
  );
});

test('base64 with a line break in its first line or at its end does not', () => {
  for (const data of [`${PNG.slice(0, 76)}\r\n${PNG.slice(76)}`, `${PNG.slice(0, 80)}\n${PNG.slice(80)}`, `${PNG}\n`]) {
    assert.equal(passed(image(data)).isSame, false, JSON.stringify(data));
  }
});
