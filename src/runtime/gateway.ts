import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import { Discovery } from '../catalog/discovery.ts';
import { StoredLists } from '../catalog/stored-lists.ts';
import type { Config } from '../config/config.ts';
import type { OperatorQuestion } from '../core/operator.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { DIALECTS } from '../dialects/built.ts';
import { Health } from '../health/health.ts';
import type { Front } from '../http/answer-headers.ts';
import { HttpLayers } from '../http/layers.ts';
import { ReceivedBodies } from '../http/received-bodies.ts';
import { applyLimits, createServer, type RequestLimits, type ServerOptions } from '../http/server.ts';
import { createKeyChecker, type PollingKeyChecker } from '../keys/checker.ts';
import { KeyUses } from '../keys/uses.ts';
import { giveFeedback } from '../learning/feedback.ts';
import { decidedBy, LiveModels } from '../learning/live-models.ts';
import { adminPartsOf } from '../organization/administration.ts';
import { callerFinder } from '../organization/callers.ts';
import { StoredRoutes } from '../organization/routes/stored-routes.ts';
import type { WebhookSender } from '../organization/webhooks/sender.ts';
import { LoadShedder } from '../pipeline/admission/load-shedder.ts';
import { ItemMemory } from '../pipeline/item-memory.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { createTokenCounter } from '../pipeline/tokenizer.ts';
import { echoUpstream } from '../providers/echo/echo.ts';
import { Affinity } from '../routing/affinity.ts';
import { ConsolePages, consoleFolder } from '../surfaces/console.ts';
import { type SurfaceParts, serveSurfaces } from '../surfaces/surfaces.ts';
import type { RefusedCallLines } from '../telemetry/call-lines.ts';
import { callLog, disconnectLog, refusedCallLines } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { Sockets } from '../upstream/sockets.ts';
import { callLimits } from './call-limits.ts';
import { credentialCheck } from './credential-check.ts';
import { gatewayServingOf } from './gateway-serving.ts';
import { holdLittleMemory } from './memory.ts';
import { answerOperator, type OperatorView } from './operator-answers.ts';
import { askerAsOperator } from './operator-api.ts';
import type { GatewayParts } from './process-parts.ts';
import { ProviderKeys } from './provider-keys.ts';
import { routeServingOf } from './route-serving.ts';
import { tellsCalls } from './serving-data.ts';
import { CLOCK, listsFileOf, readCatalog, type Setup, type StartOptions, VERSION } from './setup.ts';
import { openSigningIn } from './signing-in.ts';
import { askedBy, makeSnapshot, openSockets, type Snapshot } from './snapshot.ts';
import { StorageWatch } from './storage-watch.ts';
import { besideOf, smartRoutesIn } from './stored/routes.ts';
import { StoredSettings } from './stored/settings.ts';
import type { ServedParts } from './task-services.ts';
import { UnpricedNews } from './unpriced-news.ts';
import { openWebhooksAndMail } from './webhooks-and-mail.ts';

/** The gateway, serving in this process. */
export class Gateway {
  readonly metrics: Metrics;
  readonly items: ItemMemory;
  readonly #startOptions: StartOptions;
  readonly #processParts: GatewayParts['processParts'];
  readonly #checker: PollingKeyChecker;
  readonly #stored: StoredRoutes;
  readonly #settings: StoredSettings;
  readonly #pipeline: Pipeline;
  readonly #server: FastifyInstance;
  readonly #layers: HttpLayers;
  readonly #discovery: Discovery;
  readonly #providerKeys: ProviderKeys;
  readonly #unpricedNews: UnpricedNews;
  readonly #watch: StorageWatch;
  readonly #shedder: LoadShedder;
  readonly #health = new Health(CLOCK, Math.random);
  readonly #affinity = new Affinity();
  readonly #models: LiveModels;
  readonly #served: ServedParts;
  readonly #askAsOperator: OperatorView['api'];
  readonly #refusedLines: RefusedCallLines | null;
  /** The configuration as read, without additions from the settings. */
  #read: Setup;
  #snapshot: Snapshot;
  #limits!: RequestLimits;
  /** Resolves when the providers of the start or the last reload were asked; `null` before that. */
  #asking: Promise<unknown> | null = null;
  readonly #webhooks: WebhookSender;
  readonly #routing: ReturnType<typeof routeServingOf>;
  #stopping = false;
  #stopped: Promise<void> | null = null;
  readonly #startedAt = CLOCK.monotonic();

