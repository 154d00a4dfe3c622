import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';
import type { Caller, KeyChecker, Peer } from '../core/ports.ts';
import { maskedSecret } from '../core/secret.ts';

/** The parts of a request head that all routes need. Read from the raw headers, since Node drops repeated ones. */
export type RequestHead = {
  authorization: string | null;
  apiKey: string | null;
  clientRequestId: string | null;
  hasCookie: boolean;
};

/** The pattern of a caller's own request id: printable, without spaces. */
export const CLIENT_REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Reads the head in one pass. Refuses (400) a missing `Host`, and repeated headers that may occur only once. */
export function readRequestHead(
  request: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>,
): RequestHead | GatewayError {
  const { rawHeaders, httpVersion } = request;
  const head: RequestHead = { authorization: null, apiKey: null, clientRequestId: null, hasCookie: false };
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    // Compare lengths first: most headers are none of these.
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
      if (hosts > 1) return repeated('Host');
    } else if (name.length === 6 && name.toLowerCase() === 'cookie') {
      head.hasCookie = true;
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (head.authorization !== null) return repeated('Authorization');
      head.authorization = value;
    } else if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      if (head.apiKey !== null) return repeated('x-api-key');
      head.apiKey = value;
    } else if (name.length === 12 && name.toLowerCase() === 'x-request-id' && CLIENT_REQUEST_ID.test(value)) {
      head.clientRequestId = value;
    }
  }
  if (hosts === 0 && httpVersion === '1.1') return new GatewayError('invalid_http', 'The header `Host` is missing.');
  return head;
}

/** Authenticates the caller. Throws, or rejects with, a `GatewayError`. */
export function authenticate(head: RequestHead, keys: KeyChecker, peer?: Peer): Caller | Promise<Caller> {
  const bearer = head.authorization === null ? '' : readBearer(head.authorization);
  const apiKey = head.apiKey ?? '';
  if (bearer === '' && apiKey === '') {
    throw new GatewayError(
      'missing_api_key',
      'You must send an API key: `Authorization: Bearer YOUR_KEY`. Keys are made with `headgate keys create`.',
    );
  }
  if (bearer !== '' && apiKey !== '' && bearer !== apiKey) {
    throw new GatewayError(
      'invalid_api_key',
      'Two different API keys were sent: `Authorization` and `x-api-key` must agree.',
    );
  }
  return keys.check(bearer === '' ? apiKey : bearer, peer);
}

/** What was sent as a key, masked; of another scheme than bearer only its name. `null` if nothing was. */
export function shownCredential({
  authorization,
  apiKey,
}: Pick<RequestHead, 'authorization' | 'apiKey'>): string | null {
  const [scheme = '', rest] = (authorization ?? '').trim().split(' ', 2);
  if (rest !== undefined && scheme.toLowerCase() !== 'bearer') return `${scheme.slice(0, MAX_SCHEME)} …`;
  const secret = (authorization === null ? '' : readBearer(authorization)) || apiKey;
  return secret === null || secret === '' ? null : maskedSecret(secret);
}

/** The longest shown name of a scheme. */
const MAX_SCHEME = 16;

const BEARER = 'Bearer ';

/** The credential of a bearer header; for any other scheme the whole text, which is not a key. */
function readBearer(authorization: string): string {
  // The usual form.
  if (authorization.startsWith(BEARER)) return authorization.slice(BEARER.length).trim();
  const text = authorization.trim();
  const space = text.indexOf(' ');
  if (space < 0) return text.toLowerCase() === 'bearer' ? '' : text;
  return text.slice(0, space).toLowerCase() === 'bearer' ? text.slice(space + 1).trim() : text;
}

function repeated(name: string): GatewayError {
  return new GatewayError('invalid_http', `The header \`${name}\` stands twice; it may stand once.`);
}
