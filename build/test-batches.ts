import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesThatReach } from './import-graph.ts';

/** More would save little: what remains is the work of the tests themselves. */
const FILES_PER_BATCH = 8;
/** Where the files of a folder share processes. Others mostly wait for gateways, so a process of their own costs them little. */
const SHARING = /^(?:build|src)\//;
/** A file that replaces a process's timers or trusted certificates replaces them for all files that run there. */
const REPLACES_GLOBALS = /\b(?:mock\.timers|setDefaultCACertificates)\b/;

/**
 * The files of tests that each process runs, in this order. `root` is the folder that the paths begin at. A file has a
 * process of its own if it is in no folder whose files share them, or if it or what it imports replaces what a process has once.
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
