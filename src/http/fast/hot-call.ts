import type { Caller } from '../../core/ports.ts';
import type { IncomingCall } from '../door.ts';
import type { Exchange } from '../exchange.ts';
import { type HotHead, headerIn } from './hot-head.ts';
import type { SocketAnswer } from './socket-answer.ts';

/** A call that came over a connection of our own. Headers are looked for in its head when somebody asks. */
export class HotCall implements IncomingCall {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly body: Buffer;
  readonly answer: SocketAnswer;
  readonly #text: string;

  constructor({ text }: HotHead, exchange: Exchange, body: Buffer, answer: SocketAnswer) {
    this.exchange = exchange;
    this.caller = exchange.caller!;
    this.body = body;
    this.answer = answer;
    this.#text = text;
  }

  header(name: string): string | undefined {
    return headerIn(this.#text, name);
  }
}
