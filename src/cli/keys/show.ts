import { dollars } from '../../core/money.ts';
import { moneyText, roundedText } from '../../core/money-text.ts';
import type { ApiKey, SpendLimit } from '../../core/records.ts';
import { utcDay } from '../../core/utc-day.ts';
import type { UsedKey } from '../../keys/keys.ts';
import { unixSeconds } from '../phrases.ts';

/** A key as programs read it. Times are Unix seconds; a `null` limit is the configuration's. */
export function keyJson(key: ApiKey): Record<string, unknown> {
  return {
    id: key.id,
    object: 'api_key',
    organization_id: key.organizationId,
    name: key.name,
    source: key.source,
    product: key.product,
    admin: key.admin,
    owner: key.owner,
    created_by: key.createdBy === null ? null : { id: null, ...key.createdBy },
    usage: key.usage,
    hint: key.hint,
    created_at: unixSeconds(key.createdAt),
    expires_at: unixSeconds(key.expiresAt),
    revoked_at: unixSeconds(key.revokedAt),
    disabled_at: unixSeconds(key.disabledAt),
    allowed_models: key.allowedModels,
    limits: {
      requests_per_minute: key.requestsPerMinute,
      tokens_per_minute: key.tokensPerMinute,
      spend: key.spendLimit === null ? null : { usd: dollars(key.spendLimit.amount), per: key.spendLimit.per },
    },
  };
}

/** The key with its use, in dollars. */
export function usedKeyJson({ key, spent, spentUntil, lastUsedAt }: UsedKey): Record<string, unknown> {
  const { limits, ...rest } = keyJson(key) as { limits: object };
  return {
    ...rest,
    limits,
    spent_usd: dollars(spent),
    spent_until: unixSeconds(spentUntil),
    last_used_at: unixSeconds(lastUsedAt),
  };
}

type Spent = Pick<ApiKey, 'spendLimit'> & Pick<UsedKey, 'spent' | 'spentUntil'>;

/** The amount spent, its limit and the end of the period: `$1.20 of $25.00/month until 2026-12-01`, `$3.10`. */
export function spentText({ spendLimit, spent, spentUntil }: Spent): string {
  if (spendLimit === null) return roundedText(spent);
  const until = spentUntil === null ? '' : ` until ${utcDay(spentUntil)}`;
  return `${roundedText(spent)} of ${spendText(spendLimit)}${until}`;
}

/** `$25.00/month`; `$25.00` without a period. */
export function spendText({ amount, per }: SpendLimit): string {
  return `${moneyText(amount)}${per === 'life' ? '' : `/${per}`}`;
}

/** The limits that differ from the defaults: `60 requests/min, $25.00/month`. */
export function limitsText({ allowedModels, requestsPerMinute, tokensPerMinute, spendLimit }: ApiKey): string {
  const parts = [];
  if (requestsPerMinute !== null) parts.push(`${requestsPerMinute} requests/min`);
  if (tokensPerMinute !== null) parts.push(`${tokensPerMinute} tokens/min`);
  if (spendLimit !== null) parts.push(spendText(spendLimit));
  if (allowedModels !== null) parts.push(`only ${allowedModels.join(', ')}`);
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** Its source and further rights: `product helpdesk`, `api_key, admin`. */
export function sourceText({ source, product, admin, usage }: ApiKey): string {
  return `${source}${product === null ? '' : ` ${product}`}${admin ? ', admin' : ''}${usage === 'own' ? ', own usage' : ''}`;
}

/** The creator's id, of a person or key; `-` for a command, or unknown. */
export function makerText({ createdBy }: ApiKey): string {
  return createdBy === null || createdBy.type === 'operator' ? '-' : createdBy.id;
}

/** Whether the key is valid now; days are UTC. */
export function stateText({ revokedAt, expiresAt, disabledAt }: ApiKey, now: number): string {
  if (revokedAt !== null) return `revoked ${utcDay(revokedAt)}`;
  if (disabledAt !== null) return `off since ${utcDay(disabledAt)}`;
  if (expiresAt === null) return 'valid';
  return `${expiresAt <= now ? 'expired' : 'expires'} ${utcDay(expiresAt)}`;
}
