import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Passkey, Person, SecretHash } from '../core/people.ts';
import type { SettingChange } from '../core/settings.ts';
import { type OpenIn, administrationTest as test } from './contract.test.ts';
import { NOON, temporaryFolder } from './fixtures.test.ts';

test('the last way to sign in cannot be taken away: of two passkeys one stays, unless there is a password', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
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

test('a person has at most so many passkeys, whatever others have', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
  await settings.change('', [{ addPerson: person('user_1', null) }, { addPerson: person('user_2', null) }], null);
  const add = (id: string, userId: string) =>
    settings.change('', [{ addPasskey: { passkey: passkey(id, userId), most: 2 } }], null);
  for (const id of ['x', 'y']) assert.equal(await add(id, 'user_2'), 'done');
  for (const id of ['a', 'b']) assert.equal(await add(id, 'user_1'), 'done');
  assert.equal(await add('c', 'user_1'), 'changed');
  assert.deepEqual(
    (await people.passkeys('user_1')).map(({ id }) => id),
    ['a', 'b'],
  );
});

test('a passkey is removed by its person alone', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
  for (const id of ['user_1', 'user_2']) await settings.change('', [{ addPerson: person(id, '$argon2id$') }], null);
  await settings.change('', [{ addPasskey: { passkey: passkey('a', 'user_1'), most: 2 } }], null);
  assert.equal(await settings.change('', [{ removePasskey: { id: 'a', userId: 'user_2' } }], null), 'changed');
  assert.equal((await people.passkeys('user_1')).length, 1);
  assert.equal(await settings.change('', [{ removePasskey: { id: 'a', userId: 'user_1' } }], null), 'done');
});

test('a sign-in ends the session that its browser had before, and is known from then on', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
  await settings.change('', [{ addPerson: person('user_1', null) }, signIn('one', 'org_1', hash(1))], null);
  assert.equal(await people.hasSignedIn(), false);
  await settings.change('', [signIn('two', 'org_1', hash(2), { replaces: 'one' })], null);
  await settings.change('', [{ noteSignIn: { userId: 'user_1', at: NOON } }], null);
  assert.deepEqual(
    (await people.sessions('user_1')).map(({ id }) => id),
    ['two'],
  );
  assert.equal(await people.hasSignedIn(), true);
});

test('what changes for a group renews the sessions of those who are in it, and of nobody else', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
  const users = ['user_1', 'user_2', 'user_3'];
  for (const [index, userId] of users.entries()) {
    await settings.change('', [{ addPerson: person(userId, null) }], null);
    await settings.change('', [signIn(userId, 'org_1', hash(index), { userId })], null);
  }
  const inGroup = (id: string, parentId: string): SettingChange => ({
    put: { kind: 'group_member', id, parentId, version: 1, createdAt: NOON, value: {} },
  });
  await settings.change('org_1', [inGroup('user_1', 'group_1'), inGroup('user_2', 'group_2')], null);
  await settings.change('org_2', [{ renewSessions: { groupId: 'group_1' } }], null);
  const renewed = async () => {
    const sessions = await Promise.all(users.map((id) => people.sessions(id)));
    return sessions.flat().flatMap(({ userId, mustRenew }) => (mustRenew ? [userId] : []));
  };
  assert.deepEqual(await renewed(), []);
  await settings.change('org_1', [{ renewSessions: { groupId: 'group_1' } }], null);
  assert.deepEqual(await renewed(), ['user_1']);
});

test('a session is found by its secret until it ends, and by the one before until that does', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
  const [first, second] = [hash(1), hash(2)];
  await settings.change('', [{ addPerson: person('user_1', null) }, signIn('one', 'org_1', first)], null);
  const renewal = { id: 'one', before: first, hash: second, earlierUntil: NOON + 10 };
  assert.equal(await settings.change('', [{ renewSession: renewal }], null), 'done');
  assert.equal(await settings.change('', [{ renewSession: renewal }], null), 'changed', 'it has another secret by now');
  const isEarlier = async (secret: SecretHash, at: number) => (await people.session(secret, at))?.isEarlier;
  assert.deepEqual(
    [await isEarlier(first, NOON + 9), await isEarlier(first, NOON + 10), await isEarlier(first, NOON + 11)],
    [true, undefined, undefined],
  );
  assert.deepEqual(
    [await isEarlier(second, NOON + 11), await isEarlier(second, NOON + 99), await isEarlier(second, NOON + 100)],
    [false, false, undefined],
  );
});

