import { run } from './cli/run.ts';
import { openTerminal } from './cli/terminal.ts';
import type { Toolbox, Where } from './cli/toolbox.ts';
import type { Environment } from './config/interpolate.ts';
import { ask } from './http/ask.ts';
import { createIds } from './http/ids.ts';
import { offerOf, probeProviders, surveyOf } from './inspect.ts';
import { placesOf, replayerOf } from './rehearse.ts';
import { CLOCK, openData, openKeys, type Place, readCatalogFiles, readSetup, VERSION } from './setup.ts';
import { catalogEntryJson } from './surfaces/catalog.ts';
import { usageDetailJson, usageRecordJson } from './surfaces/usage.ts';

/** Runs one `headgate` command; resolves with its exit code. */
export function main(argv: readonly string[], env: Environment): Promise<number> {
  const terminal = openTerminal(process.stdin, process.stdout, process.stderr);
  return run(argv, openToolbox(env, process.cwd()), terminal);
}

/** What the commands need of the other rooms. */
function openToolbox(env: Environment, cwd: string): Toolbox {
  const placeOf = ({ config, data }: Where): Place => ({
    env: data === undefined ? env : { ...env, HEADGATE_DATA: data },
    cwd,
    ...(config === undefined ? {} : { config }),
  });
  return {
    version: VERSION,
    clock: CLOCK,
    env,
    cwd,
    readSetup: (where) => readSetup(placeOf(where)),
    openStorage: (setup) => openData(setup, createIds()),
    openKeys: (setup) => openKeys(setup, createIds()),
    offer: (setup) => offerOf(setup, env),
    survey: (setup) => surveyOf(setup, env),
    places: placesOf,
    replayer: replayerOf,
    ask,
    catalogFiles: readCatalogFiles,
    probe: (setup) => probeProviders(setup, env),
    usageRecordJson,
    usageDetailJson,
    catalogEntryJson,
    async serve(where, tell) {
      // Only here: the other commands should not wait for the whole gateway to load.
      const { serve } = await import('./serve.ts');
      const place = placeOf(where);
      const { workers } = where;
      return serve(
        workers === undefined ? place : { ...place, env: { ...place.env, HEADGATE_WORKERS: `${workers}` } },
        tell,
      );
    },
  };
}
