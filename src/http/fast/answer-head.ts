import { STATUS_CODES } from 'node:http';
import type { ServedBy } from '../../core/ports.ts';
import { commonHeaders, type Exchange, type Front, STREAM_HEADERS } from '../exchange.ts';
import { KEEP_ALIVE_MS } from '../server.ts';

const STREAM = textOf(STREAM_HEADERS);
const CONNECTION = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n`;

/** Writes the heads of answers: the same lines in the same order as Node does for the same headers. */
export class HeadWriter {
  readonly #front: Front;
  /** The second, in ms, that `#date` is of. */
  #second = Number.NaN;
  #date = '';

  constructor(front: Front) {
    this.#front = front;
  }

  /** @param more headers of this answer alone: names and values in turn */
  whole(exchange: Exchange, served: ServedBy | null, status: number, more: readonly string[], length: number): string {
    const common = commonHeaders(this.#front, exchange, served);
    const body = `content-type: application/json\r\ncontent-length: ${length}\r\n`;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${textOf(common)}${textOf(more)}${body}${this.#dated()}\r\n`;
  }

  stream(exchange: Exchange, served: ServedBy | null): string {
    const common = commonHeaders(this.#front, exchange, served);
    return `HTTP/1.1 200 OK\r\n${textOf(common)}${STREAM}${this.#dated()}Transfer-Encoding: chunked\r\n\r\n`;
  }

  #dated(): string {
    const now = this.#front.clock.now();
    const second = now - (now % 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = `Date: ${new Date(second).toUTCString()}\r\n${CONNECTION}`;
    }
    return this.#date;
  }
}

function textOf(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return text;
}
