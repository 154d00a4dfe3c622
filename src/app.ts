import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { Discovery } from './control/catalog/discovery.ts';
import { createKeyChecker, type PollingKeyChecker } from './control/keys/checker.ts';
import type { KeyParts } from './control/keys/keys.ts';
import { decidedBy } from './control/learning/deciding.ts';
import { giveFeedback } from './control/learning/feedback.ts';
import { LiveModels } from './control/learning/live-models.ts';
import type { DefaultLimits } from './control/limits/limiter.ts';
import { withProductBudgets } from './control/limits/product-budgets.ts';
import { StoredRoutes } from './control/routes/stored-routes.ts';
import { StorageWatch, type StorageWatchParts } from './control/storage/watch.ts';
import type { Ids, ItemSource, Limiter, Storage } from './core/ports.ts';
import type { Directory, Served } from './core/provider.ts';
import type { SpendLimit } from './core/records.ts';
import type { GatewayStatus } from './core/target-status.ts';
import { TimerWheel } from './core/timer-wheel.ts';
import { credentialCheck } from './credential-check.ts';
import { DIALECTS } from './dialects/built.ts';
import { Doors } from './http/doors.ts';
import type { Front } from './http/exchange.ts';
import { Metrics } from './http/metrics.ts';
import { Receiving } from './http/receiving.ts';
import { applyLimits, createServer, type RequestLimits, type ServerOptions } from './http/server.ts';
import { callLog, letGoLog } from './log.ts';
import { besideOf, smartRoutesIn } from './own-routes.ts';
import { Shedder } from './pipeline/admission/shedder.ts';
import { ItemMemory } from './pipeline/item-memory.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import { createTokenCounter } from './pipeline/tokens.ts';
import { askedBy, makePresent, openSockets, type Present } from './present.ts';
import type { Catalog } from './providers/catalog.ts';
import { echoUpstream } from './providers/echo/echo.ts';
import { Affinity } from './routing/affinity.ts';
import { Health } from './routing/health/health.ts';
import { CLOCK, type Place, readCatalog, type Setup, VERSION } from './setup.ts';
import { serveSurfaces } from './surfaces/surfaces.ts';

/** What differs where several processes serve together. */
export type Company = {
  limiter(defaults: () => DefaultLimits): Limiter;
  /** Items that another process keeps. */
  items: ItemSource | null;
  /** The metrics of all. */
  metrics: (() => Promise<string>) | null;
  /** How all of them do. */
  status: (() => Promise<GatewayStatus>) | null;
  /** Who is told when the store cannot be written, and when it can again. */
  storageNews: Pick<StorageWatchParts, 'onTrouble' | 'onRecovered'>;
  /** What of a configuration is for this process. */
  portion(setup: Setup): Setup;
};

export type AppParts = {
  place: Place;
  log: Logger;
  setup: Setup;
  /** Closed by whoever opened it, once the gateway has stopped. */
  storage: Storage;
  keys: KeyParts;
  ids: Ids;
  company: Company;
};

/** The gateway, serving in this process. */
export class App {
  readonly metrics: Metrics;
  readonly items: ItemMemory;
  readonly #place: Place;
  readonly #log: Logger;
  readonly #company: Company;
  readonly #checker: PollingKeyChecker;
  readonly #stored: StoredRoutes;
  readonly #pipeline: Pipeline;
  readonly #server: FastifyInstance;
  readonly #doors: Doors;
  readonly #discovery = new Discovery();
  readonly #watch: StorageWatch;
  readonly #shedder: Shedder;
  readonly #health = new Health(CLOCK, Math.random);
  readonly #affinity = new Affinity();
  readonly #models: LiveModels;
  #present: Present;
  #limits!: RequestLimits;
  #reloading: Promise<unknown> = Promise.resolve();
  #stopping = false;
  #stopped: Promise<void> | null = null;
  readonly #startedAt = CLOCK.monotonic();

