import type { Caller } from '../../core/ports.ts';
import type { RequestContext } from '../answer-headers.ts';
import type { IncomingCall } from '../incoming-call.ts';
import { type FastHead, headerIn } from './request-head.ts';
import type { SocketAnswer } from './socket-answer.ts';

/** A call that came over a connection of our own. Headers are looked for in its head when somebody asks. */
export class FastCall implements IncomingCall {
  readonly context: RequestContext;
  readonly caller: Caller;
  readonly body: Buffer;
  readonly answer: SocketAnswer;
  readonly #head: FastHead;

  constructor(head: FastHead, context: RequestContext, body: Buffer, answer: SocketAnswer) {
    this.context = context;
    this.caller = context.caller!;
    this.body = body;
    this.answer = answer;
    this.#head = head;
  }

  header(name: string): string | undefined {
    return headerIn(this.#head, name);
  }
}
