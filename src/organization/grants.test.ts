import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PERMISSIONS, type Permission, PREDEFINED_ROLES } from '../core/permissions.ts';
import { type Assignee, assigneeId, type SettingChange } from '../core/settings.ts';
import { NOON } from '../store/fixtures.test.ts';
import type { Administration } from './administration.ts';
import { keyIn, member, organizationOf, project, setting } from './fixtures.test.ts';
import { addToGroup, deleteGroup, removeFromGroup } from './groups/service.ts';
import { createInvite, deleteInvite } from './invites/service.ts';
import { removeMember, updateMember } from './members/service.ts';
import {
  addGroupToProject,
  addToProject,
  removeFromProject,
  removeGroupFromProject,
  updateProjectPerson,
} from './projects/people.ts';
import { archiveProject } from './projects/service.ts';
import { assignRole, unassignRole } from './roles/assignments.ts';
import { createRole, deleteRole, updateRole } from './roles/service.ts';

/**
 * Everything that gives or removes permissions is tried by everybody on everybody: it succeeds exactly for those who
 * have these permissions in that place.
 */
const ADMIN = PREDEFINED_ROLES.get('role_admin')!.permissions;
/** What the object holds. */
const HELD: Readonly<Record<string, readonly Permission[]>> = {
  nothing: [],
  'one permission': ['api.routes.write'],
  'what project members have': PREDEFINED_ROLES.get('role_project_member')!.permissions,
  'what admins have': ADMIN,
  'what owners have': PERMISSIONS,
};
/** What whoever acts has in the organization, and in one project. */
const ACTORS: Readonly<Record<string, [readonly Permission[], project?: [string, ...Permission[]]]>> = {
  'may manage people': [['api.members.write', 'api.groups.write', 'api.roles.write']],
  'has that one permission': [['api.routes.write']],
  'has it in the project': [[], ['proj_1', 'api.routes.write']],
  'has everything in another project': [[], ['proj_2', ...ADMIN]],
  'is an admin of the project': [[], ['proj_1', ...ADMIN]],
  'is an admin': [ADMIN],
  'is an owner': [PERMISSIONS],
};

/** What is acted on: ids of its own, and a role of what it holds. */
type Object = { user: string; group: string; role: string; inProject: string };
type Way = {
  /** Where the permissions hold. */
  in: 'organization' | 'project';
  /** What stands there before. */
  with(object: Object): SettingChange[];
  act(by: Administration, object: Object): Promise<unknown>;
};

const given = (role: string, to: Assignee) =>
  setting('role_assignment', role, { parentId: assigneeId(to), roleId: role, projectId: to.projectId });
const user = ({ user: id }: Object, projectId: string | null = null): Assignee => ({ type: 'user', id, projectId });
const group = ({ group: id }: Object, projectId: string | null = null): Assignee => ({ type: 'group', id, projectId });
const P = 'proj_1';
const inGroup = (of: Object) => setting('group_member', of.user, { parentId: of.group });
const groupThere = (of: Object) => setting('project_group', of.group, { parentId: P });
const there = (of: Object) => setting('project_member', of.user, { parentId: P, role: 'member' });
const email = (of: Object) => `${of.user}@guests.example`;
const invite = (of: Object) => ({
  ...setting('invite', `invite_${of.user}`, {
    email: email(of),
    role: 'reader',
    projects: [],
    groups: [of.group],
    invitedBy: 'operator',
    acceptedAt: null,
    expiresAt: NOON + 1,
  }),
});

