import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { openAiErrorBody } from '../core/error-body.ts';
import { GatewayError } from '../core/errors.ts';
import { commonHeaders, errorHeaders, type Front, OPENAI_STYLE, type RequestContext } from './answer-headers.ts';

/** Refuses invalid HTTP requests. It observes started answers, since one may be in progress on the connection. */
export type BrokenRequests = {
  begun(response: ServerResponse): void;
  /** @param code Node's error code */
  refuse(code: string | undefined, socket: Writable): void;
};

/** For Node's server. Invalid bytes after a complete request are refused after its answer. */
export function createBrokenRequests(front: Front, maxHeaderBytes: () => number): BrokenRequests {
  const latest = new WeakMap<Writable, ServerResponse>();
  return {
    begun: (response) => latest.set(response.req.socket, response),
    refuse: (code, socket) => {
      const refuse = () => answerBrokenRequest(code, socket, front, maxHeaderBytes());
      const before = latest.get(socket);
      const isAwaited = before?.req.complete && !before.writableFinished && !before.destroyed;
      if (isAwaited && code !== 'ECONNRESET') before.once('close', refuse);
      else refuse();
    },
  };
}

/**
 * Answers bytes that are not a valid HTTP request, or did not form one in time, and ends the connection. Node makes no
 * response object for them, so the answer is written directly. `code` is Node's error code.
 */
export function answerBrokenRequest(
  code: string | undefined,
  socket: Writable,
  front: Front,
  maxHeaderBytes: number,
): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerByHand(brokenRequest(code, maxHeaderBytes), socket, front);
}

/** Writes an error to a connection without a request, and ends it. */
export function answerByHand(known: GatewayError, socket: Writable, front: Front): void {
  const context: RequestContext = {
    requestId: front.ids.requestId(),
    style: OPENAI_STYLE,
    clientRequestId: null,
    startedAt: front.clock.monotonic(),
    caller: null,
    isPrivate: true,
  };
  const body = openAiErrorBody(known);
  const headers = [
    ...commonHeaders(front, context),
    ...errorHeaders(known),
    'content-type',
    'application/json',
    'content-length',
    String(Buffer.byteLength(body)),
    'connection',
    'close',
  ];
  let head = `HTTP/1.1 ${known.status} ${known.kind}\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  socket.end(`${head}\r\n${body}`);
}

function brokenRequest(code: string | undefined, maxHeaderBytes: number): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GatewayError('headers_too_large', `The headers are larger than ${maxHeaderBytes} bytes.`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new GatewayError('request_timeout', 'The request did not arrive in full in time.');
  return new GatewayError('invalid_http', 'The bytes received are not a valid HTTP request.');
}
