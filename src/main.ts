import { run } from './cli/run.ts';
import { openTerminal } from './cli/terminal.ts';
import type { Toolbox, Where } from './cli/toolbox.ts';
import type { Environment } from './config/interpolate.ts';
import { ask } from './http/ask.ts';
import { createIds } from './http/ids.ts';
import { askedModelsOf, knownModelsOf, probeProviders } from './runtime/inspect.ts';
import { replayerOf, routeTargetsOf } from './runtime/preview.ts';
import { CLOCK, openData, openKeys, readCatalogFiles, readSetup, type StartOptions, VERSION } from './runtime/setup.ts';
import { catalogEntryJson } from './surfaces/catalog.ts';
import { usageDetailJson, usageRecordJson } from './surfaces/usage.ts';

/** Runs one `headgate` command; resolves with its exit code. */
export function main(argv: readonly string[], env: Environment): Promise<number> {
  const terminal = openTerminal(process.stdin, process.stdout, process.stderr);
  return run(argv, openToolbox(env, process.cwd()), terminal);
}

/** What the commands need of the other rooms. */
function openToolbox(env: Environment, cwd: string): Toolbox {
  const startOptionsOf = ({ config, data }: Where): StartOptions => ({
    env: data === undefined ? env : { ...env, HEADGATE_DATA: data },
    cwd,
    ...(config === undefined ? {} : { config }),
  });
  return {
    version: VERSION,
    clock: CLOCK,
    env,
    cwd,
    readSetup: (where) => readSetup(startOptionsOf(where)),
    openStorage: (setup) => openData(setup, createIds()),
    openKeys: (setup) => openKeys(setup, createIds()),
    knownModels: (setup) => knownModelsOf(setup, env),
    askedModels: (setup) => askedModelsOf(setup, env),
    routeTargets: routeTargetsOf,
    replayer: replayerOf,
    ask,
    catalogFiles: readCatalogFiles,
    // Only here: most commands ask nobody.
    download: async (url, limits) => (await import('./upstream/download.ts')).download(url, limits),
    probe: (setup) => probeProviders(setup, env),
    usageRecordJson,
    usageDetailJson,
    catalogEntryJson,
    async serve(where, tell) {
      // Only here: the other commands should not wait for the whole gateway to load.
      const { serve } = await import('./runtime/serve.ts');
      const startOptions = startOptionsOf(where);
      const { workers } = where;
      return serve(
        workers === undefined
          ? startOptions
          : { ...startOptions, env: { ...startOptions.env, HEADGATE_WORKERS: `${workers}` } },
        tell,
      );
    },
  };
}
