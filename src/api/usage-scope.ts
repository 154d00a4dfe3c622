import { GatewayError } from '../core/errors.ts';
import type { Caller } from '../core/ports.ts';
import type { ApiKey, CallsOf } from '../core/records.ts';

/** The organization whose calls a caller reads; `null` for all. */
export function organizationRead({ organization, operator }: Caller): string | null {
  return operator?.readsAll === true ? null : organization.id;
}

/**
 * The calls that a caller may read: those of the requested key, within the scope of its own. Every operation that shows
 * calls uses this. Throws if a key with the narrowest scope asks for another key's calls.
 */
export function callsOf({ id, usage, projectId }: ApiKey, wanted: string | undefined): CallsOf {
  const asked = wanted === undefined ? {} : { keyId: wanted };
  if (usage === 'organization') return asked;
  if (usage === 'project' && projectId !== null) return { ...asked, projectId };
  if (wanted === undefined || wanted === id) return { keyId: id };
  throw new GatewayError('forbidden', 'This API key reads only its own usage. Leave out `api_key_id`.', {
    param: 'api_key_id',
  });
}