const WAYS: Readonly<Record<string, Way>> = {
  'giving a role': { in: 'organization', with: () => [], act: (by, of) => assignRole(by, user(of), of.role) },
  'giving a role by what a member is': {
    in: 'organization',
    with: () => [],
    act: (by, of) => updateMember(by, of.user, { roleId: of.role }),
  },
  'taking a role': {
    in: 'organization',
    with: (of) => [given(of.role, user(of))],
    act: (by, of) => unassignRole(by, user(of), of.role),
  },
  'giving a role to a group': {
    in: 'organization',
    with: () => [],
    act: (by, of) => assignRole(by, group(of), of.role),
  },
  'taking a role from a group': {
    in: 'organization',
    with: (of) => [given(of.role, group(of))],
    act: (by, of) => unassignRole(by, group(of), of.role),
  },
  'giving a role in a project': {
    in: 'project',
    with: (of) => [there(of)],
    act: (by, of) => assignRole(by, user(of, P), of.role),
  },
  'taking a role in a project': {
    in: 'project',
    with: (of) => [there(of), given(of.role, user(of, P))],
    act: (by, of) => unassignRole(by, user(of, P), of.role),
  },
  'taking a role from a group in a project': {
    in: 'project',
    with: (of) => [groupThere(of), given(of.role, group(of, P))],
    act: (by, of) => unassignRole(by, group(of, P), of.role),
  },
  'deleting a role': {
    in: 'organization',
    with: () => [],
    act: (by, of) => deleteRole(by, { id: of.role, projectId: null }),
  },
  'deleting a role of a project': {
    in: 'project',
    with: () => [],
    act: (by, of) => deleteRole(by, { id: of.inProject, projectId: P }),
  },
  'naming a role': {
    in: 'organization',
    with: () => [],
    act: (by, of) => updateRole(by, { id: of.role, projectId: null }, { name: 'Other' }),
  },
  'describing a role of a project': {
    in: 'project',
    with: () => [],
    act: (by, of) => updateRole(by, { id: of.inProject, projectId: P }, { description: 'Other' }),
  },
  'emptying a role': {
    in: 'organization',
    with: () => [],
    act: (by, of) => updateRole(by, { id: of.role, projectId: null }, { permissions: [] }),
  },
  'removing a member with a role': {
    in: 'organization',
    with: (of) => [given(of.role, user(of))],
    act: (by, of) => removeMember(by, of.user),
  },
  'removing a member of a group': {
    in: 'organization',
    with: (of) => [inGroup(of), given(of.role, group(of))],
    act: (by, of) => removeMember(by, of.user),
  },
  'removing a member of a group that is in a project': {
    in: 'project',
    with: (of) => [inGroup(of), groupThere(of), given(of.role, group(of, P))],
    act: (by, of) => removeMember(by, of.user),
  },
  'putting somebody into a group': {
    in: 'organization',
    with: (of) => [given(of.role, group(of))],
    act: (by, of) => addToGroup(by, of.group, of.user),
  },
  'putting somebody into a group that is in a project': {
    in: 'project',
    with: (of) => [groupThere(of), given(of.role, group(of, P))],
    act: (by, of) => addToGroup(by, of.group, of.user),
  },
  'taking somebody out of a group': {
    in: 'organization',
    with: (of) => [inGroup(of), given(of.role, group(of))],
    act: (by, of) => removeFromGroup(by, of.group, of.user),
  },
  'taking somebody out of a group that is in a project': {
    in: 'project',
    with: (of) => [inGroup(of), groupThere(of), given(of.role, group(of, P))],
    act: (by, of) => removeFromGroup(by, of.group, of.user),
  },
  'deleting a group': {
    in: 'organization',
    with: (of) => [given(of.role, group(of))],
    act: (by, of) => deleteGroup(by, of.group),
  },
  'deleting a group that is in a project': {
    in: 'project',
    with: (of) => [groupThere(of), given(of.role, group(of, P))],
    act: (by, of) => deleteGroup(by, of.group),
  },
  'putting a group into a project': {
    in: 'project',
    with: () => [],
    act: (by, of) => addGroupToProject(by, P, of.group, of.role),
  },
  'taking a group out of a project': {
    in: 'project',
    with: (of) => [groupThere(of), given(of.role, group(of, P))],
    act: (by, of) => removeGroupFromProject(by, P, of.group),
  },
  'inviting into a group': {
    in: 'organization',
    with: (of) => [given(of.role, group(of))],
    act: (by, of) => createInvite(by, { email: email(of), role: 'reader', projects: [], groups: [of.group] }),
  },
  'withdrawing an invite into a group': {
    in: 'organization',
    with: (of) => [given(of.role, group(of)), invite(of)],
    act: (by, of) => deleteInvite(by, `invite_${of.user}`),
  },
};

let world: Awaited<ReturnType<typeof organizationOf>>;
const ended: (() => unknown)[] = [];
before(async () => {
  world = await organizationOf({ after: (end: () => unknown) => ended.push(end) } as never);
  await world.keep(project(P), project('proj_2'), ...member('boss', 'owner'));
});
after(async () => {
  for (const end of ended.toReversed()) await end();
});

