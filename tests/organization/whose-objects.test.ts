import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Permission } from '../../src/core/permissions.ts';
import { createKey } from '../../src/keys/keys.ts';
import { assignRole } from '../../src/organization/roles/assignments.ts';
import { nextPoll } from '../../src/testing/wait.ts';
import { type Answer, ask } from '../http/client.ts';
import { TestBrowser } from '../sign-in/browser.ts';
import { ACME, type Company, type Hired, startCompany } from './lab.ts';

/**
 * Whose object: every kind of person, group, role, invite, project and product is changed and ended by every kind of administrator,
 * with a key and signed in. All combinations of permissions are tried without a server, in `src/organization/grants.test.ts`; those of
 * keys are in `whose-keys.test.ts`.
 */
const ASKERS = ['who manages people', 'a project owner', 'an admin', 'an owner'] as const;
type AskerName = (typeof ASKERS)[number];
type Asker = { name: AskerName; person: Hired; cookie: string };
type Way = [method: 'POST' | 'DELETE', path: string, body?: object];
/** `may`: by whom it is done. `at`: where it is shown while it is there. */
type Made = { at: string; ways: Way[] };
type Kind = { may: readonly AskerName[]; make(asker: Asker): Promise<Made> };

const PEOPLE: readonly Permission[] = ['members', 'groups', 'roles'].flatMap(
  (each) => [`api.${each}.read`, `api.${each}.write`] as Permission[],
);
const LARGE = ['api.routes.write'];

let company: Company;
let owner: Hired;
let project: string;
const askers: Asker[] = [];
let made = 0;

before(async () => {
  company = await startCompany({ args: ['--workers', '4'], config: 'limits: { requests_per_minute: 1000000 }' });
  owner = await company.hire('olga', 'owner');
  await company.hire('odo', 'owner');
  project = await post('/organization/projects', { name: 'Search' });
  const people = await post('/organization/roles', { role_name: 'People', permissions: PEOPLE });
  for (const name of ASKERS) {
    const person = name === 'an owner' ? owner : await company.hire(name.replaceAll(' ', '-'));
    const to = { type: 'user', id: person.id, projectId: null } as const;
    if (name === 'who manages people') await assignRole(company.admin(), to, people);
    if (name === 'an admin') await assignRole(company.admin(), to, 'role_admin');
    if (name === 'a project owner')
      await post(`/organization/projects/${project}/users`, { user_id: person.id, role: 'owner' });
    askers.push({ name, person, cookie: await company.cookieOf(person) });
  }
});
after(() => company[Symbol.asyncDispose]());

async function post(path: string, body: object, key = owner.key): Promise<string> {
  const { status, text, json } = await ask(`${company.headgate.url}/v1${path}`, { key, body });
  assert.equal(status, 200, `${path}: ${text}`);
  return (json as { id: string }).id;
}

/** Of another name each time. */
function next(): number {
  made += 1;
  return made;
}

async function someone(role?: string, group?: string): Promise<string> {
  const { id } = await company.hire(`person-${next()}`);
  if (role !== undefined) await post(`/organization/users/${id}/roles`, { role_id: role });
  if (group !== undefined) await post(`/organization/groups/${group}/users`, { user_id: id });
  return id;
}

async function aGroup(role?: string, there?: string): Promise<string> {
  const id = await post('/organization/groups', { name: `Group ${next()}` });
  if (role !== undefined) await post(`/organization/groups/${id}/roles`, { role_id: role });
  if (there !== undefined) await post(`/organization/projects/${project}/groups`, { group_id: id, role: there });
  return id;
}

const aRole = async (permissions: readonly string[], of = '/organization') =>
  post(`${of}/roles`, { role_name: `Role ${next()}`, permissions });

const member = (id: string): Made => {
  const at = `/organization/users/${id}`;
  return { at, ways: [['DELETE', at]] };
};
const inProject = (id: string): Made => {
  const at = `/organization/projects/${project}/users/${id}`;
  return { at, ways: [['DELETE', at]] };
};
const put = async (id: string, role: string) => {
  await post(`/organization/projects/${project}/users`, { user_id: id, role });
  return id;
};
const role = (id: string, of = '/organization'): Made => {
  const at = `${of}/roles/${id}`;
  return {
    at,
    ways: [
      ['POST', at, { role_name: 'Taken over' }],
      ['POST', at, { permissions: [] }],
      ['DELETE', at],
    ],
  };
};
const group = (id: string, user: string): Made => {
  const at = `/organization/groups/${id}`;
  return {
    at,
    ways: [
      ['DELETE', `${at}/users/${user}`],
      ['DELETE', at],
    ],
  };
};
const invite = async (body: object, key = owner.key): Promise<Made> => {
  const id = await post(
    '/organization/invites',
    { email: `guest-${next()}@example.com`, role: 'reader', ...body },
    key,
  );
  const at = `/organization/invites/${id}`;
  return { at, ways: [['DELETE', at]] };
};
/** A project with a key in it. */
const archive = async (keyIn: (id: string) => Promise<unknown>, asker: Asker): Promise<Made> => {
  const id = await post('/organization/projects', { name: `Project ${next()}` });
  if (asker.name === 'a project owner')
    await post(`/organization/projects/${id}/users`, { user_id: asker.person.id, role: 'owner' });
  await keyIn(id);
  return { at: `/organization/projects/${id}`, ways: [['POST', `/organization/projects/${id}/archive`]] };
};
const adminKeyIn = (projectId: string) => {
  const { keys: store, pepper, clock, ids, random } = company.admin();
  return createKey({ store, pepper, clock, ids, random }, { organizationId: ACME, projectId, name: 'x', admin: true });
};

