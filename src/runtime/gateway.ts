import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { StoredRoutes } from '../admin/stored-routes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Discovery } from '../catalog/discovery.ts';
import { KeptLists } from '../catalog/kept-lists.ts';
import type { Config } from '../config/config.ts';
import type { OperatorQuestion } from '../core/operator.ts';
import type { Ids, ItemSource, Limiter, Storage } from '../core/ports.ts';
import type { Directory, Served } from '../core/provider.ts';
import type { SpendLimit } from '../core/records.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { DIALECTS } from '../dialects/built.ts';
import { Health } from '../health/health.ts';
import type { Front } from '../http/answer-headers.ts';
import { HttpLayers } from '../http/layers.ts';
import { Receiving } from '../http/receiving.ts';
import { applyLimits, createServer, type RequestLimits, type ServerOptions } from '../http/server.ts';
import { createKeyChecker, type PollingKeyChecker } from '../keys/checker.ts';
import type { KeyParts } from '../keys/keys.ts';
import { giveFeedback } from '../learning/feedback.ts';
import { decidedBy, LiveModels } from '../learning/live-models.ts';
import type { DefaultLimits } from '../limits/limiter.ts';
import { withProductBudgets } from '../limits/product-budgets.ts';
import { LoadShedder } from '../pipeline/admission/load-shedder.ts';
import { ItemMemory } from '../pipeline/item-memory.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { createTokenCounter } from '../pipeline/tokens.ts';
import { echoUpstream } from '../providers/echo/echo.ts';
import { Affinity } from '../routing/affinity.ts';
import { serveSurfaces } from '../surfaces/surfaces.ts';
import { callLog, letGoLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { Sockets } from '../upstream/sockets.ts';
import { credentialCheck } from './credential-check.ts';
import { holdLittleMemory } from './memory.ts';
import { answerOperator } from './operator-answers.ts';
import { besideOf, smartRoutesIn } from './own-routes.ts';
import { noteUnheard, providerStatuses } from './provider-keys.ts';
import { CLOCK, listsFileOf, readCatalog, type Setup, type StartOptions, VERSION } from './setup.ts';
import { askedBy, makeSnapshot, openSockets, type Snapshot } from './snapshot.ts';
import { StorageWatch, type StorageWatchParts } from './storage-watch.ts';

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
  /** The share of a configuration that is for this process. */
  portion(setup: Setup): Setup;
};

export type GatewayParts = {
  startOptions: StartOptions;
  log: Logger;
  setup: Setup;
  /** The gateway does not close it: the code that opened it does, once the gateway has stopped. */
  storage: Storage;
  keys: KeyParts;
  ids: Ids;
  company: Company;
};

/** The gateway, serving in this process. */
export class Gateway {
  readonly metrics: Metrics;
  readonly items: ItemMemory;
  readonly #startOptions: StartOptions;
  readonly #log: Logger;
  readonly #company: Company;
  readonly #checker: PollingKeyChecker;
  readonly #stored: StoredRoutes;
  readonly #pipeline: Pipeline;
  readonly #server: FastifyInstance;
  readonly #layers: HttpLayers;
  readonly #discovery: Discovery;
  readonly #watch: StorageWatch;
  readonly #shedder: LoadShedder;
  readonly #health = new Health(CLOCK, Math.random);
  readonly #affinity = new Affinity();
  readonly #models: LiveModels;
  #snapshot: Snapshot;
  #limits!: RequestLimits;
  #reloading: Promise<unknown> = Promise.resolve();
  #stopping = false;
  #stopped: Promise<void> | null = null;
  readonly #startedAt = CLOCK.monotonic();

