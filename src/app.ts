import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { changedServerSettings } from './config/changed.ts';
import type { Config } from './config/config.ts';
import { Discovery } from './control/catalog/discovery.ts';
import { needsDiscovery } from './control/catalog/served.ts';
import { createKeyChecker, type PollingKeyChecker } from './control/keys/checker.ts';
import type { KeyParts } from './control/keys/keys.ts';
import { createLimiter } from './control/limits/limiter.ts';
import { ensureOrganizations } from './control/organizations/organizations.ts';
import { Retention } from './control/usage/retention.ts';
import type { Ids, Storage } from './core/ports.ts';
import type { Directory, Served } from './core/provider.ts';
import { TimerWheel } from './core/timer-wheel.ts';
import { DIALECTS } from './dialects/built.ts';
import { Doors } from './http/doors.ts';
import type { Front } from './http/exchange.ts';
import { createIds } from './http/ids.ts';
import { Metrics } from './http/metrics.ts';
import { applyLimits, createServer, type ServerOptions } from './http/server.ts';
import { ItemMemory } from './pipeline/item-memory.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import { createTokenCounter } from './pipeline/tokens.ts';
import { makePresent, openSockets, type Present } from './present.ts';
import { echoUpstream } from './providers/echo/echo.ts';
import { PRESETS } from './providers/presets.ts';
import { CLOCK, makeFirstKey, openKeys, type Place, readCatalog, readSetup, type Setup, VERSION } from './setup.ts';
import { acquireInstanceLock } from './store/instance-lock.ts';
import { serveSurfaces } from './surfaces/surfaces.ts';

/** What a reload has to tell: sentences for the operator, and the settings that only a restart puts in force. */
export type Reloaded = { notices: readonly string[]; needRestart: readonly string[] };

/** The gateway, serving. */
export class App implements AsyncDisposable {
  /** The first key, shown once; `null` where this data has keys already. */
  firstKey: string | null = null;
  /** Calls that an earlier process left open, closed at this start. */
  readonly recovered: number;
  readonly #place: Place;
  readonly #log: Logger;
  readonly #storage: Storage;
  readonly #checker: PollingKeyChecker;
  readonly #pipeline: Pipeline;
  readonly #server: FastifyInstance;
  readonly #doors: Doors;
  readonly #discovery: Discovery;
  readonly #retention: Retention;
  readonly #release: () => void;
  #present: Present;
  #reloading: Promise<unknown> = Promise.resolve();
  #stopping = false;
  #stopped: Promise<void> | null = null;