  private constructor({ place, log, setup, storage, keys, ids, company }: AppParts) {
    this.#place = place;
    this.#log = log;
    this.#company = company;
    const own = company.portion(setup);
    const sockets = openSockets(own.config, place.env);
    this.#present = makePresent(own, readCatalog(setup.folder), this.#discovery, sockets);
    this.#configure();
    const check = credentialCheck({
      upstream: () => this.#present.sockets,
      onError: (error) => log.error({ err: error }, 'A provider could not be asked for its word on its key.'),
    });
    this.#health.credentials.checkWith(check);
    this.#watch = new StorageWatch({ storage, now: CLOCK.monotonic, ...company.storageNews });
    this.#checker = createKeyChecker({
      store: storage.keys,
      pepper: keys.pepper,
      clock: CLOCK,
      onError: (error) => log.error({ err: error }, 'The store could not be asked which keys have changed.'),
    });
    this.#stored = new StoredRoutes({
      store: storage.routes,
      onChange: () => this.#look(),
      onError: (error) => log.error({ err: error }, 'The store could not be asked which routes have changed.'),
      onUnreadable: (route, words) => log.error({ route }, `A stored route is left out: ${words}.`),
    });
    const limiter = withProductBudgets(
      company.limiter(() => this.config.limits),
      (product) => this.#budgetOf(product),
    );
    this.#models = new LiveModels({
      models: storage.models,
      routes: storage.routes,
      smartRoutes: () => smartRoutesIn(this.#present.directory),
      onError: (error) => log.error({ err: error }, 'What smart routes have learned could not be read.'),
    });
    const front: Front = {
      headerPrefix: this.config.server.headerPrefix,
      keys: this.#checker,
      limiter,
      clock: CLOCK,
      ids,
    };
    const metrics = new Metrics(company.metrics);
    this.metrics = metrics;
    this.items = new ItemMemory(() => this.config, CLOCK.monotonic, company.items);
    const wheel = new TimerWheel(CLOCK.monotonic);
    this.#shedder = new Shedder({
      now: CLOCK.monotonic,
      memory: () => process.memoryUsage.rss(),
      limits: () => this.config.limits,
    });
    const echo = echoUpstream({ clock: CLOCK, id: () => ids.requestId().slice('req_'.length) });
    this.#pipeline = new Pipeline({
      current: () => this.#present,
      dialects: DIALECTS,
      upstreamOf: (provider) => (provider.transport === 'echo' ? echo : this.#present.sockets),
      ledger: storage.ledger,
      limiter,
      demandsPrice: ({ spendLimit, product }) => spendLimit !== null || this.#budgetOf(product) !== null,
      health: this.#health,
      affinity: this.#affinity,
      scorerOf: ({ id, smart }) => (smart === null ? null : this.#models.of(id).scorer),
      shedder: this.#shedder,
      random: Math.random,
      tokens: createTokenCounter(),
      items: this.items,
      observer: metrics,
      log: callLog(log),
      clock: CLOCK,
      wheel,
      ids,
    });
    const onFault = (error: unknown, requestId: string) =>
      log.error({ err: error, request_id: requestId }, 'The gateway failed to answer a request.');
    const serving: ServerOptions = {
      front,
      onFault,
      onLetGo: letGoLog(log, CLOCK.monotonic),
      stopping: () => this.#stopping,
      limits: () => this.#limits,
      receiving: new Receiving(() => this.#limits.maxReceiving),
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
      giveFeedback: (caller, body) => giveFeedback({ ...storage, clock: CLOCK }, caller, body),
      calls: storage.calls,
      directory: () => this.#present.directory,
      version: VERSION,
      explainFeatures: (route, look, tokens) => decidedBy(this.#models.of(route.id), route, look, tokens),
      status: company.status ?? (async () => this.status()),
      metrics,
      metricsToken: setup.secrets.metricsToken,
      ready: async () => (this.#stopping ? { reason: 'The gateway is stopping.' } : this.#watch.whyUnready()),
    });
    this.#server = app;
  }

  /** Starts to serve. */
  static async start(parts: AppParts): Promise<App> {
    // What is young here is small: to wake other threads for it costs more than they take off this one.
    setFlagsFromString('--no-parallel-scavenge');
    const app = new App(parts);
    await app.#listen();
    return app;
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

  /** How this process does. */
  status(): GatewayStatus {
    const uptimeMs = CLOCK.monotonic() - this.#startedAt;
    return { ...this.#pipeline.status(), uptimeMs, workers: 1, silentWorkers: 0 };
  }

  /** The providers that are on, in the order in which a bare model name is looked for. */
  get providers(): readonly Served[] {
    return this.#present.providers;
  }

  /** Puts a configuration in force whole, or throws and changes nothing. One at a time. */
  reload(setup: Setup, catalog: Catalog): Promise<void> {
    const reloading = this.#reload(this.#company.portion(setup), catalog);
    this.#reloading = reloading.catch(() => undefined);
    return reloading;
  }

  async #reload(setup: Setup, catalog: Catalog): Promise<void> {
    const before = this.#present;
    const sockets = openSockets(setup.config, this.#place.env);
    await this.#discover(makePresent(setup, catalog, this.#discovery, sockets));
    this.#look({ ...before, setup, catalog, sockets });
    this.#configure();
    applyLimits(this.#server, this.#limits);
    void before.sockets.close();
  }

  /** Makes the picture anew, of what is known now. */
  #look({ setup, catalog, sockets }: Present = this.#present): void {
    const stored = this.#stored.routes(besideOf(setup.config));
    this.#present = makePresent(setup, catalog, this.#discovery, sockets, stored);
  }

  /** What outlives a configuration goes by the present one from now on. */
  #configure(): void {
    const { breaker, routing, limits, timeouts } = this.config;
    this.#limits = { ...limits, ...timeouts, requestTimeout: timeouts.request };
    this.#health.configure(breaker);
    this.#affinity.configure({
      keep: routing.affinityKeep,
      max: routing.maxConversations,
    });
  }

  #budgetOf(product: string | null): SpendLimit | null {
    return product === null ? null : (this.config.products.get(product)?.budget ?? null);
  }

  /** Refuses new calls, lets open ones end (at most `server.drain`), and closes all but the storage. */
  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  async #listen(): Promise<void> {
    const { host, port } = this.config.server;
    await this.#checker.start();
    await this.#stored.start();
    // Behind the routes, which may be smart.
    await this.#models.start();
    this.#shedder.start();
    await this.#discover(this.#present);
    await this.#server.listen({ host, port });
  }

  /** Asks whoever must be asked; waits a moment only. What is heard later changes the picture, once it is the one in force. */
  #discover(present: Present): Promise<void> {
    return this.#discovery.follow({
      ...askedBy(present),
      onChange: () => {
        if (this.#present.sockets === present.sockets) this.#look();
      },
      onError: (provider, error) =>
        this.#log.warn({ provider, reason: (error as Error).message }, 'A provider did not say which models it has.'),
    });
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    await this.#doors.stop(this.#reloading.then(() => this.#pipeline.drain(this.config.server.drain)));
    this.#discovery.stop();
    this.#checker.stop();
    this.#models.stop();
    this.#stored.stop();
    this.#shedder.stop();
    this.#watch.stop();
    await this.#present.sockets.close();
  }
}
