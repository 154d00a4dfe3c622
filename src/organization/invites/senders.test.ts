import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Permission } from '../../core/permissions.ts';
import type { ApiKey } from '../../core/records.ts';
import { assigneeId, type SettingChange } from '../../core/settings.ts';
import { NOON } from '../../store/fixtures.test.ts';
import { DAY_MS, keyIn, member, ORGANIZATION, organizationOf, project, setting } from '../fixtures.test.ts';
import { administratorByKey } from '../permissions.ts';
import { acceptInvite, createInvite, findInvite, inviteOf, listInvites } from './service.ts';

/** Who sends an invite, what it gives, and what becomes of the sender before it is accepted. */
const guest = { id: 'guest', email: 'guest@example.com', name: null };
const INVITING: readonly Permission[] = ['api.members.read', 'api.members.write', 'api.usage.read'];
const KEY = 'key_sender';

type World = Awaited<ReturnType<typeof organizationOf>>;
type Gift = Parameters<typeof createInvite>[1];
type Sender = { by: 'session' | 'key'; has: readonly SettingChange[]; key?: Partial<ApiKey>; gives: Partial<Gift> };

const given = (role: string, parentId: string) => setting('role_assignment', role, { parentId });
const role = (permissions: readonly Permission[], version = 1): SettingChange => {
  const value = { name: 'Inviting', description: null, permissions, resourceType: 'api.organization' as const };
  return { put: { kind: 'role', id: 'role_1', parentId: null, version, createdAt: NOON, value } };
};
const person = { type: 'user', id: 'ada' } as const;
const owned: Partial<ApiKey> = { id: KEY, access: 'administration', owner: person };
const inProject = { projects: [{ id: 'proj_1', role: 'member' }] } as const;
const asAdmin = [...member('ada'), given('role_admin', 'user:ada')];
const byRole = [...member('ada'), given('role_1', 'user:ada')];
const byGroup = [
  ...member('ada'),
  setting('group_member', 'ada', { parentId: 'group_1' }),
  given('role_1', 'group:group_1'),
];

const SENDERS: Readonly<Record<string, Sender>> = {
  'an owner': { by: 'session', has: member('ada', 'owner'), gives: { role: 'owner' } },
  'an owner’s key': { by: 'key', has: member('ada', 'owner'), key: owned, gives: { role: 'owner' } },
  'an admin': { by: 'session', has: asAdmin, gives: inProject },
  'an admin’s key': { by: 'key', has: asAdmin, key: owned, gives: inProject },
  'who has a role': { by: 'session', has: byRole, gives: { groups: ['group_2'] } },
  'the key of who has a role': { by: 'key', has: byRole, key: owned, gives: {} },
  'who is in a group that has a role': { by: 'session', has: byGroup, gives: {} },
  'a key of nobody': { by: 'key', has: [], key: { ...owned, owner: null }, gives: { role: 'owner' } },
  'the first key': { by: 'key', has: [], key: { id: KEY, admin: true, owner: null }, gives: { role: 'owner' } },
};

const SHOWN = { email: 'ada@example.com', name: null, role: 'reader' } as const;
const ada = { kind: 'member', id: 'ada', parentId: null } as const;
/** What may become of a sender, and of whom. */
const ENDINGS: Readonly<Record<string, { of: RegExp; changes: readonly SettingChange[]; later?: number }>> = {
  'whose key was revoked': { of: /key/, changes: [{ revokeKeys: { of: 'id', id: KEY, at: NOON } }] },
  'whose key was turned off': { of: /key/, changes: [{ changeKey: { id: KEY, changes: { disabledAt: NOON } } }] },
  'whose key has expired': {
    of: /key/,
    changes: [{ changeKey: { id: KEY, changes: { expiresAt: NOON + 1 } } }],
    later: 1,
  },
  'that administers no more': { of: /the first key/, changes: [{ changeKey: { id: KEY, changes: { admin: false } } }] },
  'who was removed': { of: /^(an|who|the key of)/, changes: [{ remove: { ...ada, version: 1 } }] },
  'who is an owner no more': { of: /owner/, changes: [{ put: { ...ada, version: 2, createdAt: NOON, value: SHOWN } }] },
  'who has lost the role': {
    of: /admin|who/,
    changes: ['user:ada', 'group:group_1'].map((parentId) => ({ removeAll: { kind: 'role_assignment', parentId } })),
  },
  'whose role was deleted': {
    of: /who/,
    changes: [{ remove: { kind: 'role', id: 'role_1', parentId: null, version: 1 } }],
  },
  'whose role invites no more': { of: /who/, changes: [role(['api.members.read'], 2)] },
  'who has left the group': {
    of: /in a group/,
    changes: [{ removeAll: { kind: 'group_member', parentId: 'group_1' } }],
  },
  'whose invite gives more than before': { of: /^who has a role/, changes: [given('role_viewer', 'group:group_2')] },
};
/** What changes nothing about who may invite. */
const CHANGES: Readonly<Record<string, readonly SettingChange[]>> = {
  'to whom nothing has happened': [],
  'whose role allows more': [role([...INVITING, 'api.roles.write'], 2)],
  'who has given something to others': [given('role_1', 'user:ben')],
};

