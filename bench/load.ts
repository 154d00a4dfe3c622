import { connect, type Socket } from 'node:net';
import { CONNECTIONS, requestBody, STREAM_FRAMES, type Work } from './work.ts';

/** What to drive, and for how long. */
export type LoadOrder = { port: number; path: string; key: string; work: Work; ms: number };
/** What came of it: every request that was begun was answered in full and as it should be, or `fault` says what was not. */
export type LoadResult = { answers: number; elapsedMs: number; fault: string | null };

const SUCCESS = 'HTTP/1.1 200 ';
/** The last bytes of a chunked body; each may be a piece of its own. */
const STREAM_END = '\r\n0\r\n\r\n';

/**
 * The load: each connection sends its next request when the last was answered in full. A process of its own; its parent
 * sends orders and gets a result for each.
 */
process.on('message', async (order: LoadOrder) => {
  const startedAt = performance.now();
  const request = requestBytes(order);
  const until = startedAt + order.ms;
  try {
    const counts = await Promise.all(
      Array.from({ length: CONNECTIONS[order.work] }, () => drive(order, request, until)),
    );
    const answers = counts.reduce((sum, count) => sum + count, 0);
    process.send?.({ answers, elapsedMs: performance.now() - startedAt, fault: null } satisfies LoadResult);
  } catch (error) {
    process.send?.({ answers: 0, elapsedMs: 0, fault: String(error) } satisfies LoadResult);
  }
});

function requestBytes({ port, path, key, work }: LoadOrder): Buffer {
  const body = requestBody(work);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Drives one connection; resolves with the number of its answers once the last has ended. */
function drive({ port, work }: LoadOrder, request: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const isWhole = work === 'small' ? wholeAnswerEnded : streamEnded;
    let answers = 0;
    let pieces: string[] = [];
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      pieces.push(piece);
      if (!pieces[0]?.startsWith(SUCCESS)) return socket.destroy(new Error(`an answer that is no success: ${piece}`));
      if (!isWhole(pieces)) return;
      if (!isRight(pieces.join(''), work))
        return socket.destroy(new Error(`not the answer expected: ${pieces.join('')}`));
      pieces = [];
      answers += 1;
      if (performance.now() < until) socket.write(request);
      else socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (pieces.length === 0) resolve(answers);
      else reject(new Error(`the connection closed within an answer: ${pieces.join('')}`));
    });
  });
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
