import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { openAiErrorBody } from '../core/error-body.ts';
import { GatewayError } from '../core/errors.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { Clock, Ids } from '../core/ports.ts';
import { OPENAI_STYLE, type RequestContext } from './answer-headers.ts';
import { type ServedPath, unknownPath } from './unknown-path.ts';

/** A route of the HTTP API, for the server and for `OperatorApp`. `url` has `:name` for a segment, or ends with `*`. */
export type AppRoute = {
  method: string;
  url: string;
  config: FastifyContextConfig;
  handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
};

/** Where operations are registered. */
export type App = { route(route: AppRoute): unknown };

/** The origin of a request by the operator. Only `OperatorApp` makes one, so no request from a network has it. */
export type OperatorOrigin = Pick<OperatorRequest, 'organizationId'>;

type CompiledRoute = AppRoute & { pattern: RegExp; names: readonly string[] };

/**
 * Serves routes of the HTTP API to the operator, in this process and without a server: the caller is always the operator.
 * It takes nothing from a network, and needs no key.
 */
export class OperatorApp implements App {
  readonly #parts: { clock: Clock; ids: Pick<Ids, 'requestId'> };
  readonly #routes: CompiledRoute[] = [];

  constructor(parts: { clock: Clock; ids: Pick<Ids, 'requestId'> }) {
    this.#parts = parts;
  }

  route(route: AppRoute): void {
    const names = [...route.url.matchAll(/:(\w+)|\*/g)].map(([, name = '*']) => name);
    const pattern = route.url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)').replace('*', '(.*)');
    this.#routes.push({ ...route, names, pattern: new RegExp(`^${pattern}$`) });
    // As in the server, a word of a path takes precedence over a name.
    this.#routes.sort((one, other) => one.names.length - other.names.length);
  }

  /** Answers with the operation's JSON or an error body. Rejects with faults of the gateway. */
  async ask(asked: OperatorRequest): Promise<OperatorAnswer> {
    const [pathname = '', search = ''] = asked.path.split(/\?(.*)/s);
    try {
      const found = this.#routes.find(({ method, pattern }) => method === asked.method && pattern.test(pathname));
      if (found === undefined) throw unknownPath(this.#routes.map(servedPath), asked.method, pathname);
      const answer = new TextReply();
      const params = paramsOf(found, pathname);
      await found.handler(this.#request(asked, params, search), answer as unknown as FastifyReply);
      return { status: answer.status, body: answer.body };
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind === 'internal') throw error;
      return { status: error.status, body: errorBody(error) };
    }
  }

  /** The members of a request that operations read. */
  #request(asked: OperatorRequest, params: Readonly<Record<string, string>>, search: string): FastifyRequest {
    const { clock, ids } = this.#parts;
    const context: RequestContext = {
      requestId: ids.requestId(),
      style: OPENAI_STYLE,
      clientRequestId: null,
      startedAt: clock.monotonic(),
      caller: null,
      isPrivate: true,
    };
    const operator: OperatorOrigin = { organizationId: asked.organizationId };
    const body = asked.body === '' ? undefined : Buffer.from(asked.body);
    const raw = { headers: {}, rawHeaders: [] };
    const { method, path: url } = asked;
    const request = { method, url, params, query: queryIn(search), body, raw, context, browser: null, operator };
    return request as unknown as FastifyRequest;
  }
}

/** The members of a reply that operations use. */
class TextReply {
  status = 200;
  body = '';
  readonly raw = { destroyed: false };

  code(status: number): this {
    this.status = status;
    return this;
  }

  header(): this {
    return this;
  }

  send(body: string): this {
    this.body = body;
    return this;
  }
}

function servedPath({ method, url, config }: AppRoute): ServedPath {
  return { method, path: config.shown ?? url };
}

/** Throws `not_found` if a segment is not encoded correctly. */
function paramsOf({ pattern, names }: CompiledRoute, pathname: string): Record<string, string> {
  const values = pattern.exec(pathname)?.slice(1) ?? [];
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
  } catch (cause) {
    throw new GatewayError('not_found', 'The path is not encoded correctly.', { cause });
  }
}

/** A repeated name has a list of values. */
function queryIn(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  const given = new URLSearchParams(search);
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    query[name] = values.length === 1 ? values[0]! : values;
  }
  return query;
}

/** The operator also learns why the storage failed, and every problem of a text. */
function errorBody(error: GatewayError): string {
  const { kind, message, cause } = error;
  const isStorage = kind === 'storage_unavailable' && cause instanceof Error;
  const told = isStorage ? error.with({ message: `${message} (${cause.message})` }) : error;
  if (!('problems' in error)) return openAiErrorBody(told);
  const body = JSON.parse(openAiErrorBody(told)) as { error: object };
  return JSON.stringify({ error: { ...body.error, problems: error.problems } });
}
