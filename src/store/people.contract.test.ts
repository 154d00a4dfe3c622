import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Passkey, Person } from '../core/people.ts';
import { NOON, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './storage.ts';

test('the last way to sign in cannot be taken away: of two passkeys one stays, unless there is a password', async (t) => {
  const storage = await openStorage({ folder: temporaryFolder(t), instanceId: 'one', durability: 'normal' });
  t.after(() => storage.close());
  const { settings, people } = storage;
  for (const [userId, passwordHash, left] of [
    ['user_1', null, ['b']],
    ['user_2', '$argon2id$', []],
  ] as const) {
    const most = 50;
    await settings.change('', [{ addPerson: person(userId, passwordHash) }], null);
    for (const id of ['a', 'b'])
      assert.equal(
        await settings.change('', [{ addPasskey: { passkey: passkey(`${userId} ${id}`, userId), most } }], null),
        'done',
      );
    for (const id of ['a', 'b'])
      await settings.change('', [{ removePasskey: { id: `${userId} ${id}`, userId } }], null);
    assert.deepEqual(
      (await people.passkeys(userId)).map(({ id }) => id),
      left.map((id) => `${userId} ${id}`),
    );
  }
});

function person(id: string, passwordHash: string | null): Person {
  return { id, email: `${id}@example.com`, name: null, createdAt: NOON, lastSignedInAt: null, passwordHash };
}

function passkey(id: string, userId: string): Passkey {
  const publicKey = new Uint8Array(4);
  return { id, userId, name: id, publicKey, counter: 0, transports: [], createdAt: NOON, lastUsedAt: null };
}
