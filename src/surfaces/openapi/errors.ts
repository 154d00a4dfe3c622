import { z } from 'zod';
import { isForBoth, isForPeople, isGrave, type Operation } from '../../api/operation.ts';
import { named, text } from '../../api/schema.ts';
import { ERROR_KINDS, type ErrorKind } from '../../core/errors.ts';

export const NEAR_NAMES = z
  .array(text)
  .describe('Of `model_not_found`: similar names that this key may use, most similar first.');

/** An error in OpenAI's format. */
export const ERROR = named(
  'Error',
  z.object({
    error: z.object({
      message: text,
      type: text,
      param: text.nullable(),
      code: text.nullable(),
      near: NEAR_NAMES.exactOptional(),
    }),
  }),
);

const OF_ANY: readonly ErrorKind[] = ['invalid_http', 'request_timeout', 'headers_too_large', 'internal'];
const OF_KEYS: readonly ErrorKind[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'disabled_api_key',
  'expired_api_key',
  'storage_unavailable',
  'shutting_down',
  'rate_limit_exceeded',
];
const OF_SETTINGS: readonly ErrorKind[] = ['not_found'];
/** `forbidden`: no cookie is allowed here, or another site sent the request. */
const OF_BROWSERS: readonly ErrorKind[] = ['forbidden', 'storage_unavailable', 'shutting_down'];
const OF_PEOPLE: readonly ErrorKind[] = ['not_signed_in', 'rate_limit_exceeded'];
const OF_QUERIES: readonly ErrorKind[] = ['invalid_request'];
const OF_BODIES: readonly ErrorKind[] = ['invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type'];

/** Kinds that keep the provider's status. */
const RANGES: Partial<Record<ErrorKind, string>> = { upstream_rejected: '4XX', upstream_error: '5XX' };

/** By status, the meanings of an operation's possible errors: its own, and those of its parts. */
export function errorMeanings(described: Operation): Map<string, string[]> {
  const { method, access, query, body, errors = [] } = described;
  const kinds = new Set([
    ...OF_ANY,
    ...(access === 'key' || (typeof access === 'object' && !isForPeople(access)) ? OF_KEYS : []),
    ...(access === 'visitor' || isForPeople(access) ? OF_BROWSERS : []),
    ...(isForPeople(access) || isForBoth(access) ? OF_PEOPLE : []),
    ...(isGrave(described) ? (['recent_sign_in_required'] as const) : []),
    ...(typeof access === 'object' ? (['forbidden'] as const) : []),
    ...(typeof access === 'object' && 'permission' in access ? OF_SETTINGS : []),
    ...(typeof access === 'object' && 'permission' in access && method !== 'GET' ? (['conflict'] as const) : []),
    ...(query === undefined ? [] : OF_QUERIES),
    ...(body === undefined ? [] : OF_BODIES),
    ...errors,
  ]);
  const meanings = new Map<string, string[]>();
  for (const kind of kinds) {
    const { status, code, meaning } = ERROR_KINDS[kind];
    const key = RANGES[kind] ?? String(status);
    const line = code === null ? meaning : `\`${code}\`: ${meaning}`;
    meanings.set(key, [...(meanings.get(key) ?? []), line]);
  }
  return new Map([...meanings].sort());
}
