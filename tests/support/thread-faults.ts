import { syncBuiltinESMExports } from 'node:module';
import { StatementSync } from 'node:sqlite';
import workerThreads, { isMainThread, Worker } from 'node:worker_threads';

/**
 * Loaded before a gateway (`node --import`), and so in each of its threads: SIGUSR2 ends the table thread at any point,
 * and SIGWINCH blocks it for ever in the middle of its next write.
 */
const CHANNEL = 'thread-faults';

if (isMainThread) watchThreads();
else standStillWhenTold();

function watchThreads(): void {
  const threads = new Set<Worker>();
  class WatchedWorker extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      threads.add(this);
      this.once('exit', () => threads.delete(this));
    }
  }
  Object.assign(workerThreads, { Worker: WatchedWorker });
  syncBuiltinESMExports();
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  process.on('SIGUSR2', () => {
    for (const thread of threads) void thread.terminate();
  });
  process.on('SIGWINCH', () => channel.postMessage('stand still'));
}

function standStillWhenTold(): void {
  const { run } = StatementSync.prototype;
  let isTold = false;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => {
    isTold = true;
  };
  channel.unref();
  StatementSync.prototype.run = function (this: StatementSync, ...args: Parameters<typeof run>) {
    const result = run.apply(this, args);
    if (isTold) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return result;
  } as typeof run;
}
