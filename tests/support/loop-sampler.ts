import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';

/**
 * Loaded into a gateway's process in front of it (`loop-holds.ts`): tells how long one turn of the event loop held it. What is
 * measured is CPU time of the loop's own thread, so that what else the machine does counts for nothing.
 */

/** Timers run once in each turn of the loop, so that what lies between two ticks is a turn, and some small ones. */
const TICK_MS = 2;

let longest = 0;
let last = cpuMs();
let sum = last;

function tick(): void {
  const now = cpuMs();
  longest = Math.max(longest, now - last);
  last = now;
}

// Other commands than `serve` are processes of their own, beside it.
if (process.argv.includes('serve')) {
  setInterval(tick, TICK_MS).unref();
  const path = process.env.LOOP_SAMPLER_SOCKET!;
  // The process begins twice: `bin/headgate.js` has it begin again with settings of its memory.
  rmSync(path, { force: true });
  createServer(tell).listen(path).unref();
}

/** Whoever connects is told what was longest since the last one was, and the CPU time since then. */
function tell(socket: Socket): void {
  const now = cpuMs();
  socket.end(JSON.stringify({ holdMs: Math.max(longest, now - last), cpuMs: now - sum }));
  longest = 0;
  last = now;
  sum = now;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