let made = 0;
/** Somebody, a group of nobody, and a role in the organization and in a project that holds these permissions. */
async function object(permissions: readonly Permission[]): Promise<Object> {
  made += 1;
  const of = { user: `user_${made}`, group: `group_${made}`, role: `role_${made}`, inProject: `role_${made}_p` };
  const role = { name: of.role, description: null, permissions, resourceType: 'api.organization' };
  await world.keep(
    ...member(of.user),
    setting('group', of.group, { name: of.group }),
    setting('role', of.role, role),
    setting('role', of.inProject, { ...role, parentId: P, resourceType: 'api.project' }),
  );
  return of;
}

const outcomeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    ({ kind }) => kind as string,
  );

describe('nobody gives or takes away what they do not have where it holds', () => {
  for (const [what, way] of Object.entries(WAYS)) {
    test(what, async () => {
      for (const [holding, permissions] of Object.entries(HELD)) {
        for (const [who, [own, inProject]] of Object.entries(ACTORS)) {
          const of = await object(permissions);
          await world.keep(...way.with(of));
          const has = new Set([...own, ...(way.in === 'project' && inProject?.[0] === P ? inProject.slice(1) : [])]);
          const may = permissions.every((each) => has.has(each));
          const outcome = await outcomeOf(way.act(world.as('actor', own, inProject), of));
          assert.equal(outcome, may ? 'done' : 'forbidden', `whoever ${who}, of what holds ${holding}`);
        }
      }
    });
  }
});

describe('nor by the predefined roles of people in projects, and of owners', () => {
  const ways: Readonly<Record<string, (role: 'owner' | 'member') => Omit<Way, 'in'>>> = {
    'putting somebody into a project': (role) => ({
      with: () => [],
      act: (by, of) => addToProject(by, P, { userId: of.user }, role),
    }),
    'taking somebody out of a project': (role) => ({
      with: (of) => [setting('project_member', of.user, { parentId: P, role })],
      act: (by, of) => removeFromProject(by, P, of.user),
    }),
    'making somebody a member of it': (role) => ({
      with: (of) => [setting('project_member', of.user, { parentId: P, role })],
      act: (by, of) => updateProjectPerson(by, { projectId: P, userId: of.user }, 'member'),
    }),
    'removing a member': (role) => ({
      with: (of) => [setting('project_member', of.user, { parentId: P, role })],
      act: (by, of) => removeMember(by, of.user),
    }),
    'inviting into a project': (role) => ({
      with: () => [],
      act: (by, of) => createInvite(by, { email: email(of), role: 'reader', projects: [{ id: P, role }] }),
    }),
  };
  for (const [what, wayOf] of Object.entries(ways)) {
    test(what, async () => {
      for (const role of ['owner', 'member'] as const) {
        const needs = PREDEFINED_ROLES.get(`role_project_${role}`)!.permissions;
        for (const [who, [own, inProject]] of Object.entries(ACTORS)) {
          const of = await object([]);
          const way = wayOf(role);
          await world.keep(...way.with(of));
          const has = new Set([...own, ...(inProject?.[0] === P ? inProject.slice(1) : [])]);
          const may = needs.every((each) => has.has(each as Permission));
          const outcome = await outcomeOf(way.act(world.as('actor', own, inProject), of));
          assert.equal(outcome, may ? 'done' : 'forbidden', `whoever ${who}, of the role ${role}`);
        }
      }
    });
  }

  test('a role of their own there goes with who is taken out of a project', async () => {
    for (const [who, [own, inProject]] of Object.entries(ACTORS)) {
      const of = await object(['api.audit_logs.write']);
      await world.keep(there(of), given(of.role, user(of, P)));
      const may = [...own, ...(inProject?.[0] === P ? inProject : [])].includes('api.audit_logs.write');
      const acted = removeFromProject(world.as('actor', own, inProject), P, of.user);
      assert.equal(await outcomeOf(acted), may ? 'done' : 'forbidden', who);
    }
  });

  test('only an owner makes one, unmakes one, removes one, invites one, and withdraws that', async () => {
    const acts: ((by: Administration, of: Object) => Promise<unknown>)[] = [
      (by, of) => updateMember(by, of.user, { role: 'owner' }),
      (by, of) => createInvite(by, { email: email(of), role: 'owner', projects: [] }),
    ];
    const acted = (of: Object) => [
      (by: Administration) => updateMember(by, of.user, { role: 'reader' }),
      (by: Administration) => removeMember(by, of.user),
    ];
    for (const [who, [own]] of Object.entries(ACTORS)) {
      const expected = own === PERMISSIONS ? 'done' : 'forbidden';
      for (const act of acts)
        assert.equal(await outcomeOf(act(world.as('actor', own), await object([]))), expected, `${who}: ${act}`);
      for (const index of [0, 1]) {
        const of = await object([]);
        await updateMember(world.admin, of.user, { role: 'owner' });
        assert.equal(await outcomeOf(acted(of)[index]!(world.as('actor', own))), expected, `${who}: ${index}`);
      }
      const sent = await createInvite(world.admin, { email: `${made}@x.example`, role: 'owner', projects: [] });
      assert.equal(await outcomeOf(deleteInvite(world.as('actor', own), sent.invite.id)), expected, who);
    }
  });
});

