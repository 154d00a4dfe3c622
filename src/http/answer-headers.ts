import type { IncomingMessage } from 'node:http';
import { openAiErrorBody } from '../core/error-body.ts';
import type { GatewayError } from '../core/errors.ts';
import { dollarsText } from '../core/money.ts';
import type { Caller, Clock, Ids, KeyChecker, Limiter } from '../core/ports.ts';
import type { ServedBy } from '../core/provider.ts';
import type { LimitSubject } from '../core/records.ts';
import { duration, headerValue } from './header-values.ts';

/** The shared parts of both HTTP layers for admitting requests and writing answers. */
export type Front = {
  /** The prefix of the gateway's own headers. */
  headerPrefix: string;
  keys: KeyChecker;
  limiter: Limiter;
  clock: Clock;
  ids: Ids;
};

/** What writing the headers of answers needs. */
export type AnswerFront = Pick<Front, 'headerPrefix' | 'clock' | 'ids'> & { limiter: Pick<Limiter, 'state'> };

/** The dialect-specific parts of a route's answers: error bodies, and another header for the request id. */
export type AnswerStyle = {
  writeError(error: GatewayError, requestId: string): string;
  idHeader?: string;
  /** A header name in lower case. Requests without it get the default style. */
  onlyWith?: string;
};

/** The default style of routes. */
export const OPENAI_STYLE: AnswerStyle = { writeError: openAiErrorBody };

/** The style of the answer to a request at a route. */
export function styleFor(style: AnswerStyle | undefined, request: Pick<IncomingMessage, 'headers'>): AnswerStyle {
  if (style === undefined) return OPENAI_STYLE;
  // Node builds `headers` lazily, and few routes need it.
  return style.onlyWith === undefined || request.headers[style.onlyWith] !== undefined ? style : OPENAI_STYLE;
}

/** The data of a request that response headers need. `startedAt` is monotonic. */
export type RequestContext = {
  requestId: string;
  style: AnswerStyle;
  /** The caller's own request id, if it sent a valid one. */
  clientRequestId: string | null;
  startedAt: number;
  caller: Caller | null;
  /** For a signed-in person: what their requests are counted for. */
  person?: LimitSubject;
  /** True if the answer must not be cached, because a cookie did or could affect it. */
  isPrivate: boolean;
  /** The value of `Set-Cookie` for the session. */
  setCookie?: string;
};

/** Headers of answers that must not be cached: names and values alternate. Streams have their own `cache-control`. */
const PRIVATE_HEADERS: readonly string[] = ['cache-control', 'no-store', 'vary', 'Cookie, Authorization'];

/** Additional headers of streams: names and values alternate. */
export const STREAM_HEADERS: readonly string[] = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];

/** The version in the path of requests. */
const API_VERSION = 'v1';
/** The default `retry-after`. */
const DEFAULT_RETRY_MS = 1000;

/** The names of the gateway's own headers, built once per prefix. */
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

/** Headers of all answers, including errors: names and values alternate. Includes rate limits once the caller is known. */
export function commonHeaders(front: AnswerFront, context: RequestContext, served: ServedBy | null = null): string[] {
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

/** Headers of errors: `retry-after`, and `x-should-retry`, which official clients obey. */
export function errorHeaders(error: GatewayError): string[] {
  const headers: string[] = [];
  const wait = error.retryAfterMs ?? (error.status === 429 ? DEFAULT_RETRY_MS : undefined);
  if (wait !== undefined)
    headers.push('retry-after', String(Math.ceil(wait / 1000)), 'retry-after-ms', String(Math.ceil(wait)));
  // By default, official clients also retry a 409.
  if (error.status === 409 || error.status === 429 || error.status >= 500)
    headers.push('x-should-retry', String(error.retryable));
  if (error.status === 401) headers.push('www-authenticate', 'Bearer');
  return headers;
}
