import { ERROR_KINDS, type ErrorKind } from '../../core/errors.ts';
import { type AnswerHeaders, type HeaderRefs, headerRefs } from './headers.ts';
import { ref } from './schema.ts';

/** What any request can come to. */
const OF_ANY: readonly ErrorKind[] = ['invalid_http', 'request_timeout', 'headers_too_large', 'internal'];

/** What a request with a key can come to. */
export const OF_CALLERS: readonly ErrorKind[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'storage_unavailable',
  'shutting_down',
  'rate_limit_exceeded',
];

/** What a call to a model can come to. */
export const OF_CALLS: readonly ErrorKind[] = [
  ...OF_CALLERS,
  'invalid_request',
  'invalid_json',
  'model_not_allowed',
  'model_unpriced',
  'model_not_found',
  'body_too_large',
  'unsupported_media_type',
  'token_limit_exceeded',
  'token_limit_unreachable',
  'insufficient_quota',
  'context_length_exceeded',
  'overloaded',
  'provider_busy',
  'no_target_available',
  'upstream_rejected',
  'upstream_rate_limited',
  'upstream_unauthorized',
  'upstream_error',
  'upstream_unreachable',
  'upstream_disconnected',
  'upstream_invalid_answer',
  'upstream_timeout',
];

/** Kinds that keep the provider's own status. */
const RANGES: Partial<Record<ErrorKind, string>> = { upstream_rejected: '4XX', upstream_error: '5XX' };

/** Statuses of requests whose caller is not known, or not yet. */
const OF_STRANGERS = ['401', '408', '431'];

/**
 * The error answers of an operation, by status, each with the codes it can have and what they mean. They can have the
 * headers of its other answers (`own`) too. `schema` is the body that its callers read.
 */
export function errorAnswers(
  headers: AnswerHeaders,
  own: HeaderRefs,
  kinds: readonly ErrorKind[],
  schema = 'Error',
): Record<string, unknown> {
  const meanings = new Map<string, string[]>();
  for (const kind of [...OF_ANY, ...kinds]) {
    const { status, code, meaning } = ERROR_KINDS[kind];
    const key = RANGES[kind] ?? String(status);
    const line = code === null ? meaning : `\`${code}\`: ${meaning}`;
    meanings.set(key, [...(meanings.get(key) ?? []), line]);
  }
  const answer = ([status, lines]: [string, string[]]) => ({
    description: lines.join('\n\n'),
    headers: {
      ...(OF_STRANGERS.includes(status) ? headerRefs(headers.always) : own),
      ...(status === '401' ? headerRefs(headers.challenge) : {}),
      ...(status === '429' || status.startsWith('5') ? headerRefs(headers.retry) : {}),
    },
    content: { 'application/json': { schema: ref(schema) } },
  });
  return Object.fromEntries([...meanings].sort().map((entry) => [entry[0], answer(entry)]));
}
