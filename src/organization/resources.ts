import type { HttpApi } from '../api/operation.ts';
import { ADMIN_KEY_OPERATIONS, serveAdminKeys } from './admin-keys/api.ts';
import { SPEND_OPERATIONS, serveSpend } from './alerts/api.ts';
import { ALIAS_OPERATIONS, serveAliases } from './aliases/api.ts';
import { API_KEY_OPERATIONS, serveApiKeys } from './api-keys/api.ts';
import { ATTENTION_OPERATIONS, serveAttention } from './attention/api.ts';
import { AUDIT_OPERATIONS, serveAuditLogs } from './audit/api.ts';
import { BUDGET_OPERATIONS, serveBudgets } from './budgets/api.ts';
import { GROUP_OPERATIONS, serveGroups } from './groups/api.ts';
import { INVITE_OPERATIONS, serveInvites } from './invites/api.ts';
import { PROJECT_LIMIT_OPERATIONS, serveProjectLimits } from './limits/api.ts';
import { LIMIT_USE_OPERATIONS, serveLimitUse } from './limits/use-api.ts';
import { serveUsers, USER_OPERATIONS } from './members/api.ts';
import { MODEL_ACCESS_OPERATIONS, serveModelAccess } from './model-access/api.ts';
import type { SettingsParts } from './parts.ts';
import { PRICE_OPERATIONS, servePrices } from './prices/api.ts';
import { PRODUCT_OPERATIONS, serveProducts } from './products/api.ts';
import { PROJECT_OPERATIONS, serveProjects } from './projects/api.ts';
import { PROJECT_PEOPLE_OPERATIONS, serveProjectPeople } from './projects/people-api.ts';
import { PROVIDER_OPERATIONS, serveProviders } from './providers/api.ts';
import { RETENTION_OPERATIONS, serveRetention } from './retention/api.ts';
import { ROLE_OPERATIONS, serveRoles } from './roles/api.ts';
import { ROLE_ASSIGNMENT_OPERATIONS, serveRoleAssignments } from './roles/assignments-api.ts';
import { ROUTE_OPERATIONS, serveRoutes } from './routes/api.ts';
import { ROUTE_TRY_OPERATIONS, serveRouteTries } from './routes/trial-api.ts';
import { SEARCH_OPERATIONS, serveSearch } from './search/api.ts';
import { SERVICE_ACCOUNT_OPERATIONS, serveServiceAccounts } from './service-accounts/api.ts';
import { OWN_ORGANIZATION_OPERATIONS, serveOwnOrganization } from './settings/api.ts';
import { serveUsageBuckets, USAGE_BUCKET_OPERATIONS } from './usage/api.ts';
import { serveWebhooks, WEBHOOK_OPERATIONS } from './webhooks/api.ts';

/** All operations on the settings of an organization. */
export const ORGANIZATION_OPERATIONS = [
  ...PROJECT_OPERATIONS,
  ...SERVICE_ACCOUNT_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...ADMIN_KEY_OPERATIONS,
  ...PROJECT_LIMIT_OPERATIONS,
  ...MODEL_ACCESS_OPERATIONS,
  ...LIMIT_USE_OPERATIONS,
  ...SPEND_OPERATIONS,
  ...BUDGET_OPERATIONS,
  ...RETENTION_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...PROJECT_PEOPLE_OPERATIONS,
  ...USER_OPERATIONS,
  ...INVITE_OPERATIONS,
  ...GROUP_OPERATIONS,
  ...ROLE_OPERATIONS,
  ...ROLE_ASSIGNMENT_OPERATIONS,
  ...USAGE_BUCKET_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...PROVIDER_OPERATIONS,
  ...ROUTE_OPERATIONS,
  ...ROUTE_TRY_OPERATIONS,
  ...PRODUCT_OPERATIONS,
  ...PRICE_OPERATIONS,
  ...ALIAS_OPERATIONS,
  ...OWN_ORGANIZATION_OPERATIONS,
  ...ATTENTION_OPERATIONS,
  ...SEARCH_OPERATIONS,
];

/** Serves the settings of organizations, compatible with OpenAI's administration API. */
export function serveOrganization(served: HttpApi, parts: SettingsParts): void {
  serveProjects(served, parts);
  serveServiceAccounts(served, parts);
  serveApiKeys(served, parts);
  serveAdminKeys(served, parts);
  serveProjectLimits(served, parts);
  serveModelAccess(served, parts);
  serveLimitUse(served, parts);
  serveSpend(served, parts);
  serveBudgets(served, parts);
  serveRetention(served, parts);
  serveAuditLogs(served, parts);
  serveProjectPeople(served, parts);
  serveUsers(served, parts);
  serveInvites(served, parts);
  serveGroups(served, parts);
  serveRoles(served, parts);
  serveRoleAssignments(served, parts);
  serveUsageBuckets(served, parts);
  serveWebhooks(served, parts);
  serveProviders(served, parts);
  serveRoutes(served, parts);
  serveRouteTries(served, parts);
  serveProducts(served, parts);
  servePrices(served, parts);
  serveAliases(served, parts);
  serveOwnOrganization(served, parts);
  serveAttention(served, parts);
  serveSearch(served, parts);
}
