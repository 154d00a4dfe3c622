import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { acceptInvite, createInvite } from '../../src/organization/invites/service.ts';
import { rateLimitId } from '../../src/organization/limits/service.ts';
import { ask } from '../http/client.ts';
import { ACME, type Company } from './lab.ts';

/** What stands in an organization for one try of an operation: ids by the names that paths have for them, and some beside. */
export type Fixture = Readonly<Record<string, string>>;

/** A way to ask an organization's settings as its owner, and whom to put into each project that is made. */
export type Setting = {
  company: Company;
  organizationId: string;
  /** A key of an owner. */
  key: string;
  /** People by the role that they are to have in the project. */
  inProject: Readonly<Record<'owner' | 'member', string>>;
  /**
   * What one operation needs, as `needsOf` tells; left out: everything. A fixture for one operation is made many hundred
   * times.
   */
  needs?: ReadonlySet<string>;
};

let made = 0;

/**
 * What an operation on settings needs of a fixture: the names of the members that its path and its body take, and the
 * words of its path.
 */
export function needsOf(path: string, body: ((of: Fixture) => object) | undefined): Set<string> {
  const needs = new Set(path.split(/[/{}]/).filter((word) => word !== ''));
  const note = (name: string | symbol) => {
    needs.add(String(name));
    return 'x';
  };
  body?.(new Proxy<Fixture>({}, { get: (_, name) => note(name) }));
  return needs;
}

/** Makes one of everything, or of what is needed. A member that was not needed is absent. */
export async function makeFixture(setting: Setting): Promise<Fixture> {
  const { company, organizationId, key, needs } = setting;
  made += 1;
  const post = async (path: string, body: object): Promise<{ id: string; [member: string]: unknown }> => {
    const { status, text, json } = await ask(`${company.headgate.url}/v1${path}`, { key, body });
    assert.equal(status, 200, `${path}: ${text}`);
    return json as { id: string };
  };
  const hire = async (name: string) => {
    const admin = company.admin(organizationId);
    const email = `${name}${made}@${organizationId}.example`;
    const { token } = await createInvite(admin, { email, role: 'reader', projects: [] });
    const person = { id: `user_${organizationId}_${name}_${made}`, email, name };
    await acceptInvite(admin, token, { person, request: null });
    return person.id;
  };
  const isNeeded = (...names: string[]) => needs === undefined || names.every((name) => needs.has(name));
  const fixture: Record<string, string> = { rate_limit_id: rateLimitId('echo'), model_id: 'echo' };
  const add = async (name: string, make: () => Promise<string>) => {
    if (isNeeded(name)) fixture[name] = await make();
  };
  const idOf = (path: string, body: object) => async () => (await post(path, body)).id;
  await add('user_id', () => hire('user'));
  await add('spare_user', () => hire('spare'));
  await add('group_id', idOf('/organization/groups', { name: `Group ${made}` }));
  await add('spare_group', idOf('/organization/groups', { name: `Spare ${made}` }));
  await add('role_id', idOf('/organization/roles', { role_name: `Role ${made}`, permissions: READ }));
  await add('spare_role', idOf('/organization/roles', { role_name: `Spare ${made}`, permissions: READ }));
  const { user_id: user, group_id: group, role_id: role } = fixture;
  if (isNeeded('group_id', 'user_id')) await post(`/organization/groups/${group}/users`, { user_id: user });
  if (isNeeded('user_id', 'role_id')) await post(`/organization/users/${user}/roles`, { role_id: role });
  if (isNeeded('group_id', 'role_id')) await post(`/organization/groups/${group}/roles`, { role_id: role });
  if (isNeeded('spend_limit')) await post('/organization/spend_limit', LIMIT);
  await add('key_id', idOf('/organization/admin_api_keys', { name: 'admin' }));
  await add('webhook_id', idOf('/webhook_endpoints', { ...WEBHOOK, url: company.headgate.url }));
  await add('invite_id', idOf('/organization/invites', { email: `guest${made}@example.com`, role: 'reader' }));
  if (isNeeded('alert_id')) fixture.organization_alert_id = (await post('/organization/spend_alerts', ALERT)).id;
  if (isNeeded('project_id') || isNeeded('budget_id'))
    Object.assign(fixture, await makeProject(setting, post, fixture));
  await add('budget_id', () => idOf('/organization/budgets', budgetOf(fixture.project_id!))());
  if (isNeeded('provider_id')) Object.assign(fixture, await makeProvider(setting, post));
  if (isNeeded('route_id') || isNeeded('version_id')) Object.assign(fixture, await makeRoute(setting, post));
  if (isNeeded('product_id')) Object.assign(fixture, await makeProduct(setting, post));
  await add('alias_id', () => makeAlias(setting, post));
  await add('price_override_id', () => makePrice(setting, post));
  return fixture;
}

