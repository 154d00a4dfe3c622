import type { IncomingMessage } from 'node:http';
import { openAiErrorBody } from '../core/error-body.ts';
import type { GatewayError } from '../core/errors.ts';
import { dollarsText } from '../core/money.ts';
import type { Caller, Clock, Ids, KeyChecker, Limiter } from '../core/ports.ts';
import type { ServedBy } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import { duration, headerValue } from './header-values.ts';

/** What requests need to be let in, and answers to be written, whichever layer carries them. */
export type Front = {
  /** The word that stands in the names of the gateway's own headers. */
  headerPrefix: string;
  keys: KeyChecker;
  limiter: Limiter;
  clock: Clock;
  ids: Ids;
};

/** What of a route's answers is its dialect's own: the body of errors, and a further name of the request's id. */
export type AnswerStyle = {
  writeError(error: GatewayError, requestId: string): string;
  idHeader?: string;
  /** The name in lower case of a header: requests without it are answered as if the route said nothing. */
  onlyWith?: string;
};

/** How a route answers that says nothing of it. */
export const OPENAI_STYLE: AnswerStyle = { writeError: openAiErrorBody };

/** How a request is answered at a route of this style. */
export function styleFor(style: AnswerStyle | undefined, request: Pick<IncomingMessage, 'headers'>): AnswerStyle {
  if (style === undefined) return OPENAI_STYLE;
  // Node makes `headers` when it is first read, which few routes need.
  return style.onlyWith === undefined || request.headers[style.onlyWith] !== undefined ? style : OPENAI_STYLE;
}

/** One request and its answer, as far as headers go. `startedAt` is monotonic. */
export type RequestContext = {
  requestId: string;
  style: AnswerStyle;
  /** The caller's own id for the request, where it sent one that can be kept. */
  clientRequestId: string | null;
  startedAt: number;
  caller: Caller | null;
  /** Of a person who is signed in: the key that stands for them where their requests are counted. */
  person?: ApiKey;
  /** Whether nobody may keep the answer: the request came with a cookie, or could have been answered by one. */
  isPrivate: boolean;
  /** What a browser is to keep of its session, as `Set-Cookie` says it. */
  setCookie?: string;
};

/** Of answers that nobody may keep: names and values in turn. Of a stream, its own `cache-control` stands beside. */
const PRIVATE_HEADERS: readonly string[] = ['cache-control', 'no-store', 'vary', 'Cookie, Authorization'];

/** What a stream's head has beside the common headers: names and values in turn. */
export const STREAM_HEADERS: readonly string[] = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];

/** The version that stands in the path of every request. */
const API_VERSION = 'v1';
/** How long a caller is asked to wait where nothing better is known. */
const DEFAULT_RETRY_MS = 1000;

/** The names of the gateway's own headers, made once for each prefix: there is one in a process. */
const ownHeadersBy = new Map<string, ReturnType<typeof namesWith>>();

function ownHeaders(prefix: string): ReturnType<typeof namesWith> {
  const known = ownHeadersBy.get(prefix);
  if (known !== undefined) return known;
  const names = namesWith(prefix);
  ownHeadersBy.set(prefix, names);
  return names;
}

function namesWith(prefix: string) {
  return {
    version: `${prefix}-version`,
    processing: `${prefix}-processing-ms`,
    organization: `${prefix}-organization`,
    provider: `${prefix}-provider`,
    model: `${prefix}-model`,
    attempts: `${prefix}-attempts`,
    cost: `${prefix}-cost-usd`,
    route: `${prefix}-route`,
    dropped: `${prefix}-dropped`,
    unpriced: `${prefix}-unpriced`,
  };
}

/** Headers that every answer has, errors too: names and values in turn. The limits' stand in it once the caller is known. */
export function commonHeaders(front: Front, context: RequestContext, served: ServedBy | null = null): string[] {
  const own = ownHeaders(front.headerPrefix);
  const headers = [
    'x-request-id',
    context.requestId,
    own.version,
    API_VERSION,
    own.processing,
    String(Math.max(0, Math.round(front.clock.monotonic() - context.startedAt))),
  ];
  if (context.style.idHeader !== undefined) headers.push(context.style.idHeader, context.requestId);
  if (context.isPrivate) {
    headers.push(...PRIVATE_HEADERS);
    if (context.setCookie !== undefined) headers.push('set-cookie', context.setCookie);
  }
  if (context.caller !== null) {
    const limits = front.limiter.state(context.caller.key);
    headers.push(
      own.organization,
      headerValue(context.caller.organization.id),
      'x-ratelimit-limit-requests',
      String(limits.limitRequests),
      'x-ratelimit-limit-tokens',
      String(limits.limitTokens),
      'x-ratelimit-remaining-requests',
      String(limits.remainingRequests),
      'x-ratelimit-remaining-tokens',
      String(limits.remainingTokens),
      'x-ratelimit-reset-requests',
      duration(limits.resetRequestsMs),
      'x-ratelimit-reset-tokens',
      duration(limits.resetTokensMs),
    );
  } else if (context.person !== undefined) {
    const limits = front.limiter.state(context.person);
    headers.push(
      'x-ratelimit-limit-requests',
      String(limits.limitRequests),
      'x-ratelimit-remaining-requests',
      String(limits.remainingRequests),
      'x-ratelimit-reset-requests',
      duration(limits.resetRequestsMs),
    );
  }
  if (served !== null) {
    if (served.provider !== null) headers.push(own.provider, headerValue(served.provider));
    if (served.model !== null) headers.push(own.model, headerValue(served.model));
    headers.push(own.attempts, String(served.attempts));
    if (served.cost != null) headers.push(own.cost, dollarsText(served.cost));
    if (served.route !== null) headers.push(own.route, headerValue(served.route));
    if (served.dropped.length > 0) headers.push(own.dropped, headerValue(served.dropped.join(', ')));
    if (served.unpriced !== undefined) headers.push(own.unpriced, headerValue(served.unpriced.join(', ')));
  }
  return headers;
}

/** What an error adds: when to come back, and `x-should-retry`, by which official clients decide. */
export function errorHeaders(error: GatewayError): string[] {
  const headers: string[] = [];
  const wait = error.retryAfterMs ?? (error.status === 429 ? DEFAULT_RETRY_MS : undefined);
  if (wait !== undefined)
    headers.push('retry-after', String(Math.ceil(wait / 1000)), 'retry-after-ms', String(Math.ceil(wait)));
  // Official clients send a 409 again by themselves, unless they are told.
  if (error.status === 409 || error.status === 429 || error.status >= 500)
    headers.push('x-should-retry', String(error.retryable));
  if (error.status === 401) headers.push('www-authenticate', 'Bearer');
  return headers;
}