  private constructor(parts: {
    place: Place;
    log: Logger;
    present: Present;
    storage: Storage;
    recovered: number;
    keys: KeyParts;
    ids: Ids;
    discovery: Discovery;
    release: () => void;
  }) {
    const { place, log, present, storage, keys, ids } = parts;
    this.#place = place;
    this.#log = log;
    this.#present = present;
    this.#storage = storage;
    this.recovered = parts.recovered;
    this.#release = parts.release;
    this.#discovery = parts.discovery;
    this.#checker = createKeyChecker({
      store: storage.keys,
      pepper: keys.pepper,
      clock: CLOCK,
      onError: (error) => log.error({ err: error }, 'The store could not be asked which keys have changed.'),
    });
    const limiter = createLimiter({ clock: CLOCK, spend: storage.spend, defaults: () => this.config.limits });
    const front: Front = {
      headerPrefix: this.config.server.headerPrefix,
      keys: this.#checker,
      limiter,
      clock: CLOCK,
      ids,
    };
    const metrics = new Metrics();
    const wheel = new TimerWheel(CLOCK.monotonic);
    const echo = echoUpstream({ clock: CLOCK, id: () => ids.requestId().slice('req_'.length) });
    this.#pipeline = new Pipeline({
      current: () => this.#present,
      dialects: DIALECTS,
      upstreamOf: (provider) => (provider.transport === 'echo' ? echo : this.#present.sockets),
      ledger: storage.ledger,
      limiter,
      tokens: createTokenCounter(),
      items: new ItemMemory(() => this.config, CLOCK.monotonic),
      observer: metrics,
      log: {
        failed: (intent, error) =>
          log.warn(
            {
              request_id: intent.requestId,
              provider: intent.provider,
              model: intent.upstreamModel,
              kind: error.kind,
              err: error.cause,
            },
            error.message,
          ),
      },
      clock: CLOCK,
      wheel,
      ids,
    });
    const onFault = (error: unknown, requestId: string) =>
      log.error({ err: error, request_id: requestId }, 'The gateway failed to answer a request.');
    const serving: ServerOptions = {
      front,
      onFault,
      stopping: () => this.#stopping,
      limits: () => requestLimits(this.config),
    };
    const app = createServer(serving);
    this.#doors = new Doors(app, serving, wheel, this.config.server.httpLayer);
    serveSurfaces({
      app,
      door: this.#doors,
      front,
      onFault,
      pipeline: this.#pipeline,
      usage: storage.usage,
      directory: () => this.#present.directory,
      version: VERSION,
      metrics,
      metricsToken: present.setup.secrets.metricsToken,
      ready: async () => {
        if (this.#stopping) throw new Error('the gateway is stopping');
        await storage.check();
      },
    });
    this.#server = app;
    this.#retention = new Retention({
      storage,
      clock: CLOCK,
      keepMs: () => this.config.retention.usage,
      onError: (error) => log.error({ err: error }, 'Old usage records could not be deleted.'),
    });
  }

  /** Starts the gateway: takes the data folder, closes what a dead process left open, and listens. */
  static async start(place: Place, log: Logger, setup = readSetup(place)): Promise<App> {
    const lock = acquireInstanceLock(setup.folder, { pid: process.pid, startedAt: CLOCK.now() });
    try {
      const ids = createIds();
      const { storage, keys } = await openKeys(setup, ids);
      const recovered = await storage.recover(CLOCK.now());
      const discovery = new Discovery();
      const present = makePresent(setup, readCatalog(setup.folder), discovery, openSockets(setup.config, place.env));
      const app = new App({
        place,
        log,
        present,
        storage,
        recovered,
        keys,
        ids,
        discovery,
        release: lock.release,
      });
      await app.#listen();
      // Only now: a key made by a start that then failed would never be shown.
      app.firstKey = await makeFirstKey(setup, storage, keys);
      return app;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** `http://host:port`, with the port that was really taken. */
  get address(): string {
    const { address, port, family } = this.#server.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get setup(): Setup {
    return this.#present.setup;
  }

  get config(): Config {
    return this.#present.setup.config;
  }

  get directory(): Directory {
    return this.#present.directory;
  }

  /** The providers that are on, in the order in which a bare model name is looked for. */
  get providers(): readonly Served[] {
    return this.#present.providers;
  }

  /** Reads the configuration again and puts it in force whole, or throws and changes nothing. One at a time. */
  reload(): Promise<Reloaded> {
    const reloading = this.#reload();
    this.#reloading = reloading.catch(() => undefined);
    return reloading;
  }

  async #reload(): Promise<Reloaded> {
    const before = this.#present;
    const setup = readSetup(this.#place);
    const needRestart = changedServerSettings(before.setup.config, setup.config);
    const { metricsToken } = before.setup.secrets;
    if (setup.secrets.metricsToken?.reveal() !== metricsToken?.reveal()) needRestart.push('server.metrics_token');
    const catalog = readCatalog(before.setup.folder);
    const kept: Setup = {
      ...setup,
      folder: before.setup.folder,
      config: { ...setup.config, server: before.setup.config.server },
      secrets: { ...setup.secrets, metricsToken },
    };
    await ensureOrganizations(
      { store: this.#storage.organizations, clock: CLOCK, ids: createIds() },
      kept.config.organizations,
    );
    const sockets = openSockets(kept.config, this.#place.env);
    await this.#discover(makePresent(kept, catalog, this.#discovery, sockets));
    this.#present = makePresent(kept, catalog, this.#discovery, sockets);
    applyLimits(this.#server, requestLimits(kept.config));
    void before.sockets.close();
    void this.#retention.round();
    return { notices: setup.notices, needRestart };
  }

  /** Refuses new calls, lets open ones end (at most `server.drain`), and closes everything. */
  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #listen(): Promise<void> {
    const { host, port } = this.config.server;
    await this.#checker.start();
    await this.#discover(this.#present);
    await this.#server.listen({ host, port });
    this.#retention.start();
  }

  /**
   * Asks the providers that list their own models, and servers on this machine where no file names the providers; waits
   * a moment only. What is heard later changes the picture, once it is the one in force.
   */
  #discover({ setup, catalog, providers, sockets }: Present): Promise<void> {
    const { config } = setup;
    const asked = new Set(
      config.providers.filter((row) => row.off === null && needsDiscovery(row, catalog)).map(({ id }) => id),
    );
    return this.#discovery.follow({
      upstream: sockets,
      providers: providers.map(({ provider }) => provider).filter(({ id }) => asked.has(id)),
      local: config.file === null ? { presets: PRESETS, ownPort: config.server.port } : null,
      onChange: () => {
        if (this.#present.sockets === sockets) this.#present = makePresent(setup, catalog, this.#discovery, sockets);
      },
      onError: (provider, error) =>
        this.#log.warn({ provider, reason: (error as Error).message }, 'A provider did not say which models it has.'),
    });
  }

  /** Closes each connection once its answer has been flushed, and what is left after a moment. */
  async #letGo(closed: Promise<unknown>): Promise<void> {
    const look = setInterval(() => this.#doors.closeIdle(), LOOK_MS);
    const cut = setTimeout(() => this.#doors.closeAll(), FLUSH_MS);
    await closed;
    clearInterval(look);
    clearTimeout(cut);
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    const closed = this.#server.close();
    await this.#reloading;
    await this.#pipeline.drain(this.config.server.drain);
    await this.#letGo(closed);
    this.#discovery.stop();
    this.#retention.stop();
    this.#checker.stop();
    await this.#present.sockets.close();
    await this.#storage.close();
    this.#release();
  }
}

/** Connections whose last bytes are not taken in this time are cut when the gateway stops. */
const FLUSH_MS = 2_000;
const LOOK_MS = 20;

function requestLimits({ limits, timeouts }: Config) {
  return { maxBody: limits.maxBody, maxHeader: limits.maxHeader, requestTimeout: timeouts.request };
}
