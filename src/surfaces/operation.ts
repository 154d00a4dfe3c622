import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Caller } from '../core/ports.ts';
import type { Front } from '../http/answer-headers.ts';
import { sendJson } from '../http/server.ts';
import { unknownPath } from '../http/unknown-path.ts';
import { jsonBody } from './json-body.ts';
import type { Written } from './schema.ts';

/**
 * One operation of the HTTP API. It is written once: its `serve` checks what comes by its schemas, the
 * type checker holds the handler to its answer, and `openapi/document.ts` describes it in `/openapi.json`.
 */
export type Operation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> = OperationDescription<Query, Body> & { id: string; method: Method; path: string };

type Method = 'GET' | 'POST';

type OperationDescription<Query extends z.ZodObject, Body extends z.ZodType> = {
  tag: 'Models' | 'Catalog' | 'Usage' | 'Operation';
  summary: string;
  description?: string;
  /**
   * Who may call it: anyone; holders of any key; or of an administrator’s key alone, where `admin` begins the sentence that
   * others are told. `metrics`: as `GET /metrics` says.
   */
  access: 'anyone' | 'key' | { admin: string } | 'metrics';
  /** What `{id}` is. */
  idDescription?: string;
  /** Members that are not in it are passed over. */
  query?: Query;
  /** `unchecked`: the handler reads the bytes itself, as where a dialect’s own reader says what is wrong with them. */
  body?: { schema: Body; description?: string; unchecked?: true };
  answer: { description: string; schema: z.ZodType; mediaType?: string };
  /** Further answers that are no errors of the gateway's, by status. */
  otherAnswers?: Readonly<Record<number, { description: string; schema: z.ZodType }>>;
  /** Errors beside those that come of `access`, `query` and `body`. */
  errors?: readonly ErrorKind[];
};

/** What an operation's query is once it is checked. */
export type QueryOf<Described extends Operation> = z.output<NonNullable<Described['query']>>;

/** What a handler is given: all of it checked. */
export type CheckedRequest<Query extends z.ZodObject, Body extends z.ZodType> = {
  caller: Caller;
  id: string;
  query: z.output<Query>;
  body: z.output<Body>;
  request: FastifyRequest;
};

/** Where operations are served. */
export type HttpApi = { app: FastifyInstance; front: Front };

/** An operation with the means to serve it. */
export type ServedOperation<Query extends z.ZodObject, Body extends z.ZodType, Answer> = Operation<Query, Body> & {
  /**
   * Serves it for holders of keys: JSON with status 200 is answered, or the `GatewayError` with which `handle` rejects.
   */
  serve(served: HttpApi, handle: Handler<Query, Body, Answer>): void;
};

type Handler<Query extends z.ZodObject, Body extends z.ZodType, Answer> = (
  asked: CheckedRequest<Query, Body>,
) => Answer | Promise<Answer>;

/**
 * Describes an operation.
 *
 * @param id the `operationId`, after which clients name their functions
 * @param route method and path; part of the path may be `{id}`, which stands for anything, slashes too
 */
export function operation<
  Answer extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
>(
  id: string,
  route: `${Method} /${string}`,
  description: OperationDescription<Query, Body> & { answer: { schema: Answer } },
): ServedOperation<Query, Body, Written<Answer>> {
  const [method, path] = route.split(' ') as [Method, string];
  const described = { ...description, id, method, path };
  return { ...described, serve: (served, handle) => serve(served, described, handle) };
}

function serve<Query extends z.ZodObject, Body extends z.ZodType, Answer>(
  { app, front }: HttpApi,
  described: Operation<Query, Body>,
  handle: Handler<Query, Body, Answer>,
): void {
  const { method, path, access } = described;
  const [head = '', tail] = path.split('{id}');
  // In Fastify's patterns nothing can follow what may have slashes: the rest of the path is checked with the id.
  const url = tail === undefined ? head : `${head}*`;
  const shown = path.replace('{id}', '*');
  app.route({
    method,
    url,
    config: { shown },
    handler: async (request, reply) => {
      const id = tail === undefined ? '' : idOf(request, { method, path: shown, tail });
      const caller = request.context.caller!;
      if (typeof access === 'object') demandAdministrator(caller, access.admin);
      const asked = { caller, id, request, query: queryOf(described, request), body: bodyOf(described, request) };
      sendJson({ front, request, reply }, 200, await handle(asked as CheckedRequest<Query, Body>));
      return reply;
    },
  });
}

function idOf({ params, method, url }: FastifyRequest, shown: { method: string; path: string; tail: string }): string {
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
    `${what} is for administrators’ keys: \`headgate keys create --admin\` makes one.`,
  );
}

/** A parameter that stands twice is a list in Fastify's query; one that is empty counts as left out. */
function queryOf({ query: schema }: Operation, { query }: FastifyRequest): unknown {
  if (schema === undefined) return {};
  const given: Record<string, unknown> = {};
  for (const [param, value] of Object.entries(query as Record<string, string | string[]>)) {
    if (value === '' || !Object.hasOwn(schema.shape, param)) continue;
    if (Array.isArray(value)) throw new GatewayError('invalid_request', `\`${param}\` may be given once.`, { param });
    given[param] = value;
  }
  return checked(schema, given);
}

function bodyOf({ body }: Operation, request: FastifyRequest): unknown {
  if (body === undefined || body.unchecked) return undefined;
  return checked(body.schema, jsonBody(request.body));
}

/** The first fault is told: `` `score` must be from 0 to 1. `` */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const unknownMember = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const param = [...issue.path, ...unknownMember].join('.');
  if (param === '') throw new GatewayError('invalid_request', 'The body must be an object.');
  const fault = unknownMember.length > 0 ? 'is not known here' : issue.message;
  throw new GatewayError('invalid_request', `\`${param}\` ${fault}.`, { param });
}
