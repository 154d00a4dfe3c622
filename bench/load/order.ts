import type { Workload } from '../workloads.ts';

/** Where a contestant takes a workload, and what its callers must say. */
export type Route = { port: number; path: string; model: string; headers: Readonly<Record<string, string>> };

/**
 * `closed`: each connection asks again once it is answered. `open`: requests begin at their times, answered or not. `hold`
 * opens streams and keeps them open until `release`.
 */
export type LoadOrder =
  | { kind: 'closed'; workload: Workload; route: Route; ms: number; connections: number; apartMs: number }
  | { kind: 'open'; workload: Workload; route: Route; ms: number; connections: number; perSecond: number }
  | { kind: 'hold'; route: Route; streams: number }
  | { kind: 'release' };

/** Microseconds. */
export type Latency = { count: number; p50: number; p95: number; p99: number; p999: number; max: number };

/**
 * What came of it. Every request that was begun was answered in full and as it should be. `latency` is until the end of an
 * answer, from when it was due; `firstContent` until the first word of a stream.
 */
export type LoadResult = { answers: number; elapsedMs: number; latency: Latency | null; firstContent: Latency | null };

/** What the process of the load sends back. */
export type LoadReply = LoadResult | { fault: string };
