import type { GatewayError } from '../../core/errors.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import type { AnswerPeek, EventRole, OutputItem, ProducedText, StreamEvent } from '../../dialects/dialect.ts';
import type { Pieces } from '../turns.ts';

/** The role of a stream event, and the bytes that the caller gets for it (maybe none). */
export type Converted = { role: EventRole; bytes: Buffer | string };

/** Converts a vendor's stream, event by event, to the caller's dialect. */
export type StreamConverter = {
  /** True: frames pass unchanged, including comments. False: they are read and written anew. */
  readonly passes: boolean;
  /** Sent while the stream is silent. */
  readonly keepAlive: string;
  /** Converts the next event, which arrived as `frame`. */
  convert(frame: Buffer | string, event: StreamEvent): Converted;
  /** Must be called after the vendor has ended the connection. */
  close(): void;
  /** Whether the answer is complete by the rules of the vendor's dialect. */
  complete(): boolean;
  /** The terminal bytes of a complete answer whose vendor did not send them. */
  terminal(): string;
  /** As in `StreamWatch`. */
  answered(): boolean;
  usage(): Usage | null;
  /** As in `StreamWatch`; `null` if the vendor has reported nothing about the prompt. */
  promptUsage(): Usage | null;
  /** As in `StreamWatch`. */
  shownCalls(): Counts | undefined;
  output(): ProducedText;
  /** After `fails`: the vendor's error. */
  error(): GatewayError;
  /** The frames that report a failure to a caller who has already received part of the answer. */
  writeFailure(error: GatewayError): string;
  /** The names of what could not be carried so far. */
  readonly dropped: readonly string[];
  /** Items of the answer that later calls may refer to. */
  items(): readonly OutputItem[];
};

/** Converts a whole answer. */
export type WholeConverter = {
  /** Whether `build` parses the body. */
  readonly builds: boolean;
  /** Scans the vendor's answer; throws `GatewayError` (502) if it does not follow its dialect. */
  read(body: Buffer): AnswerPeek;
  /** Prepares `written` from a body that was read without error; throws as `read` does. */
  build(body: Buffer): void;
  /** The caller's body, after `read` and `build`. */
  written(body: Buffer, answer: AnswerPeek): Buffer | string;
  readonly dropped: readonly string[];
  /** Items of the answer to which later calls may refer, available after `written`. */
  items(): readonly OutputItem[];
};

/** Reads answers in the form that was not asked for. What is made throws `GatewayError` as the converters do. */
export type AnswerForms = {
  /** A whole answer that came as a stream of events. Only `written`, `dropped` and `items` of its converter are left to call. */
  wholeOf(events: Buffer): Pieces<{ converter: WholeConverter; answer: AnswerPeek }>;
  /** A stream that came as a whole answer. The first `convert` brings all of it, whatever it is given. */
  streamOf(whole: Buffer): Pieces<StreamConverter>;
};
