import cluster from 'node:cluster';
import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { sentenceOf } from './cli/failure.ts';
import type { Greeting } from './cli/greeting.ts';
import type { News } from './cli/news.ts';
import { ABSENT, WatchedFile } from './config/watched.ts';
import type { Gateway } from './gateway.ts';
import { listenFailure } from './listen-failure.ts';
import { createLog } from './log.ts';
import { DEFAULT_DATA, type Place, readSetup, type Setup, VERSION } from './setup.ts';

/** How often the configuration file is looked at. Polling sees every way of replacing a file. */
const WATCH_MS = 500;

/** `headgate serve`: runs until a signal ends it; resolves with the exit code. */
export async function serve(place: Place, tell: (news: News) => void): Promise<number> {
  // Each kind of process loads its own parts only: a primary has no use for the others'.
  if (cluster.isWorker) return (await import('./worker.ts')).work(place);
  const setup = readSetup(place);
  const log = createLog(setup.config.server.logLevel);
  // Of the file that was just read: what is written to it from now on is a change.
  const seen = versionOf(fileToWatch(setup, place));
  const gateway = await start(place, log, setup);
  tell({ event: 'serving', greeting: greetingOf(gateway, place) });

  const stopReloading = reloadOnChange(gateway, place, log, tell, seen);
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
 * greeting names is waited for. `seenFirst`: what the file held when it was read.
 */
function reloadOnChange(
  gateway: Gateway,
  place: Place,
  log: Logger,
  tell: (news: News) => void,
  seenFirst: string,
): () => void {
  let file = fileToWatch(gateway.setup, place);
  let watched = new WatchedFile(seenFirst);
  let last = Promise.resolve();
  let over = false;
  const reload = () => {
    if (over) return;
    // What a signal has read already is no change when the watcher comes to it.
    watched.read(versionOf(file));
    last = last.then(() => reloadAndTell(gateway, log, tell)).then(follow);
  };
  const look = () => {
    const seen = watched.look(versionOf(file));
    if (seen === 'changed') reload();
    // Whoever replaces a file may take the old one away first: that it is gone says nothing of what is wanted.
    if (seen === 'gone') tell({ event: 'reload_refused', reason: `${file} is gone.` });
  };
  /** A signal may have found another file than the one that was watched. */
  const follow = () => {
    const now = fileToWatch(gateway.setup, place);
    if (over || now === file) return;
    file = now;
    watched = new WatchedFile(versionOf(file));
  };
  process.on('SIGHUP', reload);
  const watching = setInterval(look, WATCH_MS).unref();
  return () => {
    // The listener stays: without one, a hangup would end the process before its open calls have ended.
    over = true;
    clearInterval(watching);
  };
}

function fileToWatch({ config }: Setup, place: Place): string {
  return config.file ?? configPlace(place);
}

/** Where a configuration file would be found, were there one. */
function configPlace({ cwd }: Place): string {
  return resolve(cwd, 'headgate.yaml');
}

/** Tells one file from another in its place. The time alone is not enough: what is unpacked or copied over it may bring an old one. */
function versionOf(file: string): string {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch {
    // Its folder is gone, or closed to us: the reload will say so.
  }
  return stats === undefined ? ABSENT : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
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
