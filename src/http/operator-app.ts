import { openAiErrorBodyWith } from '../core/error-body.ts';
import { GatewayError } from '../core/errors.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { Clock, Ids } from '../core/ports.ts';
import { OPENAI_STYLE, type RequestContext } from './answer-headers.ts';
import type { ApiReply, ApiRequest, App, AppRoute } from './api-request.ts';
import { type ServedPath, unknownPath } from './unknown-path.ts';

type ApiRoute = AppRoute<ApiRequest, ApiReply>;
type CompiledRoute = ApiRoute & { pattern: RegExp; names: readonly string[] };

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

  route(route: ApiRoute): void {
    const names = [...route.url.matchAll(/:(\w+)|\*/g)].map(([, name = '*']) => name);
    const pattern = route.url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)').replace('*', '(.*)');
    this.#routes.push({ ...route, names, pattern: new RegExp(`^${pattern}$`) });
  }

  /** Answers with the operation's JSON or an error body. Rejects with faults of the gateway. */
  async ask(asked: OperatorRequest): Promise<OperatorAnswer> {
    const [pathname = '', search = ''] = asked.path.split(/\?(.*)/s);
    try {
      const fitting = this.#routes.filter(({ method, pattern }) => method === asked.method && pattern.test(pathname));
      // As in the server, a word of a path takes precedence over a name.
      const [found] = fitting.sort((one, other) => one.names.length - other.names.length);
      if (found === undefined) throw unknownPath(this.#routes.map(servedPath), asked.method, pathname);
      const answer = new TextReply();
      const params = paramsOf(found, pathname);
      await found.handler(this.#request(asked, params, search), answer);
      return { status: answer.status, body: answer.body };
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind === 'internal') throw error;
      return { status: error.status, body: errorBody(error) };
    }
  }

  #request(asked: OperatorRequest, params: Readonly<Record<string, string>>, search: string): ApiRequest {
    const { clock, ids } = this.#parts;
    const { method, path: url, organizationId } = asked;
    const context: RequestContext = {
      requestId: ids.requestId(),
      style: OPENAI_STYLE,
      clientRequestId: null,
      startedAt: clock.monotonic(),
      caller: null,
      isPrivate: true,
    };
    const body = asked.body === '' ? undefined : Buffer.from(asked.body);
    const query = queryIn(search);
    return {
      method,
      url,
      params,
      query,
      body,
      headers: {},
      raw: null,
      context,
      browser: null,
      operator: { organizationId },
    };
  }
}

/** Keeps the status and the body. Commands read no headers. */
class TextReply implements ApiReply {
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

  send(body: string): void {
    this.body = body;
  }
}

function servedPath({ method, url, config }: ApiRoute): ServedPath {
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
  return openAiErrorBodyWith(told, 'problems' in error ? { problems: error.problems } : {});
}
