import { readFileSync } from 'node:fs';

/**
 * Loaded into a gateway before its own files (`node --import`): the wall clock is ahead by as many milliseconds as the file
 * says that `CLOCK_FILE` names. What counts from a start (`performance.now`, timers) goes on undisturbed, as it does
 * where somebody sets the clock of a machine.
 */
const file = process.env.CLOCK_FILE ?? '';
const { now } = Date;
Date.now = () => now() + Number(readFileSync(file, 'latin1'));
