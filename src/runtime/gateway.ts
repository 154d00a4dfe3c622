import type { AddressInfo } from 'node:net';
import type { Catalog } from '../catalog/catalog.ts';
import { Discovery } from '../catalog/discovery.ts';
import { StoredLists } from '../catalog/stored-lists.ts';
import type { Config } from '../config/config.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { Health } from '../health/health.ts';
import { applyLimits, type RequestLimits } from '../http/server.ts';
import type { ItemMemory } from '../pipeline/item-memory.ts';
import { Affinity } from '../routing/affinity.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Sockets } from '../upstream/sockets.ts';
import { buildPipeline, type CallPath } from './build-pipeline.ts';
import { buildServer, type ServerParts } from './build-server.ts';
import { buildStored, type StoredParts } from './build-stored.ts';
import { credentialCheck } from './credential-check.ts';
import type { GatewayView } from './gateway-view.ts';
import { holdLittleMemory } from './memory.ts';
import type { GatewayParts } from './process-parts.ts';
import { ProviderKeys } from './provider-keys.ts';
import { CLOCK, listsFileOf, readCatalog, type Setup } from './setup.ts';
import { askedBy, makeSnapshot, openSockets, type Snapshot } from './snapshot.ts';
import { besideOf } from './stored/routes.ts';
import { UnpricedNews } from './unpriced-news.ts';

/** The gateway, serving in this process. */
export class Gateway {
  readonly #parts: GatewayParts;
  readonly #stored: StoredParts;
  readonly #calls: CallPath;
  readonly #http: ServerParts;
  readonly #discovery: Discovery;
  readonly #providerKeys: ProviderKeys;
  readonly #unpricedNews: UnpricedNews;
  readonly #health = new Health(CLOCK, Math.random);
  readonly #affinity = new Affinity();
  /** The configuration as read, without additions from the settings. */
  #read: Setup;
  #snapshot: Snapshot;
  #limits!: RequestLimits;
  /** Resolves when the providers of the start or the last reload were asked; `null` before that. */
  #asking: Promise<unknown> | null = null;
  #stopping = false;
  #stopped: Promise<void> | null = null;
  readonly #startedAt = CLOCK.monotonic();

  private constructor(parts: GatewayParts, sockets: Sockets) {
    const { log, setup, processParts } = parts;
    this.#parts = parts;
    const lists = new StoredLists(listsFileOf(setup.folder), (error) =>
      log.warn({ err: error }, 'What vendors said of their models could not be kept for the next start.'),
    );
    this.#discovery = new Discovery(CLOCK, lists, processParts.asksVendors);
    this.#providerKeys = new ProviderKeys(log);
    this.#unpricedNews = new UnpricedNews(log);
    this.#read = processParts.portion(setup);
    const catalog = readCatalog(setup.folder);
    this.#snapshot = makeSnapshot({ setup: this.#read, catalog, discovery: this.#discovery, sockets });
    this.#configure();
    this.#health.credentials.checkWith(
      credentialCheck({
        upstream: () => this.#snapshot.sockets,
        onError: (error) => log.error({ err: error }, 'A provider could not be asked whether its key is valid.'),
      }),
    );
    const view = this.#view();
    const stored = buildStored(parts, view, {
      onKeysPolled: () => void this.#calls.pipeline.lookAgain(),
      onRoutes: () => this.#look(),
      onSettings: () => this.#follow(),
    });
    const shared = { health: this.#health, affinity: this.#affinity, models: stored.models };
    const calls = buildPipeline(parts, view, shared);
    this.#stored = stored;
    this.#calls = calls;
    this.#http = buildServer(parts, view, { stored, calls });
  }

  #view(): GatewayView {
    return {
      snapshot: () => this.#snapshot,
      read: () => this.#read,
      requestLimits: () => this.#limits,
      status: () => this.#status(),
      address: () => this.address,
      port: () => this.#port,
      isStopping: () => this.#stopping,
    };
  }

  get metrics(): Metrics {
    return this.#calls.metrics;
  }

  get items(): ItemMemory {
    return this.#calls.items;
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
    const { address, port, family } = this.#http.server.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get #port(): number {
    return (this.#http.server.server.address() as AddressInfo).port;
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
    return { ...this.#calls.pipeline.status(), providers, uptimeMs, workers: 1, silentWorkers: 0 };
  }

  /** The status of all serving processes. */
  async #status(): Promise<GatewayStatus> {
    return this.#parts.processParts.status?.() ?? this.status();
  }

  /** Answers the operator as the HTTP API, for all serving processes. */
  get askAsOperator(): (asked: OperatorRequest) => Promise<OperatorAnswer> {
    return this.#http.askAsOperator;
  }

  /** Applies a configuration completely, or throws and changes nothing. Calls run one after the other. */
  reload(setup: Setup, catalog: Catalog): Promise<void> {
    const reloading = this.#reload(this.#parts.processParts.portion(setup), catalog);
    this.#asking = reloading.catch(() => undefined);
    return reloading;
  }

  async #reload(setup: Setup, catalog: Catalog): Promise<void> {
    const before = this.#snapshot;
    const sockets = await openSockets(setup.config, this.#parts.startOptions.env);
    const merged = this.#stored.settings.beside(setup);
    await this.#discover(makeSnapshot({ setup: merged, catalog, discovery: this.#discovery, sockets }));
    this.#read = setup;
    this.#look({ catalog, sockets });
    this.#configure();
    applyLimits(this.#http.server, this.#limits);
    void before.sockets.close();
  }

  /** Makes a new snapshot from the current facts. */
  #look({ catalog, sockets }: Pick<Snapshot, 'catalog' | 'sockets'> = this.#snapshot): void {
    const setup = this.#stored.settings.beside(this.#read);
    const stored = this.#stored.routes.routes(besideOf(setup.config));
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
    await this.#stored.checker.start();
    await this.#stored.settings.start();
    await this.#stored.routes.start();
    // After the routes are known, since a smart route has a model.
    await this.#stored.models.start();
    this.#calls.shedder.start();
    this.#asking = this.#discover(this.#snapshot);
    await this.#asking;
    await this.#http.server.listen({ host, port });
    if (this.#parts.processParts.asksVendors) this.#unpricedNews.begin(this.#snapshot.directory);
    this.#http.webhooks.start();
  }

  /** Asks providers for their models and waits only a moment. Later answers make a new snapshot. */
  #discover(snapshot: Snapshot): Promise<void> {
    if (this.#parts.processParts.asksVendors) void this.#providerKeys.follow(snapshot);
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
    await this.#http.layers.stop(asked.then(() => this.#calls.pipeline.drain(this.config.server.drain)));
    this.#providerKeys.stop();
    await this.#discovery.end();
    await this.#http.routing.replays.stop();
    this.#stored.checker.stop();
    this.#http.webhooks.stop();
    this.#stored.models.stop();
    this.#stored.routes.stop();
    this.#stored.settings.stop();
    this.#calls.shedder.stop();
    this.#stored.watch.stop();
    await this.#calls.closeRefused();
    await this.#snapshot.sockets.close();
  }
}
