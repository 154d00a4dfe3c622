import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { Secret } from '../../core/secret.ts';
import { demandGoodPassword, Passwords } from './passwords.ts';

const passwords = new Passwords(new Secret('a pepper of enough characters, 32'), randomBytes);

test('a password fits its own hash alone, under the same pepper, however its letters are typed', async () => {
  const hash = await passwords.hash('cafe\u0301 au lait 12');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await passwords.isRight('café au lait 12', hash), true);
  assert.equal(await passwords.isRight('cafe au lait 12', hash), false);
  assert.equal(await passwords.isRight('café au lait 12', null), false);
  assert.equal(passwords.isOutdated(hash), false);
  assert.equal(passwords.isOutdated(hash.replace('t=2', 't=1')), true);
  const elsewhere = new Passwords(new Secret('another pepper of enough characters'), randomBytes);
  assert.equal(await elsewhere.isRight('café au lait 12', hash), false);
});

test('more checks than may wait are refused', async () => {
  const asked = Array.from({ length: 60 }, () => passwords.isRight('a password of some length', null));
  const refused = (await Promise.allSettled(asked)).filter((each) => each.status === 'rejected');
  assert.equal(refused.length, 8);
  for (const { reason } of refused) assert.ok(reason instanceof GatewayError && reason.kind === 'overloaded');
});

test('a password that is too easily guessed is refused', () => {
  for (const password of ['short', 'aaaaaaaaaaaaaaaa', 'ada@example.com', 'x'.repeat(1025), 'headgate2026!'])
    assert.throws(() => demandGoodPassword(password, ['ada@example.com']), GatewayError, password);
  demandGoodPassword('correct horse battery', ['ada@example.com']);
});
