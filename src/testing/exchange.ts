import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './reply.ts';

export type ExchangeControl = {
  /** Waits until the call may go on; resolves too when the client leaves. */
  hold(): Promise<void>;
  /** Told before the vendor breaks the connection itself. */
  breaking(): void;
};

/**
 * Plays a reply on a connection, to its end or until the client leaves. Each write is handed to the kernel, and the
 * event loop turned once, before the next, so that a reader sees the cuts; a slow reader slows it down.
 */
export async function play(reply: Reply, response: ServerResponse, control: ExchangeControl): Promise<void> {
  // The response's own is not there yet while the one before it, on the same connection, is being let go.
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

/** Resolves when the kernel has the bytes, or will never have them: the caller looks at the socket next. */
function written(output: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => output.write(bytes, () => resolve()));
}