test('keys that end with a group are ended by whoever may end them, where they end', async () => {
  const ways: ((by: Administration, of: Object) => Promise<unknown>)[] = [
    (by, of) => removeFromGroup(by, of.group, of.user),
    (by, of) => removeGroupFromProject(by, P, of.group),
    (by, of) => deleteGroup(by, of.group),
  ];
  const actors: [own: readonly Permission[], inProject: [string, ...Permission[]] | undefined, may: boolean][] = [
    [['api.groups.write'], undefined, false],
    [['api.groups.write'], [P, 'api.members.write'], true],
    [['api.groups.write', 'api.members.write'], undefined, true],
  ];
  for (const way of ways) {
    for (const [own, inProject, may] of actors) {
      for (const stays of [false, true]) {
        const of = await object([]);
        await world.keep(inGroup(of), groupThere(of), keyIn(P, of.user), ...(stays ? [there(of)] : []));
        const outcome = await outcomeOf(way(world.as('actor', own, inProject), of));
        assert.equal(outcome, may || stays ? 'done' : 'forbidden', `${own}, ${inProject}, ${stays}: ${way}`);
        const isLeft = (await world.storage.settings.key('org_1', `${of.user} in ${P}`))?.revokedAt === null;
        assert.equal(isLeft, !may || stays);
      }
    }
  }
});

test('whoever makes a role has what it holds, where it holds', async () => {
  for (const permissions of Object.values(HELD)) {
    for (const [who, [own, inProject]] of Object.entries(ACTORS)) {
      for (const projectId of [null, P]) {
        const has = new Set([
          ...own,
          ...(projectId !== null && inProject?.[0] === projectId ? inProject.slice(1) : []),
        ]);
        const by = world.as('actor', own, inProject);
        const outcome = await outcomeOf(createRole(by, { name: 'x', description: null, permissions }, projectId));
        assert.equal(outcome, permissions.every((each) => has.has(each)) ? 'done' : 'forbidden', who);
      }
    }
  }
});

test('a dead invite gives nothing, and is withdrawn by whoever may change members', async () => {
  const of = await object(PERMISSIONS);
  await world.keep(given(of.role, group(of)), invite(of));
  const by = world.as('actor', ['api.members.write']);
  assert.equal(await outcomeOf(deleteInvite(by, `invite_${of.user}`)), 'forbidden');
  world.clock.time += 1;
  assert.equal(await outcomeOf(deleteInvite(by, `invite_${of.user}`)), 'done');
  world.clock.time -= 1;
});

test('a project is archived by whoever may end all of its keys', async () => {
  const owned = (of: object) => keyIn('proj_3', null, { id: `key_${++made}`, ...of });
  const keys: [what: string, key: object, needs: readonly Permission[]][] = [
    ['of nobody', {}, ['api.members.write']],
    ['of a product', { product: 'desk' }, ['api.products.write']],
    ['of an administrator', { admin: true }, PERMISSIONS],
    ['of the actor', { owner: { type: 'user', id: 'actor' } }, []],
  ];
  for (const [what, key, needs] of keys) {
    for (const [who, [own]] of Object.entries(ACTORS)) {
      made += 1;
      const id = `proj_${made}_a`;
      await world.keep(project(id), owned({ ...key, projectId: id }));
      const may = needs.every((each) => own.includes(each));
      const outcome = await outcomeOf(archiveProject(world.as('actor', own), id));
      assert.equal(outcome, may ? 'done' : 'forbidden', `${who}, a key ${what}`);
    }
  }
});
