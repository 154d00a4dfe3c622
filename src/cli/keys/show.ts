import { roundedText } from '../../core/money-text.ts';
import { utcDay } from '../../core/utc-day.ts';
import { limitText, nanoOf, spentText as spentOfLimit } from '../spend-text.ts';
import type { ShownKey, ShownUsedKey } from './api-keys.ts';

/** The amount spent, its limit and the end of the period: `$1.20 of $25.00/month until 2026-12-01`, `$3.10`. */
export function spentText({ limits, spent_usd: spent, spent_until: until }: ShownUsedKey): string {
  const { spend } = limits;
  return spend === null ? roundedText(nanoOf(spent)) : spentOfLimit(limitOf(spend), spent, until);
}

function limitOf({ usd_decimal: amount, per }: NonNullable<ShownKey['limits']['spend']>) {
  return { amount_decimal: amount, interval: per };
}

/** The limits that differ from the defaults: `60 requests/min, $25.00/month`. */
export function limitsText({ allowed_models: models, limits }: ShownKey): string {
  const { requests_per_minute: requests, tokens_per_minute: tokens, spend } = limits;
  const parts = [];
  if (requests !== null) parts.push(`${requests} requests/min`);
  if (tokens !== null) parts.push(`${tokens} tokens/min`);
  if (spend !== null) parts.push(limitText(limitOf(spend)));
  if (models !== null) parts.push(`only ${models.join(', ')}`);
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** Its source and further rights: `product helpdesk`, `api_key, admin`. */
export function sourceText({ source, product, admin, usage }: ShownKey): string {
  return `${source}${product === null ? '' : ` ${product}`}${admin ? ', admin' : ''}${usage === 'own' ? ', own usage' : ''}`;
}

/** The creator's id, of a person or key; `-` for a command, or unknown. */
export function makerText({ created_by: maker }: ShownKey): string {
  return maker?.id ?? '-';
}

/** Whether the key is valid now; days are UTC. */
export function stateText({ revoked_at: revoked, expires_at: end, disabled_at: off }: ShownKey, now: number): string {
  if (revoked !== null) return `revoked ${utcDay(revoked * 1000)}`;
  if (off !== null) return `off since ${utcDay(off * 1000)}`;
  if (end === null) return 'valid';
  return `${end * 1000 <= now ? 'expired' : 'expires'} ${utcDay(end * 1000)}`;
}
