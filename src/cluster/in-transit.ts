import type { ChildProcess } from 'node:child_process';

/** What `node:cluster` sends with a connection, and what comes back once it was taken. It is no documented interface. */
type Handover = { act?: unknown; seq?: unknown };
type Receipt = { ack?: unknown };
type Handle = { close(): void };

/**
 * Closes the connections that a worker had been sent and had not taken when it ended. `node:cluster` keeps those open for
 * ever, and their callers would wait as long. Where its messages look otherwise, nothing is done.
 */
export function closeUntaken(worker: ChildProcess): void {
  const untaken = new Map<unknown, Handle>();
  const send = worker.send as (...sent: unknown[]) => boolean;
  worker.send = (...sent: unknown[]) => {
    const [message, handle] = sent as [Handover | null, Handle | undefined];
    if (message?.act === 'newconn' && handle !== undefined) untaken.set(message.seq, handle);
    return send.apply(worker, sent);
  };
  worker.on('internalMessage', ({ ack }: Receipt) => void untaken.delete(ack));
  // By then all that it had to say was heard.
  worker.once('disconnect', () => {
    for (const handle of untaken.values()) handle.close();
  });
}
