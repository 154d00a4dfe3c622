import { discoverModels, findLocal } from '../catalog/discover.ts';
import { Discovery } from '../catalog/discovery.ts';
import { KeptLists } from '../catalog/kept-lists.ts';
import { needsDiscovery } from '../catalog/served.ts';
import type { KnownModels, Probe } from '../cli/toolbox.ts';
import type { Environment } from '../config/interpolate.ts';
import { GatewayError } from '../core/errors.ts';
import type { Upstream, UpstreamHeaders } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import { PRESETS } from '../providers/presets.ts';
import { CLOCK, listsFileOf, readCatalog, type Setup } from './setup.ts';
import { askedBy, dialectHeadersOf, makeSnapshot, openSockets, rowsOf } from './snapshot.ts';

/** What a gateway of this data has heard from vendors, without asking them again. Where that cannot be read, nothing is. */
function discoveryOf({ folder }: Setup): Discovery {
  return new Discovery(CLOCK, new KeptLists(listsFileOf(folder), () => undefined, true));
}

/** What a gateway with this setup would offer, as far as that is known without asking anybody. */
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

/** The same, after asking providers that list their own models and servers on this machine; slow ones are left out. */
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

/** Asks every provider that is on for its models, all at once; where no file names them, those on this machine too. */
export async function probeProviders(setup: Setup, env: Environment): Promise<Probe[]> {
  const { config } = setup;
  const sockets = await openSockets(config, env);
  try {
    const discovery = discoveryOf(setup);
    if (config.file === null) {
      discovery.locals = (await findLocal(sockets, PRESETS, config.server.port)).map(({ preset }) => preset);
    }
    const { providers } = makeSnapshot({ setup, catalog: readCatalog(setup.folder), discovery, sockets });
    const asked = providers.map(({ provider }) => provider).filter(({ transport }) => transport === 'http');
    return await Promise.all(asked.map((provider) => probe(sockets, provider)));
  } finally {
    await sockets.close();
  }
}

async function probe(upstream: Upstream, provider: Provider): Promise<Probe> {
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
  const result = await discoverModels(watched, provider, { dialectHeaders: dialectHeadersOf(provider) }).then(
    (models) => ({ models: models.length }),
    (error: unknown) => {
      if (error instanceof GatewayError) return { error };
      throw error;
    },
  );
  const tookMs = CLOCK.monotonic() - askedAt;
  return { provider: provider.id, hasKey: provider.credential !== null, result, tookMs, clockAheadMs };
}

/** How far the sender's clock is ahead of ours, to the second; `null` where it tells no time. */
function aheadOf({ date }: UpstreamHeaders): number | null {
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(theirs) ? null : theirs - CLOCK.now();
}
