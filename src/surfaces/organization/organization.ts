import type { HttpApi } from '../../api/operation.ts';
import { ADMIN_KEY_OPERATIONS, serveAdminKeys } from './admin-keys.ts';
import { ALIAS_OPERATIONS, serveAliases } from './aliases.ts';
import { API_KEY_OPERATIONS, serveApiKeys } from './api-keys.ts';
import { ATTENTION_OPERATIONS, serveAttention } from './attention.ts';
import { AUDIT_OPERATIONS, serveAuditLogs } from './audit-logs.ts';
import { BUDGET_OPERATIONS, serveBudgets } from './budgets.ts';
import { GROUP_OPERATIONS, serveGroups } from './groups.ts';
import { INVITE_OPERATIONS, serveInvites } from './invites.ts';
import { LIMIT_USE_OPERATIONS, serveLimitUse } from './limit-use.ts';
import { MODEL_ACCESS_OPERATIONS, serveModelAccess } from './model-access.ts';
import { OWN_ORGANIZATION_OPERATIONS, serveOwnOrganization } from './own-organization.ts';
import { PRICE_OPERATIONS, servePrices } from './price-overrides.ts';
import { PRODUCT_OPERATIONS, serveProducts } from './products.ts';
import { PROJECT_LIMIT_OPERATIONS, serveProjectLimits } from './project-limits.ts';
import { PROJECT_PEOPLE_OPERATIONS, serveProjectPeople } from './project-people.ts';
import { PROJECT_OPERATIONS, serveProjects } from './projects.ts';
import { PROVIDER_OPERATIONS, serveProviders } from './providers.ts';
import { RETENTION_OPERATIONS, serveRetention } from './retention.ts';
import { ROLE_ASSIGNMENT_OPERATIONS, serveRoleAssignments } from './role-assignments.ts';
import { ROLE_OPERATIONS, serveRoles } from './roles.ts';
import { ROUTE_TRY_OPERATIONS, serveRouteTries } from './route-tries.ts';
import { ROUTE_OPERATIONS, serveRoutes } from './routes.ts';
import { SEARCH_OPERATIONS, serveSearch } from './search.ts';
import { SERVICE_ACCOUNT_OPERATIONS, serveServiceAccounts } from './service-accounts.ts';
import type { SettingsParts } from './shared.ts';
import { SPEND_OPERATIONS, serveSpend } from './spend.ts';
import { serveUsageBuckets, USAGE_BUCKET_OPERATIONS } from './usage.ts';
import { serveUsers, USER_OPERATIONS } from './users.ts';
import { serveWebhooks, WEBHOOK_OPERATIONS } from './webhooks.ts';

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
