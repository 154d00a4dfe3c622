import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { PERMISSIONS, type Permission, PREDEFINED_ROLES } from '../../src/core/permissions.ts';
import { ORGANIZATION_OPERATIONS } from '../../src/organization/all-resources.ts';
import { assignRole } from '../../src/organization/roles/assignments.ts';
import { mintSecret } from '../../src/organization/sign-in/secrets.ts';
import { type Answer, ask } from '../http/client.ts';
import { BODIES, type Fixture, makeFixture, needsOf, type Setting } from './fixture.ts';
import { ACME, type Company, type Hired, startCompany, UMBRELLA } from './lab.ts';

/**
 * Every operation on settings, asked by everybody who may or may not, for what is their own, for what is another
 * organization's, and for what is nowhere: the answer has the status that the table of permissions says.
 */
type Asker = {
  name: string;
  /** How they say who they are: by a key, or by the cookie of a browser in which they have signed in. */
  key?: string;
  cookie?: string;
  /** What they may in their organization, and in the projects of the fixture. */
  permissions: readonly Permission[];
  inProject?: readonly Permission[];
  /** What all are told who are not let in; `null`: it goes by permissions. */
  refused?: 401 | 403;
};

const NOTHING: readonly Permission[] = [];
/** Usage is asked for from some time on, and search for something. */
const QUERIES = [
  [/\/(costs|usage\/\w+)$/, '?start_time=0'],
  [/\/search$/, '?query=acme'],
] as const;
const OPERATIONS = ORGANIZATION_OPERATIONS.map(({ id, method, path, access, body }) => ({
  id,
  method,
  path,
  /** `null`: whoever administers may ask, and is shown what they may see. */
  permission: (access as { permission: Permission | null }).permission,
  /** Who has it in some project alone may ask, too. */
  somewhere: typeof access === 'object' && 'somewhere' in access,
  hasBody: body !== undefined,
  query: QUERIES.find(([of]) => of.test(path))?.[1] ?? '',
  params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  needs: needsOf(path, BODIES[id]),
}));
type Tried = (typeof OPERATIONS)[number];

/** The keys of a fixture are a service account's: what makes, changes or ends one needs this beside the operation's own permission. */
const OF_ACCOUNTS = 'api.members.write' satisfies Permission;
const ON_KEYS_OF_ACCOUNTS = [
  'createProjectApiKey',
  'updateProjectApiKey',
  'rotateProjectApiKey',
  'deleteProjectApiKey',
  'createServiceAccount',
  'createServiceAccountKey',
  'deleteServiceAccount',
];

/** Ids that are of no organization: they are made of a model’s name, or are one. */
const OF_NOBODY = ['rate_limit_id', 'model_id'];

let company: Company;
let ours: Setting;
let foreign: Fixture;
let shared: Fixture;
const askers: Asker[] = [];

before(async () => {
  company = await startCompany({
    config: 'limits: { requests_per_minute: 1000000 }\nserver: { webhook_hosts: [127.0.0.1] }\n',
  });
  const permissionsOf = (role: string) => PREDEFINED_ROLES.get(role)!.permissions;
  const add = (name: string, key: string | undefined, rest: Partial<Asker> = {}) =>
    askers.push({ name, ...(key !== undefined && { key }), permissions: NOTHING, ...rest });
  const addPerson = async (name: string, hired: Hired, rest: Partial<Asker> = {}) => {
    add(name, hired.key, rest);
    add(`${name}, signed in`, undefined, { cookie: await company.cookieOf(hired), ...rest });
  };
  const owner = await company.hire('owner', 'owner');
  await company.hire('owner-too', 'owner');
  await addPerson('owner', owner, { permissions: PERMISSIONS });
  for (const role of ['role_admin', 'role_developer', 'role_billing', 'role_viewer']) {
    const hired = await company.hire(role);
    await assignRole(company.admin(), { type: 'user', id: hired.id, projectId: null }, role);
    await addPerson(role, hired, { permissions: permissionsOf(role) });
  }
  await addPerson('reader', await company.hire('reader'));
  const inProject = { owner: await company.hire('project-owner'), member: await company.hire('project-member') };
  await addPerson('project owner', inProject.owner, { inProject: permissionsOf('role_project_owner') });
  await addPerson('project member', inProject.member, { inProject: permissionsOf('role_project_member') });
  add('key of nobody', await company.keyOf({ userId: null }), { permissions: PERMISSIONS });
  add('key of a stranger', await company.keyOf({ userId: 'user_stranger' }), { refused: 403 });
  const umbrellas = await company.hire('theirs', 'owner', UMBRELLA);
  const theirReader = await company.hire('their-reader', 'reader', UMBRELLA);
  add('key of another organization’s owner', await company.keyOf({ userId: umbrellas.id }), { refused: 403 });
  add('key of models', await company.keyOf({ userId: owner.id, access: 'models' }), { refused: 403 });
  add('no key', undefined, { refused: 401 });
  const strangers = await company.cookieOf(umbrellas);
  add('another organization’s owner, signed in', undefined, { cookie: strangers, refused: 403 });
  add('a cookie of nobody', undefined, { cookie: `__Host-headgate=${mintSecret(randomBytes)}`, refused: 401 });
  ours = {
    company,
    organizationId: ACME,
    key: owner.key,
    inProject: { owner: inProject.owner.id, member: inProject.member.id },
  };
  shared = await makeFixture(ours);
  const theirs = { owner: theirReader.id, member: umbrellas.id };
  foreign = await makeFixture({ company, organizationId: UMBRELLA, key: umbrellas.key, inProject: theirs });
});
after(() => company[Symbol.asyncDispose]());

