import { dollars } from '../../core/money.ts';
import type { ApiKey } from '../../core/records.ts';
import { dayText, moneyText, unixSeconds } from '../words.ts';

/** A key as programs read it: times are Unix seconds, a limit that is `null` is the configuration's. */
export function keyJson(key: ApiKey): Record<string, unknown> {
  return {
    id: key.id,
    object: 'api_key',
    organization_id: key.organizationId,
    name: key.name,
    source: key.source,
    product: key.product,
    admin: key.admin,
    hint: key.hint,
    created_at: unixSeconds(key.createdAt),
    expires_at: unixSeconds(key.expiresAt),
    revoked_at: unixSeconds(key.revokedAt),
    allowed_models: key.allowedModels,
    limits: {
      requests_per_minute: key.requestsPerMinute,
      tokens_per_minute: key.tokensPerMinute,
      spend: key.spendLimit === null ? null : { usd: dollars(key.spendLimit.amount), per: key.spendLimit.per },
    },
  };
}

/** What the key may do, less what every key may: `60 requests/min, $25.00/month`. */
export function limitsText({ allowedModels, requestsPerMinute, tokensPerMinute, spendLimit }: ApiKey): string {
  const parts = [];
  if (requestsPerMinute !== null) parts.push(`${requestsPerMinute} requests/min`);
  if (tokensPerMinute !== null) parts.push(`${tokensPerMinute} tokens/min`);
  if (spendLimit !== null)
    parts.push(`${moneyText(spendLimit.amount)}${spendLimit.per === 'life' ? '' : `/${spendLimit.per}`}`);
  if (allowedModels !== null) parts.push(`only ${allowedModels.join(', ')}`);
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** What its usage counts as, and what more it may: `product helpdesk`, `api_key, admin`. */
export function sourceText({ source, product, admin }: ApiKey): string {
  return `${source}${product === null ? '' : ` ${product}`}${admin ? ', admin' : ''}`;
}

/** Whether it opens the door now; days are UTC. */
export function stateText({ revokedAt, expiresAt }: ApiKey, now: number): string {
  if (revokedAt !== null) return `revoked ${dayText(revokedAt)}`;
  if (expiresAt === null) return 'valid';
  return `${expiresAt <= now ? 'expired' : 'expires'} ${dayText(expiresAt)}`;
}
