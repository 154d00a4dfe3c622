import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesThatReach } from './import-graph.ts';

/** More would save little, because the work of the tests themselves remains. */
const FILES_PER_BATCH = 8;
/**
 * Folders whose test files share processes: those of the console share a browser with it, and the others load the same
 * clients. Tests elsewhere mostly wait for gateways, so separate processes cost little.
 */
const SHARING = /^(?:build|src|tests\/(?:console|http|organization|sdk|translation|vendors))\//;
/** Replaced timers or trusted certificates affect all files in a process. */
const REPLACES_GLOBALS = /\b(?:mock\.timers|setDefaultCACertificates)\b/;

/**
 * The test files that each process runs, in this order; paths are relative to `root`. A file gets its own process if it
 * is not in a folder of shared ones, or if it or one of its imports replaces globals of the process.
 */
export function batchesOf(root: string, files: readonly string[]): string[][] {
  const replacing = globSync('{src,tests,build}/**/*.ts', { cwd: root }).filter((file) =>
    REPLACES_GLOBALS.test(readFileSync(join(root, file), 'utf8')),
  );
  const alone = filesThatReach(root, replacing);
  const groups = Map.groupBy([...files].sort(), (file) =>
    SHARING.test(file) && !alone.has(file) ? dirname(file) : file,
  );
  return [...groups.values()].flatMap((group) => {
    const count = Math.ceil(group.length / FILES_PER_BATCH);
    return Array.from({ length: count }, (_, batch) => group.filter((_file, index) => index % count === batch));
  });
}

/**
 * The batches in the order in which to run them: those of each folder spread evenly over the run. Folders differ in what
 * their tests need: some work all the time, others mostly wait. Side by side they leave no core idle.
 */
export function spreadOut(batches: readonly (readonly string[])[]): (readonly string[])[] {
  const folders = Map.groupBy(batches, ([first = '']) => dirname(first));
  const placed = [...folders.values()].flatMap((group) =>
    group.map((batch, index) => ({ batch, place: (index + 0.5) / group.length })),
  );
  return placed.sort((one, other) => one.place - other.place).map(({ batch }) => batch);
}