/** An organization in which this sender has invited somebody. */
async function sent(t: TestContext, { by, has, key, gives }: Sender) {
  const world = await organizationOf(t);
  const { keep, admin, storage } = world;
  await keep(project('proj_1'), role(INVITING), ...has);
  await keep(setting('group', 'group_1', { name: 'One' }), setting('group', 'group_2', { name: 'Two' }));
  if (key !== undefined) await keep(keyIn('proj_1', null, key));
  const asked = { projectId: null, request: null };
  const found = key === undefined ? null : await storage.settings.key(ORGANIZATION, KEY);
  const sender =
    by === 'session'
      ? await world.asMember('ada')
      : { ...admin, by: await administratorByKey(storage.settings, found!, asked) };
  return { ...world, ...(await createInvite(sender, { email: guest.email, role: 'reader', projects: [], ...gives })) };
}

async function stateOf({ admin }: World, { id, token }: { id: string; token: string }) {
  const opens = await inviteOf(admin, token).then(
    () => true,
    ({ kind }) => kind !== 'not_found',
  );
  const { status } = await findInvite(admin, id);
  const { items } = await listInvites(admin, { limit: 10 });
  assert.deepEqual([items[0]?.status, opens], [status, status === 'pending']);
  return status;
}

for (const [who, sender] of Object.entries(SENDERS)) {
  describe(`an invite that ${who} has sent`, () => {
    for (const [ending, changes] of Object.entries(CHANGES)) {
      test(`is open of somebody ${ending}`, async (t) => {
        const world = await sent(t, sender);
        await world.keep(...changes);
        assert.equal(await stateOf(world, { ...world, id: world.invite.id }), 'pending');
        await acceptInvite(world.admin, world.token, { person: guest, request: null });
        assert.equal((await findInvite(world.admin, world.invite.id)).status, 'accepted');
        const { value } = (await world.storage.settings.find(ORGANIZATION, 'member', guest.id))!;
        assert.equal(value.role, sender.gives.role ?? 'reader');
      });
    }
    for (const [ending, { of, changes, later = 0 }] of Object.entries(ENDINGS)) {
      if (!of.test(who)) continue;
      test(`is dead of somebody ${ending}`, async (t) => {
        const world = await sent(t, sender);
        await world.keep(...changes);
        world.clock.time += later;
        assert.equal(await stateOf(world, { ...world, id: world.invite.id }), 'expired');
        const accepted = acceptInvite(world.admin, world.token, { person: guest, request: null });
        await assert.rejects(accepted, { kind: 'not_found' });
        assert.equal(await world.storage.settings.find(ORGANIZATION, 'member', guest.id), null);
      });
    }
  });
}

for (const [ending, { changes }] of Object.entries(ENDINGS).filter(
  ([, { of, later }]) => of.test('an owner') && !later,
))
  test(`an invite is dead of somebody ${ending} while it is being accepted`, async (t) => {
    const world = await sent(t, SENDERS['an owner']!);
    const late = world.after(...changes);
    await assert.rejects(acceptInvite(late, world.token, { person: guest, request: null }), { kind: 'not_found' });
    assert.equal(await world.storage.settings.find(ORGANIZATION, 'member', guest.id), null);
  });

