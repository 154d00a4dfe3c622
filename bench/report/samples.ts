import type { Latency } from '../load/order.ts';
import type { Memory } from '../machine/process-memory.ts';
import type { Pace, Workload } from '../workloads.ts';

/** The parts of a run, which can be selected. */
export const PARTS = [
  'chat',
  'agent',
  'routed',
  'stream',
  'translated',
  'embeddings',
  'latency',
  'memory',
  'start',
  'tls',
  'scaling',
] as const;
export type Part = (typeof PARTS)[number];

/** The upstream without a contestant, whose latencies are subtracted. */
export const ALONE = 'upstream alone';

/** The suffix of a contestant whose upstream uses TLS. */
export const TLS_SUFFIX = ', TLS';

/** Durations of an answer at a fixed rate and with one caller, and of the first word of a stream. */
export const WAYS = ['rate', 'one caller', 'first word'] as const;
export type Way = (typeof WAYS)[number];

type Of = { contestant: string; round: number };

/**
 * `cpuMicros` is per answer; `perSecond` answers arrived for `asked` requests per second or simultaneous streams (at
 * the fixed rate); `busy` is the fraction of one core that the contestant used.
 */
export type WorkSample = Of & {
  kind: 'work';
  part: Part;
  workload: Workload;
  pace: Pace;
  cpuMicros: number;
  perSecond: number;
  busy: number;
  asked: number;
};
export type LatencySample = Of & { kind: 'latency'; way: Way; perSecond: number } & Latency;
export type MemorySample = Of & { kind: 'memory'; streams: number } & Memory;
export type StartSample = Of & { kind: 'start'; ms: number };
export type Sample = WorkSample | LatencySample | MemorySample | StartSample;

/** A whole run as stored. Tables and chart can be made from it again. */
export type Results = {
  date: string;
  machine: string;
  node: string;
  rounds: number;
  seconds: number;
  contestants: { name: string; about: string }[];
  /** What was left out, and other remarks for readers. */
  notes: string[];
  samples: Sample[];
};

/** The samples of one kind. */
export function ofKind<Kind extends Sample['kind']>(
  { samples }: Results,
  kind: Kind,
): Extract<Sample, { kind: Kind }>[] {
  return samples.filter((sample): sample is Extract<Sample, { kind: Kind }> => sample.kind === kind);
}
