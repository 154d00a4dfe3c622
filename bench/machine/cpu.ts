import { readdirSync, readFileSync } from 'node:fs';
import { familyOf, fieldsOf } from './family.ts';

const NANOS_PER_MICRO = 1000;
/** Linux tells `/proc/PID/stat` in hundredths of a second whatever its own tick is. */
const MICROS_PER_TICK = 10_000;

/** CPU microseconds that a process and its descendants have used so far, user and system together. */
export function cpuMicros(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + ownCpuMicros(member), 0);
}

/** CPU microseconds that the first thread of a process has used so far: the one that answers calls, in a gateway of one process. */
export function firstThreadMicros(pid: number): number {
  return Number(firstWord(`/proc/${pid}/task/${pid}/schedstat`)) / NANOS_PER_MICRO;
}

/** To the nanosecond from the scheduler, thread by thread; else in ticks. */
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
