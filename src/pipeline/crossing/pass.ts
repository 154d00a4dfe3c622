import type { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import type {
  AnswerPeek,
  Dialect,
  Envelope,
  OutputItem,
  ProducedText,
  Sighting,
  StreamEvent,
  StreamWatch,
} from '../../dialects/dialect.ts';
import { rewriteBody, rewriteFrame } from '../rewrite.ts';
import type { StreamWay, WholeWay } from './ways.ts';

/** Same dialect on both sides: the bytes pass and are looked at. With `bytePath` off they are parsed and written again. */
export class PassingStream implements StreamWay {
  readonly passes = true;
  readonly keepAlive: string;
  readonly dropped = NO_LOSSES;
  readonly #watch: StreamWatch;
  readonly #terminal: string;
  readonly #bytePath: boolean;

  constructor(dialect: Dialect, envelope: Envelope, bytePath: boolean) {
    const stream = dialect.inbound.stream!;
    this.#watch = dialect.outbound.watch!(envelope);
    this.keepAlive = stream.keepAlive;
    this.#terminal = stream.terminal;
    this.#bytePath = bytePath;
  }

  see(event: StreamEvent): Sighting {
    return this.#watch.see(event);
  }

  written(frame: Buffer, { event, data }: StreamEvent): Buffer | string {
    return this.#bytePath ? frame : rewriteFrame(event, data);
  }

  close(): void {}

  complete(): boolean {
    return this.#watch.complete();
  }

  terminal(): string {
    return this.#terminal;
  }

  usage() {
    return this.#watch.usage();
  }

  output(): ProducedText {
    return this.#watch.output();
  }

  error(): GatewayError {
    return this.#watch.error();
  }

  writeFailure(error: GatewayError): string {
    return this.#watch.writeFailure(error);
  }

  items(): readonly OutputItem[] {
    return this.#watch.outputItems?.() ?? [];
  }
}

/** The same for a whole answer. */
export class PassingWhole implements WholeWay {
  readonly builds = false;
  readonly dropped = NO_LOSSES;
  readonly #dialect: Dialect;
  readonly #bytePath: boolean;

  constructor(dialect: Dialect, bytePath: boolean) {
    this.#dialect = dialect;
    this.#bytePath = bytePath;
  }

  read(body: Buffer): AnswerPeek {
    return this.#dialect.outbound.peekAnswer(body);
  }

  build(): void {}

  written(body: Buffer): Buffer | string {
    const passed = this.#bytePath ? body : rewriteBody(body);
    return this.#dialect.inbound.finishWhole?.(passed) ?? passed;
  }
}
