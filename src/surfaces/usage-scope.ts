import { GatewayError } from '../core/errors.ts';
import type { ApiKey, CallsOf } from '../core/records.ts';

/**
 * Whose calls a caller may read: those of the key that it asks for, as far as its own key reads these. Every operation that
 * tells of calls asks this. Throws where a key that reads its own calls alone asks for those of another.
 */
export function callsOf({ id, usage, projectId }: ApiKey, wanted: string | undefined): CallsOf {
  const asked = wanted === undefined ? {} : { keyId: wanted };
  if (usage === 'organization') return asked;
  if (usage === 'project' && projectId !== null) return { ...asked, projectId };
  if (wanted === undefined || wanted === id) return { keyId: id };
  throw new GatewayError('forbidden', 'This API key reads only its own usage: ask without `api_key_id`.', {
    param: 'api_key_id',
  });
}
