import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../core/errors.ts';
import type { ServedBy } from '../core/provider.ts';
import {
  type AnswerFront,
  commonHeaders,
  errorHeaders,
  type RequestContext,
  STREAM_HEADERS,
} from './answer-headers.ts';
import type { BodyAnswer } from './incoming-call.ts';

/** The largest body that is cheaper to copy than to write separately, in bytes. */
export const MAX_JOINED = 16 * 1024;

/** Writes answers over a Node.js response. */
export class HttpAnswer implements BodyAnswer {
  gone: boolean;
  readonly #front: AnswerFront;
  readonly #context: RequestContext;
  readonly #response: ServerResponse;
  #begun = false;
  #ended = false;
  #onGone: (() => void) | null = null;

  constructor(front: AnswerFront, context: RequestContext, response: ServerResponse) {
    this.#front = front;
    this.#context = context;
    this.#response = response;
    this.gone = response.destroyed;
    response.once('close', () => this.#closed());
  }

  get begun(): boolean {
    return this.#begun;
  }

  get unread(): boolean {
    return this.#ended && !this.#response.destroyed && !this.#response.writableFinished;
  }

  onTaken(listener: () => void): void {
    this.#response.once('close', listener);
  }

  onGone(listener: () => void): void {
    this.#onGone = listener;
    if (this.gone) listener();
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  whole(status: number, body: Buffer | string, served: ServedBy | null = null): void {
    this.#send(status, body, commonHeaders(this.#front, this.#context, served));
  }

  error(error: GatewayError, body: string): void {
    const common = commonHeaders(this.#front, this.#context, error.served);
    this.#send(error.status, body, [...common, ...errorHeaders(error)]);
  }

  begin(served: ServedBy | null = null): void {
    if (this.#ended || this.gone) return;
    this.#begun = true;
    this.#response.writeHead(200, [...commonHeaders(this.#front, this.#context, served), ...STREAM_HEADERS]);
  }

  write(frame: Buffer | string): boolean {
    if (this.#ended || this.gone) return true;
    return this.#response.write(frame);
  }

  end(last: Buffer | string): void {
    if (this.#ended || this.gone) return;
    this.#ended = true;
    this.#response.end(last);
  }

  #send(status: number, body: Buffer | string, headers: readonly string[]): void {
    if (this.#ended || this.gone) return;
    this.#ended = true;
    this.#response.writeHead(status, [
      ...headers,
      'content-type',
      'application/json',
      'content-length',
      String(typeof body === 'string' ? Buffer.byteLength(body) : body.length),
    ]);
    // Node writes a text in one piece with the head, but bytes as a second piece.
    if (typeof body === 'string' || body.length > MAX_JOINED) this.#response.end(body);
    else this.#response.end(body.toString('latin1'), 'latin1');
  }

  #closed(): void {
    if (this.#ended) return;
    this.gone = true;
    this.#onGone?.();
  }
}
