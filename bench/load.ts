import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CONNECTIONS,
  FRAME_GAP_MS,
  type Pace,
  REQUESTS_PER_SECOND,
  requestBody,
  STREAM_FRAMES,
  type Work,
} from './work.ts';

/** What to drive, how, and for how long. */
export type LoadOrder = { port: number; path: string; key: string; work: Work; pace: Pace; model: string; ms: number };
/** What came of it: every request that was begun was answered in full and as it should be, or `fault` says what was not. */
export type LoadResult = { answers: number; elapsedMs: number; fault: string | null };

/** `ask` sends the request, and resolves when it was answered in full. */
type Connection = { ask(): Promise<void>; close(): Promise<unknown> };

const SUCCESS = 'HTTP/1.1 200 ';
/** The last bytes of a chunked body; each may be a piece of its own. */
const STREAM_END = '\r\n0\r\n\r\n';
const TICK_MS = 1;

/** The load: a process of its own, whose parent sends orders and gets a result for each. */
process.on('message', async (order: LoadOrder) => {
  const startedAt = performance.now();
  let result: LoadResult;
  try {
    const count = CONNECTIONS[order.pace][order.work];
    const connections = await Promise.all(Array.from({ length: count }, () => open(order)));
    const atRate = order.pace === 'rate' && order.work === 'small';
    const answers = await (atRate ? askAtRate : askOnAndOn)(connections, order);
    result = { answers, elapsedMs: performance.now() - startedAt, fault: null };
    await Promise.all(connections.map((connection) => connection.close()));
  } catch (error) {
    result = { answers: 0, elapsedMs: 0, fault: String(error) };
  }
  process.send?.(result);
});

// Its parent was killed, and could not end it.
process.once('disconnect', () => process.exit());

/** Each connection sends its next request when the last was answered. Streams begin one after the other, so that their frames do not come all at once. */
async function askOnAndOn(connections: readonly Connection[], { work, pace, ms }: LoadOrder): Promise<number> {
  const until = performance.now() + ms;
  const apartMs = work === 'stream' ? FRAME_GAP_MS[pace] / connections.length : 0;
  const counts = connections.map(async ({ ask }, index) => {
    await delay(apartMs * index);
    let answers = 0;
    for (; performance.now() < until; answers += 1) await ask();
    return answers;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Requests begin at their times, each on the connection that has rested longest. One that finds none free begins late. */
async function askAtRate(connections: readonly Connection[], { ms }: LoadOrder): Promise<number> {
  const startedAt = performance.now();
  const free = [...connections];
  const asked: Promise<unknown>[] = [];
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - startedAt) {
    const due = (elapsed / 1000) * REQUESTS_PER_SECOND;
    while (asked.length < due && free.length > 0) {
      const connection = free.shift()!;
      asked.push(connection.ask().then(() => free.push(connection)));
    }
    await delay(TICK_MS);
  }
  await Promise.all(asked);
  return asked.length;
}

async function open(order: LoadOrder): Promise<Connection> {
  const { port, work } = order;
  const request = requestBytes(order);
  const isWhole = work === 'small' ? wholeAnswerEnded : streamEnded;
  let answered = Promise.withResolvers<void>();
  answered.resolve(); // Nothing is asked yet: a socket that closes then rejects nobody.
  let pieces: string[] = [];
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  socket.on('data', (piece: string) => {
    pieces.push(piece);
    if (!pieces[0]?.startsWith(SUCCESS)) return socket.destroy(new Error(`an answer that is no success: ${piece}`));
    if (!isWhole(pieces)) return;
    const text = pieces.join('');
    if (!isRight(text, work)) return socket.destroy(new Error(`not the answer expected: ${text}`));
    pieces = [];
    answered.resolve();
  });
  socket.on('error', (error) => answered.reject(error));
  socket.on('close', () => answered.reject(new Error(`the connection closed within an answer: ${pieces.join('')}`)));
  await once(socket, 'connect');
  return {
    ask() {
      answered = Promise.withResolvers();
      socket.write(request);
      return answered.promise;
    },
    close: () => once(socket.end(), 'close'),
  };
}

function requestBytes({ port, path, key, work, pace, model }: LoadOrder): Buffer {
  const body = requestBody(work, pace, model);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

function wholeAnswerEnded(pieces: readonly string[]): boolean {
  const text = pieces.join('');
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  return bodyAt >= 4 && text.length >= bodyAt + Number(/content-length: *(\d+)/i.exec(text)?.[1]);
}

function streamEnded(pieces: readonly string[]): boolean {
  return pieces.slice(-STREAM_END.length).join('').endsWith(STREAM_END);
}

function isRight(text: string, work: Work): boolean {
  return work === 'small' ? text.endsWith('}') : text.split('data: ').length - 1 === STREAM_FRAMES;
}
