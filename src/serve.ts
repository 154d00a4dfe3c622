import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { App } from './app.ts';
import { greeting } from './cli/greeting.ts';
import { ConfigError } from './config/problems.ts';
import { type Place, readSetup } from './setup.ts';
import { InstanceLockError } from './store/instance-lock.ts';

/** How often the configuration file is looked at. Polling sees every way of replacing a file. */
const WATCH_MS = 1_000;

/** `headgate serve`: runs until a signal ends it; resolves with the exit code. */
export async function serve(place: Place): Promise<number> {
  const setup = readSetup(place);
  const log = pino({ level: setup.config.server.logLevel, base: null }, pino.destination({ fd: 2, sync: true }));
  let app: App;
  try {
    app = await App.start(place, log, setup);
  } catch (error) {
    const sentence = startFailure(error, setup.config.server);
    if (sentence === null) throw error;
    console.error(sentence);
    return 1;
  }
  await using serving = app;
  console.log(greet(serving, place));

  const reload = () => void reloadAndTell(serving);
  process.on('SIGHUP', reload);
  const file = serving.config.file;
  if (file !== null) {
    watchFile(file, { interval: WATCH_MS, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs) reload();
    });
  }
  const signal = await ended();
  console.log(
    `${signal}: no new calls are taken; open ones may end (${serving.config.server.drain / 1000} s at most).`,
  );
  if (file !== null) unwatchFile(file);
  process.off('SIGHUP', reload);
  await serving.stop();
  console.log('Stopped.');
  return 0;
}

/** Resolves at the first signal to end. A second one ends the process at once, as signals do. */
function ended(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

async function reloadAndTell(app: App): Promise<void> {
  try {
    const { notices, needRestart } = await app.reload();
    console.log('The configuration was reloaded.');
    for (const notice of notices) console.log(`  ${notice}`);
    if (needRestart.length > 0) console.log(`  ${needRestart.join(', ')}: in force after a restart.`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The configuration was not reloaded; the one before stays in force.\n${error.message}`);
  }
}

/** A sentence for failures that an operator can mend; `null` for others. */
function startFailure(error: unknown, { host, port }: { host: string; port: number }): string | null {
  if (error instanceof InstanceLockError) return error.message;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken. Choose another with HEADGATE_PORT, as in: HEADGATE_PORT=${port + 1} npm start`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose one above 1024 with HEADGATE_PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Choose one with HEADGATE_HOST.`;
    default:
      return null;
  }
}

function greet(app: App, place: Place): string {
  const { config, setup, directory, providers } = app;
  const example =
    directory.find('echo') ?? directory.entries.find(({ model }) => model.dialects.includes('openai-chat'));
  return greeting({
    address: app.address,
    firstKey: app.firstKey,
    configFile: config.file,
    configPlace: join(place.cwd, 'headgate.yaml'),
    folder: setup.folder,
    providers: providers.map(({ provider, models }) => ({
      id: provider.id,
      label: provider.label,
      models: models.length,
    })),
    notices: setup.notices,
    exampleModel: example?.id ?? null,
    recovered: app.recovered,
  });
}
