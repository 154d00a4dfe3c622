import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorRequest } from '../core/operator.ts';

/** The origin of a request by the operator. Only `OperatorApp` makes one, so no request from a network has it. */
export type OperatorOrigin = Pick<OperatorRequest, 'organizationId'>;

/** A request as operations of the HTTP API read it: one of the server, or of a command. */
export type ApiRequest = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'context' | 'browser'> & {
  params: unknown;
  query: unknown;
  body: unknown;
  /** `null`: it came over no network. */
  raw: Pick<FastifyRequest['raw'], 'socket' | 'headers'> | null;
  operator?: OperatorOrigin;
};

/** What operations write an answer with. */
export type ApiReply = {
  /** `destroyed`: the caller has left. */
  raw: { destroyed: boolean };
  code(status: number): ApiReply;
  header(name: string, value: string): ApiReply;
  send(body: string): unknown;
};

/** A route of the HTTP API. `url` has `:name` for a segment, or ends with `*`. */
export type AppRoute<Request, Reply> = {
  method: string;
  url: string;
  config: FastifyContextConfig;
  handler(request: Request, reply: Reply): Promise<unknown>;
};

/** Where operations are registered that need nothing of a server. */
export type App = { route(route: AppRoute<ApiRequest, ApiReply>): unknown };

/** Where operations are registered that write to the caller’s connection themselves. */
export type ServerApp = { route(route: AppRoute<FastifyRequest, FastifyReply>): unknown };
