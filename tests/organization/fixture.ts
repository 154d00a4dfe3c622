import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { acceptInvite, createInvite } from '../../src/admin/invites.ts';
import { rateLimitId } from '../../src/admin/project-limits.ts';
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
  /** Of what there may be some hundred, only what paths name by these is made; left out: everything. */
  needs?: readonly string[];
};

let made = 0;

/** Makes one of everything. */
export async function makeFixture(setting: Setting): Promise<Fixture> {
  const { company, organizationId, key, inProject } = setting;
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
  const [user, spareUser] = [await hire('user'), await hire('spare')];
  const project = (await post('/organization/projects', { name: `Project ${made}` })).id;
  const inside = `/organization/projects/${project}`;
  await Promise.all([
    post(`${inside}/users`, { user_id: inProject.owner, role: 'owner' }),
    post(`${inside}/users`, { user_id: inProject.member, role: 'member' }),
    post(`${inside}/users`, { user_id: user, role: 'member' }),
  ]);
  const account = await post(`${inside}/service_accounts`, { name: 'ci' });
  const group = (await post('/organization/groups', { name: `Group ${made}` })).id;
  const spareGroup = (await post('/organization/groups', { name: `Spare ${made}` })).id;
  const permissions = ['api.projects.read'];
  const role = (await post('/organization/roles', { role_name: `Role ${made}`, permissions })).id;
  const spareRole = (await post('/organization/roles', { role_name: `Spare ${made}`, permissions })).id;
  const projectRole = (await post(`/projects/${project}/roles`, { role_name: `Role ${made}`, permissions })).id;
  await post(`/organization/groups/${group}/users`, { user_id: user });
  await post(`${inside}/groups`, { group_id: group, role: 'member' });
  await post(`/organization/users/${user}/roles`, { role_id: role });
  await post(`/organization/groups/${group}/roles`, { role_id: role });
  await post(`/projects/${project}/users/${user}/roles`, { role_id: role });
  await post(`/projects/${project}/groups/${group}/roles`, { role_id: role });
  await post('/organization/spend_limit', LIMIT);
  await post(`${inside}/spend_limit`, LIMIT);
  return {
    project_id: project,
    service_account_id: account.id,
    api_key_id: (account.api_key as { id: string }).id,
    key_id: (await post('/organization/admin_api_keys', { name: 'admin' })).id,
    webhook_id: (await post('/webhook_endpoints', { ...WEBHOOK, url: company.headgate.url })).id,
    rate_limit_id: rateLimitId('echo'),
    model_id: 'echo',
    organization_alert_id: (await post('/organization/spend_alerts', ALERT)).id,
    alert_id: (await post(`${inside}/spend_alerts`, ALERT)).id,
    budget_id: (await post('/organization/budgets', budgetOf(project))).id,
    user_id: user,
    group_id: group,
    role_id: role,
    project_role_id: projectRole,
    invite_id: (await post('/organization/invites', { email: `guest${made}@example.com`, role: 'reader' })).id,
    ...(await makeProvider(setting, post)),
    ...(await makeRoute(setting, post)),
    ...(await makeProduct(setting, post)),
    ...(await makeNames(setting, post)),
    spare_user: spareUser,
    spare_group: spareGroup,
    spare_role: spareRole,
  };
}

/** Nobody is asked at an address of a private network. */
const PROVIDER = { base_url: 'https://10.0.0.1/v1', credentials: [{ key: 'sk-lab' }] };
type Post = (path: string, body: object) => Promise<{ id: string; [member: string]: unknown }>;

/** Providers are the first organization's, which may have some hundred: of another there are none, and ids of none. */
async function makeProvider({ organizationId, needs }: Setting, post: Post): Promise<Fixture> {
  const id = `p${made}.lab`;
  if (organizationId !== ACME || needs?.includes('provider_id') === false)
    return { provider_id: id, credential_id: `cred_of_nobody_${made}` };
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
async function makeProduct({ organizationId, needs }: Setting, post: Post): Promise<Fixture> {
  const id = `product-${organizationId}-${made}`;
  if (organizationId === ACME && needs?.includes('product_id') !== false)
    await post('/organization/products', { id, ...PRODUCT });
  return { product_id: id };
}

/** What a model costs, and another name for one. */
async function makeNames({ organizationId, needs }: Setting, post: Post): Promise<Fixture> {
  const [alias, model] = [`alias-${organizationId}-${made}`, `${organizationId}/m-${made}`];
  const isNeeded = (param: string) => organizationId === ACME && needs?.includes(param) !== false;
  if (isNeeded('alias_id')) await post('/organization/aliases', { id: alias, target: 'echo' });
  const names = { alias_id: alias };
  if (!isNeeded('price_override_id')) return { ...names, price_override_id: `price_of_nobody_${made}` };
  const ahead = { effective_at: Math.floor(Date.now() / 1000) + 3_600 };
  const { id } = await post('/organization/price_overrides', { model, ...PRICE, ...ahead });
  return { ...names, price_override_id: id };
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
