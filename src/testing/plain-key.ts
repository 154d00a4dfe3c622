import type { ApiKey } from '../core/records.ts';

/** An API key without limits of its own. */
export const plainKey: ApiKey = {
  id: 'key_1',
  organizationId: 'org_1',
  projectId: 'proj_00_org_1',
  owner: null,
  createdBy: null,
  access: 'models',
  scopes: [],
  ipRanges: null,
  name: 'test',
  source: 'api_key',
  product: null,
  admin: false,
  usage: 'organization',
  disabledAt: null,
  version: 1,
  hint: 'hg_live_ab…wxyz',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  allowedModels: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  spendLimit: null,
};
