import type { FastifyInstance } from 'fastify';
import type { Caller, Feedback } from '../core/ports.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';
import { jsonBody } from './json-body.ts';

/** Feedback as it was kept, the route that chose for its call, and whether that learns from it. */
export type Given = { feedback: Feedback; requestId: string; route: string | null; learned: boolean };

/** Keeps feedback, or rejects with the `GatewayError` for the caller. */
export type GiveFeedback = (caller: Caller, body: unknown) => Promise<Given>;

/** `POST /v1/feedback`: how good the answer to a call was. */
export function serveFeedback(app: FastifyInstance, front: Front, give: GiveFeedback): void {
  app.post('/v1/feedback', async (request, reply) => {
    const { feedback, requestId, route, learned } = await give(request.exchange.caller!, jsonBody(request.body));
    sendJson(front, request, reply, 200, {
      object: 'feedback',
      request_id: requestId,
      usage_id: feedback.callId,
      score: feedback.score,
      note: feedback.note,
      created_at: Math.floor(feedback.at / 1000),
      route,
      learned,
    });
    return reply;
  });
}
