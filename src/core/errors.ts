import type { ServedBy } from './provider.ts';

/**
 * All kinds of errors. A row has the HTTP status, OpenAI's `type` and `code`, whether a retry of the same call may succeed,
 * and the meaning. A test keeps `docs/errors.md` equal to this table.
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
    'The request is not valid HTTP, `Host` is missing, or a header that may occur only once is repeated.',
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
  disabled_api_key: row(401, 'invalid_request_error', 'disabled_api_key', false, 'The API key is disabled.'),
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
    'The sign-in was refused. The error does not say whether the address, the password or the passkey is wrong.',
  ),
  recent_sign_in_required: row(
    403,
    'invalid_request_error',
    'recent_sign_in_required',
    false,
    'The request is sensitive, and the last sign-in is older than `sign_in.recent`: sign in again and repeat it.',
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
    'The prompt and the longest answer do not fit the context window of any target of the route, or exceed the limits of the route.',
  ),
  model_not_allowed: row(
    403,
    'invalid_request_error',
    'model_not_allowed',
    false,
    'The API key may not use this model, or a further model that a field names for the vendor (`extra_body.model`); `param` names the field.',
  ),
  model_unpriced: row(
    403,
    'invalid_request_error',
    'model_unpriced',
    false,
    'A spend limit or budget applies to the call, and the model has no price to count against it.',
  ),
  forbidden: row(403, 'invalid_request_error', 'forbidden', false, 'The caller may not use this address.'),
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
    'No target that may serve the call has the thread that it continues. Send the whole conversation to start a new thread.',
  ),
  conflict: row(
    409,
    'invalid_request_error',
    'conflict',
    false,
    'The resource was changed concurrently, or its state does not allow the change.',
  ),
  method_not_allowed: row(
    405,
    'invalid_request_error',
    'method_not_allowed',
    false,
    'The path does not support this method.',
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
    'The API key or the signed-in person exceeds the requests per minute, or has too many concurrent requests.',
  ),
  token_limit_exceeded: row(429, 'tokens', 'rate_limit_exceeded', true, 'The API key exceeds its tokens per minute.'),
  token_limit_unreachable: row(
    429,
    'tokens',
    'rate_limit_exceeded',
    false,
    'The call alone needs more tokens than the API key may use per minute, so it is always refused.',
  ),
  insufficient_quota: row(
    429,
    'insufficient_quota',
    'insufficient_quota',
    false,
    'The spend limit of the API key, or a budget that applies to the call, is used up.',
  ),
  client_closed_request: row(
    499,
    'invalid_request_error',
    'client_closed_request',
    false,
    'The caller disconnected before the answer was complete. Occurs only in usage records.',
  ),
  internal: row(500, 'server_error', 'internal_error', true, 'An internal error of the gateway.'),
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
    'The gateway has reached its limit of open calls, or is overloaded.',
  ),
  provider_busy: row(
    503,
    'server_error',
    'provider_busy',
    true,
    'The provider has reached its limits of concurrent and queued calls (`max_concurrency` and `queue`).',
  ),
  no_target_available: row(
    503,
    'server_error',
    'no_target_available',
    true,
    'No target of the route is available now; `retry-after` says when the first may be tried again, if known.',
  ),
  shutting_down: row(503, 'server_error', 'shutting_down', true, 'The gateway is stopping; send the call again.'),
  upstream_rejected: row(
    400,
    'invalid_request_error',
    null,
    false,
    'The provider refused the request. The status, message, `param` and `code` are the provider’s.',
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
    'The operator’s account at the provider has no credit or quota left (its `insufficient_quota`). The caller’s budgets are not affected.',
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
    'The gateway could not connect to the provider.',
  ),
  upstream_disconnected: row(
    502,
    'server_error',
    'upstream_disconnected',
    true,
    'The connection to the provider ended before the answer was complete.',
  ),
  upstream_invalid_answer: row(
    502,
    'server_error',
    'upstream_invalid_answer',
    true,
    'The provider’s answer does not match its format: truncated JSON, another content type, or larger than `limits.max_answer` or `limits.max_line`.',
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

/** The tokens of a prompt, and the largest number allowed. */
export type TooLong = { asked: number; most: number };

/** The members of an error for programs. `error_code` has letters, digits, `_`, `.` and `-`. */
export type VendorDetails = Readonly<Record<string, unknown>> & { readonly error_code: string };

export type ErrorDetails = {
  /** The invalid field, as a path in the caller's body or query. */
  param?: string | null;
  /** Overrides the status of the kind, only for kinds that pass on a provider's error. */
  status?: number;
  /** The provider's type and code, for the same kinds. */
  type?: string;
  code?: string | null;
  /** The vendor's details for programs, such as Anthropic's `error.details`. The reader limits their size. */
  details?: VendorDetails | null;
  /** For an unknown name: the most similar names that the caller may see, most similar first. */
  near?: readonly string[] | null;
  /** How long to wait before trying again. */
  retryAfterMs?: number | undefined;
  /** The vendor answered 401 because the key is invalid. No prompt can cause that answer. */
  badKey?: boolean;
  /** For a prompt that is too long: its size and the limit, if known. */
  tooLong?: TooLong | null;
  /** The target that was tried last, for the response headers. */
  served?: ServedBy | null;
  cause?: unknown;
};

/** The only error that callers see. `message` is for the caller, `cause` for the log. */
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

  /** A copy of the error with another message or details. */
  with({ message = this.message, ...details }: ErrorDetails & { message?: string }): GatewayError {
    return new GatewayError(this.kind, message, { ...this, cause: this.cause, ...details });
  }
}

/** The meaning of a kind of error, in words; `null` for one of an earlier version that is unknown now. */
export function errorMeaning(kind: string | null): string | null {
  return kind !== null && Object.hasOwn(ERROR_KINDS, kind) ? ERROR_KINDS[kind as ErrorKind].meaning : null;
}

/** The error for requests that arrive, or still wait for a vendor, when the gateway stops. */
export function stoppingError(): GatewayError {
  return new GatewayError('shutting_down', ERROR_KINDS.shutting_down.meaning, { retryAfterMs: 1000 });
}

/**
 * The gateway's own description of an error, for logs and the status. The message may come from the vendor and quote the
 * prompt, so only the caller may see it.
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
