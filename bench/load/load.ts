import { setTimeout as delay } from 'node:timers/promises';
import { percentiles } from '../report/statistics.ts';
import { FACTS, type Workload } from '../workloads.ts';
import { askAtRate } from './at-rate.ts';
import { Connection } from './connection.ts';
import type { LoadOrder, LoadReply, LoadResult, Route } from './order.ts';
import { faultOf, requestBytes } from './requests.ts';

/** Generates load in its own process. The parent sends orders, and gets a reply to each. */
type Timed = Extract<LoadOrder, { workload: Workload }>;

/** The time after the measurement in which a contestant must give all pending answers. */
const LATE_MS = 60_000;
/** The number of streams that are opened at once: a server's backlog is limited. */
const OPENED_TOGETHER = 100;

let connections: Connection[] = [];
let held: Connection[] = [];

process.on('message', async (order: LoadOrder) => {
  process.send?.(await carryOut(order).catch((error): LoadReply => ({ fault: String(error) })));
});
// The parent may be killed without ending this process.
process.once('disconnect', () => process.exit());

async function carryOut(order: LoadOrder): Promise<LoadReply> {
  switch (order.kind) {
    case 'closed':
    case 'open':
      return drive(order);
    case 'hold':
      return hold(order.route, order.streams);
    case 'release':
      for (const connection of held) connection.destroy();
      held = [];
      return resultOf(0, 0);
    default:
      return order satisfies never;
  }
}

/** All connections are closed before the result: the cost of closing belongs to the answers. */
async function drive(order: Timed): Promise<LoadResult> {
  const late = new AbortController();
  try {
    connections = await Promise.all(Array.from({ length: order.connections }, () => Connection.open(order.route.port)));
    const result = await Promise.race([
      order.kind === 'closed' ? askOnAndOn(order) : askAtTimes(order),
      delay(order.ms + LATE_MS, null, { signal: late.signal }),
    ]);
    if (result === null) throw new Error(`answers are still owed after ${LATE_MS / 1000} s`);
    await Promise.all(connections.map((connection) => connection.close()));
    return result;
  } finally {
    late.abort();
    for (const connection of connections) connection.destroy();
  }
}

/** Starts streams one by one, so that their frames are not sent simultaneously. */
async function askOnAndOn({ workload, route, ms, apartMs }: Timed & { kind: 'closed' }): Promise<LoadResult> {
  const asked = new Asked(workload, route);
  const until = performance.now() + ms;
  await Promise.all(
    connections.map(async (connection, index) => {
      if (apartMs > 0) await delay(apartMs * index);
      while (performance.now() < until) await asked.ask(connection, performance.now());
    }),
  );
  return asked.result();
}

async function askAtTimes({ workload, route, ms, perSecond }: Timed & { kind: 'open' }): Promise<LoadResult> {
  const asked = new Asked(workload, route);
  const times = { gapMs: 1000 / perSecond, count: Math.max(1, Math.round((ms / 1000) * perSecond)) };
  await askAtRate(connections, times, (connection, dueAt) => asked.ask(connection, dueAt));
  return asked.result();
}

/** Requests of one kind, and their durations. */
class Asked {
  readonly #workload: Workload;
  readonly #bytes: Buffer;
  #startedAt: number | null = null;
  readonly #latencies: number[] = [];
  readonly #firstContents: number[] = [];

  constructor(workload: Workload, route: Route) {
    this.#workload = workload;
    this.#bytes = requestBytes(workload, route);
  }

  async ask(connection: Connection, dueAt: number): Promise<void> {
    this.#startedAt ??= dueAt;
    const answer = await connection.ask(this.#bytes);
    this.#latencies.push((performance.now() - dueAt) * 1000);
    if (answer.firstContentAt > 0) this.#firstContents.push((answer.firstContentAt - dueAt) * 1000);
    const fault = faultOf(this.#workload, answer);
    if (fault !== null) throw new Error(fault);
  }

  result(): LoadResult {
    const elapsedMs = performance.now() - (this.#startedAt ?? 0);
    const firstContent = FACTS[this.#workload].streamed ? percentiles(this.#firstContents) : null;
    return { answers: this.#latencies.length, elapsedMs, latency: percentiles(this.#latencies), firstContent };
  }
}

/** Opens streams until `streams` more are held, each after its first word. */
async function hold(route: Route, streams: number): Promise<LoadResult> {
  const startedAt = performance.now();
  const bytes = requestBytes('stream', route);
  for (let opened = 0; opened < streams; opened += OPENED_TOGETHER) {
    const count = Math.min(OPENED_TOGETHER, streams - opened);
    const opening = Promise.all(Array.from({ length: count }, () => holdOne(route.port, bytes)));
    const late = new AbortController();
    const came = await Promise.race([opening, delay(LATE_MS / 2, null, { signal: late.signal })]);
    late.abort();
    if (came === null) throw new Error(`only ${opened} streams could be opened`);
  }
  return resultOf(streams, performance.now() - startedAt);
}

async function holdOne(port: number, bytes: Buffer): Promise<void> {
  const connection = await Connection.open(port);
  held.push(connection);
  // This stream is only held open and never answered completely.
  connection.ask(bytes).catch(() => {});
  await connection.firstContent();
}

function resultOf(answers: number, elapsedMs: number): LoadResult {
  return { answers, elapsedMs, latency: null, firstContent: null };
}