/** A project with its people, and what is in it. */
async function makeProject({ inProject, needs }: Setting, post: Post, fixture: Fixture): Promise<Fixture> {
  const isNeeded = (...names: string[]) => needs === undefined || names.every((name) => needs.has(name));
  const { user_id: user, group_id: group, role_id: role } = fixture;
  const project = (await post('/organization/projects', { name: `Project ${made}` })).id;
  const inside = `/organization/projects/${project}`;
  await Promise.all([
    post(`${inside}/users`, { user_id: inProject.owner, role: 'owner' }),
    post(`${inside}/users`, { user_id: inProject.member, role: 'member' }),
    isNeeded('user_id') && post(`${inside}/users`, { user_id: user, role: 'member' }),
    isNeeded('group_id') && post(`${inside}/groups`, { group_id: group, role: 'member' }),
    isNeeded('spend_limit') && post(`${inside}/spend_limit`, LIMIT),
  ]);
  if (isNeeded('user_id', 'role_id')) await post(`/projects/${project}/users/${user}/roles`, { role_id: role });
  if (isNeeded('group_id', 'role_id')) await post(`/projects/${project}/groups/${group}/roles`, { role_id: role });
  const ids: Record<string, string> = { project_id: project };
  if (isNeeded('service_account_id') || isNeeded('api_key_id')) {
    const account = await post(`${inside}/service_accounts`, { name: 'ci' });
    ids.service_account_id = account.id;
    ids.api_key_id = (account.api_key as { id: string }).id;
  }
  if (isNeeded('role_id')) {
    ids.project_role_id = (
      await post(`/projects/${project}/roles`, { role_name: `Role ${made}`, permissions: READ })
    ).id;
  }
  if (isNeeded('alert_id')) ids.alert_id = (await post(`${inside}/spend_alerts`, ALERT)).id;
  return ids;
}

const READ = ['api.projects.read'];

/** Nobody is asked at an address of a private network. */
const PROVIDER = { base_url: 'https://10.0.0.1/v1', credentials: [{ key: 'sk-lab' }] };
type Post = (path: string, body: object) => Promise<{ id: string; [member: string]: unknown }>;

/** Providers are the first organization's: of another there are none, and ids of none. */
async function makeProvider({ organizationId }: Setting, post: Post): Promise<Fixture> {
  const id = `p${made}.lab`;
  if (organizationId !== ACME) return { provider_id: id, credential_id: `cred_of_nobody_${made}` };
  const { credentials } = await post('/organization/providers', { id, ...PROVIDER });
  return { provider_id: id, credential_id: (credentials as { id: string }[])[0]!.id };
}

/** Routes, too, are of the first organization alone. */
async function makeRoute({ organizationId }: Setting, post: Post): Promise<Fixture> {
  const id = `route-${organizationId}-${made}`;
  if (organizationId !== ACME) return { route_id: id, version_id: 'rtv_of_nobody', other_version: 'rtv_of_nobody' };
  const route = await post('/organization/routes', { id, ...ROUTE });
  const { id: other } = await post(`/organization/routes/${id}/versions`, { yaml: 'targets: [echo]' });
  return { route_id: id, version_id: String(route.version_in_force), other_version: other };
}

/** Products, too. */
async function makeProduct({ organizationId }: Setting, post: Post): Promise<Fixture> {
  const id = `product-${organizationId}-${made}`;
  if (organizationId === ACME) await post('/organization/products', { id, ...PRODUCT });
  return { product_id: id };
}

/** Another name for a model. */
async function makeAlias({ organizationId }: Setting, post: Post): Promise<string> {
  const id = `alias-${organizationId}-${made}`;
  if (organizationId === ACME) await post('/organization/aliases', { id, target: 'echo' });
  return id;
}

/** What a model costs in an hour. */
async function makePrice({ organizationId }: Setting, post: Post): Promise<string> {
  if (organizationId !== ACME) return `price_of_nobody_${made}`;
  const effective_at = Math.floor(Date.now() / 1000) + 3_600;
  const model = `${organizationId}/m-${made}`;
  return (await post('/organization/price_overrides', { model, ...PRICE, effective_at })).id;
}

/** There is one route of an id. */
function newNumber(): number {
  made += 1;
  return made;
}

const ROUTE = { definition: { targets: ['echo'], strategy: ['cheapest'] } };
const PRICE = { price: { input_per_1m: 1, output_per_1m: 2 } };
const PRODUCT = { routes: ['echo'], spend_limit: { amount_usd: 5 } };
const WEBHOOK = { name: 'x', event_types: ['spend_limit.reached'] };
const LIMIT = { currency: 'USD', interval: 'month', threshold_amount: 100_000 };
/** Of another name each time. */
function budgetOf(project: string) {
  made += 1;
  const holders = [{ type: 'project', id: project }];
  return { name: `Budget ${made}`, holders, amount_usd: '12.5', recipients: ['a@example.com'] };
}
const ALERT = { ...LIMIT, notification_channel: { type: 'email', recipients: ['a@example.com'] } };

