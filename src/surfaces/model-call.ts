import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { DIALECTS } from '../dialects/built.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { HttpAnswer } from '../http/answer.ts';
import type { Front, Manner } from '../http/exchange.ts';
import type { CallRequest } from '../pipeline/parts.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** A path at which models are called in a dialect. */
export type Surface = {
  path: string;
  dialect: Dialect;
  /** A further name of the header that tells the request's id, as the dialect's own service has it. */
  idHeader?: string;
};

export type CallParts = {
  front: Front;
  /** Told of faults that are the gateway's own. */
  onFault(error: unknown, requestId: string): void;
};

/** Serves a surface: the body as it came goes into the pipeline, and errors leave in the surface's words. */
export function serveModelCalls(app: FastifyInstance, surface: Surface, parts: CallParts, pipeline: Pipeline): void {
  serveBody(app, surface, parts, (request) => pipeline.handle(request));
}

/** Serves `POST` of a body that `handle` answers, or rejects with the error for the caller. */
export function serveBody(
  app: FastifyInstance,
  { path, dialect, idHeader }: Surface,
  { front, onFault }: CallParts,
  handle: (request: CallRequest) => Promise<void>,
): void {
  const manner: Manner = { writeError: dialect.inbound.writeError, ...(idHeader !== undefined && { idHeader }) };
  app.post(path, { config: { manner } }, (request, reply) => {
    reply.hijack();
    const { exchange } = request;
    const answer = new HttpAnswer(front, exchange, reply.raw);
    const fail = (cause: unknown) => {
      const known =
        cause instanceof GatewayError
          ? cause
          : new GatewayError('internal', 'The gateway failed to answer this call.', { cause });
      if (known.kind === 'internal') onFault(cause, exchange.requestId);
      if (answer.begun) answer.end(dialect.inbound.stream?.writeError(known) ?? '');
      else answer.error(known, dialect.inbound.writeError(known, exchange.requestId));
    };
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    handle({
      asked: dialectOf(body, dialect),
      answered: dialect,
      body,
      forwarded: forwardedOf(request.headers, dialect.inbound.forwards),
      caller: exchange.caller!,
      requestId: exchange.requestId,
      clientRequestId: exchange.clientRequestId,
      startedAt: exchange.startedAt,
      answer,
    }).catch(fail);
  });
}

/** The dialect of a body: that of its surface, unless it can only be another's. */
function dialectOf(body: Buffer, own: Dialect): Dialect {
  if (own.translation === undefined) return own;
  return DIALECTS.find((dialect) => dialect !== own && dialect.inbound.strays?.(body) === true) ?? own;
}

/** The caller's headers that go on to a vendor of the same dialect; names and values alternate. */
function forwardedOf(headers: IncomingHttpHeaders, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return NOTHING;
  return names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [name, value] : [];
  });
}

const NOTHING: readonly string[] = [];
