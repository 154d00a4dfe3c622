import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import { errorMeaning, GatewayError, stoppingError } from '../core/errors.ts';
import type { Caller, DisconnectReason } from '../core/ports.ts';
import { type LimitSubject, rateSubject } from '../core/records.ts';
import type { RefusedCall, RefusedSender } from '../core/refused-calls.ts';
import { type AnswerStyle, errorHeaders, type Front, type RequestContext, styleFor } from './answer-headers.ts';
import { authenticate, type RequestHead, readRequestHead, shownCredential } from './authenticate.ts';
import { discardBody, receiveBody } from './body.ts';
import { createBrokenRequests } from './broken-request.ts';
import {
  admitBrowser,
  admitSession,
  type Browser,
  type Callers,
  clientAddress,
  peerOf,
  readCookie,
  type Site,
} from './browser.ts';
import type { ConnectionLimits } from './caller-connections.ts';
import type { ReceivedBodies } from './received-bodies.ts';
import { JSON_TYPE, sendText, setHeaders } from './send.ts';
import { methodsOf, type ServedPath, styleNear, unknownPath } from './unknown-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
    /** The browser of a request without a key on a route for people. */
    browser: Browser | null;
  }
  interface FastifyContextConfig {
    style?: AnswerStyle;
    /** True if calls count against limits themselves. Other requests under `/v1` count as one request of the key. */
    takesFromLimits?: boolean;
    /** The path in lists of routes, if the pattern is not clear. */
    shown?: string;
    /** The admitted callers of paths under `/v1` (default: keys). */
    callers?: Callers;
  }
}

/** Sizes in bytes; `requestTimeout` is how long a request may take to arrive, in ms; rates are per minute. */
export type RequestLimits = ConnectionLimits & {
  personRequestsPerMinute: number;
  maxBody: number;
  maxReceiving: number;
  maxHeader: number;
  requestTimeout: number;
};

export type ServerOptions = {
  /** Read for each request, since a reload may change them. */
  limits(): RequestLimits;
  front: Front;
  site: Site;
  /** True if the gateway is stopping: calls are then refused, so that another instance gets them. */
  stopping(): boolean;
  /** The bytes of bodies that are being received. */
  receivedBodies: ReceivedBodies;
  /** Answers a browser that asks for a page, under a path that is none of the API's. `false`: there is none to answer with. */
  answerPage(request: FastifyRequest, reply: FastifyReply): boolean;
  /** Called for internal errors of the gateway. */
  onFault(error: unknown, requestId: string): void;
  /** Called with the key of each admitted request other than model calls. */
  onUsed(keyId: string): void;
  /** Called for each model call that is refused before its body is read, or has an unknown path. */
  onRefused(call: RefusedCall): void;
  /** Called for each caller that was disconnected because of a limit. */
  onDisconnected(why: DisconnectReason): void;
};

/** The largest body of an unknown caller: enough for a sign-in. */
const MAX_VISITORS_BODY = 64 * 1024;
/** Longer than load balancers keep idle connections (60 s), so that they close first. */
export const KEEP_ALIVE_MS = 75_000;
/** How often Node checks for late requests. Its default of 30 s would add that much delay. */
const LOOK_FOR_LATE_MS = 1_000;

