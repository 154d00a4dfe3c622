import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Secret } from '../core/secret.ts';
import { type Binding, rewrap, seal, unseal } from './sealed-secret.ts';
import { WrappingKeys } from './wrapping-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'headgate-wrapping-'));
after(() => rmSync(folder, { recursive: true }));

const NOTHING_GIVEN = { current: null, before: null };
const SECRET = new Secret('sk-a-key-of-a-vendor');
const BINDING: Binding = {
  organizationId: 'org_1',
  providerId: 'lab',
  address: 'https://lab.example/v1',
  credentialId: 'cred_1',
  number: 1,
};
const given = (current: string, before: string | null = null) => ({
  current: new Secret(current.repeat(32)),
  before: before === null ? null : new Secret(before.repeat(32)),
});

test('a sealed secret opens where it was sealed for, and nowhere else', () => {
  const key = new WrappingKeys(folder, given('a')).current();
  const sealed = seal(key, SECRET, BINDING, randomBytes);
  assert.equal(unseal(key, sealed, BINDING).reveal(), SECRET.reveal());
  assert.ok(!JSON.stringify(sealed).includes(Buffer.from(SECRET.reveal()).toString('base64')));
  for (const member of Object.keys(BINDING) as (keyof Binding)[]) {
    const other = { ...BINDING, [member]: member === 'number' ? 2 : 'other' };
    assert.throws(() => unseal(key, sealed, other), member);
  }
  assert.throws(() => unseal(new WrappingKeys(folder, given('b')).current(), sealed, BINDING));
});

test('no byte of a sealed secret may be another', () => {
  const key = new WrappingKeys(folder, given('a')).current();
  const sealed = seal(key, SECRET, BINDING, randomBytes);
  for (const member of ['dataKey', 'data'] as const) {
    const bytes = Buffer.from(sealed[member], 'base64');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      assert.throws(() => unseal(key, { ...sealed, [member]: changed.toString('base64') }, BINDING), `byte ${at}`);
    }
    for (const cut of [0, 11, 12, 27, bytes.length - 1]) {
      assert.throws(() => unseal(key, { ...sealed, [member]: bytes.subarray(0, cut).toString('base64') }, BINDING));
    }
  }
});

test('two seals of one secret have nothing in common, and a new wrapping key leaves what hides the secret', () => {
  const from = new WrappingKeys(folder, given('a')).current();
  const one = seal(from, SECRET, BINDING, randomBytes);
  const other = seal(from, SECRET, BINDING, randomBytes);
  assert.notEqual(one.data, other.data);
  assert.notEqual(one.dataKey, other.dataKey);
  const to = new WrappingKeys(folder, given('b')).current();
  const again = rewrap({ from, to }, one, BINDING, randomBytes);
  assert.equal(again.data, one.data);
  assert.equal(unseal(to, again, BINDING).reveal(), SECRET.reveal());
  assert.throws(() => unseal(from, again, BINDING));
});

test('the file is made once, for its owner alone, and has two keys while they are changed', () => {
  const keys = new WrappingKeys(folder, NOTHING_GIVEN);
  const first = keys.current();
  const path = join(folder, 'wrapping-key');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(new WrappingKeys(folder, NOTHING_GIVEN).current(), first);
  const second = keys.renew();
  assert.deepEqual([keys.current(), keys.of(first.id), keys.of(second.id)], [second, first, second]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  keys.forgetEarlier();
  assert.deepEqual([keys.current(), keys.of(first.id)], [second, null]);
  const moved = new WrappingKeys(folder, given('c', 'd'));
  assert.notEqual(moved.current().id, second.id);
  assert.deepEqual(moved.of(second.id), second);
  assert.notEqual(moved.of(new WrappingKeys(folder, given('d')).current().id), null);
});

test('a file that is damaged is an error, and is left alone', () => {
  const path = join(folder, 'wrapping-key');
  for (const content of ['', 'ab\n', `${'ab'.repeat(32)}\nxx\n`]) {
    writeFileSync(path, content);
    assert.throws(() => new WrappingKeys(folder, NOTHING_GIVEN).current(), /is damaged.*Restore it from a backup/);
    assert.equal(readFileSync(path, 'utf8'), content);
  }
});
