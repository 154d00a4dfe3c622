import type { GatewayError } from '../../core/errors.ts';
import type { Usage } from '../../core/usage.ts';
import type { AnswerPeek, OutputItem, ProducedText, Sighting, StreamEvent } from '../../dialects/dialect.ts';

/**
 * The way of a streamed answer from the vendor's dialect to the caller's. It is shown each event, and then asked what the
 * caller gets for it.
 *
 * /!\ Hot path: no object is made for an event that passes.
 */
export type StreamWay = {
  /** Frames pass as they came, those without data (comments) too; else they are read and written. */
  readonly passes: boolean;
  /** Sent while the stream is silent. */
  readonly keepAlive: string;
  see(event: StreamEvent): Sighting;
  /** The bytes for the caller of the event that was seen last, which came as `frame`. May be empty. */
  written(frame: Buffer, event: StreamEvent): Buffer | string;
  /** The vendor has ended the connection. */
  close(): void;
  /** Whether the answer is whole by the vendor's dialect's own rule. */
  complete(): boolean;
  /** The end that a whole answer must not lack, where the vendor's own did not come. */
  terminal(): string;
  usage(): Usage | null;
  output(): ProducedText;
  /** After `fails`: the vendor's error in our words. */
  error(): GatewayError;
  /** The frames that tell a caller who has seen a part of the answer that it failed. */
  writeFailure(error: GatewayError): string;
  /** What could not be carried, so far. */
  readonly dropped: readonly string[];
  /** Items of the answer that later calls may name. */
  items(): readonly OutputItem[];
};

/** The way of a whole answer. */
export type WholeWay = {
  /** Whether `build` parses the body. */
  readonly builds: boolean;
  /** Looks at what the vendor sent; throws `GatewayError` (502) where it is not what its dialect says. */
  read(body: Buffer): AnswerPeek;
  /** Builds what `written` needs of a body that was read without error; throws as `read` does. */
  build(body: Buffer): void;
  /** What the caller gets for the body that was read and built. */
  written(body: Buffer): Buffer | string;
  readonly dropped: readonly string[];
};
