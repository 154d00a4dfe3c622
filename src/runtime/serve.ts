import cluster from 'node:cluster';
import { type Stats, statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { CatalogRefresh } from '../catalog/refresh.ts';
import { sentenceOf } from '../cli/failure.ts';
import type { Greeting } from '../cli/greeting.ts';
import type { News } from '../cli/news.ts';
import { ABSENT, WatchedFile } from '../config/watched.ts';
import { createLog } from '../telemetry/log.ts';
import { download } from '../upstream/download.ts';
import { listenFailure } from './listen-failure.ts';
import type { RunningGateway } from './running-gateway.ts';
import { DEFAULT_DATA, readCatalogFiles, readSetup, type Setup, type StartOptions, VERSION } from './setup.ts';

/** The polling interval of the configuration file. Polling notices every way of replacing a file. */
const WATCH_MS = 500;

/** `headgate serve`: runs until a signal ends it; resolves with the exit code. */
export async function serve(startOptions: StartOptions, tell: (news: News) => void): Promise<number> {
  // Each kind of process loads only the modules it needs.
  if (cluster.isWorker) return (await import('./worker.ts')).work(startOptions);
  const setup = readSetup(startOptions);
  const log = createLog(setup.config.server.logLevel);
  // The version of the file that was just read: any later write is a change.
  const seen = versionOf(fileToWatch(setup, startOptions));
  const gateway = await start(startOptions, log, setup);
  // Everything that serving needs is loaded by now. Has no effect without a compile cache (`bin/headgate.js`) or changes.
  flushCompileCache();
  tell({ event: 'serving', greeting: greetingOf(gateway, startOptions) });

  const stopReloading = reloadOnChange(gateway, { startOptions, seenFirst: seen }, log, tell);
  const signal = await ended();
  tell({ event: 'stopping', signal, drainMs: gateway.setup.config.server.drain });
  stopReloading();
  await gateway.stop();
  tell({ event: 'stopped' });
  return 0;
}

async function start(startOptions: StartOptions, log: Logger, setup: Setup): Promise<RunningGateway> {
  const { server } = setup.config;
  if (server.workers > 1) return (await import('./primary.ts')).startPrimary(startOptions, log);
  const { startAlone } = await import('./single-process.ts');
  try {
    return await startAlone(startOptions, log, setup);
  } catch (error) {
    throw listenFailure(error, server) ?? error;
  }
}

/** Resolves at the first termination signal. A second one ends the process at once. */
function ended(): Promise<NodeJS.Signals> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((done) => {
    const end = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, end);
      done(signal);
    };
    for (const each of signals) process.on(each, end);
  });
}

/**
 * Reloads at SIGHUP and when the file changes, one reload after the other. Where there is no file, the one that the
 * greeting names is waited for. `seenFirst`: what the file held when it was read. A catalog that has brought itself up to date
 * is put in force by a reload, too.
 */
function reloadOnChange(
  gateway: RunningGateway,
  { startOptions, seenFirst }: { startOptions: StartOptions; seenFirst: string },
  log: Logger,
  tell: (news: News) => void,
): () => void {
  let file = fileToWatch(gateway.setup, startOptions);
  let watched = new WatchedFile(seenFirst);
  let last = Promise.resolve();
  let over = false;
  const refresh = new CatalogRefresh({
    files: () => readCatalogFiles(gateway.setup.folder),
    download,
    onChange: ({ added, changed }) => {
      log.info({ added: added.length, changed: changed.length }, 'The catalog was brought up to date.');
      reload();
    },
    onError: (error) => log.warn({ err: error }, 'The catalog could not be brought up to date, and stays as it is.'),
  });
  const reload = () => {
    if (over) return;
    // A version that was read because of a signal is not a change for the watcher.
    watched.read(versionOf(file));
    last = last.then(() => reloadAndTell(gateway, log, tell)).then(follow);
  };
  const look = () => {
    const seen = watched.look(versionOf(file));
    if (seen === 'changed') reload();
    // A file may be replaced by removing the old one first, so a missing file is not yet a new configuration.
    if (seen === 'gone') tell({ event: 'reload_refused', reason: `${file} is gone.` });
  };
  /** After a reload the configuration may be another file than the watched one. */
  const follow = () => {
    if (!over) refresh.follow(gateway.setup.config.catalog.refresh);
    const now = fileToWatch(gateway.setup, startOptions);
    if (over || now === file) return;
    file = now;
    watched = new WatchedFile(versionOf(file));
  };
  process.on('SIGHUP', reload);
  const watching = setInterval(look, WATCH_MS).unref();
  refresh.follow(gateway.setup.config.catalog.refresh);
  return () => {
    // The listener stays: without one, a hangup would end the process before its open calls have ended.
    over = true;
    clearInterval(watching);
    refresh.stop();
  };
}

function fileToWatch({ config }: Setup, startOptions: StartOptions): string {
  return config.file ?? configPlace(startOptions);
}

/** The path where a configuration file would be found. */
function configPlace({ cwd }: StartOptions): string {
  return resolve(cwd, 'headgate.yaml');
}

/** Changes whenever the file does. The time alone is not enough: an unpacked or copied file may have an old one. */
function versionOf(file: string): string {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch {
    // Its folder is gone or cannot be read: the reload will report that.
  }
  return stats === undefined ? ABSENT : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

/** After any failed reload, the gateway continues unchanged. */
async function reloadAndTell(gateway: RunningGateway, log: Logger, tell: (news: News) => void): Promise<void> {
  try {
    tell({ event: 'reloaded', ...(await gateway.reload()) });
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) log.error({ err: error }, 'The configuration could not be reloaded.');
    tell({ event: 'reload_refused', reason: sentence ?? 'The gateway itself is at fault; its log says more.' });
  }
}

function greetingOf(gateway: RunningGateway, startOptions: StartOptions): Greeting {
  const { setup, greeting } = gateway;
  const { config, folder, notices } = setup;
  return {
    version: VERSION,
    pid: process.pid,
    address: gateway.address,
    firstKey: gateway.firstKey,
    ownerLink: gateway.ownerLink,
    providers: greeting.providers,
    lacksKey: config.file === null && config.providers.length === 0,
    notices: [...notices, ...greeting.notices],
    configFile: config.file,
    configPlace: configPlace(startOptions),
    folder,
    recovered: gateway.recovered,
    exampleModel: greeting.exampleModel,
    keyCommand: keyCommand(folder, startOptions),
  };
}

/** Run in the same folder, it finds the same data. */
function keyCommand(folder: string, { cwd }: StartOptions): string {
  const command = 'npx headgate keys create --name my-app';
  return folder === resolve(cwd, DEFAULT_DATA) ? command : `${command} --data '${folder}'`;
}