  private constructor({ startOptions, log, setup, storage, keys, ids, processParts }: GatewayParts, sockets: Sockets) {
    this.#startOptions = startOptions;
    this.#processParts = processParts;
    const lists = new StoredLists(listsFileOf(setup.folder), (error) =>
      log.warn({ err: error }, 'What vendors said of their models could not be kept for the next start.'),
    );
    this.#discovery = new Discovery(CLOCK, lists, processParts.asksVendors);
    this.#providerKeys = new ProviderKeys(log);
    this.#unpricedNews = new UnpricedNews(log);
    this.#read = processParts.portion(setup);
    this.#snapshot = makeSnapshot({
      setup: this.#read,
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
    this.#watch = new StorageWatch({ storage, now: CLOCK.monotonic, ...processParts.storageNews });
    this.#checker = createKeyChecker({
      store: storage.keys,
      pepper: keys.pepper,
      clock: CLOCK,
      onError: (error) => log.error({ err: error }, 'The store could not be asked which keys have changed.'),
      onPolled: () => void this.#pipeline.lookAgain(),
    });
    this.#stored = new StoredRoutes({
      store: storage.routes,
      onChange: () => this.#look(),
      onError: (error) => log.error({ err: error }, 'The store could not be asked which routes have changed.'),
      onUnreadable: (route, words) => log.error({ route }, `A stored route is left out: ${words}.`),
    });
    this.#settings = new StoredSettings({ setup: () => this.#read, storage, log, onChange: () => this.#follow() });
    const limits = callLimits(processParts, () => this.config, storage, log);
    const uses = new KeyUses({
      ...{ store: storage.keys, clock: CLOCK },
      onError: (error) => log.warn({ err: error }, 'It could not be noted when a key was used.'),
    });
    this.#models = new LiveModels({
      models: storage.models,
      routes: storage.routes,
      smartRoutes: () => smartRoutesIn(this.#snapshot.directory),
      onError: (error) => log.error({ err: error }, 'What smart routes have learned could not be read.'),
    });
    const front: Front = {
      headerPrefix: this.config.server.headerPrefix,
      keys: this.#checker,
      limiter: limits.limiter,
      clock: CLOCK,
      ids,
    };
    const metrics = new Metrics(processParts.metrics, () => limits.rates.outgoing().values());
    this.metrics = metrics;
    this.#refusedLines = tellsCalls(this.config, log) ? refusedCallLines(metrics) : null;
    const observer = this.#refusedLines ?? metrics;
    this.items = new ItemMemory(() => this.config, CLOCK.monotonic, processParts.items);
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
      ...limits,
      health: this.#health,
      affinity: this.#affinity,
      scorerOf: ({ id, smart }) => (smart === null ? null : this.#models.of(id).scorer),
      shedder: this.#shedder,
      random: Math.random,
      tokens: createTokenCounter((error) =>
        log.warn(
          { err: error },
          'The tokenizer is missing: where a provider reports no usage, tokens are guessed by length.',
        ),
      ),
      items: this.items,
      observer,
      log: callLog(log),
      clock: CLOCK,
      wheel,
      ids,
    });
    const onFault = (error: unknown, requestId: string) =>
      log.error({ err: error, request_id: requestId }, 'The gateway failed to answer a request.');
    const admin = adminPartsOf(keys, storage);
    const sending = openWebhooksAndMail(admin, () => this.setup, log);
    this.#webhooks = sending.sender;
    this.#served = {
      ...sending.parts,
      ...this.#settings.serving({ snapshot: () => this.#snapshot, status: () => this.#status() }),
      storage,
      keys,
      pipeline: this.#pipeline,
      directory: () => this.#snapshot.directory,
      explainFeatures: (route, summary, tokens) => decidedBy(this.#models.of(route.id), route, summary, tokens),
    };
    const { signIn, site } = openSigningIn({
      config: () => this.config,
      port: () => this.#port,
      ...{ admin, storage, log },
      checker: this.#checker,
      attempts: processParts.attempts,
    });
    const pages = new ConsolePages(this.config.server.console ? consoleFolder(join(import.meta.dirname, '..')) : null);
    const serving: ServerOptions = {
      front,
      site,
      onFault,
      onDisconnected: disconnectLog(log, CLOCK.monotonic),
      onUsed: (keyId) => uses.note(keyId),
      onRefused: (call) => observer.refused(call),
      stopping: () => this.#stopping,
      limits: () => this.#limits,
      receivedBodies: new ReceivedBodies(() => this.#limits.maxReceiving),
      answerPage: (request, reply) => pages.answer(request, reply),
    };
    const app = createServer(serving);
    this.#layers = new HttpLayers(app, serving, wheel, this.config.server.httpLayer);
    this.#routing = routeServingOf(() => this.#snapshot, storage, ids);
    const surfaces: SurfaceParts = {
      ...this.#served,
      pipeline: this.#pipeline,
      pages,
      app,
      router: this.#layers,
      front,
      onFault,
      usage: storage.usage,
      budgetUse: storage.thresholds,
      limits: () => this.config.limits,
      live: { settled: storage.settled, shedder: this.#shedder, stopping: () => this.#stopping },
      giveFeedback: (caller, given) => giveFeedback({ ...storage, clock: CLOCK }, caller, given),
      calls: storage.calls,
      admin,
      callers: callerFinder({ ...storage, site }),
      ...{ site, signIn },
      ...sending.parts,
      routing: this.#routing,
      gateway: gatewayServingOf(() => this.setup, storage),
      modelNames: () => this.#snapshot.directory.entries.map(({ id }) => id),
      defaultLimits: () => this.config.limits,
      version: VERSION,
      status: () => this.#status(),
      metrics,
      metricsToken: setup.secrets.metricsToken,
      ready: async () => (this.#stopping ? { reason: 'The gateway is stopping.' } : this.#watch.whyUnready()),
    };
    serveSurfaces(surfaces);
    this.#askAsOperator = askerAsOperator(surfaces);
    this.#server = app;
  }

  /** Starts to serve. */
  static async start(parts: GatewayParts): Promise<Gateway> {
    const gateway = new Gateway(parts, await openSockets(parts.setup.config, parts.startOptions.env));
    holdLittleMemory();
    // Without this, polling and connections to providers would keep a process alive that cannot listen.
    await gateway.#listen().catch(async (error: unknown) => {
      await gateway.stop();
      throw error;
    });
    return gateway;
  }

  /** `http://host:port`, with the actual port. */
  get address(): string {
    const { address, port, family } = this.#server.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get #port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get setup(): Setup {
    return this.#snapshot.setup;
  }

  get config(): Config {
    return this.#snapshot.setup.config;
  }

  /** The callable names, and the enabled providers in the order of look-ups of bare model names. */
  get offered(): Pick<Snapshot, 'directory' | 'providers'> {
    return this.#snapshot;
  }

  /** The status of this process. */
  status(): GatewayStatus {
    const uptimeMs = CLOCK.monotonic() - this.#startedAt;
    const providers = this.#providerKeys.statuses(this.#snapshot.providers, this.#discovery);
    return { ...this.#pipeline.status(), providers, uptimeMs, workers: 1, silentWorkers: 0 };
  }

  /** The status of all serving processes. */
  async #status(): Promise<GatewayStatus> {
    return this.#processParts.status?.() ?? this.status();
  }

  /** Answers the operator's questions, for all serving processes. */
  answerOperator(question: OperatorQuestion): Promise<unknown> {
    const sources = { served: this.#served, api: this.#askAsOperator, status: () => this.#status() };
    const { address } = this;
    return answerOperator(question, { address, snapshot: this.#snapshot, env: this.#startOptions.env, ...sources });
  }

  /** Applies a configuration completely, or throws and changes nothing. Calls run one after the other. */
  reload(setup: Setup, catalog: Catalog): Promise<void> {
    const reloading = this.#reload(this.#processParts.portion(setup), catalog);
    this.#asking = reloading.catch(() => undefined);
    return reloading;
  }

  async #reload(setup: Setup, catalog: Catalog): Promise<void> {
    const before = this.#snapshot;
    const sockets = await openSockets(setup.config, this.#startOptions.env);
    const merged = this.#settings.beside(setup);
    await this.#discover(makeSnapshot({ setup: merged, catalog, discovery: this.#discovery, sockets }));
    this.#read = setup;
    this.#look({ catalog, sockets });
    this.#configure();
    applyLimits(this.#server, this.#limits);
    void before.sockets.close();
  }

  /** Makes a new snapshot from the current facts. */
  #look({ catalog, sockets }: Pick<Snapshot, 'catalog' | 'sockets'> = this.#snapshot): void {
    const setup = this.#settings.beside(this.#read);
    const stored = this.#stored.routes(besideOf(setup.config));
    this.#snapshot = makeSnapshot({ setup, catalog, discovery: this.#discovery, sockets, stored });
    this.#unpricedNews.follow(this.#snapshot.directory);
  }

  /** Applies the current settings. Providers are asked for their models in the background. */
  #follow(): void {
    this.#look();
    // A start and a reload ask their own providers, and their rounds must not be replaced.
    void this.#asking?.then(() => this.#discover(this.#snapshot));
  }

  /** Applies the configuration to the parts that live longer than one configuration. */
  #configure(): void {
    const { breaker, routing, limits, timeouts } = this.config;
    this.#limits = { ...limits, ...timeouts, requestTimeout: timeouts.request };
    this.#health.configure(breaker);
    this.#affinity.configure({ keep: routing.affinityKeep, max: routing.maxConversations });
  }

  /** Refuses new calls, waits for open ones (at most `server.drain`), and closes everything except the storage. */
  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  async #listen(): Promise<void> {
    const { host, port } = this.config.server;
    await this.#checker.start();
    await this.#settings.start();
    await this.#stored.start();
    // After the routes are known, since a smart route has a model.
    await this.#models.start();
    this.#shedder.start();
    this.#asking = this.#discover(this.#snapshot);
    await this.#asking;
    await this.#server.listen({ host, port });
    if (this.#processParts.asksVendors) this.#unpricedNews.begin(this.#snapshot.directory);
    this.#webhooks.start();
  }

  /** Asks providers for their models and waits only a moment. Later answers make a new snapshot. */
  #discover(snapshot: Snapshot): Promise<void> {
    if (this.#processParts.asksVendors) void this.#providerKeys.follow(snapshot);
    return this.#discovery.follow({
      ...askedBy(snapshot),
      onChange: () => {
        if (this.#snapshot.sockets === snapshot.sockets) this.#look();
      },
      onError: (asked, error) => this.#providerKeys.noteUnheard(asked, error, snapshot),
    });
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    const asked = this.#asking ?? Promise.resolve();
    await this.#layers.stop(asked.then(() => this.#pipeline.drain(this.config.server.drain)));
    this.#providerKeys.stop();
    await this.#discovery.end();
    await this.#routing.replays.stop();
    this.#checker.stop();
    this.#webhooks.stop();
    this.#models.stop();
    this.#stored.stop();
    this.#settings.stop();
    this.#shedder.stop();
    this.#watch.stop();
    this.#refusedLines?.close();
    await this.#snapshot.sockets.close();
  }
}
