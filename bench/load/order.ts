import type { Workload } from '../workloads.ts';

/** The route of a workload at a contestant, and what its callers must send. */
export type Route = { port: number; path: string; model: string; headers: Readonly<Record<string, string>> };

/**
 * `closed`: each connection sends its next request after an answer. `open`: requests begin at fixed times, whether or
 * not others are answered. `hold` opens streams and keeps them open until `release`.
 */
export type LoadOrder =
  | { kind: 'closed'; workload: Workload; route: Route; ms: number; connections: number; apartMs: number }
  | { kind: 'open'; workload: Workload; route: Route; ms: number; connections: number; perSecond: number }
  | { kind: 'hold'; route: Route; streams: number }
  | { kind: 'release' };

/** Microseconds. */
export type Latency = { count: number; p50: number; p95: number; p99: number; p999: number; max: number };

/**
 * The result of an order. All requests were answered completely and correctly. `latency` ends with the answer and
 * starts when the request was due; `firstContent` ends with the first word of a stream.
 */
export type LoadResult = { answers: number; elapsedMs: number; latency: Latency | null; firstContent: Latency | null };

/** A reply of the load's process. */
export type LoadReply = LoadResult | { fault: string };
