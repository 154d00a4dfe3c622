import { Discovery } from '../catalog/discovery.ts';
import { needsDiscovery } from '../catalog/served.ts';
import { StoredLists } from '../catalog/stored-lists.ts';
import { discoverModels, findLocal } from '../catalog/vendor-models.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/interpolate.ts';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Probe } from '../core/operator.ts';
import type { Storage, Upstream, UpstreamHeaders } from '../core/ports.ts';
import type { Directory, Provider } from '../core/provider.ts';
import type { UnpricedTargets } from '../core/unpriced.ts';
import type { TestOutcome, TriedProvider } from '../organization/providers/trial.ts';
import { StoredRoutes } from '../organization/routes/stored-routes.ts';
import { PRESETS } from '../providers/presets.ts';
import { unpricedTargets } from '../routing/unpriced.ts';
import { createLog } from '../telemetry/log.ts';
import type { KnownModels } from './drafted-route.ts';
import { providerTester } from './provider-trial.ts';
import { CLOCK, listsFileOf, readCatalog, type Setup } from './setup.ts';
import { askedBy, dialectHeadersOf, makeSnapshot, openSockets, rowsOf, type Snapshot } from './snapshot.ts';
import { besideOf } from './stored/routes.ts';
import { StoredSettings } from './stored/settings.ts';

/** Stored facts from vendors, without asking them again; empty if they cannot be read. */
function discoveryOf({ folder }: Setup): Discovery {
  return new Discovery(CLOCK, new StoredLists(listsFileOf(folder), () => undefined, true));
}

/** The offer of a gateway with this setup, as far as known without asking providers. */
export async function knownModelsOf(setup: Setup, env: Environment): Promise<KnownModels> {
  const catalog = readCatalog(setup.folder);
  const heard = discoveryOf(setup);
  const { directory } = makeSnapshot({
    setup,
    catalog,
    discovery: heard,
    sockets: await openSockets(setup.config, env),
  });
  const needed = rowsOf(setup.config, heard).filter((row) => needsDiscovery(row, catalog));
  const unasked = needed.filter(({ id }) => !directory.entries.some((entry) => entry.provider.id === id));
  return { directory, unasked: unasked.map(({ id }) => id) };
}

/** What a gateway with this setup would serve without its store, as far as known without asking providers. */
export async function directoryBeside(setup: Setup, env: Environment, storage: Storage): Promise<Directory> {
  const onError = (error: unknown) => {
    throw error;
  };
  const ignore = () => undefined;
  const settings = new StoredSettings({ setup: () => setup, storage, log: createLog('silent'), onChange: ignore });
  const routes = new StoredRoutes({ store: storage.routes, onChange: ignore, onError, onUnreadable: ignore });
  try {
    await settings.start();
    await routes.start();
    const merged = settings.beside(setup);
    const stored = routes.routes(besideOf(merged.config));
    const sockets = await openSockets(setup.config, env);
    const parts = { catalog: readCatalog(setup.folder), discovery: discoveryOf(setup), sockets, stored };
    return makeSnapshot({ setup: merged, ...parts }).directory;
  } finally {
    settings.stop();
    routes.stop();
  }
}

/** The targets that budgets exclude from routes with this setup. Without a store, its routes and prices are unknown. */
export async function unpricedIn(setup: Setup, env: Environment, storage?: Storage): Promise<UnpricedTargets[]> {
  const known = storage === undefined ? knownModelsOf(setup, env) : directoryBeside(setup, env, storage);
  const found = await known;
  return unpricedTargets('directory' in found ? found.directory : found);
}

/** The known facts, after asking providers with their own lists and local servers. Slow ones are left out. */
export async function askedModelsOf(setup: Setup, env: Environment): Promise<KnownModels> {
  const catalog = readCatalog(setup.folder);
  const sockets = await openSockets(setup.config, env);
  const discovery = discoveryOf(setup);
  try {
    const round = askedBy(makeSnapshot({ setup, catalog, discovery, sockets }));
    const ignore = () => undefined;
    await discovery.follow({ ...round, onChange: ignore, onError: ignore });
    const { directory } = makeSnapshot({ setup, catalog, discovery, sockets });
    const unasked = round.asked.filter(
      ({ provider, isNeeded }) => isNeeded && discovery.listOf(provider).models.length === 0,
    );
    return { directory, unasked: unasked.map(({ provider }) => provider.id) };
  } finally {
    await discovery.end();
    await sockets.close();
  }
}

