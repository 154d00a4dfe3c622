import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './reply.ts';

export type ExchangeControl = {
  /** Resolves when the call may continue, or when the client disconnects. */
  hold(): Promise<void>;
  /** Called before the vendor breaks the connection. */
  breaking(): void;
};

/**
 * Plays a reply on a connection, to its end or until the client disconnects. After each write reaches the kernel, it
 * waits for one turn of the event loop, so that a reader sees the cuts. A slow reader slows it down.
 */
export async function play(reply: Reply, response: ServerResponse, control: ExchangeControl): Promise<void> {
  // The response has no socket of its own yet while an earlier one on the same connection is being closed.
  const { socket } = response.req;
  if (socket.destroyed) return;
  const output: Writable = reply.raw ? socket : response;
  if (!reply.raw) response.writeHead(reply.status, { ...reply.headers });
  for (const act of reply.acts) {
    if (act === 'head') response.flushHeaders();
    else if (act === 'hold') await control.hold();
    else if (act === 'reset' || act === 'close') {
      control.breaking();
      if (act === 'reset') socket.resetAndDestroy();
      else socket.destroySoon();
      return;
    } else if (Buffer.isBuffer(act)) {
      await written(output, act);
      await nextTurn();
    } else await delay(act.waitMs);
    if (socket.destroyed) return;
  }
  response.end();
}

/** Resolves when the kernel has the bytes, or will never get them; the caller then checks the socket. */
function written(output: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => output.write(bytes, () => resolve()));
}
