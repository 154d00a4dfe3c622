import type { GatewayError } from '../../core/errors.ts';
import type { Usage } from '../../core/usage.ts';
import type { AnswerPeek, EventRole, OutputItem, ProducedText, StreamEvent } from '../../dialects/dialect.ts';

/** What an event of a stream is for, and the bytes that the caller gets for it, which may be none. */
export type Converted = { role: EventRole; bytes: Buffer | string };

/** Makes of a vendor's stream, event by event, what the caller gets in its own dialect. */
export type StreamConverter = {
  /** Frames pass as they came, those without data (comments) too; else they are read and written. */
  readonly passes: boolean;
  /** Sent while the stream is silent. */
  readonly keepAlive: string;
  /** Takes the next event, which came as `frame`. */
  convert(frame: Buffer, event: StreamEvent): Converted;
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

/** The same for a whole answer. */
export type WholeConverter = {
  /** Whether `build` parses the body. */
  readonly builds: boolean;
  /** Looks at what the vendor sent; throws `GatewayError` (502) where it is not what its dialect says. */
  read(body: Buffer): AnswerPeek;
  /** Builds what `written` needs of a body that was read without error; throws as `read` does. */
  build(body: Buffer): void;
  /** What the caller gets for the body that was read and built. */
  written(body: Buffer, answer: AnswerPeek): Buffer | string;
  readonly dropped: readonly string[];
  /** Items of the answer that later calls may name, once it is written. */
  items(): readonly OutputItem[];
};
