import type { ServedBy } from './provider.ts';

/**
 * Every way a call can go wrong. A row gives the HTTP status, OpenAI's `type` and `code`, whether the same call may
 * succeed if it is sent again, and what it means (`docs/errors.md` is kept complete from this table by a test).
 */
export const ERROR_KINDS = {
  invalid_request: row(
    400,
    'invalid_request_error',
    'invalid_value',
    false,
    'A field is missing or has a value that cannot be used; `param` names it.',
  ),
  invalid_json: row(
    400,
    'invalid_request_error',
    'invalid_json',
    false,
    'The body is not one complete JSON object, or is nested too deep.',
  ),
  invalid_http: row(
    400,
    'invalid_request_error',
    'invalid_http',
    false,
    'The bytes are not HTTP that can be understood, `Host` is missing, or a header that may stand only once stands twice.',
  ),
  missing_api_key: row(401, 'invalid_request_error', 'missing_api_key', false, 'No API key came with the request.'),
  invalid_api_key: row(
    401,
    'invalid_request_error',
    'invalid_api_key',
    false,
    'The API key is malformed or unknown, or two different keys were sent.',
  ),
  revoked_api_key: row(401, 'invalid_request_error', 'revoked_api_key', false, 'The API key was revoked.'),
  disabled_api_key: row(401, 'invalid_request_error', 'disabled_api_key', false, 'The API key is switched off.'),
  expired_api_key: row(
    401,
    'invalid_request_error',
    'expired_api_key',
    false,
    'The API key has passed its expiry date.',
  ),
  not_signed_in: row(
    401,
    'invalid_request_error',
    'not_signed_in',
    false,
    'Nobody is signed in: no session came with the request, or one that has ended.',
  ),
  sign_in_failed: row(
    401,
    'invalid_request_error',
    'sign_in_failed',
    false,
    'The sign-in was refused. Whether the address, the password or the passkey is wrong is not told.',
  ),
  recent_sign_in_required: row(
    403,
    'invalid_request_error',
    'recent_sign_in_required',
    false,
    'What is asked for is grave, and the last sign-in is longer ago than `sign_in.recent`: sign in again, and repeat it.',
  ),
  too_many_attempts: row(
    429,
    'requests',
    'too_many_attempts',
    true,
    'Too many sign-ins were tried with this email address or from this network address; `retry-after` says how long to wait.',
  ),
  context_length_exceeded: row(
    400,
    'invalid_request_error',
    'context_length_exceeded',
    false,
    'The prompt, with what its answer may have, is longer than any target of the route can take, or than the route allows.',
  ),
  model_not_allowed: row(
    403,
    'invalid_request_error',
    'model_not_allowed',
    false,
    'The API key may not use this model.',
  ),
  model_unpriced: row(
    403,
    'invalid_request_error',
    'model_unpriced',
    false,
    'A spend limit or a budget holds for the call, and this model has no price to hold against it.',
  ),
  forbidden: row(403, 'invalid_request_error', 'forbidden', false, 'This address is not open to this caller.'),
  model_not_found: row(
    404,
    'invalid_request_error',
    'model_not_found',
    false,
    'No provider that is on serves a model of this name.',
  ),
  not_found: row(404, 'invalid_request_error', 'not_found', false, 'There is nothing at this path.'),
  thread_not_found: row(
    404,
    'invalid_request_error',
    'thread_not_found',
    false,
    'No target that may serve the call keeps the thread that it continues. Send the whole conversation, and create another.',
  ),
  conflict: row(
    409,
    'invalid_request_error',
    'conflict',
    false,
    'It was changed in the meantime, or cannot be changed as things are.',
  ),
  method_not_allowed: row(
    405,
    'invalid_request_error',
    'method_not_allowed',
    false,
    'The path exists, but not for this method.',
  ),
  request_timeout: row(
    408,
    'invalid_request_error',
    'request_timeout',
    true,
    'The request did not arrive in full in time.',
  ),
  body_too_large: row(
    413,
    'invalid_request_error',
    'body_too_large',
    false,
    'The body is larger than `limits.max_body`.',
  ),
  unsupported_media_type: row(
    415,
    'invalid_request_error',
    'unsupported_media_type',
    false,
    'The body is not sent as `application/json`.',
  ),
  headers_too_large: row(
    431,
    'invalid_request_error',
    'headers_too_large',
    false,
    'The headers are larger than `limits.max_header`.',
  ),
  rate_limit_exceeded: row(
    429,
    'requests',
    'rate_limit_exceeded',
    true,
    'The API key, or the person who is signed in, is over its requests per minute, or has as many under way as it may.',
  ),
  token_limit_exceeded: row(429, 'tokens', 'rate_limit_exceeded', true, 'The API key is over its tokens per minute.'),
  token_limit_unreachable: row(
    429,
    'tokens',
    'rate_limit_exceeded',
    false,
    'The call alone needs more tokens than the API key may use in a minute; it would be refused at any time.',
  ),
  insufficient_quota: row(
    429,
    'insufficient_quota',
    'insufficient_quota',
    false,
    'The spend limit of the API key, or a budget that holds for the call, is used up.',
  ),
  client_closed_request: row(
    499,
    'invalid_request_error',
    'client_closed_request',
    false,
    'The caller left before the answer was complete; seen only in usage records.',
  ),
  internal: row(500, 'server_error', 'internal_error', true, 'A fault of the gateway itself.'),
  storage_unavailable: row(
    503,
    'server_error',
    'storage_unavailable',
    true,
    'The gateway could not write or read its records; nothing was sent to a provider.',
  ),
  overloaded: row(
    503,
    'server_error',
    'overloaded',
    true,
    'The gateway has as many open calls as it may, or is too busy to take more.',
  ),
  provider_busy: row(
    503,
    'server_error',
    'provider_busy',
    true,
    'As many calls are with the provider, and wait for it, as may be (`max_concurrency` and `queue`).',
  ),
  no_target_available: row(
    503,
    'server_error',
    'no_target_available',
    true,
    'No target of the route can be used now; `retry-after` says when the first may be tried again, where that is known.',
  ),
  shutting_down: row(503, 'server_error', 'shutting_down', true, 'The gateway is stopping; send the call again.'),
  upstream_rejected: row(
    400,
    'invalid_request_error',
    null,
    false,
    'The provider refused the request; status, words, `param` and `code` are its own.',
  ),
  upstream_rate_limited: row(
    429,
    'requests',
    'rate_limit_exceeded',
    true,
    'The provider is over its own limit; its `retry-after` is passed on.',
  ),
  upstream_unauthorized: row(
    502,
    'server_error',
    'upstream_unauthorized',
    false,
    'The provider refused the operator’s credential or account (its 401, 402 or 403).',
  ),
  upstream_account_empty: row(
    502,
    'server_error',
    'upstream_account_empty',
    false,
    'The operator’s account at the provider has no credit or quota left (its `insufficient_quota`). No budget of the caller’s is meant.',
  ),
  upstream_error: row(
    502,
    'server_error',
    'upstream_error',
    true,
    'The provider failed; a status of 500 and above is its own.',
  ),
  upstream_unreachable: row(
    502,
    'server_error',
    'upstream_unreachable',
    true,
    'No connection to the provider could be made.',
  ),
  upstream_disconnected: row(
    502,
    'server_error',
    'upstream_disconnected',
    true,
    'The provider’s connection broke, or ended, before its answer was complete.',
  ),
  upstream_invalid_answer: row(
    502,
    'server_error',
    'upstream_invalid_answer',
    true,
    'The provider’s answer is not what its format says: cut JSON, another content type, or larger than `limits.max_answer` or `limits.max_line`.',
  ),
  upstream_timeout: row(
    504,
    'server_error',
    'upstream_timeout',
    true,
    'The provider did not answer in time (`timeouts.first_byte`, `idle` or `total`).',
  ),
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof ERROR_KINDS;

export type ErrorRow = { status: number; type: string; code: string | null; retryable: boolean; meaning: string };

/** How many tokens a prompt has, and how many there may be. */
export type TooLong = { asked: number; most: number };

/** Members of an error for programs. `error_code` names what went wrong, in letters, digits, `_`, `.` and `-`. */
export type VendorDetails = Readonly<Record<string, unknown>> & { readonly error_code: string };

export type ErrorDetails = {
  /** The field at fault, as a path in the caller's body or query. */
  param?: string | null;
  /** A status in place of the kind's own: only for kinds that pass on what a provider said. */
  status?: number;
  /** The provider's own words for type and code, likewise. */
  type?: string;
  code?: string | null;
  /** What the vendor says of the error for programs, beside its words: `error.details` of Anthropic's. Bounded by its reader. */
  details?: VendorDetails | null;
  /** Of a name that nobody serves: the names nearest to it that the caller may know, the nearest first. */
  near?: readonly string[] | null;
  /** How long to wait before trying again. */
  retryAfterMs?: number | undefined;
  /** The vendor answered 401, and called the key itself a bad one: no prompt makes it say that. */
  badKey?: boolean;
  /** Of a prompt that is too long: its size, and what fits, where these are known. */
  tooLong?: TooLong | null;
  /** Who was asked last for the call that came to this, for the headers of its answer. */
  served?: ServedBy | null;
  cause?: unknown;
};

/** The one error that is shown to callers. `message` is for the caller, `cause` for the log. */
export class GatewayError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly details: VendorDetails | null;
  readonly near: readonly string[] | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly badKey: boolean;
  readonly tooLong: TooLong | null;
  readonly served: ServedBy | null;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    const known: ErrorRow = ERROR_KINDS[kind];
    this.name = 'GatewayError';
    this.kind = kind;
    this.status = details.status ?? known.status;
    this.type = details.type ?? known.type;
    this.code = details.code === undefined ? known.code : details.code;
    this.param = details.param ?? null;
    this.details = details.details ?? null;
    this.near = details.near ?? null;
    this.retryable = known.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.badKey = details.badKey === true;
    this.tooLong = details.tooLong ?? null;
    this.served = details.served ?? null;
  }

  /** The same error with other words or details. */
  with({ message = this.message, ...details }: ErrorDetails & { message?: string }): GatewayError {
    return new GatewayError(this.kind, message, { ...this, cause: this.cause, ...details });
  }
}

/** What a caller is told whose request comes, or is still waiting for its vendor, when the gateway stops. */
export function stoppingError(): GatewayError {
  return new GatewayError('shutting_down', ERROR_KINDS.shutting_down.meaning, { retryAfterMs: 1000 });
}

/**
 * What an error is in the gateway's own words, for logs and the status. A message may be the vendor's, and that may quote
 * the prompt: it is for the caller, who sent the prompt, and for nobody else.
 */
export function sentenceOf({ kind, message }: GatewayError): string {
  return OWN_WORDS.has(kind) ? message : ERROR_KINDS[kind].meaning;
}

/** Kinds whose messages are always the gateway's own. */
const OWN_WORDS: ReadonlySet<ErrorKind> = new Set([
  'internal',
  'storage_unavailable',
  'upstream_unauthorized',
  'upstream_account_empty',
]);

function row(status: number, type: string, code: string | null, retryable: boolean, meaning: string): ErrorRow {
  return { status, type, code, retryable, meaning };
}
