import { createHash } from 'node:crypto';
import type { Price } from '../core/money.ts';
import { writeRates, writeTiers } from './price-json.ts';

type KnownVersion = { provider: string; upstreamModel: string; id: string };

const known = new WeakMap<Price, KnownVersion[]>();

/**
 * Price versions are addressed by what they say: the same prices of the same model have one id for ever.
 *
 * /!\ Hot path: hashed once per price object, not once per call.
 */
export function priceVersionId(price: Price, provider: string, upstreamModel: string): string {
  const ids = known.get(price) ?? [];
  for (const each of ids) if (each.provider === provider && each.upstreamModel === upstreamModel) return each.id;
  const id = idOf(price, provider, upstreamModel);
  known.set(price, [...ids, { provider, upstreamModel, id }]);
  return id;
}

/** 128 bits of SHA-256, in base64url. */
function idOf(price: Price, provider: string, upstreamModel: string): string {
  const said = [provider, upstreamModel, writeRates(price.rates), writeTiers(price), price.source, price.date];
  return createHash('sha256').update(JSON.stringify(said)).digest().subarray(0, 16).toString('base64url');
}
