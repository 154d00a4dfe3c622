import type { GatewayError } from '../core/errors.ts';
import type { CallerAnswer } from '../core/ports.ts';
import type { ServedBy } from '../core/provider.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { SpeedLimits } from './speed.ts';
import type { StreamConverter } from './translation/converter.ts';
import type { Pieces } from './turns.ts';

/** The two sides of a stream. */
export type StreamEnds = {
  /** The dialect used with the vendor. */
  spoken: Dialect;
  converter: StreamConverter;
  /** Makes the converter of an answer that comes whole: its first `convert` brings all of it. */
  ofWhole(body: Buffer): Pieces<StreamConverter>;
  caller: CallerAnswer;
  /** The target, for the answer's headers. */
  served: ServedBy;
  /** The frame that was passed last waits for the next, so that at the end what the call costs can be put into it. */
  keepsLast: boolean;
};

/** The limits of one stream. Times in ms, sizes in bytes. */
export type StreamLimits = {
  /** Until the first event, and between events; comments do not count. */
  firstByte: number;
  idle: number;
  /** Remaining ms of the whole call. */
  total: number;
  ping: number;
  hold: number;
  maxLine: number;
  /** For an answer that comes whole. */
  maxAnswer: number;
  /**
   * Whether other targets may be asked: no keep-alive is then sent before the first event, because it would commit the
   * caller to this one.
   */
  mayMove: boolean;
} & SpeedLimits;

/**
 * The result of a stream, in the words of `AttemptOutcome`. `failed`: the caller has received nothing, so another answer can
 * still be given. `broken`: it has received a part, so an error frame must end it. `left`: the caller has. `complete`:
 * everything but `last`, the terminal bytes, was written.
 */
export type StreamOutcome =
  | { kind: 'complete'; last: Buffer | string }
  | { kind: 'failed'; error: GatewayError; words: string }
  | { kind: 'broken'; error: GatewayError }
  | { kind: 'left' };