test('an invite is accepted where something else was changed while it was, once', async (t) => {
  const world = await sent(t, SENDERS['an owner']!);
  const late = world.after(project('proj_2'));
  let tries = 0;
  const change: typeof late.settings.change = (...asked) => {
    tries += 1;
    return late.settings.change(...asked);
  };
  const counted = { ...late, settings: { ...late.settings, change } };
  await acceptInvite(counted, world.token, { person: guest, request: null });
  assert.equal(tries, 1, 'it does not go by what was changed, so it is not decided anew');
  const again = acceptInvite(world.admin, world.token, { person: guest, request: null });
  await assert.rejects(again, { kind: 'not_found' });
});

test('an invite of before keys were kept with it is as good as its person, and ends in time', async (t) => {
  const world = await sent(t, SENDERS['an owner’s key']!);
  const { keyId, ...value } = world.invite.value;
  assert.deepEqual([value.invitedBy, keyId], ['ada', KEY]);
  await world.keep({ put: { ...world.invite, version: 2, value } });
  await world.keep(...ENDINGS['whose key was revoked']!.changes);
  const state = () => stateOf(world, { ...world, id: world.invite.id });
  assert.equal(await state(), 'pending');
  world.clock.time += 7 * DAY_MS;
  assert.equal(await state(), 'expired');
  world.clock.time -= 7 * DAY_MS;
  await world.keep(...ENDINGS['who is an owner no more']!.changes);
  assert.equal(await state(), 'expired');
});

test('an invite of before keys were kept with it that a key of nobody has sent is as good as that key', async (t) => {
  const world = await sent(t, SENDERS['a key of nobody']!);
  const { keyId: _, ...value } = world.invite.value;
  await world.keep({ put: { ...world.invite, version: 2, value } });
  assert.equal(await stateOf(world, { ...world, id: world.invite.id }), 'pending');
  await world.keep(...ENDINGS['whose key was revoked']!.changes);
  assert.equal(await stateOf(world, { ...world, id: world.invite.id }), 'expired');
});

test('who is taken out of the project of an invite may still give it by what they have in the organization', async (t) => {
  const world = await sent(t, SENDERS['an admin']!);
  const place = { kind: 'project_member', id: 'ada', parentId: 'proj_1', version: 1 } as const;
  await world.keep(setting('project_member', 'ada', { parentId: 'proj_1', role: 'owner' }), { remove: place });
  assert.equal(await stateOf(world, { ...world, id: world.invite.id }), 'pending');
  await world.keep({ removeAll: { kind: 'role_assignment', parentId: assigneeId({ ...person, projectId: null }) } });
  await world.keep(
    setting('project_member', 'ada', { parentId: 'proj_1', role: 'owner' }),
    given('role_1', 'user:ada'),
  );
  assert.equal(await stateOf(world, { ...world, id: world.invite.id }), 'expired', 'a place in it alone is not enough');
});

test('a page of invites asks about all their senders at once', async (t) => {
  const world = await organizationOf(t);
  const { keep, admin, asMember } = world;
  await keep(project('proj_1'), role(INVITING), setting('group', 'group_1', { name: 'One' }));
  await keep(given('role_1', 'group:group_1'), setting('group', 'group_2', { name: 'Two' }));
  const questionsFor = async (senders: readonly string[]) => {
    for (const id of senders) {
      await keep(...member(id), setting('group_member', id, { parentId: 'group_1' }));
      const email = `by.${id}@example.com`;
      await createInvite(await asMember(id), { email, role: 'reader', projects: [], groups: ['group_2'] });
    }
    let questions = 0;
    const counted = Object.fromEntries(
      Object.entries(admin.settings).map(([name, ask]) => [
        name,
        (...asked: unknown[]) => {
          questions += 1;
          return (ask as (...asked: unknown[]) => unknown)(...asked);
        },
      ]),
    ) as typeof admin.settings;
    const { items } = await listInvites({ ...admin, settings: counted }, { limit: 100 });
    assert.ok(items.every(({ status }) => status === 'pending'));
    return { invites: items.length, questions };
  };
  const few = await questionsFor(['ada', 'ben']);
  const many = await questionsFor(['cleo', 'dan', 'eve', 'fay', 'gil', 'hal']);
  assert.deepEqual([few.invites, many.invites], [2, 8]);
  assert.equal(many.questions, few.questions);
  await keep({ removeAll: { kind: 'role_assignment', parentId: 'group:group_1' } });
  const { items } = await listInvites(admin, { limit: 100 });
  assert.ok(items.every(({ status }) => status === 'expired'));
});