/** Asks all enabled providers for their models concurrently; without a file, local servers too. */
export async function probeProviders(setup: Setup, env: Environment): Promise<Probe[]> {
  const { config } = setup;
  const sockets = await openSockets(config, env);
  try {
    const discovery = discoveryOf(setup);
    if (config.file === null) {
      discovery.locals = (await findLocal(sockets, PRESETS, config.server.port)).map(({ preset }) => preset);
    }
    return await probeAll(makeSnapshot({ setup, catalog: readCatalog(setup.folder), discovery, sockets }));
  } finally {
    await sockets.close();
  }
}

/** Asks a provider for its models as a gateway with this setup would. */
export async function tryProvider(setup: Setup, env: Environment, tried: TriedProvider): Promise<TestOutcome> {
  const sockets = await openSockets(setup.config, env);
  try {
    const catalog = readCatalog(setup.folder);
    const snapshot = makeSnapshot({ setup, catalog, discovery: discoveryOf(setup), sockets });
    return await providerTester(() => snapshot)(tried);
  } finally {
    await sockets.close();
  }
}

type Probed = Pick<Snapshot, 'providers' | 'directory' | 'setup' | 'sockets'>;

/** Asks each provider for its models, with each of its keys. */
export function probeAll({ providers, directory, setup, sockets }: Probed): Promise<Probe[]> {
  const named = namedModels(setup.config, directory);
  const asked = providers
    .filter(({ provider }) => provider.transport === 'http')
    .flatMap(({ provider, accesses = [{ provider, weight: 1 }] }) =>
      accesses.map((access) => ({ provider: access.provider, isOne: accesses.length === 1 })),
    );
  return Promise.all(asked.map(({ provider, isOne }) => probe(sockets, provider, isOne, named)));
}

type NamedModel = { name: string; provider: string; upstreamId: string };

/** The configured names of models, with what they lead to. Each model occurs once, not both bare and qualified. */
function namedModels({ providers, aliases, routes, system }: Config, { find }: Directory): NamedModel[] {
  const all = [...routes, ...(system === null ? [] : [system])];
  const targets = all.flatMap((route) => [...route.targets, ...route.fallbacks]).map(({ model }) => model);
  const called = new Set([...aliases.keys(), ...targets]);
  const isCalled = (provider: string, id: string) => called.has(id) && find(id) === find(`${provider}/${id}`);
  const listed = providers.flatMap(({ id, models }) =>
    models.filter((model) => !isCalled(id, model.id)).map((model) => `${id}/${model.id}`),
  );
  return [...new Set([...called, ...listed])].flatMap((name) => {
    const entry = find(name);
    if (entry?.origin !== 'vendor') return [];
    return [{ name, provider: entry.provider.id, upstreamId: entry.model.upstreamId }];
  });
}

async function probe(
  upstream: Upstream,
  provider: Provider,
  isOne: boolean,
  named: readonly NamedModel[],
): Promise<Probe> {
  const askedAt = CLOCK.monotonic();
  let clockAheadMs: number | null = null;
  const watched: Upstream = {
    send: (request, listener) =>
      upstream.send(request, {
        ...listener,
        onStart(status, headers) {
          clockAheadMs = aheadOf(headers);
          listener.onStart(status, headers);
        },
      }),
  };
  const answered = await discoverModels(watched, provider, { dialectHeaders: dialectHeadersOf(provider) }).catch(
    (error: unknown) => {
      if (error instanceof GatewayError) return error;
      throw error;
    },
  );
  return {
    provider: provider.id,
    credential: isOne ? null : provider.credentialName,
    has_key: provider.credential !== null,
    result: answered instanceof GatewayError ? { failure: failureOf(answered) } : { models: answered.models.length },
    gone: answered instanceof GatewayError ? [] : goneOf(provider, answered.models, named),
    took_ms: CLOCK.monotonic() - askedAt,
    clock_ahead_ms: clockAheadMs,
  };
}

/** An empty list does not show which models exist. */
function goneOf({ id }: Provider, listed: readonly string[], named: readonly NamedModel[]): string[] {
  const known = new Set(listed);
  if (known.size === 0) return [];
  return named.filter((each) => each.provider === id && !known.has(each.upstreamId)).map(({ name }) => name);
}

/** The system's error code is shown. Its messages may contain more than should be shown. */
function failureOf({ kind, message, cause }: GatewayError): { kind: ErrorKind; message: string; code: string | null } {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return { kind, message, code };
}

/** How far the sender's clock is ahead of ours, to the second; `null` without a time. */
function aheadOf({ date }: UpstreamHeaders): number | null {
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(theirs) ? null : theirs - CLOCK.now();
}