test('the sessions of a person end in one organization or in all, but for the one that is kept', async (t, openIn) => {
  const { settings, people, keys } = await opened(t, openIn);
  await settings.change('', [{ addPerson: person('user_1', null) }, { addPerson: person('user_2', null) }], null);
  const left = async () =>
    [...(await people.sessions('user_1')), ...(await people.sessions('user_2'))].map(({ id }) => id);
  const begin = async () => {
    const sessions = [signIn('a', 'org_1', hash(1)), signIn('b', 'org_1', hash(2)), signIn('c', 'org_2', hash(3))];
    await settings.change('', [...sessions, signIn('other', 'org_1', hash(4), { userId: 'user_2' })], null);
  };
  for (const [ended, kept] of [
    [{ organizationId: 'org_1' }, ['c', 'other']],
    [{ organizationId: 'org_1', exceptId: 'a' }, ['c', 'a', 'other']],
    [{ exceptId: 'a' }, ['a', 'other']],
    [{}, ['other']],
  ] as const) {
    await begin();
    const before = await keys.changes();
    await settings.change('', [{ endSessions: { userId: 'user_1', ...ended } }], null);
    assert.ok((await keys.changes()) > before, 'who was let in with one is looked at again');
    assert.deepEqual(await left(), kept);
    for (const id of ['a', 'b', 'c']) await settings.change('', [{ endSession: { id, userId: 'user_1' } }], null);
    assert.equal(await settings.change('', [{ endSession: { id: 'other', userId: 'user_1' } }], null), 'changed');
    await settings.change('', [{ endSession: { id: 'other', userId: 'user_2' } }], null);
  }
});

test('a link for an owner is opened once, before it ends, and what has ended is forgotten', async (t, openIn) => {
  const { settings, people } = await opened(t, openIn);
  const link = { organizationId: 'org_1', email: null, expiresAt: NOON + 10 };
  await settings.change('', [{ addPerson: person('user_1', null) }, signIn('one', 'org_1', hash(1))], null);
  await settings.change(
    '',
    [{ addOwnerLink: { link, hash: hash(2) } }, { addOwnerLink: { link, hash: hash(3) } }],
    null,
  );
  const use = (number: number, at: number) => settings.change('', [{ useOwnerLink: { hash: hash(number), at } }], null);
  assert.deepEqual(
    [await use(2, NOON + 10), await use(2, NOON + 9), await use(2, NOON + 9)],
    ['changed', 'done', 'changed'],
  );
  assert.equal(await people.ownerLink(hash(3), NOON + 10), null);
  await settings.change('', [{ forgetEnded: { at: NOON + 9 } }], null);
  assert.deepEqual(await people.ownerLink(hash(3), NOON + 9), link);
  await settings.change('', [{ forgetEnded: { at: NOON + 10 } }], null);
  assert.equal(await people.ownerLink(hash(3), NOON), null);
  assert.equal((await people.sessions('user_1')).length, 1);
  await settings.change('', [{ forgetEnded: { at: NOON + 100 } }], null);
  assert.deepEqual(await people.sessions('user_1'), []);
});

async function opened(t: TestContext, openIn: OpenIn) {
  const storage = await openIn(temporaryFolder(t));
  t.after(() => storage.close());
  await storage.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
  return storage;
}

function hash(number: number): SecretHash {
  return new Uint8Array(32).fill(number);
}

function signIn(
  id: string,
  organizationId: string,
  secret: SecretHash,
  { userId = 'user_1', replaces = null }: { userId?: string; replaces?: string | null } = {},
): SettingChange {
  const times = { signedInAt: NOON, seenAt: NOON, endsAt: NOON + 100 };
  const session = {
    id,
    userId,
    organizationId,
    way: 'link',
    mustRenew: false,
    address: null,
    userAgent: null,
  } as const;
  return { addSession: { session: { ...session, ...times }, hash: secret, replaces } };
}

function person(id: string, passwordHash: string | null): Person {
  return { id, email: `${id}@example.com`, name: null, createdAt: NOON, lastSignedInAt: null, passwordHash };
}

function passkey(id: string, userId: string): Passkey {
  const publicKey = new Uint8Array(4);
  return { id, userId, name: id, publicKey, counter: 0, transports: [], createdAt: NOON, lastUsedAt: null };
}
