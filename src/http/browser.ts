import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { callerIpAddress } from '../core/ip-address.ts';
import type { PublicAddress, Session, SessionChecker, SignedIn, Visit } from '../core/people.ts';
import type { Caller, KeyChecker, Peer } from '../core/ports.ts';
import { ORGANIZATION_HEADER } from './organization-header.ts';

/** The gateway's public address and its sessions. */
export type Site = {
  /** Throws `forbidden` with the reason if browsers cannot sign in here. */
  publicAddress(): PublicAddress;
  /** The address of a link with this secret; `null` if browsers cannot sign in here. */
  linkTo(secret: string): string | null;
  /** True if the address is that of a trusted proxy. */
  isTrustedProxy(address: string): boolean;
  checkSession: SessionChecker;
  /** True if the session, as it was read, has expired. */
  isOver(session: Session): boolean;
  /** Rejects with `not_signed_in` if the session has ended since it was checked. Writes nothing. */
  demandSignedIn(signedIn: SignedIn): Promise<void>;
  /** The caller for a person's model calls in a project (`null`: the default one). Rejects without permission. */
  callerFor(signedIn: SignedIn, asked: { projectId: string | null; visit: Visit }): Promise<Caller>;
  /** Rejects with `forbidden` if they may no longer call models there. */
  demandCalls(signedIn: SignedIn, asked: { projectId: string | null; visit: Visit }): Promise<unknown>;
  /** Throws `recent_sign_in_required` if the sign-in is too old for sensitive changes. */
  demandRecent(signedIn: SignedIn): void;
};

/** The browser of a request, with its session. */
export type Browser = {
  visit: Visit;
  /** `null`: not signed in. */
  signedIn: SignedIn | null;
  /** Sets the session cookie, until the session ends (Unix ms). */
  keep(secret: string, endsAt: number): void;
  /** Deletes the session cookie. */
  forget(): void;
};

/**
 * The callers that a route admits: keys; any browser; signed-in people; or keys and people, where a key takes precedence.
 */
export type Callers = 'keys' | 'visitors' | 'people' | 'keys_or_people';

/** With the prefix `__Host-`, browsers send it only to this host, and only over TLS or to localhost. */
export const SESSION_COOKIE = '__Host-headgate';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Admits a browser, before its body is read, and notes it at the request. Rejects with `not_signed_in` where somebody must
 * be signed in and is not, and with `forbidden` where no cookie may be given here, or another site has the browser ask.
 */
