import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders, UpstreamHold, UpstreamListener } from '../core/ports.ts';
import { type Decoder, decoderFor } from './decode.ts';

/** The error if nothing of the request was sent. */
export function unreachable(cause: unknown): GatewayError {
  return new GatewayError('upstream_unreachable', 'The provider could not be reached.', { cause });
}

export function disconnected(cause: unknown): GatewayError {
  return new GatewayError('upstream_disconnected', 'The provider’s connection broke before its answer was complete.', {
    cause,
  });
}

export function unreadable(cause: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', 'The provider’s answer is not HTTP that can be read.', { cause });
}

/** The largest piece of a body, in bytes, that a listener gets as text. */
const MOST_TEXT = 16 * 1024;

/**
 * The text of bytes, if there are not many and all are ASCII. Decoded as UTF-8, others have fewer characters than bytes, or one
 * that stands for a broken byte.
 */
export function asciiIn(bytes: Buffer, from: number, to: number): string | null {
  if (to - from > MOST_TEXT) return null;
  const text = bytes.toString('utf8', from, to);
  return text.length === to - from && !text.includes('\ufffd') ? text : null;
}

/**
 * Passes one answer from a connection to its listener. Decompresses the body, and keeps the listener's contract
 * whatever the connection does: one end or failure, and nothing after that or after an abort.
 */
export abstract class Delivery implements UpstreamListener, UpstreamHold {
  /** Set by the connection, before it writes. */
  unsent = true;
  readonly #listener: UpstreamListener;
  #decoder: Decoder | null = null;
  #over = false;

  constructor(listener: UpstreamListener) {
    this.#listener = listener;
  }

  /** True if the listener receives nothing more. */
  get over(): boolean {
    return this.#over;
  }

  /** A compressed body is paused at the decoder's output, because little input can decompress to much. */
  pause(): void {
    if (this.#over) return;
    if (this.#decoder === null) this.holdInput();
    else this.#decoder.pause();
  }

  resume(): void {
    if (this.#over) return;
    if (this.#decoder === null) this.freeInput();
    else this.#decoder.resume();
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#decoder?.destroy();
    this.letGo();
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    if (this.#over) return;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined) this.#decoder = this.#unpacking(encoding);
    try {
      this.#listener.onStart(status, headers);
    } catch (cause) {
      this.#blame(cause);
    }
  }

  onData(chunk: Buffer): void {
    if (this.#over) return;
    if (this.#decoder === null) this.#pass(chunk);
    else this.#decoder.write(chunk);
  }

  /** True if the listener takes pieces that are ASCII as text. */
  get takesText(): boolean {
    return this.#decoder === null && this.#listener.onText !== undefined;
  }

  /** A piece of a body that is not compressed, for a listener that takes text. */
  onText(text: string): void {
    if (this.#over) return;
    try {
      this.#listener.onText!(text);
    } catch (cause) {
      this.#blame(cause);
    }
  }

  onEnd(): void {
    if (this.#over) return;
    if (this.#decoder === null) this.#finish();
    else this.#decoder.end();
  }

  onFailure(error: GatewayError): void {
    if (this.#over) return;
    this.abort();
    this.#listener.onFailure(error);
  }

  /** Stops reading from the connection, which slows the vendor down. */
  protected abstract holdInput(): void;
  protected abstract freeInput(): void;
  /** Closes the connection at once if the answer still needs it. */
  protected abstract letGo(): void;

  #unpacking(encoding: string | string[]): Decoder | null {
    return decoderFor(encoding, {
      onData: (chunk) => this.#pass(chunk),
      onEnd: () => this.#finish(),
      onFailure: (cause) =>
        this.onFailure(
          new GatewayError('upstream_invalid_answer', 'The provider’s compressed answer is broken.', { cause }),
        ),
      onFull: () => this.holdInput(),
      onDrain: () => this.freeInput(),
    });
  }

  #pass(chunk: Buffer): void {
    if (this.#over) return;
    try {
      this.#listener.onData(chunk);
    } catch (cause) {
      this.#blame(cause);
    }
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    try {
      this.#listener.onEnd();
    } catch (cause) {
      this.#blame(cause);
    }
  }

  /**
   * What a listener throws in reading an answer fails its own call. Nobody waits for it here: it would end the process,
   * and all calls.
   */
  #blame(cause: unknown): void {
    const error = new GatewayError('upstream_invalid_answer', 'The provider’s answer cannot be read.', { cause });
    this.abort();
    this.#listener.onFailure(error);
  }
}
