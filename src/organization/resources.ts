import type { HttpApi, Operation } from '../api/operation.ts';
import { ADMIN_KEY_OPERATIONS } from './admin-keys/api.ts';
import { SPEND_OPERATIONS } from './alerts/api.ts';
import { ALIAS_OPERATIONS } from './aliases/api.ts';
import { API_KEY_OPERATIONS } from './api-keys/api.ts';
import { ATTENTION_OPERATIONS } from './attention/api.ts';
import { AUDIT_OPERATIONS } from './audit/api.ts';
import { BUDGET_OPERATIONS } from './budgets/api.ts';
import { GROUP_OPERATIONS } from './groups/api.ts';
import { INVITE_OPERATIONS } from './invites/api.ts';
import { PROJECT_LIMIT_OPERATIONS } from './limits/api.ts';
import { LIMIT_USE_OPERATIONS } from './limits/use-api.ts';
import { USER_OPERATIONS } from './members/api.ts';
import { MODEL_ACCESS_OPERATIONS } from './model-access/api.ts';
import type { SettingsParts } from './parts.ts';
import { PRICE_OPERATIONS } from './prices/api.ts';
import { PRODUCT_OPERATIONS } from './products/api.ts';
import { PROJECT_OPERATIONS } from './projects/api.ts';
import { PROJECT_PEOPLE_OPERATIONS } from './projects/people-api.ts';
import { PROVIDER_OPERATIONS } from './providers/api.ts';
import { RETENTION_OPERATIONS } from './retention/api.ts';
import { ROLE_OPERATIONS } from './roles/api.ts';
import { ROLE_ASSIGNMENT_OPERATIONS } from './roles/assignments-api.ts';
import { ROUTE_OPERATIONS } from './routes/api.ts';
import { ROUTE_TRY_OPERATIONS } from './routes/trial-api.ts';
import { SEARCH_OPERATIONS } from './search/api.ts';
import { SERVICE_ACCOUNT_OPERATIONS } from './service-accounts/api.ts';
import { OWN_ORGANIZATION_OPERATIONS } from './settings/api.ts';
import { ACCOUNT_OPERATIONS } from './sign-in/account-api.ts';
import { SIGN_IN_OPERATIONS } from './sign-in/api.ts';
import { USAGE_BUCKET_OPERATIONS } from './usage/api.ts';
import { WEBHOOK_OPERATIONS } from './webhooks/api.ts';

/** What people manage in an organization, each with its operations. One more resource is one more line. */
const RESOURCES = [
  PROJECT_OPERATIONS,
  SERVICE_ACCOUNT_OPERATIONS,
  API_KEY_OPERATIONS,
  ADMIN_KEY_OPERATIONS,
  PROJECT_LIMIT_OPERATIONS,
  MODEL_ACCESS_OPERATIONS,
  LIMIT_USE_OPERATIONS,
  SPEND_OPERATIONS,
  BUDGET_OPERATIONS,
  RETENTION_OPERATIONS,
  AUDIT_OPERATIONS,
  PROJECT_PEOPLE_OPERATIONS,
  USER_OPERATIONS,
  INVITE_OPERATIONS,
  GROUP_OPERATIONS,
  ROLE_OPERATIONS,
  ROLE_ASSIGNMENT_OPERATIONS,
  USAGE_BUCKET_OPERATIONS,
  WEBHOOK_OPERATIONS,
  PROVIDER_OPERATIONS,
  ROUTE_OPERATIONS,
  ROUTE_TRY_OPERATIONS,
  PRODUCT_OPERATIONS,
  PRICE_OPERATIONS,
  ALIAS_OPERATIONS,
  OWN_ORGANIZATION_OPERATIONS,
  ATTENTION_OPERATIONS,
  SEARCH_OPERATIONS,
];

/** All operations on the settings of an organization. */
export const ORGANIZATION_OPERATIONS: readonly Operation[] = RESOURCES.flat();

/** All operations on signing in, and on a person's own account. */
export const SIGNING_IN_OPERATIONS: readonly Operation[] = [...SIGN_IN_OPERATIONS, ...ACCOUNT_OPERATIONS];

/** Serves all resources. Those of an organization are compatible with OpenAI's administration API. */
export function serveOrganization(served: HttpApi, parts: SettingsParts): void {
  for (const resource of [...RESOURCES, SIGN_IN_OPERATIONS, ACCOUNT_OPERATIONS])
    for (const operation of resource) operation.serveWith(served, parts);
}
