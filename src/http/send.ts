import { type AnswerFront, commonHeaders } from './answer-headers.ts';
import type { ApiReply, ApiRequest } from './api-request.ts';

export const JSON_TYPE = 'application/json';

/** A request and the reply to it. */
export type RequestAndReply = { front: AnswerFront; request: Pick<ApiRequest, 'context'>; reply: ApiReply };

/** Sends JSON with the headers that every answer has. */
export function sendJson(answering: RequestAndReply, status: number, body: unknown): void {
  sendText(answering, status, JSON_TYPE, JSON.stringify(body));
}

/** Sends text of another type with the headers that every answer has. */
export function sendText({ front, request, reply }: RequestAndReply, status: number, type: string, body: string): void {
  setHeaders(reply, commonHeaders(front, request.context));
  reply.code(status).header('content-type', type).send(body);
}

/** @param headers names and values in turn */
export function setHeaders(reply: Pick<ApiReply, 'header'>, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index]!, headers[index + 1]!);
}
