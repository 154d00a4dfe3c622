import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Administrator } from '../core/administrator.ts';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { SignedIn } from '../core/people.ts';
import type { Permission } from '../core/permissions.ts';
import type { Caller } from '../core/ports.ts';
import { HttpAnswer } from '../http/answer.ts';
import type { AnswerFront, AnswerStyle, Front } from '../http/answer-headers.ts';
import type { ApiReply, ApiRequest, App, AppRoute, ServerApp } from '../http/api-request.ts';
import type { Browser, Callers, Site } from '../http/browser.ts';
import { jsonInTurns } from '../http/in-turns.ts';
import { ORGANIZATION_HEADER } from '../http/organization-header.ts';
import { JSON_TYPE, sendJson, sendText } from '../http/send.ts';
import { unknownPath } from '../http/unknown-path.ts';
import type { CallerTurns } from './caller-turns.ts';
import { settingsBody } from './json-body.ts';
import type { Written } from './schema.ts';

/**
 * One operation of the HTTP API, written once: `serve` checks requests by its schemas, the type checker checks the
 * handler's answer, and `openapi/document.ts` describes it in `/openapi.json`.
 */
export type Operation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> = OperationDescription<Query, Body> & { id: string; method: Method; path: string };

type Method = 'GET' | 'POST' | 'DELETE';

type OperationDescription<Query extends z.ZodObject, Body extends z.ZodType> = {
  /**
   * Where the client libraries have it, if the official ones lack it: `settings.budgets.list` is the method `list` of
   * `client.settings.budgets`, in camel case.
   */
  client?: string;
  tag: 'Models' | 'Catalog' | 'Usage' | 'Organization' | 'Sign-in' | 'Operation';
  summary: string;
  description?: string;
  /**
   * Who may call it:
   *
   * - `anyone`; `key`: any key; `visitor`: any browser; `person`: signed-in people.
   * - `people`: any key, and signed-in people with this permission.
   * - `admin`: administrators’ keys only. The value begins the refusal for others.
   * - `permission`: administrators of an organization with this permission; `null` for any, who see what they may.
   * - `metrics`: see `GET /metrics`.
   * - `operator`: commands alone. Over a network there is nothing at its path.
   * - `storeless`: commands alone, and no organization is looked up, so that no store is needed.
   *
   * `somewhere`: a permission in some project is enough, and the answer is limited to those projects. `grave`: a person
   * must have signed in recently. Everything that deletes with a permission is grave.
   */
  access:
    | 'anyone'
    | 'key'
    | { people: Permission; admin?: string; somewhere?: true }
    | { admin: string }
    | { permission: Permission | null; grave?: true; somewhere?: true }
    | PeopleAccess
    | 'metrics'
    | 'operator'
    | 'storeless';
  /** What `{id}` is. */
  idDescription?: string;
  /**
   * Unknown members are ignored, or refused if it is strict: ignoring an unknown filter would show more than was
   * requested. `name[]=a&name[]=b` is a list, `name[gt]=1` an object, as OpenAI's clients write them.
   */
  query?: Query;
  /** `unchecked`: the handler reads the bytes itself, for example if a dialect’s reader reports faults. */
  body?: { schema: Body; description?: string; unchecked?: true };
  answer: { description: string; schema: z.ZodType; mediaType?: string };
  /** Further answers that are not gateway errors, by status. */
  otherAnswers?: Readonly<Record<number, { description: string; schema: z.ZodType }>>;
  /** Errors beyond those of `access`, `query` and `body`. */
  errors?: readonly ErrorKind[];
  otherForm?: OtherForm;
  /**
   * It limits a caller's requests itself, as reports do, so it does not wait for a turn. Its answer, which may be long, is
   * written in turns of the event loop.
   */
  ownTurns?: true;
};

/** The format for another API's clients, identified by a header; `answer` has the schemas of both. */
export type OtherForm = {
  style: AnswerStyle & { onlyWith: string };
  /** The meaning of the header. */
  description: string;
  /** The query in this format; the handler checks it with `checkedQuery`. */
  query?: z.ZodObject;
  /** The body of errors, in both formats. */
  error: z.ZodType;
};

export type PeopleAccess = 'visitor' | 'person' | { person: 'grave' };

/** An operation's checked query. */
export type QueryOf<Described extends Operation> = z.output<NonNullable<Described['query']>>;

/** The path parameters of a template, without `{id}`. */
type PathOf<Route extends string> = Route extends string
  ? Readonly<Record<string, string>> & { readonly [name in NameIn<Route>]: string }
  : never;
type NameIn<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'id'> | NameIn<Rest>
  : never;

/** The checked input of a handler. */
export type CheckedRequest<Query extends z.ZodObject, Body extends z.ZodType, Route extends string = string> = {
  caller: Caller;
  /** For operations with a permission: the caller, who has it. */
  administrator: Administrator;
  /** For operations of visitors and people. */
  browser: Browser;
  /** For operations of people; `null` if a key calls an operation that is for both. */
  signedIn: SignedIn;
  id: string;
  /** Path parameters other than `{id}`. */
  path: PathOf<Route>;
  query: z.output<Query>;
  body: z.output<Body>;
  request: ApiRequest;
};

