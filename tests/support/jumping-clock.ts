import { readFileSync } from 'node:fs';

/**
 * Loaded before a gateway (`node --import`): the wall clock is ahead by the number of milliseconds in the file
 * `CLOCK_FILE`. Monotonic time (`performance.now`, timers) is unaffected, as when somebody sets the clock of a machine.
 */
const file = process.env.CLOCK_FILE ?? '';
const { now } = Date;
Date.now = () => now() + Number(readFileSync(file, 'latin1'));
