import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provider } from '../core/provider.ts';
import { makerOf } from '../core/seal.ts';
import { splice } from '../json/edits.ts';
import { markSeals, ownMarks } from './seal-marks.ts';

const DIALECT = 'anthropic-messages';
const FOUND = [{ name: 'signature', value: 'abc=', form: 'signature' }] as const;
const BODY = '{"input":{"signature":"abc"},"text":"\\"signature\\":\\"abc=\\"","signature": "abc="}';

function marked(provider: string): Buffer {
  return Buffer.from(markSeals(BODY, FOUND, { dialect: DIALECT, provider }));
}

test('a seal is marked in its own member, and its maker takes the mark away, byte for byte', () => {
  const bytes = marked('lab');
  assert.match(
    bytes.toString(),
    /^\{"input":\{"signature":"abc"\},"text":"\\"signature\\":\\"abc=\\"","signature": "headgate-/,
  );
  const edits = ownMarks(bytes, DIALECT, 'lab');
  assert.ok(edits);
  assert.equal(splice(bytes, edits).toString(), BODY);
  assert.deepEqual(markSeals(Buffer.from(BODY), FOUND, { dialect: DIALECT, provider: 'lab' }), bytes);
});

test('a body with a mark of another provider, or in ordinary text, must be read', () => {
  assert.equal(ownMarks(marked('other'), DIALECT, 'lab'), null);
  assert.equal(ownMarks(marked('lab'), 'openai-chat', 'lab'), null);
  assert.equal(ownMarks(Buffer.from('{"text":"about headgate-seal-1."}'), DIALECT, 'lab'), null);
});

test('each of many seals is marked wherever it stands, and what is no seal stays', () => {
  const found = ['é"one', 'two'].flatMap((value) => [
    { name: 'signature', value, form: 'signature' } as const,
    { name: 'data', value, form: 'redacted' } as const,
  ]);
  const [one, two, other] = ['é"one', 'two', 'three'].map((value) => JSON.stringify(value));
  const body = `{"data":${two},"signature": ${one},"a":[{"signature":${two},"data":${other},"signature":1},{"data": ${one}}]}`;
  const bytes = markSeals(Buffer.from(body), found, { dialect: DIALECT, provider: 'lab' });
  assert.equal(bytes.toString().split('headgate-').length - 1, 4);
  assert.equal(splice(Buffer.from(bytes), ownMarks(Buffer.from(bytes), DIALECT, 'lab') ?? []).length, bytes.length);
  assert.deepEqual(Object.keys(JSON.parse(bytes.toString())), ['data', 'signature', 'a']);
});

test('a marked seal is not marked again', () => {
  const value = /headgate-[^"]+/.exec(marked('lab').toString())![0];
  const body = `{"signature":"${value}"}`;
  const found = [{ name: 'signature', value, form: 'signature' }] as const;
  assert.equal(markSeals(body, found, { dialect: DIALECT, provider: 'other' }), body);
});

test('the maker is the provider, and in responses the credential that it is bound to', () => {
  const provider = { id: 'one', credentialName: 'spare' } as Provider;
  assert.equal(makerOf(provider, 'openai-responses'), 'one/spare');
  assert.equal(makerOf(provider, DIALECT), 'one');
  assert.equal(makerOf({ id: 'two', credentialName: 'default' } as Provider, 'openai-responses'), 'two');
});
