import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';

/**
 * Loaded before a gateway (see `loop-holds.ts`): measures how long one turn of the event loop holds it. It measures CPU
 * time of the loop's own thread, so that other load on the machine has no effect.
 */

/** Timers run once per turn of the loop, so the time between two ticks is a turn, and perhaps some short ones. */
const TICK_MS = 2;

let longest = 0;
let last = cpuMs();
let sum = last;

function tick(): void {
  const now = cpuMs();
  longest = Math.max(longest, now - last);
  last = now;
}

// Commands other than `serve` are separate processes.
if (process.argv.includes('serve')) {
  setInterval(tick, TICK_MS).unref();
  const path = process.env.LOOP_SAMPLER_SOCKET!;
  // `bin/headgate.js` restarts the process with limits of its memory.
  rmSync(path, { force: true });
  createServer(tell).listen(path).unref();
}

/** Each connection gets the longest turn and the CPU time since the last connection. */
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
