import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { familyOf } from './family.ts';

/**
 * The cores of the parts. Contestants work in turn and share one; load and upstream share one if there are only two.
 */
const CORES = { contestant: 0, load: 1, upstream: Math.min(2, availableParallelism() - 1) } as const;

/** Why processes cannot be pinned here; `null` if they can. */
export function cannotPin(): string | null {
  if (availableParallelism() < 2) return 'The machine has one core, so contestants are not kept apart from the load.';
  if (spawnSync('taskset', ['--version']).status === 0) return null;
  return 'There is no `taskset`, so contestants may use more than one core, and the load takes from theirs.';
}

/**
 * Pins a process and its descendants, with all their threads, to the core of its part. Does nothing if that is not
 * possible.
 */
export function pin(pid: number, part: keyof typeof CORES): void {
  if (cannotPin() !== null) return;
  for (const member of familyOf(pid)) spawnSync('taskset', ['-a', '-c', '-p', String(CORES[part]), String(member)]);
}

/** Pins the first thread of a process to the core of contestants; its other threads may use every core. */
export function pinFirstThread(pid: number): void {
  if (cannotPin() !== null) return;
  unpin(pid);
  spawnSync('taskset', ['-c', '-p', String(CORES.contestant), String(pid)]);
}

/** Lets a process and its descendants use every core again. */
export function unpin(pid: number): void {
  if (cannotPin() !== null) return;
  const all = `0-${availableParallelism() - 1}`;
  for (const member of familyOf(pid)) spawnSync('taskset', ['-a', '-c', '-p', all, String(member)]);
}
