import type { ServedBy } from '../../core/provider.ts';
import { commonHeaders, type Front, type RequestContext, STREAM_HEADERS } from '../answer-headers.ts';
import { KEEP_ALIVE_MS } from '../server.ts';

/** Not imported: an `import` reads all exports of this module, which loads Node's undici and takes 14 MB. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');
const STREAM = textOf(STREAM_HEADERS);
const CONNECTION = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n`;

/** The parts of one answer's head. `more`: alternating header names and values. `length`: bytes of the body. */
type WholeHead = { status: number; more: readonly string[]; length: number };

/** Writes response heads with the same lines in the same order as Node. */
export class HeadWriter {
  readonly #front: Front;
  /** The second of `#date`, in ms. */
  #second = Number.NaN;
  #date = '';

  constructor(front: Front) {
    this.#front = front;
  }

  whole(context: RequestContext, served: ServedBy | null, { status, more, length }: WholeHead): string {
    const common = commonHeaders(this.#front, context, served);
    const body = `content-type: application/json\r\ncontent-length: ${length}\r\n`;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${textOf(common)}${textOf(more)}${body}${this.#dated()}\r\n`;
  }

  stream(context: RequestContext, served: ServedBy | null): string {
    const common = commonHeaders(this.#front, context, served);
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
