import type { Caller } from '../../core/ports.ts';
import type { RequestContext } from '../answer-headers.ts';
import type { IncomingCall } from '../incoming-call.ts';
import { type FastHead, headerIn } from './request-head.ts';
import { type AnswerWire, SocketAnswer } from './socket-answer.ts';

/** The connection of a call. */
export type CallWire = AnswerWire & {
  /** Checks the caller of the current call again; see `KeyChecker.again`. */
  again(caller: Caller): Caller | Promise<Caller>;
};

/** A call on a connection of the fast layer. Headers are looked up in its head on demand. */
export class FastCall implements IncomingCall {
  readonly context: RequestContext;
  readonly caller: Caller;
  readonly body: Buffer;
  readonly answer: SocketAnswer;
  readonly #head: FastHead;
  readonly #wire: CallWire;

  constructor(head: FastHead, context: RequestContext, body: Buffer, wire: CallWire) {
    this.context = context;
    this.caller = context.caller!;
    this.body = body;
    this.answer = new SocketAnswer(context, wire);
    this.#head = head;
    this.#wire = wire;
  }

  header(name: string): string | undefined {
    return headerIn(this.#head, name);
  }

  again(): undefined | Promise<unknown> {
    const asked = this.#wire.again(this.caller);
    return asked instanceof Promise ? asked : undefined;
  }
}
