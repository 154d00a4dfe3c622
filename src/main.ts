import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demandData } from './cli/data.ts';
import { OperatorError } from './cli/failure.ts';
import { run } from './cli/run.ts';
import { openTerminal } from './cli/terminal.ts';
import type { CommandSetup, OwnApi, Toolbox, Where } from './cli/toolbox.ts';
import { type Environment, variable } from './config/interpolate.ts';
import { ask, askOperatorApi } from './http/ask-gateway.ts';
import { createIds } from './http/ids.ts';
import { findOperatorSocket } from './http/operator-place.ts';
import {
  CLOCK,
  keyPartsOf,
  openData,
  readCatalogFiles,
  readSetup,
  type StartOptions,
  VERSION,
  withDotEnv,
} from './runtime/setup.ts';
import { engine } from './store/open.ts';

/** Runs one `headgate` command; resolves with its exit code. */
export function main(argv: readonly string[], env: Environment): Promise<number> {
  const terminal = openTerminal(process.stdin, process.stdout, process.stderr);
  return run(argv, openToolbox(env, process.cwd()), terminal);
}

// What only some commands need is loaded when they ask for it: the others should not wait for it.
const inspect = () => import('./runtime/inspect.ts');

/** What the commands need of the other rooms. */
function openToolbox(env: Environment, cwd: string): Toolbox {
  const startOptionsOf = ({ config, data }: Where): StartOptions =>
    withDotEnv({
      env: data === undefined ? env : { ...env, HEADGATE_DATA: data },
      cwd,
      ...(config === undefined ? {} : { config }),
    });
  return {
    version: VERSION,
    clock: CLOCK,
    env,
    cwd,
    readSetup(where) {
      const startOptions = startOptionsOf(where);
      const setup = readSetup(startOptions);
      return {
        ...setup,
        env: startOptions.env,
        hasData: engine.hasData(setup.folder),
        mayMakeData: variable(startOptions.env, 'HEADGATE_DATA') !== undefined,
      };
    },
    openStorage(setup) {
      demandData(setup);
      return openData(setup, createIds());
    },
    askLive: async (setup, asked) => {
      const socket = socketOf(setup);
      return socket === null ? null : inSentence(askOperatorApi(socket, asked));
    },
    openApi: (setup) => openApi(setup),
    async openEmptyApi(setup) {
      const folder = await mkdtemp(join(tmpdir(), 'headgate-empty-'));
      const remove = () => rm(folder, { recursive: true, force: true });
      try {
        const api = await openApi({ ...setup, folder });
        return { ask: api.ask, close: () => api.close().finally(remove) };
      } catch (error) {
        await remove();
        throw error;
      }
    },
    async askStoreless(setup, asked) {
      const { storelessApi } = await import('./runtime/storeless-api.ts');
      return storelessApi(setup, setup.env).ask(asked);
    },
    checkPepper: async (setup, storage) => void (await keyPartsOf(setup, storage, createIds())),
    ask,
    catalogFiles: readCatalogFiles,
    // Only here: most commands ask nobody.
    download: async (url, limits) => (await import('./upstream/download.ts')).download(url, limits),
    async unpriced(setup, storage) {
      const { unpricedIn } = await inspect();
      return unpricedIn(setup, setup.env, storage);
    },
    async serve(where, variables, tell) {
      const { serve } = await import('./runtime/serve.ts');
      const startOptions = startOptionsOf(where);
      return serve({ ...startOptions, env: { ...startOptions.env, ...variables } }, tell);
    },
  };
}

/** The HTTP API over the store. */
async function openApi(setup: CommandSetup): Promise<OwnApi> {
  const storage = await openData(setup, createIds());
  try {
    const { openOwnApi } = await import('./runtime/own-api.ts');
    const api = await openOwnApi(setup, setup.env, storage);
    return { ask: (asked) => api.ask(asked), close: () => storage.close() };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The operator socket of a gateway on this data; `null` if there is none. */
function socketOf({ folder }: CommandSetup): string | null {
  return existsSync(folder) && statSync(folder).isDirectory() ? findOperatorSocket(folder) : null;
}

/** Turns what is thrown into an `OperatorError`. */
async function inSentence<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    throw new OperatorError((error as Error).message, { cause: error });
  }
}
