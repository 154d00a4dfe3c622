import type { GatewayError } from '../core/errors.ts';
import type { Admission, Caller, CallerAnswer } from '../core/ports.ts';
import type { AnswerStyle, RequestContext } from './answer-headers.ts';

/** The way back to the caller of a route, and the error that may be its whole answer. */
export type BodyAnswer = CallerAnswer & {
  /** Whether a part of a stream has been written, so that no other answer can be given. */
  readonly begun: boolean;
  /** An error as the whole answer. */
  error(error: GatewayError, body: string): void;
};

/** A request whose caller is known and whose body is whole. */
export type IncomingCall = Admission & {
  readonly context: RequestContext;
  readonly caller: Caller;
  readonly body: Buffer;
  readonly answer: BodyAnswer;
  /** A header's value, by its name in lower case; of one that stands more than once, the values with commas between. */
  header(name: string): string | undefined;
};

/** `POST` of a JSON body at exactly this path. */
export type BodyRoute = {
  path: string;
  style: AnswerStyle;
  /** Answers now or later; never throws. */
  handle(call: IncomingCall): void;
};

/** Where calls with a body come in, whatever carries them. */
export type Router = { post(route: BodyRoute): void };
