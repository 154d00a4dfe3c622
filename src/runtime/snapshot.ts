import { basename } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import type { Discovery, DiscoveryRound } from '../catalog/discovery.ts';
import type { ProviderRow } from '../catalog/model-list.ts';
import { needsDiscovery, servedBy } from '../catalog/served.ts';
import { whyUnserved } from '../catalog/unserved.ts';
import type { DialectHeaders } from '../catalog/vendor-models.ts';
import type { Config } from '../config/config.ts';
import { readProxies } from '../config/environment.ts';
import type { Environment } from '../config/interpolate.ts';
import type { Directory, Provider, Served } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { DIALECTS } from '../dialects/built.ts';
import type { PipelineSettings } from '../pipeline/parts.ts';
import { echoModels, echoProvider } from '../providers/echo/echo.ts';
import { PRESETS } from '../providers/presets.ts';
import { presetOf } from '../providers/resolve.ts';
import { buildDirectory } from '../routing/directory.ts';
import { Http1Upstream } from '../upstream/http1/http1.ts';
import type { Sockets } from '../upstream/sockets.ts';
import { CLOCK, type Setup } from './setup.ts';

/** The state of the gateway. A reload makes a new one; calls in flight keep theirs. */
export type Snapshot = {
  setup: Setup;
  catalog: Catalog;
  providers: readonly Served[];
  directory: Directory;
  settings: PipelineSettings;
  sockets: Sockets;
};

/** `stored`: the routes of the store (default: none). */
export type SnapshotParts = Pick<Snapshot, 'setup' | 'catalog' | 'sockets'> & {
  discovery: Discovery;
  stored?: readonly Route[];
};

/** Builds a snapshot: callable names, their providers and settings. */
export function makeSnapshot({ setup, catalog, discovery, sockets, stored = [] }: SnapshotParts): Snapshot {
  const { config, secrets } = setup;
  const on = servedBy({
    rows: rowsOf(config, discovery),
    credentials: secrets.providerKeys,
    catalog,
    listed: (provider) => discovery.listOf(provider),
    overrides: config.models,
    inferPrices: config.catalog.inferPrices,
    listPrices: config.catalog.listPrices,
  });
  // The built-in provider's embedding models must not be taken for a vendor's.
  const echo: Served = {
    provider: echoProvider(),
    models: echoModels(),
    keepsBare: (id) => id === 'echo' || on.length === 0,
  };
  const providers = config.echo ? [...on, echo] : on;
  const file = config.file === null ? null : basename(config.file);
  return {
    setup,
    catalog,
    providers,
    directory: buildDirectory(providers, {
      aliases: config.aliases,
      routes: [...config.routes, ...stored, ...(config.system === null ? [] : [config.system])],
      products: new Map([...config.products].map(([id, { routes }]) => [id, routes])),
      whyUnserved: (name) => whyUnserved(name, { configured: config.providers, presets: PRESETS, file, catalog }),
    }),
    settings: {
      limits: config.limits,
      timeouts: config.timeouts,
      retries: config.retries,
      retention: config.retention,
      headerPrefix: config.server.headerPrefix,
      bytePath: true,
    },
    sockets,
  };
}

/** The providers to ask for models: all unrestricted ones, and without configured providers also local servers. */
export function askedBy({
  setup,
  catalog,
  providers,
  sockets,
}: Snapshot): Pick<DiscoveryRound, 'upstream' | 'asked' | 'local'> {
  const { config } = setup;
  if (!config.catalog.discovery) return { upstream: sockets, asked: [], local: null };
  const rows = new Map(config.providers.filter((row) => row.off === null).map((row) => [row.id, row]));
  const asked = providers.flatMap(({ provider }) => {
    const row = rows.get(provider.id);
    if (row === undefined || row.only !== null || presetOf(row.preset ?? '')?.listsOtherThings) return [];
    return { provider, dialectHeaders: dialectHeadersOf(provider), isNeeded: needsDiscovery(row, catalog) };
  });
  return {
    upstream: sockets,
    asked,
    local: config.file === null ? { presets: PRESETS, ownPort: config.server.port } : null,
  };
}

/** Each provider with its keys that are not used to list models; all keys if it is not asked for a list. */
export function keysBeside(snapshot: Snapshot): Provider[] {
  if (!snapshot.setup.config.catalog.discovery) return [];
  const asked = new Set(askedBy(snapshot).asked.map(({ provider }) => provider));
  const keys = snapshot.providers.flatMap(({ accesses = [] }) => accesses.map(({ provider }) => provider));
  return keys.filter((provider) => provider.credential !== null && !asked.has(provider));
}

/** Headers that the provider's first dialect requires with every request. */
export function dialectHeadersOf({ speaks }: Provider): DialectHeaders {
  return DIALECTS.find(({ id }) => id === speaks[0]?.dialect)?.outbound.headers ?? {};
}

/** The enabled providers: the configured ones, then, if none are configured, local servers. */
export function rowsOf(config: Config, discovery: Discovery): ProviderRow[] {
  const named = config.providers.filter(({ off }) => off === null);
  const isNamed = (id: string) => config.providers.some((row) => row.id === id);
  const locals = config.file === null ? discovery.locals.filter(({ id }) => !isNamed(id)) : [];
  const found = locals.map(({ id }) => ({
    id,
    preset: id,
    baseUrl: null,
    label: null,
    dialects: null,
    headers: {},
    models: [],
    only: null,
    unknownModels: 'pass' as const,
    region: null,
    concurrency: null,
  }));
  return [...named, ...found];
}

/** The configured transport to vendors. It opens no socket before the first call. */
export async function openSockets(config: Config, env: Environment): Promise<Sockets> {
  const proxies = readProxies(env);
  const options = {
    connectTimeoutMs: config.timeouts.connect,
    maxHeaderBytes: config.limits.maxHeader,
    proxies,
    wheel: new TimerWheel(CLOCK.monotonic),
  };
  const nodeLayer = config.server.httpLayer === 'node';
  if (!nodeLayer && proxies.http === null && proxies.https === null)
    return new Http1Upstream({ ...options, proxied: null });
  // Imported on use: undici takes some megabytes.
  const { UndiciUpstream } = await import('../upstream/undici.ts');
  const undici = new UndiciUpstream(options);
  return nodeLayer ? undici : new Http1Upstream({ ...options, proxied: undici });
}

/** Providers with their own list of models that is empty. */
export function silentOf({ providers, setup, catalog }: Snapshot): string[] {
  const listing = setup.config.providers.filter((row) => row.off === null && needsDiscovery(row, catalog));
  const silent = new Set(providers.filter(({ models }) => models.length === 0).map(({ provider }) => provider.id));
  return listing.map(({ id }) => id).filter((id) => silent.has(id));
}
