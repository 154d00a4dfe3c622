import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * How much the heap may grow behind a collection before the next one, by what was alive then. Buffers outside of it count too:
 * at 100, bodies of 100 KB have all that is old looked through every 200 calls, which costs each as much as all else of it.
 */
const MOST_GROWTH_PERCENT = 200;

/**
 * Gives back what the start left behind, and has V8 hold little from then on
 * (docs/decisions/2026-11-22-what-memory-is-held.md). Takes some 0.1 s in which nothing else is done: to be called before
 * the first caller can come.
 */
export function holdLittleMemory(): void {
  // Waking other threads for young collections costs more than it saves.
  setFlagsFromString('--no-parallel-scavenge');
  // Else V8 lets what is dead grow to some 100 MB before it looks for it first, and buffers as large with it.
  setFlagsFromString(`--heap-growing-percent=${MOST_GROWTH_PERCENT}`);
  // Else code whose objects once survived a collection makes them as old ones from then on, and they keep the young ones that
  // they point to (docs/decisions/2026-11-23-calls-pass-through-no-set.md).
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  // Only this kind of collection also shrinks the young generation, which grew while modules were loaded.
  collect({ type: 'major', flavor: 'last-resort' });
}