export async function admitBrowser(
  site: Site,
  { request, now }: { request: FastifyRequest; now: number },
): Promise<void> {
  const address = site.publicAddress();
  demandCookiesAreSafe(request.raw, site, address);
  if (!SAFE_METHODS.includes(request.method)) demandOwnOrigin(request.raw, address);
  const { context } = request;
  const browser: Browser = {
    visit: visitOf(request, site),
    signedIn: null,
    keep(secret, endsAt) {
      const seconds = Math.max(0, Math.floor((endsAt - now) / 1000));
      context.setCookie = `${SESSION_COOKIE}=${secret}; ${ATTRIBUTES}; Max-Age=${seconds}`;
    },
    forget() {
      context.setCookie = `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
    },
  };
  request.browser = browser;
  await admitSession(site, request, browser);
}

/**
 * Finds out who is signed in at a browser, and notes it there. It is asked when the head of a request has come, and again
 * once a slow body is whole. Rejects as `admitBrowser` does.
 */
export async function admitSession(site: Site, request: FastifyRequest, browser: Browser): Promise<void> {
  const mustBeSignedIn = request.routeOptions.config.callers !== 'visitors';
  const secret = readCookie(request.raw);
  browser.signedIn = null;
  if (secret === null && !mustBeSignedIn) return;
  try {
    // Whoever signs in may have a cookie of somebody else.
    const organizationId = mustBeSignedIn ? organizationOf(request) : null;
    const { signedIn, renewed } = await site.checkSession(secret ?? '', organizationId);
    browser.signedIn = signedIn;
    if (renewed !== null) browser.keep(renewed, signedIn.session.endsAt);
  } catch (error) {
    const hasNone = error instanceof GatewayError && error.kind === 'not_signed_in';
    if (mustBeSignedIn || !hasNone) throw error;
  }
}

/**
 * Looks again and again at a person who was let in for longer than a moment: `undefined`, or a promise that rejects with
 * the error that they would get now. Storage is asked where something may have changed since it was asked last, or the
 * session's time is over.
 *
 * @param demand - rejects where they may no more what they were let in for
 */
export function personAgain(
  { site, keys }: { site: Site; keys: Pick<KeyChecker, 'version'> },
  signedIn: SignedIn,
  demand: () => Promise<unknown>,
): () => undefined | Promise<void> {
  let seen: number | null = null;
  return () => {
    const { version } = keys;
    if (version === seen && !site.isOver(signedIn.session)) return;
    const asked = site.demandSignedIn(signedIn).then(demand);
    return asked.then(() => {
      seen = version;
    });
  };
}

function organizationOf({ headers, query }: FastifyRequest): string | null {
  const asked = headers[ORGANIZATION_HEADER] ?? (query as Readonly<Record<string, unknown>>)[ORGANIZATION_HEADER];
  return typeof asked === 'string' && asked !== '' ? asked : null;
}

/** The origin of a request, as reported by trusted proxies. */
function visitOf({ raw, context }: Pick<FastifyRequest, 'raw' | 'context'>, site: Site): Visit {
  const userAgent = raw.headers['user-agent'] ?? null;
  return { requestId: context.requestId, address: clientAddress(raw, site), userAgent };
}

/**
 * The last address that is not a trusted proxy, in canonical form (`callerIpAddress`); the peer's address if it is not a
 * trusted proxy. `null` if a trusted proxy reported an invalid address.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  site: Pick<Site, 'isTrustedProxy'>,
): string | null {
  return addressBefore(socket, headers['x-forwarded-for'], site);
}

/** The address to check against a key's IP ranges, computed on demand. */
export function peerOf(raw: Pick<IncomingMessage, 'socket' | 'headers'>, site: Pick<Site, 'isTrustedProxy'>): Peer {
  return {
    get remoteAddress() {
      return clientAddress(raw, site) ?? undefined;
    },
  };
}

/** @param forwardedFor - the header `X-Forwarded-For`; repeated headers joined by commas */
export function addressBefore(
  { remoteAddress }: Peer,
  forwardedFor: string | readonly string[] | undefined,
  { isTrustedProxy }: Pick<Site, 'isTrustedProxy'>,
): string | null {
  let address = callerIpAddress(remoteAddress ?? '');
  const hops = String(forwardedFor ?? '').split(',');
  while (address !== null && isTrustedProxy(address)) {
    const before = hops.pop()?.trim() ?? '';
    if (before === '') break;
    address = callerIpAddress(before);
  }
  return address;
}

/** The session secret of a request; `null` if there is none or more than one. */
export function readCookie({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`));
  return found.length === 1 ? found[0]!.slice(SESSION_COOKIE.length + 1) : null;
}

/** Browsers keep a `Secure` cookie for this machine itself, and for what they reach over TLS, which a proxy has to end. */
function demandCookiesAreSafe({ socket, headers }: IncomingMessage, site: Site, { origin }: PublicAddress): void {
  if (origin.startsWith('http:')) return;
  if (!site.isTrustedProxy(socket.remoteAddress ?? ''))
    throw new GatewayError(
      'forbidden',
      `People sign in over TLS alone, at ${origin}. This request came from no proxy that is named in \`server.trusted_proxies\`.`,
    );
  if (
    String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() !== 'https'
  )
    throw new GatewayError(
      'forbidden',
      'People sign in over TLS alone, and the proxy did not say `X-Forwarded-Proto: https`.',
    );
}

/** Another site can make a browser send a request with cookies, but cannot forge its `Origin`. */
function demandOwnOrigin({ headers }: IncomingMessage, { origin }: PublicAddress): void {
  if (headers.origin === origin) return;
  throw new GatewayError(
    'forbidden',
    `What a signed-in person changes must come from ${origin}: the header \`Origin\` ${headers.origin === undefined ? 'is missing' : 'names another'}.`,
  );
}