/** The same with the server's own request, for a stream. */
export type StreamRequest<Query extends z.ZodObject, Body extends z.ZodType, Route extends string = string> = Omit<
  CheckedRequest<Query, Body, Route>,
  'request'
> & { request: FastifyRequest };

/** Who sends a request: an administrator for operations with a permission, and a caller where one is known. */
export type FoundCaller = { administrator: Administrator | null; caller: Caller | null };

/**
 * Finds who sends a request, and what they may do now. A person is a caller as a key of theirs that reads the usage of the
 * whole organization and calls nothing. Rejects with `forbidden` without the permission that the operation needs, and
 * with `not_found` for operations of the operator, unless a command sends the request.
 */
export type FindCaller = (asked: ApiRequest, access: Operation['access']) => Promise<FoundCaller>;

/** Where operations are served. */
export type HttpApi = {
  app: App;
  front: AnswerFront;
  findCaller: FindCaller;
  site: Pick<Site, 'linkTo' | 'demandRecent'>;
  turns: CallerTurns;
};

/** The same at the HTTP server, which also answers with pages. */
export type ServerApi = HttpApi & { app: FastifyInstance; front: Front; site: Site };

/** An operation with the means to serve it. */
export type ServedOperation<
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer,
  Route extends string = string,
> = Operation<Query, Body> & {
  /** The operation with its handler, for the list of a resource. The handler gets the parts that the resource needs. */
  handledBy<Parts>(
    handle: (asked: CheckedRequest<Query, Body, Route>, parts: Parts) => Answer | Promise<Answer>,
  ): HandledOperation<Parts>;
  /** Serves it as JSON with status 200, or with the `GatewayError` that `handle` rejects with. */
  serve(served: HttpApi, handle: Handler<Query, Body, Answer, Route>): void;
  /** Serves it as an event stream, which `begin` starts. Errors thrown before that are answered. */
  stream(
    served: HttpApi & { app: ServerApp },
    handle: (asked: StreamRequest<Query, Body, Route>, begin: () => HttpAnswer) => Promise<void>,
  ): void;
};

/** An operation that can be served with the parts that its handler needs, as `ServedOperation.serve` does. */
export type HandledOperation<Parts> = Operation & { serveWith(served: HttpApi, parts: Parts): void };

type Handler<Query extends z.ZodObject, Body extends z.ZodType, Answer, Route extends string> = (
  asked: CheckedRequest<Query, Body, Route>,
) => Answer | Promise<Answer>;

/**
 * Defines an operation.
 *
 * @param id the `operationId`, from which clients derive their functions
 * @param route method and path. The path may contain `{id}`, which matches anything including slashes, or several names
 * in braces, each for one segment
 */
export function operation<
  Answer extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  const Route extends `${Method} /${string}` = `${Method} /${string}`,