const [ALL, ADMINS, OWNERS]: (readonly AskerName[])[] = [
  ['who manages people', 'an admin', 'an owner'],
  ['an admin', 'an owner'],
  ['an owner'],
];
const THERE: readonly AskerName[] = ['a project owner', 'an admin', 'an owner'];
const PROJECT = () => `/projects/${project}`;

const KINDS: Readonly<Record<string, Kind>> = {
  'a member of nothing': { may: ALL!, make: async () => member(await someone()) },
  'a viewer': { may: ADMINS!, make: async () => member(await someone('role_viewer')) },
  'an admin': { may: ADMINS!, make: async () => member(await someone('role_admin')) },
  'an owner': {
    may: OWNERS!,
    make: async () => {
      const id = await someone();
      await post(`/organization/users/${id}`, { role: 'owner' });
      const at = `/organization/users/${id}`;
      return {
        at,
        ways: [
          ['POST', at, { role: 'reader' }],
          ['DELETE', at],
        ],
      };
    },
  },
  'a member of a project': { may: ADMINS!, make: async () => member(await put(await someone(), 'member')) },
  'a member of a group of admins': {
    may: ADMINS!,
    make: async () => member(await someone(undefined, await aGroup('role_admin'))),
  },
  'a place in a project': { may: THERE, make: async () => inProject(await put(await someone(), 'member')) },
  'a role of a person': {
    may: ADMINS!,
    make: async () => {
      const at = `/organization/users/${await someone('role_admin')}/roles/role_admin`;
      return { at, ways: [['DELETE', at]] };
    },
  },
  'a small role': { may: ALL!, make: async () => role(await aRole(['api.members.read'])) },
  'a role of other permissions': { may: ADMINS!, make: async () => role(await aRole(LARGE)) },
  'a role that makes keys of administration': {
    may: OWNERS!,
    make: async () => role(await aRole(['api.admin_keys.write'])),
  },
  'a role of a project': { may: THERE, make: async () => role(await aRole(LARGE, PROJECT()), PROJECT()) },
  'a role of a project beyond its owners': {
    may: OWNERS!,
    make: async () => role(await aRole(['api.admin_keys.read'], PROJECT()), PROJECT()),
  },
  'a group of nothing': {
    may: ALL!,
    make: async () => {
      const id = await aGroup();
      return group(id, await someone(undefined, id));
    },
  },
  'a group of admins': {
    may: ADMINS!,
    make: async () => {
      const id = await aGroup('role_admin');
      return group(id, await someone(undefined, id));
    },
  },
  'a group in a project': {
    may: ADMINS!,
    make: async () => {
      const id = await aGroup(undefined, 'member');
      return group(id, await someone(undefined, id));
    },
  },
  'the place of a group in a project': {
    may: THERE,
    make: async () => {
      const at = `/organization/projects/${project}/groups/${await aGroup(undefined, 'owner')}`;
      return { at, ways: [['DELETE', at]] };
    },
  },
  'an invite of a reader': { may: ALL!, make: () => invite({}) },
  'an invite that who manages people has sent': { may: ALL!, make: () => invite({}, askers[0]!.person.key) },
  'an invite into a project': { may: ADMINS!, make: () => invite({ projects: [{ id: project, role: 'member' }] }) },
  'an invite into a group of admins': {
    may: ADMINS!,
    make: async () => invite({ groups: [await aGroup('role_admin')] }),
  },
  'an invite of an owner': { may: OWNERS!, make: () => invite({ role: 'owner' }) },
  'an invite of an owner that a key has sent': {
    may: OWNERS!,
    make: async () => invite({ role: 'owner' }, await company.keyOf({ userId: null })),
  },
  'a dead invite of an owner': {
    may: ALL!,
    make: async () => {
      const { adminAPIKeys } = owner.client.admin.organization;
      const { id, value } = await adminAPIKeys.create({ name: 'sends' });
      const sent = await invite({ role: 'owner' }, value);
      await adminAPIKeys.delete(id);
      return sent;
    },
  },
  'a project with a key of nobody': {
    may: THERE,
    make: (asker) =>
      archive((id) => post(`/organization/projects/${id}/api_keys`, { name: 'x', user_id: null }), asker),
  },
  'a project with a service account': {
    may: THERE,
    make: (asker) => archive((id) => post(`/organization/projects/${id}/service_accounts`, { name: 'x' }), asker),
  },
  'a project with a product’s key': {
    may: ADMINS!,
    make: (asker) => archive((id) => post('/organization/products', { id: `p-${made}`, project_id: id }), asker),
  },
  'a project with an administrator’s key': { may: OWNERS!, make: (asker) => archive(adminKeyIn, asker) },
  'a product of a project': {
    may: ADMINS!,
    make: async () => {
      const at = `/organization/products/${await post('/organization/products', { id: `p-${next()}`, project_id: project })}`;
      return {
        at,
        ways: [
          ['POST', at, { name: 'Taken over' }],
          ['DELETE', at],
        ],
      };
    },
  },
};

