import { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/records.ts';

/**
 * The key whose records alone a caller is shown: the one that it asks for, and of a key that sees its own records alone,
 * itself. `undefined`: those of its whole organization. Throws where it asks for what it may not see.
 */
export function ownKeyOf({ id, usage }: ApiKey, wanted: string | undefined): string | undefined {
  if (usage === 'organization') return wanted;
  if (wanted === undefined || wanted === id) return id;
  throw new GatewayError('forbidden', 'This API key sees only its own usage: ask without `api_key_id`.', {
    param: 'api_key_id',
  });
}
