import { hash } from 'node:crypto';
import type { Provider } from '../../core/provider.ts';

/** Tells keys apart; a key cannot be found again from so little. */
const LENGTH = 16;

/** /!\ Hot path: hashed once for each provider of a picture, and gone with it. */
const known = new WeakMap<Provider, string>();

/** Tells a provider's address and key from every other, without holding either. */
export function identityOf(provider: Provider): string {
  const found = known.get(provider);
  if (found !== undefined) return found;
  const { baseUrl, credential, headers } = provider;
  const said = JSON.stringify([baseUrl, credential?.reveal() ?? null, headers]);
  const identity = hash('sha256', said, 'base64url').slice(0, LENGTH);
  known.set(provider, identity);
  return identity;
}
