import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listen } from '../../src/testing/listen.ts';
import { FAILING_USER, FRAME_GAP_MS } from '../workloads.ts';
import {
  chatAnswer,
  chatStream,
  embeddingsAnswer,
  failure,
  messageAnswer,
  messageStream,
  type StreamText,
} from './answers.ts';

/**
 * A vendor with minimal cost: its answers are prepared, and it looks only for the path, the end and the word `stream`
 * of a request. It runs in its own process and sends its port to its parent: `node upstream.ts [CERTIFICATE KEY]`. The
 * parent may send `{ gapMs }`, the interval between frames of streams from then on; `null`: silence after the first.
 */
export type UpstreamOrder = { gapMs: number | null };

/** Larger requests, in characters, are not searched for their sender. */
const SMALL = 4096;

type Frames = { first: Buffer; rest: readonly Buffer[] };

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n';
const CHAT = httpAnswer('200 OK', chatAnswer());
const CHAT_STREAM = httpFrames(chatStream());
const MESSAGE = httpAnswer('200 OK', messageAnswer());
const MESSAGE_STREAM = httpFrames(messageStream());
const EMBEDDINGS = httpAnswer('200 OK', embeddingsAnswer());
const FAILURE = httpAnswer('500 Internal Server Error', failure());

let gapMs: number | null = FRAME_GAP_MS.saturation;

const port = await listen(makeServer(...process.argv.slice(2)), 0);
process.send?.({ port });
process.on('message', (order: UpstreamOrder) => {
  gapMs = order.gapMs;
  process.send?.('done');
});
// The parent may be killed without ending this process.
process.once('disconnect', () => process.exit());

function makeServer(certificate?: string, key?: string): Server {
  if (certificate === undefined || key === undefined) return createServer({ noDelay: true }, serve);
  return createTlsServer({ noDelay: true, cert: readFileSync(certificate), key: readFileSync(key) }, serve);
}

function serve(socket: Socket): void {
  let unread = '';
  let length = 0;
  let bodyAt = -1;
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (text: string) => {
    unread += text;
    if (bodyAt === -1) {
      const end = unread.indexOf('\r\n\r\n');
      if (end === -1) return;
      bodyAt = end + 4;
      length = Number(/content-length: *(\d+)/i.exec(unread)?.[1] ?? 0);
    }
    if (unread.length < bodyAt + length) return;
    answer(socket, unread, bodyAt);
    // Each connection carries one request at a time, so nothing can follow yet.
    unread = '';
    bodyAt = -1;
  });
}

function answer(socket: Socket, request: string, bodyAt: number): void {
  if (request.startsWith('POST /v1/embeddings')) return void socket.write(EMBEDDINGS);
  const asMessage = request.startsWith('POST /v1/messages');
  if (isStreamed(request, bodyAt)) return sendStream(socket, asMessage ? MESSAGE_STREAM : CHAT_STREAM);
  if (request.length < SMALL && request.includes(FAILING_USER, bodyAt)) return void socket.write(FAILURE);
  socket.write(asMessage ? MESSAGE : CHAT);
}

function isStreamed(request: string, bodyAt: number): boolean {
  return request.includes('"stream":true', bodyAt) || request.includes('"stream": true', bodyAt);
}

function sendStream(socket: Socket, { first, rest }: Frames): void {
  socket.write(first);
  if (gapMs !== null) setTimeout(sendFrame, gapMs, socket, rest, gapMs, 0);
}

function sendFrame(socket: Socket, frames: readonly Buffer[], apartMs: number, index: number): void {
  const frame = frames[index];
  if (frame === undefined || socket.destroyed) return;
  socket.write(frame);
  setTimeout(sendFrame, apartMs, socket, frames, apartMs, index + 1);
}

function httpFrames({ first, rest }: StreamText): Frames {
  const chunks = rest.map((text) => Buffer.from(chunk(text)));
  chunks.push(Buffer.concat([chunks.pop()!, Buffer.from('0\r\n\r\n')]));
  return { first: Buffer.from(`${STREAM_HEAD}${chunk(first)}`), rest: chunks };
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function httpAnswer(status: string, body: string): Buffer {
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.from(`${head}${body}`);
}
