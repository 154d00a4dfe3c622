import type { ChildProcess } from 'node:child_process';

/** The undocumented messages of `node:cluster` that send and acknowledge a connection. */
type Handover = { act?: unknown; seq?: unknown };
type Acknowledgement = { ack?: unknown };
type ChannelHandle = { close(): void };

/**
 * Closes connections that were on their way to a worker when it ended. `node:cluster` never closes those that were sent and
 * not accepted, nor those that it sends between the end of the pipe and the end of the process, and their callers would wait
 * for ever. Where the messages of `node:cluster` look different, this does nothing.
 */
export function closeUndelivered(worker: ChildProcess): void {
  const untaken = new Map<unknown, ChannelHandle>();
  const send = worker.send as (...sent: unknown[]) => boolean;
  worker.send = (...sent: unknown[]) => {
    const [message, handle] = sent as [Handover | null, ChannelHandle | undefined];
    if (message?.act === 'newconn' && handle !== undefined) untaken.set(message.seq, handle);
    return send.apply(worker, sent);
  };
  worker.on('internalMessage', ({ ack }: Acknowledgement) => void untaken.delete(ack));
  // The worker that took one is dead too, so closing it here takes it from no one.
  worker.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
  });
  const { disconnect } = worker;
  worker.disconnect = () => {
    disconnect.call(worker);
    // Marked at once, so that new connections go to the other workers.
    worker.emit('disconnect');
  };
}