test('each operation that has a body has one here', () => {
  const withBody = OPERATIONS.filter(({ hasBody }) => hasBody).map(({ id }) => id);
  assert.deepEqual(Object.keys(BODIES).sort(), withBody.sort());
});

describe('every operation answers everybody as the table of permissions says', () => {
  for (const tried of OPERATIONS) {
    test(`${tried.id}`, async () => {
      const kinds = new Set<string>();
      for (const asker of askers) await tryAll(tried, asker, kinds);
    });
  }
});

/**
 * Each asker is told whether they may. Once for each kind of askers, what is another organization's and what is nowhere are
 * asked for, too, and whoever may change something does it, with a fixture of their own. Others of the kind who may are
 * asked for what is nowhere: a 404 in place of a 403 tells it. `kinds` are those that were asked already.
 */
async function tryAll(tried: Tried, asker: Asker, kinds: Set<string>): Promise<void> {
  const inProject = tried.params.includes('project_id') || tried.somewhere ? (asker.inProject ?? NOTHING) : NOTHING;
  const may = (permissions: readonly Permission[]) =>
    asker.refused === undefined && (tried.permission === null || permissions.includes(tried.permission));
  const mayThere = (param: string) => may([...asker.permissions, ...(param === 'project_id' ? NOTHING : inProject)]);
  const here = [...asker.permissions, ...inProject];
  const mayHere = may(here) && (!ON_KEYS_OF_ACCOUNTS.includes(tried.id) || here.includes(OF_ACCOUNTS));
  const params = tried.params.filter((name) => !OF_NOBODY.includes(name));
  const kind = asker.refused === undefined ? kindOf(asker, may(asker.permissions), mayHere) : asker.name;
  const isFirst = !kinds.has(kind);
  kinds.add(kind);
  const changes = mayHere && tried.method !== 'GET';
  const isTold = changes && !isFirst && !ON_KEYS_OF_ACCOUNTS.includes(tried.id);
  const telling = isTold ? params.filter(mayThere).slice(0, 1) : [];
  const own = changes && telling.length === 0 ? await makeFixture({ ...ours, needs: tried.needs }) : shared;
  for (const param of isFirst ? params : telling) {
    const status = mayThere(param) ? 404 : (asker.refused ?? 403);
    const nowhere = `${idOf(tried, own, param).slice(0, -4)}none`;
    const answers = [];
    for (const id of isFirst ? [idOf(tried, foreign, param), nowhere] : [nowhere]) {
      const answer = await send(tried, asker, own, { [param]: id });
      assert.equal(answer.status, status, `${asker.name}, ${param}: ${answer.text}`);
      answers.push(answer.text.replaceAll(/req_\w+/g, ''));
    }
    assert.equal(answers[0], answers.at(-1), `${asker.name}, ${param}`);
  }
  if (telling.length > 0) return;
  const { status, text } = await send(tried, asker, own);
  assert.equal(status, mayHere ? 200 : (asker.refused ?? 403), `${asker.name}: ${text}`);
}

/** Who is let in is of a kind with those who say in the same way who they are, and may as much. */
function kindOf({ cookie }: Asker, may: boolean, mayHere: boolean): string {
  return `${cookie === undefined ? 'key' : 'cookie'} ${may} ${mayHere}`;
}

function idOf({ path }: Tried, fixture: Fixture, param: string): string {
  if (param === 'alert_id' && !path.includes('{project_id}')) return fixture.organization_alert_id!;
  if (param === 'role_id' && path === '/v1/projects/{project_id}/roles/{role_id}') return fixture.project_role_id!;
  return fixture[param]!;
}

async function send(tried: Tried, asker: Asker, fixture: Fixture, instead: Fixture = {}): Promise<Answer> {
  const path = tried.path.replaceAll(
    /\{(\w+)\}/g,
    (_: string, param: string) => instead[param] ?? idOf(tried, fixture, param),
  );
  const body = BODIES[tried.id]?.(fixture);
  const { url } = company.headgate;
  const { key, cookie } = asker;
  const answer = await ask(`${url}${path}${tried.query}`, {
    method: tried.method,
    ...(key !== undefined && { key }),
    ...(cookie !== undefined && { headers: { cookie, origin: `http://localhost:${new URL(url).port}` } }),
    ...(body !== undefined && { body }),
  });
  // A session is renewed where a role of its person has changed, as those of people in projects do with each fixture.
  const renewed = answer.headers.getSetCookie()[0]?.split('; ')[0];
  if (cookie !== undefined && renewed !== undefined && asker.refused !== 401) asker.cookie = renewed;
  return answer;
}
