import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
// The global of this name is looked up at each reading.
import { performance } from 'node:perf_hooks';
import { parseEnv } from 'node:util';
import { ensureOrganizations, firstOrganization } from '../admin/organizations.ts';
import { FIRST_KEY_NAME } from '../admin/sign-in/first-key.ts';
import { type Catalog, loadCatalog, shippedCatalogText } from '../catalog/catalog.ts';
import { type CatalogFile, parseCatalog } from '../catalog/catalog-file.ts';
import { mendable, OperatorError } from '../cli/failure.ts';
import { changedServerSettings } from '../config/config.ts';
import { findConfig } from '../config/find.ts';
import { type Environment, variable } from '../config/interpolate.ts';
import { type ReadConfig, readConfig } from '../config/read.ts';
import type { Clock, Ids, Storage } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';
import { BUILT_DIALECT_IDS } from '../dialects/ids.ts';
import { createKey, type KeyParts } from '../keys/keys.ts';
import { loadPepper } from '../keys/pepper.ts';
import { presetNames } from '../providers/resolve.ts';
import type { ConfigText } from './messages.ts';

/**
 * Where a command was started, and with what. `config` is what `--config` says; `read`, the text that takes the place of
 * the file's.
 */
export type StartOptions = { env: Environment; cwd: string; config?: string; read?: ConfigText };

/** A configuration as it was read, and the folder that its data is in. */
export type Setup = ReadConfig & { folder: string };

/** Of the process. */
export const CLOCK: Clock = { now: Date.now, monotonic: () => performance.now() };

/** Its monotonic reading is the machine's, so it can be compared between processes. */
export const MACHINE_CLOCK: Clock = {
  now: Date.now,
  monotonic() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
};

/** The version of this package, not of the API. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export const DEFAULT_DATA = './data';

const MAX_DOT_ENV = 1024 * 1024;

/** Where the configuration of this place is; `null` if it has none. */
function configOf(startOptions: StartOptions): { file: string } | null {
  return findConfig({
    env: startOptions.env,
    cwd: startOptions.cwd,
    data: variable(startOptions.env, 'HEADGATE_DATA') ?? DEFAULT_DATA,
    ...(startOptions.config === undefined ? {} : { argument: startOptions.config }),
  });
}

/**
 * The same with what the file `.env` beside the configuration says, or in the working folder where there is none. What is in
 * the environment already goes before.
 */
export function withDotEnv(startOptions: StartOptions): StartOptions {
  const found = configOf(startOptions);
  const path = join(found === null ? startOptions.cwd : dirname(found.file), '.env');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return startOptions;
  if (stats.size > MAX_DOT_ENV) throw new OperatorError(`${path} is larger than ${MAX_DOT_ENV / 1024} KB.`);
  return { ...startOptions, env: { ...parseEnv(readFileSync(path, 'utf8')), ...startOptions.env } };
}

/** Reads the file that holds at this place, if there is one. */
export function readText(startOptions: StartOptions): ConfigText {
  const found = configOf(startOptions);
  return found === null ? { file: null, text: null } : { ...found, text: readFileSync(found.file, 'utf8') };
}

/**
 * Reads the configuration that holds at this place. Throws a `ConfigError` with every mistake and its line.
 *
 * @param running - how many workers run already, for a reload
 */
export function readSetup(startOptions: StartOptions, running = 0): Setup {
  const read = readConfig({
    ...(startOptions.read ?? readText(startOptions)),
    env: startOptions.env,
    presets: presetNames(),
    built: BUILT_DIALECT_IDS,
    running,
  });
  // The same folder, however it is written: with a file, `./data` is said beside the file.
  const folder = resolve(startOptions.cwd, read.config.server.data);
  return { ...read, folder, config: { ...read.config, server: { ...read.config.server, data: folder } } };
}

/** What a reload has to tell: sentences for the operator, and the settings that only a restart puts in force. */
export type Reloaded = { notices: readonly string[]; needRestart: readonly string[] };

