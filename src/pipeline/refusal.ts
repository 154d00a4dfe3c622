import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isSuccess, isType, MAX_ERROR_BODY } from './answer-head.ts';
import type { StreamWay } from './crossing/ways.ts';

/** An answer that is no stream although one was asked for: an error of the vendor's, or something that cannot be read as one. */
export class Refusal {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  /** @returns whether that is enough of it */
  gather(piece: Buffer): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length > MAX_ERROR_BODY;
  }

  /** What it says. `words` are the vendor's own. */
  read(
    status: number,
    headers: UpstreamHeaders,
    way: StreamWay,
    readError: Dialect['outbound']['readError'],
  ): { error: GatewayError; words: string } {
    const words = Buffer.concat(this.#pieces).toString('utf8');
    if (!isSuccess(status)) return { error: readError(status, headers, words), words };
    const event = { event: 'error', data: words };
    const said = isType(headers, 'json') && words.includes('"error"') && way.see(event) === 'fails';
    const error = said
      ? way.error()
      : new GatewayError('upstream_invalid_answer', 'The provider answered a stream with something else.');
    return { error, words };
  }
}
