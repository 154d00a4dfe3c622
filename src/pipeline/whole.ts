import { GatewayError } from '../core/errors.ts';
import type {
  CallerAnswer,
  Upstream,
  UpstreamHeaders,
  UpstreamHold,
  UpstreamListener,
  UpstreamRequest,
} from '../core/ports.ts';
import type { Dialect, WholeAnswer } from '../dialects/dialect.ts';
import { Alarms } from '../upstream/alarms.ts';
import { isType, MAX_ERROR_BODY } from './content-type.ts';

/** What came of asking a vendor for a whole answer. `billed`: it may have charged for it, answer or not. */
export type WholeEnd =
  | { kind: 'complete'; status: number; headers: UpstreamHeaders; body: Buffer; answer: WholeAnswer }
  | {
      kind: 'refused';
      status: number | null;
      headers: UpstreamHeaders;
      error: GatewayError;
      words: string;
      billed: boolean;
    }
  | { kind: 'gone' };

export type WholeLimits = { maxAnswer: number /** ms left of the whole call */; total: number };

/** Receives a whole answer to its end and checks it, before a byte of it leaves for the caller. */
export class WholeReceiver implements UpstreamListener {
  readonly #dialect: Dialect;
  readonly #maxAnswer: number;
  readonly #total: number;
  readonly #alarms: Alarms<'total'>;
  #resolve: ((end: WholeEnd) => void) | null = null;
  #hold: UpstreamHold | null = null;
  #status: number | null = null;
  #headers: UpstreamHeaders = {};
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(dialect: Dialect, limits: WholeLimits, now: () => number) {
    this.#dialect = dialect;
    this.#maxAnswer = limits.maxAnswer;
    this.#total = limits.total;
    this.#alarms = new Alarms(now, () =>
      this.#refuse(new GatewayError('upstream_timeout', 'The provider did not answer in time.')),
    );
  }

  /** Sends the request and gathers what comes. Never rejects; called once. */
  run(upstream: Upstream, request: UpstreamRequest, caller: CallerAnswer): Promise<WholeEnd> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#alarms.set('total', this.#total);
      this.#hold = upstream.send(request, this);
      if (this.#resolve === null) this.#hold.abort();
      caller.onGone(() => this.#end({ kind: 'gone' }));
    });
  }

  /** Ends the wait from outside, as when the gateway stops. */
  interrupt(error: GatewayError): void {
    this.#refuse(error);
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status >= 200 && status < 300 && !isType(headers, 'json')) {
      this.#refuse(
        new GatewayError('upstream_invalid_answer', 'The provider answered with something that is not JSON.'),
      );
    }
  }

  onData(chunk: Buffer): void {
    if (this.#resolve === null) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const refused = !isSuccess(this.#status);
    if (refused && this.#length > MAX_ERROR_BODY) return this.onEnd();
    if (!refused && this.#length > this.#maxAnswer) {
      this.#refuse(
        new GatewayError('upstream_invalid_answer', `The provider’s answer is larger than ${this.#maxAnswer} bytes.`),
      );
    }
  }

  onEnd(): void {
    if (this.#resolve === null) return;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const status = this.#status ?? 0;
    if (!isSuccess(status)) {
      const words = body.toString('utf8');
      return this.#refuse(this.#dialect.outbound.readError(status, this.#headers, words), words);
    }
    let answer: WholeAnswer;
    try {
      answer = this.#dialect.outbound.readAnswer(body);
    } catch (error) {
      if (error instanceof GatewayError) return this.#refuse(error);
      throw error;
    }
    if (answer.error !== null) return this.#refuse(answer.error, body.toString('utf8'));
    this.#end({ kind: 'complete', status, headers: this.#headers, body, answer });
  }

  onFailure(error: GatewayError): void {
    this.#refuse(error);
  }

  #refuse(error: GatewayError, words = ''): void {
    const billed =
      error.kind !== 'upstream_unreachable' && (this.#status === null || isSuccess(this.#status)) && words === '';
    this.#end({ kind: 'refused', status: this.#status, headers: this.#headers, error, words, billed });
  }

  #end(end: WholeEnd): void {
    if (this.#resolve === null) return;
    const resolve = this.#resolve;
    this.#resolve = null;
    this.#alarms.stop();
    if (end.kind !== 'complete') this.#hold?.abort();
    resolve(end);
  }
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
