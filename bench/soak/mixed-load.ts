import { askAtRate } from '../load/at-rate.ts';
import { Connection } from '../load/connection.ts';
import type { Route } from '../load/order.ts';
import { bytesOf, faultOf, requestBytes } from '../load/requests.ts';
import { FAILING_USER, requestBody, type Workload } from '../workloads.ts';

/** Work of all kinds at once, from a process of its own: its parent sends an order and gets what came of it. */
export type MixedOrder = {
  routes: Readonly<Record<Workload, Route>>;
  callers: number;
  ms: number;
  perSecond: number | null;
};

/** `left`: the caller went away in the middle of a stream. `failed`: the vendor did, as it was asked to. */
export type MixedResult = {
  succeeded: number;
  left: number;
  failed: number;
  perSecond: number;
  /** Answers that were wrong; the first of them are told. */
  wrong: number;
  faults: string[];
};

type Kind = Workload | 'leave' | 'fail';
/** Who asks, on a connection of its own; one that left takes another. */
type Caller = { connection: Connection };

/** In the order that they are asked, over and over. */
const MIXTURE: readonly Kind[] = [
  ...['chat', 'chat', 'stream', 'chat', 'chat', 'agent', 'chat', 'chat', 'translated', 'chat'],
  ...['chat', 'leave', 'chat', 'routed', 'stream', 'chat', 'embeddings', 'chat', 'fail', 'chat'],
] as Kind[];
const MAX_FAULTS = 20;
/** After its time the gateway has this long to give the answers that it owes. */
const LATE_MS = 60_000;

process.on('message', async (order: MixedOrder) => {
  process.send?.(await drive(order));
});
// Its parent was killed, and could not end it.
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
  // Who is owed an answer by then is told that the connection closed, which is a wrong answer.
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

/** A request, and where it goes. */
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

/** Goes away once a first word has come. */
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
