import type { GatewayError } from '../core/errors.ts';
import type { Admission, Caller, CallerAnswer } from '../core/ports.ts';
import type { AnswerStyle, RequestContext } from './answer-headers.ts';

/** The answer to a request with a body, including error answers. */
export type BodyAnswer = CallerAnswer & {
  /** True if part of a stream has been written, so that no other answer is possible. */
  readonly begun: boolean;
  /** Answers with an error. */
  error(error: GatewayError, body: string): void;
};

/** A request with a known caller and a complete body. */
export type IncomingCall = Admission & {
  readonly context: RequestContext;
  readonly caller: Caller;
  readonly body: Buffer;
  readonly answer: BodyAnswer;
  /** A header by its lower-case name; repeated headers are joined by commas. */
  header(name: string): string | undefined;
};

/** `POST` of a JSON body at exactly this path. */
export type BodyRoute = {
  path: string;
  style: AnswerStyle;
  /** Answers synchronously or later. Never throws. */
  handle(call: IncomingCall): void;
};

/** Registers routes with a body on either layer. */
export type Router = { post(route: BodyRoute): void };
