import { createServer, type Socket } from 'node:net';
import { listen } from '../src/testing/listen.ts';
import { FRAME_GAP_MS, messageFrames, streamFrames, wholeAnswer, wholeMessage } from './work.ts';

/**
 * A vendor that costs as little as can be: its answers are made beforehand, and of a request only the end and the words
 * `stream` and `rate` are looked for. A process of its own; tells its port to its parent.
 */
const WHOLE = httpAnswer('application/json', wholeAnswer());
const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n';
const FRAMES = httpFrames(streamFrames());
const WHOLE_MESSAGE = httpAnswer('application/json', wholeMessage());
const MESSAGE_FRAMES = httpFrames(messageFrames());

const server = createServer({ noDelay: true }, serve);
const port = await listen(server, 0);
process.send?.({ port });
// Its parent was killed, and could not end it.
process.once('disconnect', () => process.exit());

function serve(socket: Socket): void {
  let unread = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (text: string) => {
    unread += text;
    const bodyAt = unread.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const length = Number(/content-length: *(\d+)/i.exec(unread)?.[1] ?? 0);
    if (unread.length < bodyAt + length) return;
    const asMessage = unread.startsWith('POST /v1/messages ');
    const streamed = unread.includes('"stream":true', bodyAt);
    const gapMs = /"user(_id)?":"rate"/.test(unread) ? FRAME_GAP_MS.rate : FRAME_GAP_MS.saturation;
    // Each connection carries one request at a time, so nothing can follow it yet.
    unread = '';
    if (streamed) sendFrame(socket, asMessage ? MESSAGE_FRAMES : FRAMES, gapMs, 0);
    else socket.write(asMessage ? WHOLE_MESSAGE : WHOLE);
  });
}

function sendFrame(socket: Socket, frames: readonly Buffer[], gapMs: number, index: number): void {
  const frame = frames[index];
  if (frame === undefined || socket.destroyed) return;
  socket.write(frame);
  setTimeout(sendFrame, gapMs, socket, frames, gapMs, index + 1);
}

function httpFrames(frames: readonly string[]): Buffer[] {
  return frames.map((frame, index, { length }) => {
    const head = index === 0 ? STREAM_HEAD : '';
    const end = index === length - 1 ? '0\r\n\r\n' : '';
    return Buffer.from(`${head}${frame.length.toString(16)}\r\n${frame}\r\n${end}`);
  });
}

function httpAnswer(type: string, body: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}
