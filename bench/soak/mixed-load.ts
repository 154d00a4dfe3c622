import { askAtRate } from '../load/at-rate.ts';
import { Connection } from '../load/connection.ts';
import type { Route } from '../load/order.ts';
import { bytesOf, faultOf, requestBytes } from '../load/requests.ts';
import { FAILING_USER, requestBody, type Workload } from '../workloads.ts';

/** Generates all kinds of work at once in its own process. The parent sends an order, and gets the result. */
export type MixedOrder = {
  routes: Readonly<Record<Workload, Route>>;
  callers: number;
  ms: number;
  perSecond: number | null;
};

/** `left`: the caller disconnected in the middle of a stream. `failed`: the vendor failed on request. */
export type MixedResult = {
  succeeded: number;
  left: number;
  failed: number;
  perSecond: number;
  /** The number of wrong answers; the first ones are described. */
  wrong: number;
  faults: string[];
};

type Kind = Workload | 'leave' | 'fail';
/** A caller with its own connection, which is replaced after it disconnects. */
type Caller = { connection: Connection };

/** The kinds of requests, in a repeated order. */
const MIXTURE: readonly Kind[] = [
  ...['chat', 'chat', 'stream', 'chat', 'chat', 'agent', 'chat', 'chat', 'translated', 'chat'],
  ...['chat', 'leave', 'chat', 'routed', 'stream', 'chat', 'embeddings', 'chat', 'fail', 'chat'],
] as Kind[];
const MAX_FAULTS = 20;
/** The time after the end in which the gateway must give all pending answers. */
const LATE_MS = 60_000;

process.on('message', async (order: MixedOrder) => {
  process.send?.(await drive(order));
});
// The parent may be killed without ending this process.
process.once('disconnect', () => process.exit());

async function drive({ routes, callers, ms, perSecond }: MixedOrder): Promise<MixedResult> {
  const result: MixedResult = { succeeded: 0, left: 0, failed: 0, perSecond: 0, wrong: 0, faults: [] };
  const bytes = requestsOf(routes);
  const port = routes.chat.port;
  const all: Caller[] = await Promise.all(
    Array.from({ length: callers }, async () => ({ connection: await Connection.open(port) })),
  );
  let asked = 0;
  const askNext = async (caller: Caller) => {
    const kind = MIXTURE[asked % MIXTURE.length]!;
    asked += 1;
    await askOne({ kind, bytes: bytes[kind], port }, caller, result);
  };
  const startedAt = performance.now();
  // Pending requests then fail because the connection closed, which counts as a wrong answer.
  const late = setTimeout(() => {
    for (const { connection } of all) connection.destroy();
  }, ms + LATE_MS);
  if (perSecond === null) await onAndOn(all, startedAt + ms, askNext);
  else await askAtRate(all, { gapMs: 1000 / perSecond, count: Math.ceil((ms / 1000) * perSecond) }, askNext);
  clearTimeout(late);
  result.perSecond = (asked * 1000) / (performance.now() - startedAt);
  for (const { connection } of all) connection.destroy();
  return result;
}

async function onAndOn(
  callers: readonly Caller[],
  until: number,
  ask: (caller: Caller) => Promise<void>,
): Promise<void> {
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < until) await ask(caller);
    }),
  );
}

/** A request and its destination. */
type Question = { kind: Kind; bytes: Buffer; port: number };

async function askOne({ kind, bytes, port }: Question, caller: Caller, result: MixedResult): Promise<void> {
  try {
    if (kind === 'leave') {
      await leaveStream(bytes, caller.connection);
      result.left += 1;
      caller.connection = await Connection.open(port);
      return;
    }
    const answer = await caller.connection.ask(bytes);
    const fault = kind === 'fail' ? faultOfFailure(answer.status) : faultOf(kind, answer);
    if (fault !== null) throw new Error(`${kind}: ${fault}`);
    if (kind === 'fail') result.failed += 1;
    else result.succeeded += 1;
  } catch (error) {
    result.wrong += 1;
    if (result.faults.length < MAX_FAULTS) result.faults.push(String(error));
    caller.connection.destroy();
    caller.connection = await Connection.open(port);
  }
}

/** Disconnects after the first word. */
async function leaveStream(bytes: Buffer, connection: Connection): Promise<void> {
  const answered = connection.ask(bytes).catch(() => {});
  await connection.firstContent();
  connection.destroy();
  await answered;
}

function faultOfFailure(status: number): string | null {
  return status >= 500 ? null : `answered ${status} for a vendor that failed`;
}

function requestsOf(routes: MixedOrder['routes']): Record<Kind, Buffer> {
  const failing = JSON.stringify({ ...JSON.parse(requestBody('chat', routes.chat.model)), user: FAILING_USER });
  return {
    chat: requestBytes('chat', routes.chat),
    agent: requestBytes('agent', routes.agent),
    routed: requestBytes('routed', routes.routed),
    stream: requestBytes('stream', routes.stream),
    translated: requestBytes('translated', routes.translated),
    embeddings: requestBytes('embeddings', routes.embeddings),
    leave: requestBytes('stream', routes.stream),
    fail: bytesOf(routes.chat, failing),
  };
}
