import type { Config } from './config/config.ts';
import type { Environment } from './config/interpolate.ts';
import { readProxies } from './config/proxies.ts';
import type { Discovery, DiscoveryRound } from './control/catalog/discovery.ts';
import { needsDiscovery, type ProviderRow, servedBy } from './control/catalog/served.ts';
import type { Directory, Served } from './core/provider.ts';
import type { Route } from './core/route.ts';
import { TimerWheel } from './core/timer-wheel.ts';
import type { PipelineSettings } from './pipeline/parts.ts';
import type { Catalog } from './providers/catalog.ts';
import { echoModels, echoProvider } from './providers/echo/echo.ts';
import { PRESETS } from './providers/presets.ts';
import { buildDirectory } from './routing/directory.ts';
import { CLOCK, type Setup } from './setup.ts';
import { Http1Upstream } from './upstream/http1/http1.ts';
import type { Sockets } from './upstream/sockets.ts';
import { UndiciUpstream } from './upstream/undici.ts';

/** What the gateway is at one moment. A reload makes a new one; calls in flight keep the one they began with. */
export type Present = {
  setup: Setup;
  catalog: Catalog;
  providers: readonly Served[];
  directory: Directory;
  settings: PipelineSettings;
  sockets: Sockets;
};

/** Puts together what can be called, by whom it is served, and under which settings. */
export function makePresent(
  setup: Setup,
  catalog: Catalog,
  discovery: Discovery,
  sockets: Sockets,
  stored: readonly Route[] = [],
): Present {
  const { config, secrets } = setup;
  const on = servedBy({
    rows: rowsOf(config, discovery),
    credentials: secrets.providerKeys,
    catalog,
    discovered: (provider) => discovery.modelsOf(provider),
    overrides: config.models,
  });
  // The stand-in's embedding models must not be taken for a vendor's.
  const echo: Served = {
    provider: echoProvider(),
    models: echoModels(),
    keepsBare: (id) => id === 'echo' || on.length === 0,
  };
  const providers = config.echo ? [...on, echo] : on;
  return {
    setup,
    catalog,
    providers,
    directory: buildDirectory(providers, {
      aliases: config.aliases,
      routes: [...config.routes, ...stored, ...(config.system === null ? [] : [config.system])],
      products: new Map([...config.products].map(([id, { routes }]) => [id, routes])),
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

/** Who is to be asked: providers that list their own models, and servers on this machine where no file names the providers. */
export function askedBy({
  setup,
  catalog,
  providers,
  sockets,
}: Present): Pick<DiscoveryRound, 'upstream' | 'providers' | 'local'> {
  const { config } = setup;
  const asked = new Set(
    config.providers.filter((row) => row.off === null && needsDiscovery(row, catalog)).map(({ id }) => id),
  );
  return {
    upstream: sockets,
    providers: providers.map(({ provider }) => provider).filter(({ id }) => asked.has(id)),
    local: config.file === null ? { presets: PRESETS, ownPort: config.server.port } : null,
  };
}

/** The providers that are on: those of the configuration, then, where no file names any, servers found on this machine. */
export function rowsOf(config: Config, discovery: Discovery): ProviderRow[] {
  const named = config.providers.filter(({ off }) => off === null);
  const found = (config.file === null ? discovery.locals : []).map(({ id }) => ({
    id,
    preset: id,
    baseUrl: null,
    label: null,
    dialects: null,
    headers: {},
    models: null,
    region: null,
    concurrency: null,
  }));
  return [...named, ...found];
}

/** The way to vendors that the configuration chooses. It holds no socket until the first call. */
export function openSockets(config: Config, env: Environment): Sockets {
  const options = {
    connectTimeoutMs: config.timeouts.connect,
    maxHeaderBytes: config.limits.maxHeader,
    proxies: readProxies(env),
    wheel: new TimerWheel(CLOCK.monotonic),
  };
  const undici = new UndiciUpstream(options);
  if (config.server.httpLayer === 'node') return undici;
  return new Http1Upstream({ ...options, proxied: undici });
}
