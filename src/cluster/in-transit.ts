import type { ChildProcess } from 'node:child_process';

/** What `node:cluster` sends with a connection, and what comes back once it was taken. It is no documented interface. */
type Handover = { act?: unknown; seq?: unknown };
type Receipt = { ack?: unknown };
type Handle = { close(): void };

/**
 * Lets no connection be forgotten on its way to a worker that ends. `node:cluster` keeps those open for ever that were
 * sent and not taken, and those that it means to send between the end of the pipe and the end of the process; their
 * callers would wait as long. Where its messages look otherwise, nothing is done.
 */
export function forgetNoConnection(worker: ChildProcess): void {
  const untaken = new Map<unknown, Handle>();
  const send = worker.send as (...sent: unknown[]) => boolean;
  worker.send = (...sent: unknown[]) => {
    const [message, handle] = sent as [Handover | null, Handle | undefined];
    if (message?.act === 'newconn' && handle !== undefined) untaken.set(message.seq, handle);
    return send.apply(worker, sent);
  };
  worker.on('internalMessage', ({ ack }: Receipt) => void untaken.delete(ack));
  // Whoever took one is dead too: closing what is left here takes it from nobody.
  worker.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
  });
  const { disconnect } = worker;
  worker.disconnect = () => {
    disconnect.call(worker);
    // Told at once, so that from now on every connection goes to the others.
    worker.emit('disconnect');
  };
}
