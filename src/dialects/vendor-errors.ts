import { type ErrorKind, GatewayError, type VendorDetails } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import { withCause } from './error-cause.ts';
import { errorIn, messageIn, readErrorBody } from './error-message.ts';
import { readRetryAfter } from './retry-after.ts';
import { findTooLong, TOO_LONG_CODE } from './too-long.ts';
import { objectOf } from './unchecked-json.ts';

/** The most characters of a vendor's message. */
const MAX_MESSAGE = 4000;
/** The most characters of a vendor's `type`, `code` and `param`. */
const MAX_WORD = 200;
/** The most characters of the JSON of an error's details. */
const MAX_DETAILS = 2000;

/**
 * A vendor's error response, in the shapes of the OpenAI family: `{error:{…}}`, `{error:"…"}`, `{message}`, `{detail}`,
 * a validator's `{detail:[{msg}]}`, an array of one of them, an event stream that begins with one, or words without JSON.
 * Keeps the status and the message, except for faults of the operator's account (401, 402, 403, an exhausted quota): they
 * become a 502 that reveals nothing of it.
 */
export function readVendorError(status: number, headers: UpstreamHeaders, body: string): GatewayError {
  const value = readErrorBody(body);
  const words = readWords(value);
  if (isAccountEmpty(words, status)) return accountEmpty(status);
  if (isUnauthorized(status)) return unauthorized(status, status === 401 && callsKeyBad(words));
  const tooLong = tooLongError(status, value ?? body.slice(0, MAX_MESSAGE), words);
  const retryAfterMs = waitIn(status, value, words, headers);
  if (tooLong !== null) return tooLong.with({ retryAfterMs });
  return new GatewayError(kindOf(status), words.message ?? `The provider answered ${status} without saying why.`, {
    ...(status >= 400 ? { status } : {}),
    ...words.details,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The error in an answer of status 200 or in a stream. Its status is derived from its code or type if possible. */
export function readInnerError(value: unknown): GatewayError {
  const status = innerStatus(value);
  // An error in an answer may come from another vendor that this one called, so it does not prove that the key is bad.
  const words = readWords(value);
  if (isAccountEmpty(words, status)) return accountEmpty(status);
  if (isUnauthorized(status)) return unauthorized(status, false);
  const tooLong = tooLongError(status, value, words);
  if (tooLong !== null) return tooLong;
  const retryAfterMs = waitIn(status, value, words);
  return new GatewayError(kindOf(status), words.message ?? 'The provider reported an error without saying why.', {
    status,
    ...words.details,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/**
 * The error in an answer of status 200 that has no `error`, but a message in place of an answer: `{object: "error",
 * message}` of older vLLM, `{base_resp}` of MiniMax, `{code, msg}` of Zhipu, `{error_code, error_msg}` of Baidu,
 * `{detail}`. `null` if there is none.
 */
export function readUnnamedError(value: Readonly<Record<string, unknown>>): GatewayError | null {
  // MiniMax says `success` beside each answer. https://platform.minimax.io/docs/api-reference/errorcode
  if (objectOf(value.base_resp).status_code === 0) return null;
  return readWords(value).message === undefined ? null : readInnerError(value);
}

/** As `readUnnamedError`, for an answer that is not parsed: `member` reads one of its outermost members. */
export function findUnnamedError(member: (name: string) => unknown): GatewayError | null {
  return readUnnamedError(Object.fromEntries(UNNAMED_ERROR.map((name) => [name, member(name)])));
}

/** The members that such an error may have. */
const UNNAMED_ERROR = [
  ...['object', 'type', 'code', 'status', 'status_code', 'error_code', 'param'],
  ...['message', 'msg', 'error_msg', 'detail', 'errors', 'base_resp'],
] as const;

/** The error for an answer that its vendor broke off. */
export function brokenOff(): GatewayError {
  return new GatewayError('upstream_error', 'The provider broke its answer off without saying why.');
}

/** The error for a piece of a stream that cannot be read. `what` completes the sentence: “is not JSON”. */
export function badPiece(what: string, cause?: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', `The provider sent a piece of a stream that ${what}.`, { cause });
}

/** The error for a whole answer that does not say how it ended. */
export function unfinished(): GatewayError {
  return new GatewayError('upstream_disconnected', 'The provider sent an answer that is not complete.');
}

/** The error for a stream that ends before its answer does. */
export function cutShort(): GatewayError {
  return new GatewayError('upstream_disconnected', 'The provider ended its stream before the answer was complete.');
}

/** Types and codes that, with a 401, mean that the key itself is invalid; from the vendors' error tables. */
const BAD_KEY_WORDS: ReadonlySet<string> = new Set([
  'account_deactivated',
  'authentication_error',
  'authentication_fails',
  'invalid_api_key',
  'invalid_authentication',
  'invalid_authentication_error',
  'key_disabled',
  'key_revoked',
]);

/** How the message begins at vendors without such a type. */
const BAD_KEY_SENTENCE =
  /^(api key not valid|incorrect api key|invalid (x-)?api[ -]key|user not found|no auth credentials)/i;

function callsKeyBad({ message = '', details: { type = '', code = '' } }: Words): boolean {
  return BAD_KEY_WORDS.has(type) || BAD_KEY_WORDS.has(code) || BAD_KEY_SENTENCE.test(message);
}

function isUnauthorized(status: number): boolean {
  return status === 401 || status === 402 || status === 403;
}

/** How vendors report an empty account: OpenAI by a code, Anthropic by a sentence. */
const EMPTY_CODE = 'insufficient_quota';
const EMPTY_SENTENCE = /^your credit balance is too low/i;
/**
 * How messages of DeepSeek, OpenRouter and Hugging Face for an empty account begin in a 402. Any other 402 may concern
 * this call alone, which may cost more than is left.
 */
const EMPTY_SENTENCE_OF_402 = /^(insufficient (balance|credits)\b|you have exceeded your monthly included credits\b)/i;

function isAccountEmpty({ message = '', details: { type, code } }: Words, status: number): boolean {
  if (type === EMPTY_CODE || code === EMPTY_CODE || EMPTY_SENTENCE.test(message)) return true;
  return status === 402 && EMPTY_SENTENCE_OF_402.test(message);
}

function accountEmpty(status: number): GatewayError {
  return new GatewayError(
    'upstream_account_empty',
    `The provider says that the gateway's account with it has no credit or quota left (${status}). The operator of this gateway can fix it.`,
  );
}

function unauthorized(status: number, badKey: boolean): GatewayError {
  const what =
    status === 402
      ? "The gateway's account with the provider has too little credit, at least for this call (402)."
      : `The provider refused the gateway's own credential or account (${status}).`;
  return new GatewayError('upstream_unauthorized', `${what} The operator of this gateway can fix it.`, { badKey });
}

/** A prompt that is too long is the caller's error, whatever status a vendor gives it: it opens no circuit. */
function tooLongError(status: number, value: unknown, { message, details }: Words): GatewayError | null {
  const found = findTooLong(status, value);
  if (found === null) return null;
  const said = found.message === '' ? (message ?? 'The prompt is too long for the model.') : found.message;
  return new GatewayError('upstream_rejected', said.slice(0, MAX_MESSAGE), {
    ...details,
    ...(status >= 500 ? { type: 'invalid_request_error' } : {}),
    code: TOO_LONG_CODE,
    tooLong: found.tokens,
  });
}

function kindOf(status: number): ErrorKind {
  if (status === 429) return 'upstream_rate_limited';
  if (status >= 500) return 'upstream_error';
  if (status >= 400) return 'upstream_rejected';
  return 'upstream_invalid_answer';
}

type Words = {
  message: string | undefined;
  details: { type?: string; code?: string; param?: string; details?: VendorDetails };
};

function readWords(value: unknown): Words {
  const outer = first(value);
  const inner = errorIn(outer);
  const said = messageIn(value);
  const caused = withCause(said === '' ? undefined : said.slice(0, MAX_MESSAGE), inner);
  const forPrograms = detailsIn(inner.details) ?? detailsIn(outer.details);
  const code = [inner, outer].flatMap((each) => [each.code, each.error_code, each.errorCode]).find(isWord);
  const named = code === undefined ? forPrograms?.error_code : String(code);
  return {
    message: caused,
    details: {
      ...(typeof inner.type === 'string' ? { type: inner.type.slice(0, MAX_WORD) } : {}),
      ...(typeof named === 'string' ? { code: named.slice(0, MAX_WORD) } : {}),
      ...(typeof inner.param === 'string' ? { param: inner.param.slice(0, MAX_WORD) } : {}),
      ...(forPrograms === undefined ? {} : { details: forPrograms }),
    },
  };
}

const ERROR_CODE = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/;

/**
 * The part of Anthropic's errors for programs: `details` with an `error_code`. Only the code is kept of long details.
 * https://platform.claude.com/docs/en/api/errors
 */
function detailsIn(value: unknown): VendorDetails | undefined {
  if (Array.isArray(value)) return undefined;
  const details = objectOf(value);
  const { error_code: code } = details;
  if (typeof code !== 'string' || !ERROR_CODE.test(code)) return undefined;
  return JSON.stringify(details).length > MAX_DETAILS ? { error_code: code } : (details as VendorDetails);
}

function isWord(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/**
 * How long to wait, in ms. The body may say it too: Google's `retryDelay`, `retry_after` in seconds, and the headers of
 * the vendor behind OpenRouter.
 */
function waitIn(
  status: number,
  value: unknown,
  { message = '' }: Words,
  headers: UpstreamHeaders = {},
): number | undefined {
  const outer = first(value);
  const inner = errorIn(outer);
  const passed = Object.entries(objectOf(objectOf(inner.metadata).headers));
  const theirs = passed.flatMap(([name, each]) => (typeof each === 'string' ? [[name.toLowerCase(), each]] : []));
  const delays = Array.isArray(inner.details) ? inner.details.map((detail) => objectOf(detail).retryDelay) : [];
  const seconds = [inner.retry_after, outer.retry_after].find((each) => typeof each === 'number');
  const told = delays.find((each) => typeof each === 'string') ?? (seconds === undefined ? undefined : `${seconds}s`);
  const words = told === undefined ? message : `Retry in ${told}. ${message}`;
  return readRetryAfter({ ...Object.fromEntries(theirs), ...headers }, status, words);
}

/** Statuses by type or code, for errors without a status; from the vendors' error tables. */
const STATUS_OF_WORD = new Map(
  Object.entries({
    rate_limit_exceeded: 429,
    insufficient_quota: 429,
    rate_limit_error: 429,
    overloaded: 503,
    overloaded_error: 503,
    server_is_overloaded: 503,
    slow_down: 503,
    service_unavailable: 503,
    too_many_requests: 429,
    invalid_request_error: 400,
    invalid_request: 400,
    invalid_prompt: 400,
    context_length_exceeded: 400,
    request_too_large: 413,
    timeout_error: 504,
    api_error: 500,
    invalid_api_key: 401,
    authentication_error: 401,
    billing_error: 402,
    permission_error: 403,
    not_found_error: 404,
    not_found: 404,
    model_not_found: 404,
  }),
);

/**
 * Statuses by the codes of MiniMax, which stand in `base_resp.status_code` of answers of status 200.
 * https://platform.minimax.io/docs/api-reference/errorcode (read in a copy on 2026-11-27)
 */
const STATUS_OF_BASE_RESP = new Map([
  [1000, 500],
  [1001, 504],
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [1024, 500],
  [1026, 400],
  [1027, 400],
  [1033, 500],
  [1039, 429],
  [1041, 429],
  [1042, 400],
  [2013, 400],
  [2045, 429],
  [2049, 401],
  [2056, 429],
]);

function innerStatus(value: unknown): number {
  const inner = errorIn(first(value));
  const coded = STATUS_OF_BASE_RESP.get(Number(objectOf(first(value).base_resp).status_code));
  if (coded !== undefined) return coded;
  for (const word of [inner.status_code, inner.status, inner.code, inner.type]) {
    // Making a word of a list or an object may throw.
    if (typeof word !== 'string' && typeof word !== 'number') continue;
    const number = Number(word);
    if (Number.isInteger(number) && number >= 400 && number <= 599) return number;
    const known = STATUS_OF_WORD.get(String(word));
    if (known !== undefined) return known;
  }
  return 502;
}

/** The object, or the first one of a list. */
function first(value: unknown): Record<string, unknown> {
  return objectOf(Array.isArray(value) ? value[0] : value);
}
