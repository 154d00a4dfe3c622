import { readdirSync, readFileSync } from 'node:fs';
import { familyOf, fieldsOf } from './family.ts';

const NANOS_PER_MICRO = 1000;
/** Linux counts `/proc/PID/stat` in hundredths of a second, whatever its internal tick. */
const MICROS_PER_TICK = 10_000;

/** The CPU time of a process and its descendants in microseconds, user and system. */
export function cpuMicros(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + ownCpuMicros(member), 0);
}

/**
 * The CPU time of the first thread of a process in microseconds. In a gateway of one process, that thread answers
 * calls.
 */
export function firstThreadMicros(pid: number): number {
  return Number(firstWord(`/proc/${pid}/task/${pid}/schedstat`)) / NANOS_PER_MICRO;
}

/** From the scheduler by thread, in nanoseconds; otherwise in ticks. */
function ownCpuMicros(pid: number): number {
  const folder = `/proc/${pid}/task`;
  try {
    const nanos = readdirSync(folder).map((task) => Number(firstWord(`${folder}/${task}/schedstat`)));
    return nanos.reduce((sum, each) => sum + each, 0) / NANOS_PER_MICRO;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const [userTicks, systemTicks] = fieldsOf(pid).slice(11, 13);
    return (Number(userTicks) + Number(systemTicks)) * MICROS_PER_TICK;
  }
}

function firstWord(file: string): string {
  return readFileSync(file, 'latin1').split(' ', 1)[0] ?? '';
}