/** The server with everything that routes share: ids, authentication under `/v1`, bodies as bytes, headers and errors. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { front } = options;
  const routes: ServedPath[] = [];
  const broken = createBrokenRequests(front, () => options.limits().maxHeader);
  const app = fastify({
    logger: false,
    // A request without `Host` is refused by `readRequestHead`: Node would do it without the headers of every answer.
    http: { noDelay: true, requireHostHeader: false, connectionsCheckingInterval: LOOK_FOR_LATE_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    // Long ids must reach the handler, which answers "not found".
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER },
    clientErrorHandler: ({ code }, socket) => broken.refuse(code, socket),
    frameworkErrors: (error, request, reply) => {
      begin(front, request);
      sendError(front, request, reply, asGatewayError(error));
    },
  });

  app.decorateRequest('context');
  app.decorateRequest('browser', null);
  app.addHook('onRoute', (route) => void routes.push(...served(route)));
  const letSend = takeExpectations(app.server);
  app.removeAllContentTypeParsers();
  // The payload is the request itself, since no hook replaces it.
  app.addContentTypeParser('*', (request, payload, done) => {
    const received = options.receivedBodies.begin(request.context.caller?.key.id ?? '');
    const bounds = { maxBytes: largestBody(request, options.limits()), received };
    const body = payload as IncomingMessage;
    receiveBody(body, bounds, letSend, body.complete ? done : admittedAgain(options, request, done));
  });
  app.addHook('onRequest', (request, reply, done) => {
    broken.begun(reply.raw);
    const head = begin(front, request);
    if (head instanceof GatewayError) return done(head);
    // Before the body is read: a caller must not have to send one to learn that the path does not exist.
    if (request.is404) {
      if (options.answerPage(request, reply)) return;
      return refuseUnknown(options, { request, reply, head }, routes);
    }
    // Use the route, not the URL, which can be written in several ways (`/%761/usage`).
    // LiteLLM's clients omit the version here.
    const { url } = request.routeOptions;
    if (!url?.startsWith('/v1/') && url !== '/model/info') return done();
    if (options.stopping()) return discardBody(request.raw, () => done(stoppingError()));
    if (isForKeys(request, head)) return admit(options, request, head, done);
    admitPerson(options, request).then(() => done(), done);
  });
  app.setErrorHandler((error, request, reply) => {
    const known = asGatewayError(error);
    if (known.kind === 'internal') options.onFault(error, request.context.requestId);
    // Fastify closes the connection of a body that was refused, under a caller who still sends it and so never sees the
    // answer. `receiveBody` reads the rest away instead.
    reply.removeHeader('connection');
    // The next request is meant for another instance, so this connection is closed.
    if (known.kind === 'shutting_down') reply.header('connection', 'close');
    if (request.routeOptions.config.takesFromLimits === true) options.onRefused(refusedCall(options, request, known));
    sendError(front, request, reply, known);
  });
  // Without a listener, this event would end the process. A failure to listen is reported elsewhere.
  app.server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall === 'accept') options.onDisconnected('handles');
  });
  applyLimits(app, options.limits());
  return app;
}

/** Every GET also answers HEAD, which is not listed. */
function served({ method, url, config }: RouteOptions): ServedPath[] {
  const methods = [method].flat().filter((each) => each !== 'HEAD');
  return methods.map((each) => ({ method: each, path: config?.shown ?? url, style: config?.style }));
}

function largestBody({ routeOptions }: FastifyRequest, { maxBody }: RequestLimits): number {
  return routeOptions.config.callers === 'visitors' ? Math.min(MAX_VISITORS_BODY, maxBody) : maxBody;
}

/** Handles requests with `Expect`. Returns the function that tells a waiting caller to send its body. */
function takeExpectations(server: Server): (request: IncomingMessage) => void {
  // A caller that sends `Expect: 100-continue` is told to send its body only once the head has passed every check.
  const waiting = new WeakMap<IncomingMessage, ServerResponse>();
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  // An unknown expectation is ignored: Node would refuse it without the headers of every answer.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return (request) => waiting.get(request)?.writeContinue();
}

/** Applies the limits that Node enforces. Open connections keep their header size limit. */
export function applyLimits(app: FastifyInstance, limits: RequestLimits): void {
  const server = app.server as typeof app.server & { maxHeaderSize: number };
  server.maxHeaderSize = limits.maxHeader;
  server.requestTimeout = limits.requestTimeout;
  server.headersTimeout = limits.requestTimeout;
}

/** Sends an error in the body that the route's callers read. */
function sendError(front: Front, request: FastifyRequest, reply: FastifyReply, error: GatewayError): void {
  const { style, requestId } = request.context;
  setHeaders(reply, errorHeaders(error));
  sendText({ front, request, reply }, error.status, JSON_TYPE, style.writeError(error, requestId));
}