/** Reads the configuration again, for a process that began with another: what it cannot change stays as it was. */
export function readAgain(before: Setup, startOptions: StartOptions): { setup: Setup; reloaded: Reloaded } {
  const setup = readSetup(startOptions, before.config.server.workers);
  const needRestart = changedServerSettings(before.config, setup.config);
  const { metricsToken } = before.secrets;
  if (setup.secrets.metricsToken?.reveal() !== metricsToken?.reveal()) needRestart.push('server.metrics_token');
  const kept: Setup = {
    ...setup,
    folder: before.folder,
    config: { ...setup.config, server: before.config.server },
    secrets: { ...setup.secrets, metricsToken },
  };
  return { setup: kept, reloaded: { notices: setup.notices, needRestart } };
}

/** The catalog that ships, under the one that was imported into this data folder. */
export function readCatalog(folder: string): Catalog {
  const imported = importedCatalog(folder);
  return mendable(() => loadCatalog(imported === null ? [shippedCatalog()] : [shippedCatalog(), imported]));
}

/** The shipped and the imported catalog separately, and the path of the imported one. */
export function readCatalogFiles(folder: string): { shipped: CatalogFile; imported: CatalogFile; path: string } {
  const read = ({ text, place }: CatalogText) => mendable(() => parseCatalog(text, place));
  const imported = importedCatalog(folder);
  return {
    shipped: read(shippedCatalog()),
    imported: imported === null ? new Map() : read(imported),
    path: importedCatalogPath(folder),
  };
}

type CatalogText = { text: string; place: string };

function shippedCatalog(): CatalogText {
  return { text: shippedCatalogText(), place: 'the shipped catalog' };
}

function importedCatalog(folder: string): CatalogText | null {
  const path = importedCatalogPath(folder);
  return existsSync(path) ? { text: readFileSync(path, 'utf8'), place: path } : null;
}

/** Where what vendors said of their models is kept, in the data folder. */
export function listsFileOf(folder: string): string {
  return join(folder, 'models-listed.json');
}

function importedCatalogPath(folder: string): string {
  return join(folder, 'catalog.json');
}

/** A store with a name of its own for this process, and its tables in this thread. */
export async function openData(setup: Setup, ids: Ids): Promise<Storage> {
  const { openStorage } = await import('../store/storage.ts');
  return openStorage({
    folder: setup.folder,
    instanceId: newInstanceId(ids),
    durability: setup.config.server.ledgerDurability,
  });
}

/** An id that no other process has. */
export function newInstanceId(ids: Ids): string {
  return ids.keyId().replace('key_', 'instance_');
}

/** What keys are made with. Rejects with an `OperatorError` where there are keys, and nothing to check them with. */
export async function keyPartsOf({ folder, secrets }: Setup, storage: Storage, ids: Ids): Promise<KeyParts> {
  const hasKeys = (await storage.keys.oldest()) !== null;
  const pepper = mendable(() => loadPepper(folder, secrets.pepper, hasKeys));
  return { store: storage.keys, pepper, clock: CLOCK, ids, random: randomBytes };
}

/** A store, and what keys are made with. A store that these cannot be read for is closed. */
export async function openKeys(
  setup: Setup,
  ids: Ids,
  open: () => Promise<Storage>,
): Promise<{ storage: Storage; keys: KeyParts }> {
  const storage = await open();
  try {
    return { storage, keys: await keyPartsOf(setup, storage, ids) };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Makes the organizations that a configuration names, and one where there is none. */
export function makeOrganizations({ config }: Setup, storage: Storage, ids: Ids): Promise<Organization[]> {
  return ensureOrganizations({ store: storage.organizations, clock: CLOCK, ids }, config.organizations);
}

/** Makes the organizations there must be, and a key where there is none yet. */
export async function makeFirstKey(setup: Setup, storage: Storage, keys: KeyParts): Promise<string | null> {
  const organizations = await makeOrganizations(setup, storage, keys.ids);
  if ((await storage.keys.oldest()) !== null) return null;
  const { secret } = await createKey(keys, {
    organizationId: firstOrganization(organizations).id,
    name: FIRST_KEY_NAME,
    admin: true,
    createdBy: { type: 'operator' },
  });
  return secret;
}
