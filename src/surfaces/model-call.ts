import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { HttpAnswer } from '../http/answer.ts';
import type { Front } from '../http/exchange.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** Serves one dialect at one path: the body as it came goes into the pipeline, and errors leave in the dialect's words. */
export function serveModelCalls(
  app: FastifyInstance,
  path: string,
  dialect: Dialect,
  front: Front,
  pipeline: Pipeline,
  onFault: (error: unknown, requestId: string) => void,
): void {
  app.post(path, (request, reply) => {
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
    pipeline
      .handle({
        dialect,
        body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        caller: exchange.caller!,
        requestId: exchange.requestId,
        clientRequestId: exchange.clientRequestId,
        startedAt: exchange.startedAt,
        answer,
      })
      .catch(fail);
  });
}
