import { readdirSync, readFileSync } from 'node:fs';
import { familyOf } from './family.ts';

/** Bytes. A page that processes share counts in `rss` of each, and in `pss` by shares. */
export type Memory = { rss: number; pss: number };

const BYTES_PER_KB = 1024;

/** The memory of a process and its descendants. */
export function memoryOf(pid: number): Memory {
  const all = familyOf(pid).map(ownMemory);
  return { rss: all.reduce((sum, { rss }) => sum + rss, 0), pss: all.reduce((sum, { pss }) => sum + pss, 0) };
}

/** The number of open files and sockets of a process and its descendants. */
export function openFiles(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + readdirSync(`/proc/${member}/fd`).length, 0);
}

/** The most files that a process of this user may open. */
export function mostFiles(): number {
  const hard = /^Max open files +\S+ +(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

function ownMemory(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const bytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * BYTES_PER_KB;
  return { rss: bytes('Rss'), pss: bytes('Pss') };
}
