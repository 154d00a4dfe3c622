import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '../core/secret.ts';
import { LEAST_PART, Redactor, secretsOf } from './redactor.ts';

const PREFIX = 'sk-proj-';
const BODY = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1+Bc/4';
const KEY = PREFIX + BODY;
const redactor = new Redactor([KEY]);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64Url = (text: string) => Buffer.from(text).toString('base64url');

describe('a key in a vendor’s words', () => {
  const forms: readonly [what: string, written: string][] = [
    ['whole', KEY],
    ['in upper case', KEY.toUpperCase()],
    ['in lower case', KEY.toLowerCase()],
    ['in the other case', [...KEY].map((l) => (l === l.toUpperCase() ? l.toLowerCase() : l.toUpperCase())).join('')],
    ['without its public prefix', BODY],
    ['its beginning', KEY.slice(0, PREFIX.length + LEAST_PART)],
    ['its end', KEY.slice(-LEAST_PART)],
    ['its end in upper case', KEY.slice(-LEAST_PART).toUpperCase()],
    ['a part of its middle', BODY.slice(9, 9 + LEAST_PART)],
    ['URL-encoded', encodeURIComponent(KEY)],
    ['URL-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
    ['in base64', base64(KEY).replace(/=+$/, '')],
    ['in base64 for URLs', base64Url(KEY)],
    ['in base64 in lower case', base64(KEY).replace(/=+$/, '').toLowerCase()],
    ['in hex', Buffer.from(KEY).toString('hex')],
    [
      'a part of it in hex',
      Buffer.from(BODY)
        .toString('hex')
        .slice(-2 * LEAST_PART)
        .toUpperCase(),
    ],
    ['a part of it in base64', base64(KEY).slice(-20).replace(/=+$/, '')],
  ];
  for (const [what, written] of forms) {
    test(`is hidden: ${what}`, () => {
      assert.equal(redactor.redact(`Key “${written}” is not known.`), 'Key “***” is not known.');
      assert.equal(redactor.redact(written), '***');
    });
  }

  for (const user of ['u', 'me', 'api', 'user', 'someone@example.com', '']) {
    test(`is hidden in base64 behind the user “${user}”`, () => {
      for (const written of [base64(`${user}:${KEY}`), base64Url(`${user}:${KEY}`)]) {
        const said = redactor.redact(`Basic ${written} is not known.`);
        assert.match(said, /^Basic .*\*\*\*.* is not known\.$/);
        for (let at = 0; at + 11 <= written.length; at += 1) {
          const part = written.slice(at, at + 11);
          // What is left may have bytes of the user and of the public prefix.
          const decoded = Buffer.from(part, 'base64').toString('latin1');
          if (said.includes(part)) assert.ok(!BODY.includes(decoded.slice(-LEAST_PART)), `${said} has ${part}`);
        }
      }
    });
  }

  test('is hidden wherever it stands, and nothing else is', () => {
    assert.equal(redactor.redact(`${KEY}${KEY} and ${KEY.slice(-12)}, ${BODY.slice(2, 12)}!`), '*** and ***, ***!');
  });

  test('is not found in a public prefix, in fewer characters, or in ordinary words', () => {
    for (const text of [
      `Keys begin with ${PREFIX}, as in ${PREFIX}… or ${PREFIX.toUpperCase()}.`,
      `It ends in ${KEY.slice(-LEAST_PART + 1)}.`,
      `It begins with ${KEY.slice(0, PREFIX.length + LEAST_PART - 1)}.`,
      'The prompt is too long: 200001 tokens.',
      '',
    ]) {
      assert.equal(redactor.redact(text), text);
    }
  });
});

test('what vendors write before all of their keys is no part of one', () => {
  for (const prefix of ['sk-', 'sk-proj-', 'sk-ant-api03-', 'sk-or-v1-', 'gsk_', 'xai-', 'nvapi-', 'hf_', 'pplx-']) {
    const words = new Redactor([prefix + BODY]);
    assert.equal(words.redact(`It is ${prefix}… that is wanted.`), `It is ${prefix}… that is wanted.`);
    assert.equal(words.redact(`${prefix}${BODY.slice(0, LEAST_PART)}…`), '***…');
  }
});

test('a secret that is short is hidden whole, and one that is a word is not looked for', () => {
  const words = new Redactor(['sk-none', 'no']);
  assert.equal(words.redact('sk-none, SK-NONE, none, no'), '***, ***, none, no');
});

test('the key and what authorizes among an operator’s own headers are secrets', () => {
  const headers = { authorization: 'Bearer abcdef123456', 'x-team': 'the-blue-team', 'x-api-key': 'zyxwvu987654' };
  assert.deepEqual(secretsOf({ credential: new Secret(KEY), headers }), [KEY, 'abcdef123456', 'zyxwvu987654']);
  assert.deepEqual(secretsOf({ credential: null, headers: {} }), []);
});

test('a secret and words that repeat one letter are gone through once', () => {
  const words = new Redactor(['a'.repeat(4000)]);
  assert.equal(words.redact('a'.repeat(4000)), '***');
  assert.equal(words.redact(`b${'a'.repeat(3000)}`), 'b***');
});

test('a key as long as the settings take is hidden to its end, and one beyond it up to there', () => {
  let text = '';
  for (let number = 0; text.length < 9_000; number += 1) text += `${(number * 7919).toString(36)}-`;
  const long = new Redactor([text]);
  assert.equal(long.redact(`end ${text.slice(8_100, 8_192)}.`), 'end ***.');
  assert.equal(long.redact(`end ${text.slice(8_300, 8_400)}.`), `end ${text.slice(8_300, 8_400)}.`);
});