  private constructor({ startOptions, log, setup, storage, keys, ids, company }: GatewayParts, sockets: Sockets) {
    this.#startOptions = startOptions;
    this.#log = log;
    this.#company = company;
    const lists = new KeptLists(listsFileOf(setup.folder), (error) =>
      log.warn({ err: error }, 'What vendors said of their models could not be kept for the next start.'),
    );
    this.#discovery = new Discovery(CLOCK, lists);
    const own = company.portion(setup);
    this.#snapshot = makeSnapshot({
      setup: own,
      catalog: readCatalog(setup.folder),
      discovery: this.#discovery,
      sockets,
    });
    this.#configure();
    const check = credentialCheck({
      upstream: () => this.#snapshot.sockets,
      onError: (error) => log.error({ err: error }, 'A provider could not be asked whether its key is valid.'),
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
      smartRoutes: () => smartRoutesIn(this.#snapshot.directory),
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
    this.#shedder = new LoadShedder({
      now: CLOCK.monotonic,
      memory: () => process.memoryUsage.rss(),
      limits: () => this.config.limits,
    });
    const echo = echoUpstream({ clock: CLOCK, id: () => ids.requestId().slice('req_'.length) });
    this.#pipeline = new Pipeline({
      current: () => this.#snapshot,
      dialects: DIALECTS,
      upstreamOf: (provider) => (provider.transport === 'echo' ? echo : this.#snapshot.sockets),
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
    this.#layers = new HttpLayers(app, serving, wheel, this.config.server.httpLayer);
    serveSurfaces({
      app,
      router: this.#layers,
      front,
      onFault,
      pipeline: this.#pipeline,
      usage: storage.usage,
      maxReports: () => this.config.limits.maxReports,
      giveFeedback: (caller, given) => giveFeedback({ ...storage, clock: CLOCK }, caller, given),
      calls: storage.calls,
      directory: () => this.#snapshot.directory,
      version: VERSION,
      explainFeatures: (route, summary, tokens) => decidedBy(this.#models.of(route.id), route, summary, tokens),
      status: company.status ?? (async () => this.status()),
      metrics,
      metricsToken: setup.secrets.metricsToken,
      ready: async () => (this.#stopping ? { reason: 'The gateway is stopping.' } : this.#watch.whyUnready()),
    });
    this.#server = app;
  }

  /** Starts to serve. */
  static async start(parts: GatewayParts): Promise<Gateway> {
    const gateway = new Gateway(parts, await openSockets(parts.setup.config, parts.startOptions.env));
    holdLittleMemory();
    await gateway.#listen();
    return gateway;
  }

  /** `http://host:port`, with the port that was really taken. */
  get address(): string {
    const { address, port, family } = this.#server.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get setup(): Setup {
    return this.#snapshot.setup;
  }

  get config(): Config {
    return this.#snapshot.setup.config;
  }

  get directory(): Directory {
    return this.#snapshot.directory;
  }

  /** How this process does. */
  status(): GatewayStatus {
    const uptimeMs = CLOCK.monotonic() - this.#startedAt;
    const providers = providerStatuses(this.#snapshot.providers, this.#discovery);
    return { ...this.#pipeline.status(), providers, uptimeMs, workers: 1, silentWorkers: 0 };
  }

  /** What the operator asks this gateway, of all processes that serve. */
  answerOperator(question: OperatorQuestion): Promise<unknown> {
    const status = this.#company.status ?? (async () => this.status());
    return answerOperator(question, { address: this.address, snapshot: this.#snapshot, status });
  }

  /** The providers that are on, in the order in which a bare model name is looked for. */
  get providers(): readonly Served[] {
    return this.#snapshot.providers;
  }

  /** Puts a configuration in force whole, or throws and changes nothing. One at a time. */
  reload(setup: Setup, catalog: Catalog): Promise<void> {
    const reloading = this.#reload(this.#company.portion(setup), catalog);
    this.#reloading = reloading.catch(() => undefined);
    return reloading;
  }

  async #reload(setup: Setup, catalog: Catalog): Promise<void> {
    const before = this.#snapshot;
    const sockets = await openSockets(setup.config, this.#startOptions.env);
    await this.#discover(makeSnapshot({ setup, catalog, discovery: this.#discovery, sockets }));
    this.#look({ ...before, setup, catalog, sockets });
    this.#configure();
    applyLimits(this.#server, this.#limits);
    void before.sockets.close();
  }

  /** Makes a new snapshot of what is known now. */
  #look({ setup, catalog, sockets }: Snapshot = this.#snapshot): void {
    const stored = this.#stored.routes(besideOf(setup.config));
    this.#snapshot = makeSnapshot({ setup, catalog, discovery: this.#discovery, sockets, stored });
  }

  /** Applies the configuration to the parts that live longer than one configuration. */
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
    // After the routes are known, since a smart route has a model.
    await this.#models.start();
    this.#shedder.start();
    await this.#discover(this.#snapshot);
    await this.#server.listen({ host, port });
  }

  /** Asks providers for their models, and waits a moment only. Answers that come later make a new snapshot. */
  #discover(snapshot: Snapshot): Promise<void> {
    return this.#discovery.follow({
      ...askedBy(snapshot),
      onChange: () => {
        if (this.#snapshot.sockets === snapshot.sockets) this.#look();
      },
      onError: (asked, error) => noteUnheard(this.#log, asked, error),
    });
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    await this.#layers.stop(this.#reloading.then(() => this.#pipeline.drain(this.config.server.drain)));
    await this.#discovery.end();
    this.#checker.stop();
    this.#models.stop();
    this.#stored.stop();
    this.#shedder.stop();
    this.#watch.stop();
    await this.#snapshot.sockets.close();
  }
}
