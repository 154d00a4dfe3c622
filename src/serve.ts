import { type Stats, statSync, unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { App } from './app.ts';
import { OperatorError, sentenceOf } from './cli/failure.ts';
import type { Greeting } from './cli/greeting.ts';
import type { News } from './cli/news.ts';
import { firstVariable } from './config/interpolate.ts';
import type { Provider } from './core/provider.ts';
import { createLog } from './log.ts';
import { PRESETS } from './providers/presets.ts';
import { DEFAULT_DATA, type Place, readSetup, VERSION } from './setup.ts';

/** How often the configuration file is looked at. Polling sees every way of replacing a file. */
const WATCH_MS = 1_000;

/** `headgate serve`: runs until a signal ends it; resolves with the exit code. */
export async function serve(place: Place, tell: (news: News) => void): Promise<number> {
  const setup = readSetup(place);
  const log = createLog(setup.config.server.logLevel);
  await using app = await App.start(place, log, setup).catch((error) => {
    throw listenFailure(error, setup.config.server) ?? error;
  });
  tell({ event: 'serving', greeting: greetingOf(app, place) });

  const stopReloading = reloadOnChange(app, place, log, tell);
  const signal = await ended();
  tell({ event: 'stopping', signal, drainMs: app.config.server.drain });
  stopReloading();
  await app.stop();
  tell({ event: 'stopped' });
  return 0;
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
function reloadOnChange(app: App, place: Place, log: Logger, tell: (news: News) => void): () => void {
  let file = fileToWatch(app, place);
  let seen = versionOf(file);
  let last = Promise.resolve();
  let over = false;
  const reload = () => {
    if (over) return;
    // What a signal has read already is no change when the watcher comes to it.
    seen = versionOf(file);
    last = last.then(() => reloadAndTell(app, log, tell)).then(follow);
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
    const now = fileToWatch(app, place);
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

function fileToWatch(app: App, place: Place): string {
  return app.config.file ?? configPlace(place);
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
async function reloadAndTell(app: App, log: Logger, tell: (news: News) => void): Promise<void> {
  try {
    tell({ event: 'reloaded', ...(await app.reload()) });
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) log.error({ err: error }, 'The configuration could not be reloaded.');
    tell({ event: 'reload_refused', reason: sentence ?? 'The gateway itself is at fault; its log says more.' });
  }
}

/** Why it cannot listen, as a sentence; `null` for other failures. */
function listenFailure(error: unknown, { host, port }: { host: string; port: number }): OperatorError | null {
  const because = (sentence: string) => new OperatorError(sentence, { cause: error });
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null;
  switch (code) {
    case 'EADDRINUSE':
      return because(
        `Port ${port} on ${host} is taken. Choose another with HEADGATE_PORT, as in: HEADGATE_PORT=${port + 1} npm start`,
      );
    case 'EACCES':
      return because(`This user may not listen on port ${port}. Choose one above 1024 with HEADGATE_PORT.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return because(`${host} is not an address of this machine. Choose one with HEADGATE_HOST.`);
    default:
      return null;
  }
}

function greetingOf(app: App, place: Place): Greeting {
  const { config, setup, directory, providers } = app;
  const example =
    directory.find('echo') ?? directory.entries.find(({ model }) => model.dialects.includes('openai-chat'));
  return {
    version: VERSION,
    pid: process.pid,
    address: app.address,
    firstKey: app.firstKey,
    providers: providers.map(({ provider, models }) => ({
      id: provider.id,
      label: provider.label,
      models: models.length,
      because: reasonFor(provider, app, place),
    })),
    lacksKey: config.file === null && config.providers.length === 0,
    notices: setup.notices,
    configFile: config.file,
    configPlace: configPlace(place),
    folder: setup.folder,
    recovered: app.recovered,
    exampleModel: example?.id ?? null,
    keyCommand: keyCommand(setup.folder, place),
  };
}

/** Why a provider is on: the file says so, its key is in the environment, or it was found on this machine. */
function reasonFor({ id, baseUrl, transport }: Provider, { config }: App, place: Place): string {
  if (transport === 'echo') return 'needs no key and no network';
  if (config.file !== null) return baseUrl;
  const preset = PRESETS.find((each) => each.id === id);
  return firstVariable(place.env, preset?.keyEnv ?? [])?.name ?? `found at ${baseUrl}`;
}

/** Run in the same folder, it finds the same data. */
function keyCommand(folder: string, { cwd }: Place): string {
  const command = 'npx headgate keys create --name my-app';
  return folder === resolve(cwd, DEFAULT_DATA) ? command : `${command} --data '${folder}'`;
}
