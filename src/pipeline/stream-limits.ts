import type { SpeedLimits } from './speed.ts';

/** What one stream is held to. Times in ms, sizes in bytes. */
export type StreamLimits = {
  /** Until the first event, and between events; comments are none. */
  firstByte: number;
  idle: number;
  /** ms left of the whole call. */
  total: number;
  ping: number;
  hold: number;
  maxLine: number;
  /** Others may be asked in place of this vendor: its silence before the first event is not filled, which would bind the caller to it. */
  mayMove: boolean;
} & SpeedLimits;
