import cluster from 'node:cluster';
import { type Stats, statSync, unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { sentenceOf } from './cli/failure.ts';
import type { Greeting } from './cli/greeting.ts';
import type { News } from './cli/news.ts';
import type { Gateway } from './gateway.ts';
import { listenFailure } from './listen-failure.ts';
import { createLog } from './log.ts';
import { DEFAULT_DATA, type Place, readSetup, type Setup, VERSION } from './setup.ts';

/** How often the configuration file is looked at. Polling sees every way of replacing a file. */
const WATCH_MS = 1_000;

/** `headgate serve`: runs until a signal ends it; resolves with the exit code. */
export async function serve(place: Place, tell: (news: News) => void): Promise<number> {
  // Each kind of process loads its own parts only: a primary has no use for the others'.
  if (cluster.isWorker) return (await import('./worker.ts')).work(place);
  const setup = readSetup(place);
  const log = createLog(setup.config.server.logLevel);
  const gateway = await start(place, log, setup);
  tell({ event: 'serving', greeting: greetingOf(gateway, place) });

  const stopReloading = reloadOnChange(gateway, place, log, tell);
  const signal = await ended();
  tell({ event: 'stopping', signal, drainMs: gateway.setup.config.server.drain });
  stopReloading();
  await gateway.stop();
  tell({ event: 'stopped' });
  return 0;
}

async function start(place: Place, log: Logger, setup: Setup): Promise<Gateway> {
  const { server } = setup.config;
  if (server.workers > 1) return (await import('./primary.ts')).startPrimary(place, log);
  const { startAlone } = await import('./alone.ts');
  try {
    return await startAlone(place, log, setup);
  } catch (error) {
    throw listenFailure(error, server) ?? error;
  }
}

/** Resolves at the first signal to end. A second one ends the process at once, as signals do. */
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
 * greeting names is waited for.
 */
function reloadOnChange(gateway: Gateway, place: Place, log: Logger, tell: (news: News) => void): () => void {
  let file = fileToWatch(gateway, place);
  let seen = versionOf(file);
  let last = Promise.resolve();
  let over = false;
  const reload = () => {
    if (over) return;
    // What a signal has read already is no change when the watcher comes to it.
    seen = versionOf(file);
    last = last.then(() => reloadAndTell(gateway, log, tell)).then(follow);
  };
  const look = (stats: Stats) => {
    const version = versionIn(stats);
    if (version === seen) return;
    // Whoever replaces a file may take the old one away first: that it is gone says nothing of what is wanted.
    if (version === ABSENT) tell({ event: 'reload_refused', reason: `${file} is gone.` });
    else reload();
  };
  const watch = () => void watchFile(file, { interval: WATCH_MS, persistent: false }, look);
  /** A signal may have found another file than the one that was watched. */
  const follow = () => {
    const now = fileToWatch(gateway, place);
    if (over || now === file) return;
    unwatchFile(file);
    file = now;
    seen = versionOf(file);
    watch();
  };
  process.on('SIGHUP', reload);
  watch();
  return () => {
    // The listener stays: without one, a hangup would end the process before its open calls have ended.
    over = true;
    unwatchFile(file);
  };
}

function fileToWatch(gateway: Gateway, place: Place): string {
  return gateway.setup.config.file ?? configPlace(place);
}

/** Where a configuration file would be found, were there one. */
function configPlace({ cwd }: Place): string {
  return resolve(cwd, 'headgate.yaml');
}

/** As `watchFile` has it where there is no such file: all is zero. */
const ABSENT = '0 0 0';

function versionOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? ABSENT : versionIn(stats);
}

/** The time alone is not enough: what is unpacked or copied over a file may bring an old one with it. */
function versionIn({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Whatever is wrong with a reload, the gateway goes on as it is. */
async function reloadAndTell(gateway: Gateway, log: Logger, tell: (news: News) => void): Promise<void> {
  try {
    tell({ event: 'reloaded', ...(await gateway.reload()) });
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) log.error({ err: error }, 'The configuration could not be reloaded.');
    tell({ event: 'reload_refused', reason: sentence ?? 'The gateway itself is at fault; its log says more.' });
  }
}

function greetingOf(gateway: Gateway, place: Place): Greeting {
  const { setup, offer } = gateway;
  const { config, folder, notices } = setup;
  return {
    version: VERSION,
    pid: process.pid,
    address: gateway.address,
    firstKey: gateway.firstKey,
    providers: offer.providers,
    lacksKey: config.file === null && config.providers.length === 0,
    notices,
    configFile: config.file,
    configPlace: configPlace(place),
    folder,
    recovered: gateway.recovered,
    exampleModel: offer.exampleModel,
    keyCommand: keyCommand(folder, place),
  };
}

/** Run in the same folder, it finds the same data. */
function keyCommand(folder: string, { cwd }: Place): string {
  const command = 'npx headgate keys create --name my-app';
  return folder === resolve(cwd, DEFAULT_DATA) ? command : `${command} --data '${folder}'`;
}
