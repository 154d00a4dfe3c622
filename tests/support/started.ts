import { fileURLToPath } from 'node:url';

/** How a gateway is started: what follows `node`, and what is added to its environment. */
export type Started = { args: readonly string[]; env: Readonly<Record<string, string>> };

/** The command as it runs in a clone: from the sources. For tests that ask which files it loads, or how it begins. */
export const SOURCES_BIN = fileURLToPath(new URL('../../bin/headgate.js', import.meta.url));

const BUNDLE = fileURLToPath(new URL('../../node_modules/.cache/headgate-bundle', import.meta.url));

/**
 * What tests start: the bundle where a run of many tests has made one (`HEADGATE_BUNDLE`), else the sources
 * (docs/decisions/2026-11-27-tests-start-a-bundle.md).
 */
export const STARTED: Started = process.env.HEADGATE_BUNDLE === '1' ? bundled() : startedOf(SOURCES_BIN);

export function startedOf(bin: string): Started {
  return { args: [bin], env: {} };
}

/**
 * It has begun as a server's process is to begin, so that it need not begin again (`bin/headgate.js`), and has a compile cache
 * of its own: a package keeps none.
 */
function bundled(): Started {
  return {
    args: ['--max-semi-space-size=8', `${BUNDLE}/bin/headgate.js`],
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: `${BUNDLE}/compiled` },
  };
}
