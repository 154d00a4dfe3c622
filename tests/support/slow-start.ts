import cluster from 'node:cluster';

/**
 * Loaded before a gateway (`node --import`): a worker that has answered its first ping, but does not serve yet, stands
 * still for a while, as on an overloaded machine.
 */
const STANDS_STILL_MS = 4_000;

type Message = { headgate?: string; name?: string };

if (cluster.isWorker) holdOrder();

/** The primary's first message tells the worker what to start. */
function holdOrder(): void {
  const { emit } = process;
  let order: unknown[] | null = null;
  process.emit = function (this: NodeJS.Process, ...args: unknown[]) {
    const [event, message] = args as [string, Message | null];
    const of = event === 'message' ? message?.headgate : undefined;
    if (of === 'answer' && order === null) {
      order = args;
      return true;
    }
    const isHandled = Reflect.apply(emit, this, args) as boolean;
    if (of === 'question' && message?.name === 'ping' && order !== null) {
      process.emit = emit;
      // The answer to the ping is sent first.
      setImmediate(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDS_STILL_MS);
        Reflect.apply(emit, this, order!);
      });
    }
    return isHandled;
  } as typeof process.emit;
}