type UnknownRequest = { request: FastifyRequest; reply: FastifyReply; head: RequestHead };

function refuseUnknown(
  options: ServerOptions,
  { request, reply, head }: UnknownRequest,
  routes: readonly ServedPath[],
): void {
  request.context.style = styleFor(styleNear(routes, request.url), request.raw);
  const methods = methodsOf(routes, request.url);
  if (methods.length > 0) reply.header('allow', methods.join(', '));
  const error = unknownPath(routes, request.method, request.url);
  // Models are called with `POST`, so this may be a call whose address was set up wrong.
  if (request.method === 'POST') tellUnknown(options, request, { error, head });
  sendError(options.front, request, reply, error);
}

/** The call belongs to whose key came with it. The path of anybody else may hold a secret, so it is left out. */
function tellUnknown(
  options: ServerOptions,
  request: FastifyRequest,
  { error, head }: { error: GatewayError; head: RequestHead },
): void {
  const ofKey = ({ key }: Caller) => options.onRefused({ ...refusedCall(options, request, error), key, sender: null });
  const ofNobody = () =>
    options.onRefused({ ...refusedCall(options, request, error), message: errorMeaning(error.kind) ?? '' });
  try {
    const found = authenticate(head, options.front.keys, peerOf(request.raw, options.site));
    if (found instanceof Promise) void found.then(ofKey, ofNobody);
    else ofKey(found);
  } catch {
    ofNobody();
  }
}

function refusedCall(
  { front: { clock }, site }: ServerOptions,
  request: FastifyRequest,
  { status, kind, message, param }: GatewayError,
): RefusedCall {
  const { requestId, clientRequestId, caller, startedAt } = request.context;
  const key = caller?.key ?? null;
  return {
    ...{ requestId, clientRequestId, key, message, param, tool: null, model: null },
    sender: key === null ? senderOf(request.raw, site) : null,
    ...{ at: clock.now(), httpStatus: status, errorKind: kind, latencyMs: clock.monotonic() - startedAt },
  };
}

function senderOf(raw: IncomingMessage, site: Site): RefusedSender {
  const head = readRequestHead(raw);
  const key = head instanceof GatewayError ? null : shownCredential(head);
  return { key, address: clientAddress(raw, site) };
}

/** Gives the request its id and reads its head; a head that is not valid is returned as an error. */
function begin(front: Front, request: FastifyRequest): RequestHead | GatewayError {
  request.context = {
    requestId: front.ids.requestId(),
    style: styleFor(request.routeOptions?.config?.style, request.raw),
    clientRequestId: null,
    startedAt: front.clock.monotonic(),
    caller: null,
    isPrivate: true,
  };
  const head = readRequestHead(request.raw);
  if (head instanceof GatewayError) return head;
  request.context.clientRequestId = head.clientRequestId;
  request.context.isPrivate = mayDependOnCookie(request, head);
  return head;
}

/** True if a cookie came, was looked for, or may be given: whoever keeps the answer must not give it to somebody else. */
function mayDependOnCookie(
  { routeOptions }: FastifyRequest,
  { authorization, apiKey, hasCookie }: RequestHead,
): boolean {
  const callers = routeOptions?.config?.callers ?? 'keys';
  if (hasCookie || callers === 'visitors' || callers === 'people') return true;
  return callers === 'keys_or_people' && authorization === null && apiKey === null;
}