/** A body for each operation that has one, by the operation's name. */
export const BODIES: Readonly<Record<string, (of: Fixture) => object>> = {
  updateOrganization: () => ({ name: 'Acme' }),
  createRoute: () => ({ id: `made-${newNumber()}`, ...ROUTE }),
  updateRoute: ({ version_id, other_version }) => ({
    version_in_force: version_id,
    canary: { version_id: other_version, share: 0.5 },
  }),
  rollBackRoute: () => ({}),
  createRouteVersion: () => ({ definition: { targets: ['echo'], name: `Version ${newNumber()}` } }),
  checkRoute: () => ({ id: 'x', ...ROUTE }),
  tryRoute: () => ({ call: { messages: [{ role: 'user', content: 'x' }] } }),
  replayRoute: () => ({}),
  createPriceOverride: () => ({ model: `lab/m-${newNumber()}`, ...PRICE }),
  updatePriceOverride: () => ({ note: 'x' }),
  createAlias: () => ({ id: `made-${newNumber()}`, target: 'echo' }),
  updateAlias: () => ({ target: 'gone' }),
  createProduct: () => ({ id: `made-${newNumber()}`, ...PRODUCT }),
  updateProduct: () => ({ name: 'y' }),
  rotateProductKey: () => ({ overlap_seconds: 60 }),
  createProject: () => ({ name: 'x' }),
  createProvider: () => ({ id: `p${randomUUID()}`, ...PROVIDER }),
  testProvider: () => ({ base_url: PROVIDER.base_url, key: 'sk-lab' }),
  updateProvider: () => ({ label: 'x' }),
  createProviderCredential: () => ({ name: 'other', key: 'sk-other' }),
  updateProviderCredential: () => ({ weight: 5 }),
  createWebhookEndpoint: () => ({ ...WEBHOOK, url: 'https://example.com/hook' }),
  updateWebhookEndpoint: () => ({ name: 'y' }),
  rotateWebhookSecret: () => ({}),
  testWebhookEndpoint: () => ({ event_type: 'project.archived' }),
  updateProject: () => ({ name: 'x' }),
  createServiceAccount: () => ({ name: 'x' }),
  updateServiceAccount: () => ({ name: 'x' }),
  createServiceAccountKey: () => ({ name: 'x' }),
  createProjectApiKey: ({ service_account_id }) => ({ name: 'x', service_account_id }),
  updateProjectApiKey: () => ({ name: 'x' }),
  rotateProjectApiKey: () => ({}),
  createAdminApiKey: () => ({ name: 'x' }),
  updateModelPermissions: () => ({ mode: 'deny_list', model_ids: [] }),
  updateProjectRateLimit: () => ({ max_requests_per_1_minute: 5 }),
  updateOrganizationSpendLimit: () => LIMIT,
  updateProjectSpendLimit: () => LIMIT,
  createOrganizationSpendAlert: () => ALERT,
  updateOrganizationSpendAlert: () => ALERT,
  createProjectSpendAlert: () => ALERT,
  updateProjectSpendAlert: () => ALERT,
  createBudget: ({ project_id }) => budgetOf(project_id!),
  updateBudget: ({ project_id: id }) => ({ amount_usd: 25, holders: [{ type: 'project', id }] }),
  updateDataRetention: () => ({ retention_type: 'modified_abuse_monitoring' }),
  updateProjectDataRetention: () => ({ retention_type: 'modified_abuse_monitoring' }),
  addProjectUser: ({ spare_user }) => ({ user_id: spare_user, role: 'member' }),
  updateProjectUser: () => ({ role: 'owner' }),
  addProjectGroup: ({ spare_group }) => ({ group_id: spare_group, role: 'member' }),
  updateUser: () => ({ developer_persona: 'x' }),
  createInvite: ({ spare_group, project_id: id }) => ({
    email: `${spare_group}@example.com`.toLowerCase(),
    role: 'reader',
    projects: [{ id, role: 'member' }],
    groups: [spare_group],
  }),
  createGroup: () => ({ name: 'x' }),
  updateGroup: () => ({ name: 'x' }),
  addGroupUser: ({ spare_user }) => ({ user_id: spare_user }),
  createRole: () => ({ role_name: 'x', permissions: ['api.projects.read'] }),
  updateRole: () => ({ role_name: 'y' }),
  createProjectRole: () => ({ role_name: 'x', permissions: ['api.projects.read'] }),
  updateProjectRole: () => ({ role_name: 'y' }),
  assignUserRole: ({ spare_role }) => ({ role_id: spare_role }),
  assignGroupRole: ({ spare_role }) => ({ role_id: spare_role }),
  assignProjectUserRole: ({ spare_role }) => ({ role_id: spare_role }),
  assignProjectGroupRole: ({ spare_role }) => ({ role_id: spare_role }),
};
