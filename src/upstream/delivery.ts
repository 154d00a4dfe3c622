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

  /** Whether the listener receives nothing more. */
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
