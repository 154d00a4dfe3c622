import { type Api, at } from '../api.ts';

/** A key as the operator's API gives it. Amounts are dollars, times Unix seconds. */
export type ShownKey = {
  id: string;
  organization_id: string;
  name: string;
  source: string;
  product: string | null;
  admin: boolean;
  created_by: { type: string; id: string | null } | null;
  usage: string;
  hint: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  disabled_at: number | null;
  allowed_models: readonly string[] | null;
  limits: {
    requests_per_minute: number | null;
    tokens_per_minute: number | null;
    spend: { usd_decimal: string; per: string } | null;
  };
};

/** A key with its use. */
export type ShownUsedKey = ShownKey & { spent_usd: number; spent_until: number | null; last_used_at: number | null };

/** A new key with its secret in `key`, which is shown only here. */
export type MadeKey = ShownKey & { organization_name: string; key: string };

export const API_KEYS = '/v1/operator/api_keys';

/** The path of a key, by its id or name. */
export function pathOfKey(named: string): string {
  return at`/v1/operator/api_keys/${named}`;
}

/** The most keys of a page. */
const AT_ONCE = 1000;

/** All keys, or those of the organization that the command names, oldest first. */
export async function listAllKeys(api: Api): Promise<readonly ShownUsedKey[]> {
  return (await api.list<ShownUsedKey>(API_KEYS, { limit: AT_ONCE })).data;
}
