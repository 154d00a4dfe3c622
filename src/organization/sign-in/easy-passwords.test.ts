import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isEasyPassword } from './easy-passwords.ts';

const KNOWN = ['ada.lovelace@analytical-engines.example', 'Ada Lovelace', 'Difference & Sons', 'headgate'];

test('a password of common words, rows of keys, repetitions and years is easy', () => {
  const easy = [
    ...[
      'password1234',
      'Password1234!',
      'P@ssw0rd1234',
      'qwertyuiop12',
      'qwertyuiop[]',
      'asdfghjkl123',
      '1q2w3e4r5t6y',
      '1qaz2wsx3edc',
    ],
    ...[
      'aaaaaaaaaaaaaaaa',
      'abcabcabcabc',
      'abcdefghijkl',
      'lkjihgfedcba',
      '123456789012',
      '111122223333',
      'aaaaaabbbbbb',
      '210987654321',
    ],
    ...[
      'iloveyou1234',
      'letmein123456',
      'adminadmin12',
      'welcome12345',
      'Summer2026!!',
      'Winter2025!Winter2025!',
      'monkeydragon',
      'changeme1234',
    ],
    ...[
      'qazwsxedcrfv',
      'zxcvbnm12345',
      'poiuytrewq12',
      'passwordpassword',
      'drowssapdrowssap',
      'trustno1trustno1',
      'ＰＡＳＳＷＯＲＤ１２３４',
      'pässwörd1234',
    ],
    ...['p a s s w o r d 1 2 3 4', 'pass word 1234', 'p.a.s.s.w.o.r.d', '1234 5678 9012', 'qwerty-uiop-12'],
    ...[
      'pa\u200bssword1234',
      'pass\u00adword1234',
      'passw\u043erd1234',
      'drag\u200bon\u200bmon\u200bkey12',
      'пароль123456',
      'йцукенгшщзхъ',
    ],
    ...['a1b2c3d4e5f6', '111222333444', '147258369147', '!@#$%^&*()_+', 'thisismypassword'],
  ];
  for (const password of easy) assert.equal(isEasyPassword(password, []), true, password);
});

test('a password of what others know of somebody is easy', () => {
  const easy = [
    ...[
      'ada.lovelace@analytical-engines.example',
      'adalovelace1815',
      'Lovelace12345',
      'lovelaceada!!',
      'AnalyticalEngines1',
      'analytical-engines',
    ],
    ...['headgate2026', 'Headgate1234!', 'differencesons', 'Difference&Sons2026', 'Ada+Lovelace=1', '3cal3volada1'],
    ...['ecalevol.ada', 'ada 01.02.1990', '1990-02-01 Ada Lovelace', 'a d a l o v e l a c e'],
  ];
  for (const password of easy) assert.equal(isEasyPassword(password, KNOWN), true, password);
});

test('a password that is drawn, or a sentence, is not', () => {
  const good = [
    'correct horse battery',
    'a password of Ada',
    'another good password',
    'café au lait 12',
    'kT7#pQ2vLm9z',
    '839201746532',
    'my aunt paints gates',
  ];
  for (const password of good) assert.equal(isEasyPassword(password, KNOWN), false, password);
  for (let round = 0; round < 1000; round += 1) {
    const drawn = randomBytes(9).toString('base64');
    assert.equal(isEasyPassword(drawn, KNOWN), false, drawn);
  }
});

test('the longest password is looked at in bounded work', () => {
  assert.equal(isEasyPassword('a'.repeat(1024), []), true);
  assert.equal(isEasyPassword('ab'.repeat(512), []), true);
});