>(
  id: string,
  route: Route,
  description: OperationDescription<Query, Body> & { answer: { schema: Answer } },
): ServedOperation<Query, Body, Written<Answer>, Route> {
  const [method, path] = route.split(' ') as [Method, string];
  const described = { ...description, id, method, path };
  const serveJson = (served: HttpApi, handle: Handler<Query, Body, Written<Answer>, Route>) =>
    serve(served, served.app, described, async (asked: CheckedRequest<Query, Body, Route>, reply) => {
      const answering = { front: served.front, request: asked.request, reply };
      const body = await handle(asked);
      if (described.ownTurns) sendText(answering, 200, JSON_TYPE, await jsonInTurns(body));
      else sendJson(answering, 200, body);
    });
  return {
    ...described,
    serve: serveJson,
    handledBy: (handle) => ({
      ...(described as unknown as Operation),
      serveWith: (served, parts) => serveJson(served, (asked) => handle(asked, parts)),
    }),
    stream: (served, handle) =>
      serve(served, served.app, described, async (asked: StreamRequest<Query, Body, Route>, reply: FastifyReply) => {
        const { request } = asked;
        // The caller has left.
        if (request.method === 'HEAD') return sendText({ front: served.front, request, reply }, 200, EVENT_STREAM, '');
        await handle(asked, () => {
          reply.hijack();
          const answer = new HttpAnswer(served.front, request.context, reply.raw);
          answer.begin();
          return answer;
        });
      }),
  };
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

function serve<Asked extends { request: ApiRequest }, Reply extends ApiReply>(
  served: HttpApi,
  app: { route(route: AppRoute<Asked['request'], Reply>): unknown },
  described: Operation,
  answer: (asked: Asked, reply: Reply) => Promise<void>,
): void {
  const { method, path, access, otherForm } = described;
  const [head = '', tail] = path.split('{id}');
  // Fastify allows nothing after a wildcard, so the rest of the path is checked with the id.
  const url = tail === undefined ? head.replaceAll(/\{(\w+)\}/g, ':$1') : `${head}*`;
  const shown = path.replace('{id}', '*');
  const work = async (request: Asked['request'], reply: Reply): Promise<void> => {
    const id = tail === undefined ? '' : idOf(request, { method, path: shown, tail });
    const signedIn = request.browser?.signedIn ?? null;
    const { administrator, caller } = await served.findCaller(request, access);
    if (typeof access === 'object' && 'admin' in access && access.admin !== undefined)
      demandAdministrator(caller!, access.admin);
    // Keys have no time of sign-in.
    if (isGrave(described) && signedIn !== null) served.site.demandRecent(signedIn);
    const asked = {
      caller,
      administrator,
      browser: request.browser,
      signedIn,
      id,
      path: request.params,
      request,
      query: queryOf(described, request),
      body: bodyOf(described, request),
    };
    await answer(asked as unknown as Asked, reply);
  };
  app.route({
    method,
    url,
    config: { shown, callers: callersOf(access), ...(otherForm && { style: otherForm.style }) },
    handler: async (request, reply) => {
      const callerId = described.ownTurns ? null : callerIdOf(request);
      if (callerId === null) await work(request, reply);
      // Callers who left while waiting need no answer.
      else await served.turns.run(callerId, async () => reply.raw.destroyed || work(request, reply));
      return reply;
    },
  });
}

/** The caller whose requests are limited together: a person with all sessions and keys, or a key without a person. */
function callerIdOf({ browser, context: { caller } }: ApiRequest): string | null {
  if (browser?.signedIn) return browser.signedIn.person.id;
  if (caller === null) return null;
  const { id, owner } = caller.key;
  return owner?.type === 'user' ? owner.id : id;
}

function idOf({ params, method, url }: ApiRequest, shown: { method: string; path: string; tail: string }): string {
  const rest = (params as { '*': string })['*'];
  if (shown.tail === '') return rest;
  const id = rest.endsWith(shown.tail) ? rest.slice(0, -shown.tail.length) : '';
  if (id === '') throw unknownPath([shown], method, url);
  return id;
}

function demandAdministrator({ key }: Caller, what: string): void {
  if (key.admin) return;
  throw new GatewayError(
    'forbidden',
    `${what} is for administrators’ keys. Create one: \`headgate keys create --admin\`.`,
  );
}

function callersOf(access: Operation['access']): Callers {
  if (access === 'visitor') return 'visitors';
  if (isForPeople(access)) return 'people';
  return isForBoth(access) ? 'keys_or_people' : 'keys';
}

/** Whether both keys and signed-in people may call it. */
export function isForBoth(access: Operation['access']): boolean {
  return typeof access === 'object' && ('permission' in access || 'people' in access);
}

/** Whether only signed-in people may call it. */
export function isForPeople(access: Operation['access']): boolean {
  return access === 'person' || (typeof access === 'object' && 'person' in access);
}

/** Whether a person must have signed in recently. Deletions are permanent. */
export function isGrave({ access, method }: Pick<Operation, 'access' | 'method'>): boolean {
  if (typeof access !== 'object') return false;
  return 'person' in access || ('permission' in access && (access.grave === true || method === 'DELETE'));
}

function queryOf({ query: schema }: Operation, request: ApiRequest): unknown {
  return schema === undefined ? {} : checkedQuery(schema, request);
}

/** Fastify turns a repeated parameter into a list. An empty one counts as left out. */
export function checkedQuery<Query extends z.ZodObject>(schema: Query, { query }: ApiRequest): z.output<Query> {
  const given: Record<string, unknown> = Object.create(null);
  const isStrict = schema.def.catchall !== undefined;
  for (const [written, value] of Object.entries(query as Record<string, string | string[]>)) {
    const [, param = written, member] = /^([^[]+)\[([^\]]*)\]$/.exec(written) ?? [];
    if (value === '' || written === ORGANIZATION_HEADER) continue;
    if (!isStrict && !Object.hasOwn(schema.shape, param)) continue;
    if (member === '') given[param] = [value].flat();
    else if (Array.isArray(value))
      throw new GatewayError('invalid_request', `\`${param}\` may be given only once.`, { param });
    else if (member === undefined) given[param] = value;
    else given[param] = { ...(given[param] as object | undefined), [member]: value };
  }
  return checked(schema, given);
}

function bodyOf({ body }: Operation, request: ApiRequest): unknown {
  if (body === undefined || body.unchecked) return undefined;
  return checked(body.schema, settingsBody(request.body));
}

/** Reports the first fault: `` `score` must be from 0 to 1. `` */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const unknownMember = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const param = [...issue.path, ...unknownMember].join('.');
  if (param === '' && unknownMember.length === 0)
    throw new GatewayError('invalid_request', 'The body must be an object.');
  const fault = unknownMember.length > 0 ? 'is unknown' : faultOf(issue);
  throw new GatewayError('invalid_request', `\`${param}\` ${fault}.`, { param });
}

/** JSON types in the words of messages. */
const TYPES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};

/** The schema's own message, else ours for a wrong type. */
function faultOf(issue: z.core.$ZodIssue): string {
  const type = issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined;
  return type !== undefined && issue.message.startsWith('Invalid input') ? `must be ${type}` : issue.message;
}
