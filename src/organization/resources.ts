import type { LazyOperations } from '../api/lazy-operations.ts';
import type { SettingsParts } from './parts.ts';

/**
 * What people manage, each with its operations. One more resource is one more line. A server loads all at its start, a
 * command only those that it asks, so that it need not wait for the others.
 *
 * `caller`: administrators of an organization and the operator; people in browsers alone; or the operator alone, whose
 * operations are served on no network.
 */
export type ManagedResource = LazyOperations<SettingsParts> & { caller: 'administrator' | 'person' | 'operator' };

type Load = ManagedResource['load'];

/** @param words - how its paths begin after `/v1/organization` */
function ofOrganization(words: readonly string[], load: Load): ManagedResource {
  return { caller: 'administrator', paths: words.map((word) => `/v1/organization${word}`), load };
}

function ofPeople(paths: readonly string[], load: Load): ManagedResource {
  return { caller: 'person', paths, load };
}

function ofOperator(word: string, load: Load): ManagedResource {
  return { caller: 'operator', paths: [`/v1/operator${word}`], load };
}

const PROJECT = '/projects/*';

/** All resources. */
export const RESOURCES: readonly ManagedResource[] = [
  ofOrganization(['/projects'], async () => (await import('./projects/api.ts')).PROJECT_OPERATIONS),
  ofOrganization(
    [`${PROJECT}/service_accounts`],
    async () => (await import('./service-accounts/api.ts')).SERVICE_ACCOUNT_OPERATIONS,
  ),
  ofOrganization(
    [`${PROJECT}/api_keys`, '/api_keys'],
    async () => (await import('./api-keys/api.ts')).API_KEY_OPERATIONS,
  ),
  ofOrganization(['/admin_api_keys'], async () => (await import('./admin-keys/api.ts')).ADMIN_KEY_OPERATIONS),
  ofOrganization(
    [`${PROJECT}/rate_limits`, `${PROJECT}/model_permissions`],
    async () => (await import('./limits/api.ts')).PROJECT_LIMIT_OPERATIONS,
  ),
  ofOrganization(['/models/*/access'], async () => (await import('./model-access/api.ts')).MODEL_ACCESS_OPERATIONS),
  ofOrganization(['/limit_use'], async () => (await import('./limits/use-api.ts')).LIMIT_USE_OPERATIONS),
  ofOrganization(
    ['/spend_limits', ...['', PROJECT].flatMap((base) => [`${base}/spend_limit`, `${base}/spend_alerts`])],
    async () => (await import('./alerts/api.ts')).SPEND_OPERATIONS,
  ),
  ofOrganization(['/budgets'], async () => (await import('./budgets/api.ts')).BUDGET_OPERATIONS),
  ofOrganization(
    ['/data_retention', `${PROJECT}/data_retention`],
    async () => (await import('./retention/api.ts')).RETENTION_OPERATIONS,
  ),
  ofOrganization(['/audit_logs'], async () => (await import('./audit/api.ts')).AUDIT_OPERATIONS),
  ofOrganization(
    [`${PROJECT}/users`, `${PROJECT}/groups`],
    async () => (await import('./projects/people-api.ts')).PROJECT_PEOPLE_OPERATIONS,
  ),
  ofOrganization(['/users'], async () => (await import('./members/api.ts')).USER_OPERATIONS),
  ofOrganization(['/invites'], async () => (await import('./invites/api.ts')).INVITE_OPERATIONS),
  ofOrganization(['/groups'], async () => (await import('./groups/api.ts')).GROUP_OPERATIONS),
  {
    caller: 'administrator',
    paths: ['/v1/organization/roles', '/v1/projects/*/roles'],
    load: async () => (await import('./roles/api.ts')).ROLE_OPERATIONS,
  },
  {
    caller: 'administrator',
    paths: ['/v1/organization', '/v1/projects/*'].flatMap((base) => [
      `${base}/users/*/roles`,
      `${base}/groups/*/roles`,
    ]),
    load: async () => (await import('./roles/assignments-api.ts')).ROLE_ASSIGNMENT_OPERATIONS,
  },
  ofOrganization(['/usage', '/costs'], async () => (await import('./usage/api.ts')).USAGE_BUCKET_OPERATIONS),
  {
    caller: 'administrator',
    paths: ['/v1/webhook_endpoints', '/v1/webhook_event_types'],
    load: async () => (await import('./webhooks/api.ts')).WEBHOOK_OPERATIONS,
  },
  ofOrganization(
    ['/providers', '/provider_presets'],
    async () => (await import('./providers/api.ts')).PROVIDER_OPERATIONS,
  ),
  ofOrganization(['/routes'], async () => (await import('./routes/api.ts')).ROUTE_OPERATIONS),
  ofOrganization(
    ['/routes/validate', '/routes/*/explain', '/routes/*/replay'],
    async () => (await import('./routes/trial-api.ts')).ROUTE_TRY_OPERATIONS,
  ),
  ofOrganization(['/products'], async () => (await import('./products/api.ts')).PRODUCT_OPERATIONS),
  ofOrganization(
    ['/price_overrides', '/models/*/prices'],
    async () => (await import('./prices/api.ts')).PRICE_OPERATIONS,
  ),
  ofOrganization(['/aliases'], async () => (await import('./aliases/api.ts')).ALIAS_OPERATIONS),
  ofOrganization(
    ['/$', '/about', '/configuration'],
    async () => (await import('./settings/api.ts')).OWN_ORGANIZATION_OPERATIONS,
  ),
  ofOrganization(['/attention'], async () => (await import('./attention/api.ts')).ATTENTION_OPERATIONS),
  ofOrganization(['/search'], async () => (await import('./search/api.ts')).SEARCH_OPERATIONS),
  ofPeople(['/v1/auth'], async () => (await import('./sign-in/api.ts')).SIGN_IN_OPERATIONS),
  ofPeople(
    ['/v1/auth', '/v1/organization/sessions'],
    async () => (await import('./sign-in/account-api.ts')).ACCOUNT_OPERATIONS,
  ),
  ofOperator('/routes', async () => (await import('./operator-routes/api.ts')).OPERATOR_ROUTE_OPERATIONS),
  ofOperator('/api_keys', async () => (await import('./operator-keys/api.ts')).OPERATOR_KEY_OPERATIONS),
  ofOperator('/audit_log', async () => (await import('./audit/operator-api.ts')).AUDIT_VERIFICATION),
  ofOperator('/owner_links', async () => (await import('./sign-in/owner-links-api.ts')).OWNER_LINKS),
  ofOperator('/provider_keys', async () => (await import('./providers/rewrap-api.ts')).PROVIDER_KEY_WRAPPING),
  ofOperator('/sessions', async () => (await import('./sign-in/member-sessions-api.ts')).MEMBER_SESSIONS),
];
