import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders, UpstreamRequest } from '../core/ports.ts';
import type { Provider, Target } from '../core/provider.ts';
import { vendorHeaders } from '../providers/resolve.ts';

const USER_AGENT = 'headgate';
/** Secrets shorter than this are not looked for in words: they would match by accident. */
const MIN_SECRET = 6;

/** Headers are the same for each call to a provider, so they are made once. A reload makes new providers. */
const headersOf = new WeakMap<Provider, { whole: string[]; stream: string[] }>();

/** A dialect's body, ready to go to a target. */
export function upstreamRequest(target: Target, body: Buffer, stream: boolean): UpstreamRequest {
  let headers = headersOf.get(target.provider);
  if (headers === undefined) {
    headers = {
      whole: makeHeaders(target.provider, 'application/json'),
      stream: makeHeaders(target.provider, 'text/event-stream'),
    };
    headersOf.set(target.provider, headers);
  }
  return {
    target,
    method: 'POST',
    path: target.path + target.provider.query,
    headers: stream ? headers.stream : headers.whole,
    body,
  };
}

/** The vendor's own name for the request, for those who have to ask it. */
export function upstreamRequestId(headers: UpstreamHeaders): string | null {
  const id = headers['x-request-id'] ?? headers['request-id'];
  return typeof id === 'string' ? id.slice(0, 200) : null;
}

/** The same error with the provider's key and address taken out of its words. */
export function cleanError(error: GatewayError, { provider }: Target): GatewayError {
  const host = provider.transport === 'http' ? new URL(provider.baseUrl) : null;
  const key = provider.credential?.reveal() ?? '';
  const hidden = [
    key.length >= MIN_SECRET ? key : '',
    provider.baseUrl,
    host?.origin ?? '',
    host?.host ?? '',
    host?.hostname ?? '',
  ];
  let message = error.message;
  for (const word of hidden) if (word !== '') message = message.replaceAll(word, '***');
  if (message === error.message) return error;
  return new GatewayError(error.kind, message, {
    status: error.status,
    type: error.type,
    code: error.code,
    ...(error.param === null ? {} : { param: error.param }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    cause: error.cause,
  });
}

function makeHeaders(provider: Provider, accept: string): string[] {
  return [
    ...['content-type', 'application/json', 'accept', accept, 'accept-encoding', 'identity', 'user-agent', USER_AGENT],
    ...vendorHeaders(provider),
  ];
}
