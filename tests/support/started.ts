import { fileURLToPath } from 'node:url';

/** How a gateway is started: the arguments of `node`, and additions to its environment. */
export type Started = { args: readonly string[]; env: Readonly<Record<string, string>> };

/** The command as in a clone, from the sources. For tests of the files that it loads, or of its start. */
export const SOURCES_BIN = fileURLToPath(new URL('../../bin/headgate.js', import.meta.url));

const BUNDLE = fileURLToPath(new URL('../../node_modules/.cache/headgate-bundle', import.meta.url));

/**
 * What tests start: the bundle if a run of many tests has made one (`HEADGATE_BUNDLE`), otherwise the sources
 * (docs/decisions/2026-11-27-tests-start-a-bundle.md).
 */
export const STARTED: Started = process.env.HEADGATE_BUNDLE === '1' ? bundled() : startedOf(SOURCES_BIN);

export function startedOf(bin: string): Started {
  return { args: [bin], env: {} };
}

/**
 * The flags that `bin/headgate.js` would add are set, so that it does not restart. The space for new objects also starts
 * at its largest, which saves the collections of a start. The bundle has its own compile cache, which a package does
 * not.
 */
function bundled(): Started {
  return {
    args: ['--min-semi-space-size=8', '--max-semi-space-size=8', `${BUNDLE}/bin/headgate.js`],
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: `${BUNDLE}/compiled` },
  };
}
