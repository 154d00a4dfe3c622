import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
// A local name, because the global is looked up at each access.
import { performance } from 'node:perf_hooks';
import { parseEnv } from 'node:util';
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
import { ensureOrganizations, firstOrganization } from '../organization/organizations.ts';
import { FIRST_KEY_NAME } from '../organization/sign-in/first-key.ts';
import { presetNames } from '../providers/resolve.ts';
import { engine } from '../store/open.ts';
import type { ConfigText } from './messages.ts';

/**
 * The environment of a command. `config` is the value of `--config`; `read` is a text that replaces the file's.
 */
export type StartOptions = { env: Environment; cwd: string; config?: string; read?: ConfigText };

/** A configuration as read, and its data folder. */
export type Setup = ReadConfig & { folder: string };

/** Of the process. */
export const CLOCK: Clock = { now: Date.now, monotonic: () => performance.now() };

/** Its monotonic time is the machine's, so it can be compared between processes. */
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

/** The path of the configuration file; `null` if there is none. */
function configOf(startOptions: StartOptions): { file: string } | null {
  return findConfig({
    env: startOptions.env,
    cwd: startOptions.cwd,
    data: variable(startOptions.env, 'HEADGATE_DATA') ?? DEFAULT_DATA,
    ...(startOptions.config === undefined ? {} : { argument: startOptions.config }),
  });
}

/**
 * Adds the variables of the file `.env` beside the configuration, or in the working folder without one. Variables of the
 * environment take precedence.
 */
export function withDotEnv(startOptions: StartOptions): StartOptions {
  const found = configOf(startOptions);
  const path = join(found === null ? startOptions.cwd : dirname(found.file), '.env');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return startOptions;
  if (stats.size > MAX_DOT_ENV) throw new OperatorError(`${path} is larger than ${MAX_DOT_ENV / 1024} KB.`);
  return { ...startOptions, env: { ...parseEnv(readFileSync(path, 'utf8')), ...startOptions.env } };
}

/** Reads the configuration file, if there is one. */
export function readText(startOptions: StartOptions): ConfigText {
  const found = configOf(startOptions);
  return found === null ? { file: null, text: null } : { ...found, text: readFileSync(found.file, 'utf8') };
}

/**
 * Reads the configuration. Throws a `ConfigError` with all mistakes and their lines.
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
  // Compare resolved folders: in a file, `./data` is relative to the file.
  const folder = resolve(startOptions.cwd, read.config.server.data);
  return { ...read, folder, config: { ...read.config, server: { ...read.config.server, data: folder } } };
}

/** The result of a reload: notices, and the changed settings that need a restart. */
export type Reloaded = { notices: readonly string[]; needRestart: readonly string[] };

/** Reads the configuration again. Settings that need a restart stay as they were. */
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

/** The shipped catalog, overlaid by the imported one of this data folder. */
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

/** The file in the data folder with vendors' facts of models. */
export function listsFileOf(folder: string): string {
  return join(folder, 'models-listed.json');
}

function importedCatalogPath(folder: string): string {
  return join(folder, 'catalog.json');
}

/** A store with a unique name for this process, with its tables in this thread. */
export async function openData(setup: Setup, ids: Ids): Promise<Storage> {
  return engine.openStorage({
    folder: setup.folder,
    instanceId: newInstanceId(ids),
    durability: setup.config.server.ledgerDurability,
  });
}

/** A unique id of the process. */
export function newInstanceId(ids: Ids): string {
  return ids.keyId().replace('key_', 'instance_');
}

/** The secrets for creating keys. Rejects with an `OperatorError` if there are keys but no pepper to check them. */
export async function keyPartsOf(setup: Setup, storage: Storage, ids: Ids): Promise<KeyParts> {
  return (await keySourceOf(setup, storage, ids))();
}

/** The same, but the pepper is only read once it is needed; the function throws as `keyPartsOf` rejects. */
export async function keySourceOf({ folder, secrets }: Setup, storage: Storage, ids: Ids): Promise<() => KeyParts> {
  const hasKeys = (await storage.keys.oldest()) !== null;
  return () => {
    const pepper = mendable(() => loadPepper(folder, secrets.pepper, hasKeys));
    return { store: storage.keys, pepper, clock: CLOCK, ids, random: randomBytes };
  };
}

/** A store and the secrets for creating keys. Closes the store if they cannot be read. */
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

/** Creates the configured organizations, and one if there is none. */
export function makeOrganizations({ config }: Setup, storage: Storage, ids: Ids): Promise<Organization[]> {
  return ensureOrganizations({ store: storage.organizations, clock: CLOCK, ids }, config.organizations);
}

/** Creates the required organizations, and a key if there is none yet. */
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