/** Authenticates the caller and counts the request, before the body is read. A warm key needs no promise. */
function admit(
  { front, site, onUsed }: ServerOptions,
  request: FastifyRequest,
  head: RequestHead,
  done: (error?: Error) => void,
): void {
  const accept = (caller: Caller) => {
    request.context.caller = caller;
    if (request.routeOptions.config.takesFromLimits === true) return done();
    const letIn = () => {
      onUsed(caller.key.id);
      done();
    };
    try {
      const counting = countRequest(front, caller.key);
      if (counting instanceof Promise) counting.then(letIn, done);
      else letIn();
    } catch (error) {
      done(error as Error);
    }
  };
  try {
    const caller = authenticate(head, front.keys, peerOf(request.raw, site));
    if (caller instanceof Promise) caller.then(accept, done);
    else accept(caller);
  } catch (error) {
    done(error as Error);
  }
}

type BodyDone = (error: Error | null, body?: Buffer) => void;

/** Passes on a complete body if its caller is still admitted. */
function admittedAgain(options: ServerOptions, request: FastifyRequest, done: BodyDone): BodyDone {
  return (error, body) => {
    if (error !== null) return done(error);
    const goOn = () => done(null, body);
    try {
      const looked = admitAgain(options, request);
      if (looked === undefined) goOn();
      else looked.then(goOn, done);
    } catch (refusal) {
      done(refusal as Error);
    }
  };
}

/**
 * Looks again at who sent a request, once its body is whole: what let them in may have ended while it came. A warm key needs no
 * promise.
 */
function admitAgain({ front, site }: ServerOptions, request: FastifyRequest): undefined | Promise<void> {
  const { context, browser, raw } = request;
  if (context.caller === null) return browser === null ? undefined : admitSession(site, request, browser);
  const asked = front.keys.again(context.caller, peerOf(raw, site));
  if (asked instanceof Promise)
    return asked.then((caller) => {
      context.caller = caller;
    });
  context.caller = asked;
}

/** True if the holder of a key is asked for: always, but on paths for people, where a session may do. */
function isForKeys({ routeOptions, raw }: FastifyRequest, { authorization, apiKey }: RequestHead): boolean {
  const { callers = 'keys' } = routeOptions.config;
  if (callers !== 'keys_or_people') return callers === 'keys';
  return authorization !== null || apiKey !== null || readCookie(raw) === null;
}

/** Finds the signed-in person and counts the request, before the body is read. */
async function admitPerson(options: ServerOptions, request: FastifyRequest): Promise<void> {
  await admitBrowser(options.site, { request, now: options.front.clock.now() });
  await countPerson(options, request);
}

/**
 * Takes one request from what a person may ask, in all their browsers together; what visitors may do is bounded by how they
 * sign in. Rejects with a `GatewayError` (429).
 */
async function countPerson({ front, limits }: ServerOptions, request: FastifyRequest): Promise<void> {
  const person = request.browser?.signedIn?.person;
  if (person === undefined || request.routeOptions.config.callers === 'visitors') return;
  const requestsPerMinute = limits().personRequestsPerMinute;
  const subject = rateSubject(person.id, { requestsPerMinute, tokensPerMinute: null });
  request.context.person = subject;
  try {
    await countRequest(front, subject);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'rate_limit_exceeded') throw error;
    const message =
      `You may make ${requestsPerMinute} requests per minute, in all your browsers together ` +
      `(\`limits.person_requests_per_minute\`). Retry in ${error.retryAfterMs} ms.`;
    throw error.with({ message });
  }
}

/** Takes one request, no tokens and no money from the subject's limits. Throws, or rejects with, a `GatewayError` (429). */
function countRequest({ limiter }: Front, subject: LimitSubject): undefined | Promise<void> {
  const reserved = limiter.reserve(subject, { tokens: 0, cost: 0n, model: '' });
  if (reserved instanceof Promise) return reserved.then((reservation) => reservation.settle(0, 0n));
  reserved.settle(0, 0n);
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode === 415) {
    return new GatewayError('unsupported_media_type', 'The body must be sent with `Content-Type: application/json`.', {
      cause: error,
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new GatewayError('invalid_http', `The request could not be read: ${message ?? 'it is malformed'}.`, {
      cause: error,
    });
  }
  return new GatewayError('internal', 'The gateway failed to answer this request.', { cause: error });
}