async function as({ person, cookie }: Asker, isSignedIn: boolean, [method, path, body]: Way): Promise<Answer> {
  const { url } = company.headgate;
  const who = isSignedIn
    ? { headers: { cookie, origin: `http://localhost:${new URL(url).port}` } }
    : { key: person.key };
  return ask(`${url}/v1${path}`, { method, ...who, ...(body !== undefined && { body }) });
}

describe('what somebody has is changed and taken away by whoever has it, and by nobody else', () => {
  for (const [kind, { may, make }] of Object.entries(KINDS)) {
    test(kind, async () => {
      for (const asker of askers) {
        for (const isSignedIn of [false, true]) {
          const { at, ways } = await make(asker);
          const shown = async () => (await ask(`${company.headgate.url}/v1${at}`, { key: owner.key })).json;
          const before = await shown();
          for (const way of ways) {
            const { status, text } = await as(asker, isSignedIn, way);
            const expected = may.includes(asker.name) ? 200 : 403;
            assert.equal(
              status,
              expected,
              `${asker.name}${isSignedIn ? ', signed in' : ''}: ${way.join(' ')}: ${text}`,
            );
          }
          if (!may.includes(asker.name)) assert.deepEqual(await shown(), before, `${asker.name}: it is as it was`);
        }
      }
    });
  }
});

test('an invite of a sender who may no more is shown as expired, and brings nobody in by its link', async () => {
  const browser = new TestBrowser(company.headgate);
  const { adminAPIKeys } = owner.client.admin.organization;
  const lead = await company.hire('lead-inviter');
  await post(`/organization/users/${lead.id}/roles`, { role_id: 'role_admin' });
  const nobodys = await company.client({ userId: null });
  const [own, leads, foreign] = [
    await adminAPIKeys.create({ name: 'an owner’s' }),
    await lead.client.admin.organization.adminAPIKeys.create({ name: 'a lead’s' }).catch(() => null),
    await nobodys.admin.organization.adminAPIKeys.create({ name: 'nobody’s' }),
  ];
  assert.equal(leads, null, 'admins make no keys of administration');
  const { keys } = company.admin();
  const endings: [what: string, key: string, end: () => Promise<unknown>][] = [
    ['expired', own.value, () => keys.change(own.id, { expiresAt: Date.now() - 1 })],
    ['turned off', own.value, () => keys.change(own.id, { expiresAt: null, disabledAt: 1 })],
    ['revoked', foreign.value, () => adminAPIKeys.delete(foreign.id)],
    [
      'lowered',
      lead.key,
      () =>
        ask(`${company.headgate.url}/v1/organization/users/${lead.id}/roles/role_admin`, {
          method: 'DELETE',
          key: owner.key,
        }),
    ],
  ];
  for (const [what, key, end] of endings) {
    if (what === 'turned off') await keys.change(own.id, { expiresAt: null });
    const email = `invited-${what.replace(' ', '-')}@example.com`;
    const { status, json, text } = await untilServed(key, { email, role: 'reader' });
    assert.equal(status, 200, text);
    const { id, invite_token: link } = json as { id: string; invite_token: string };
    const seen = async () => {
      const one = await ask(`${company.headgate.url}/v1/organization/invites/${id}`, { key: owner.key });
      const { stdout } = await company.headgate.command('invites', 'list', '--json');
      const listed = (JSON.parse(stdout) as { data: { id: string; status: string }[] }).data;
      return [(one.json as { status: string }).status, listed.find((each) => each.id === id)?.status];
    };
    assert.deepEqual(await seen(), ['pending', 'pending'], what);
    assert.equal((await browser.post('/auth/link', { link })).status, 200, what);
    await end();
    assert.deepEqual(await seen(), ['expired', 'expired'], what);
    const opened = { link, name: 'Guest', password: 'a sentence that nobody guesses' };
    for (const path of ['/auth/link', '/auth/link/open'])
      assert.equal(
        (await browser.post(path, path === '/auth/link' ? { link } : opened)).status,
        404,
        `${what}: ${path}`,
      );
    const users = await ask(`${company.headgate.url}/v1/organization/users?emails[]=${email}`, { key: owner.key });
    assert.deepEqual((users.json as { data: unknown[] }).data, [], what);
  }
});

/** A key that was changed is answered so by every process within a second. */
async function untilServed(key: string, body: object): Promise<Answer> {
  for (;;) {
    const answer = await ask(`${company.headgate.url}/v1/organization/invites`, { key, body });
    if (answer.status !== 401) return answer;
    await nextPoll();
  }
}
