import { isDeepStrictEqual } from 'node:util';
import type { Price } from '../core/money.ts';
import type { OwnParameters } from '../core/parameters.ts';
import type { SignInRules } from '../core/people.ts';
import type { Concurrency, DialectId, OutgoingRate, SharedIds, UnknownModels } from '../core/provider.ts';
import type { SpendLimit } from '../core/records.ts';
import type { RefusedBounds } from '../core/refused-calls.ts';
import type { Route } from '../core/route.ts';
import type { Secret } from '../core/secret.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The failures that an acknowledged record survives: `normal`, a crash of the process; `full`, a power loss too. */
export const DURABILITIES = ['normal', 'full'] as const;
export type LedgerDurability = (typeof DURABILITIES)[number];

/** The HTTP implementation for calls: `fast`, the gateway's own; `node`, Node.js and undici. */
export const HTTP_LAYERS = ['fast', 'node'] as const;
export type HttpLayer = (typeof HTTP_LAYERS)[number];

/** The largest number of worker processes. */
export const MAX_WORKERS = 64;

/** All settings of the operator, with defaults filled in. It holds no secret, so it may be logged and compared. */
export type Config = Readonly<{
  /** The path of the file; `null` without a file. */
  file: string | null;
  server: ServerConfig;
  /** In the order of the file, or of the presets without a file. Providers that are off are included, with the reason. */
  providers: readonly ProviderConfig[];
  echo: boolean;
  catalog: CatalogConfig;
  /** Facts by `provider/id`, which override the catalog. They also add a model that no list has. */
  models: ReadonlyMap<string, KnownFacts>;
  /** Resolved: an alias leads to a model or a route, never to another alias. */
  aliases: ReadonlyMap<string, string>;
  organizations: readonly Readonly<{ id: string; name: string }>[];
  /** The operator's routes, in the order of the file, and the system route, which is for products only. */
  routes: readonly Route[];
  system: Route | null;
  /** The definition of each route version, as canonical JSON. */
  definitions: ReadonlyMap<string, string>;
  /** By product id. */
  products: ReadonlyMap<string, ProductConfig>;
  limits: Limits;
  timeouts: Timeouts;
  retries: Retries;
  breaker: BreakerSettings;
  routing: Readonly<{
    /** How long an idle conversation is remembered, in ms (0: never), and the largest number of them. */
    affinityKeep: number;
    maxConversations: number;
    /** How often smart routes look for new feedback, in ms (0: never), and how many scores they need to learn again. */
    learnEvery: number;
    learnAfter: number;
  }>;
  /** Retention of usage records (`null`: forever), of refused calls, and of the output items of responses, in ms. */
  retention: Readonly<{ usage: number | null; refusedCalls: number; outputItems: number }>;
  signIn: SignInRules;
  /** The sender of mail; `null` if no mail is sent. */
  mail: Readonly<{ from: string }> | null;
}>;

/** `inferPrices`: a dated model name without a price is billed at the price of its undated model. */
export type CatalogConfig = Readonly<{
  inferPrices: boolean;
  /** True if the vendor's own price list is used for models without another price. */
  listPrices: boolean;
  /** True if providers are asked for their models, and local servers are searched for. */
  discovery: boolean;
  /** `null` if the catalog is not refreshed automatically. */
  refresh: Readonly<{ everyMs: number; source: string }> | null;
}>;

/** Settings that change only at a restart. */
export type ServerConfig = Readonly<{
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The data folder. A path in the file is relative to the file; any other path, to the working folder. */
  data: string;
  /** Prefix of the gateway's response headers, in lower case: `service` gives `service-provider`. */
  headerPrefix: string;
  logLevel: LogLevel;
  /** True if each call is logged. */
  logCalls: boolean;
  /** True if the web console is served. */
  console: boolean;
  /** How long a stop waits for open calls, in ms. */
  drain: number;
  ledgerDurability: LedgerDurability;
  httpLayer: HttpLayer;
  /** Number of worker processes. */
  workers: number;
  /** How long a worker may leave the primary's question unanswered before it is replaced, in ms. */
  workerTimeout: number;
  /** `workerTimeout` for a worker that does not serve yet, in ms. */
  workerStartTimeout: number;
  /** The origin of the gateway for browsers; `null`: `http://localhost` with the port, if it listens on loopback. */
  publicUrl: string | null;
  /** Addresses and CIDR ranges. */
  trustedProxies: readonly string[];
  /** Hosts that may receive webhooks even at private addresses. */
  webhookHosts: readonly string[];
  /** Hosts that providers of the settings may use even at private addresses. */
  providerHosts: readonly string[];
}>;

export type ProviderConfig = Readonly<{
  id: string;
  /** The preset that supplies the defaults; `null` for a custom provider. */
  preset: string | null;
  /** Without a trailing slash; or the bare name from the preset's variable. `null`: the preset's address. */
  baseUrl: string | null;
  /** `null`: the preset's label, else the id. */
  label: string | null;
  /** Only dialects that are built in. `null`: the preset's dialects, else the default. */
  dialects: readonly DialectId[] | null;
  /** Models added to the catalog and the provider's list, or facts that override them. */
  models: readonly ModelConfig[];
  /** The only models that it serves; `null`: all. */
  only: readonly ModelConfig[] | null;
  /** The treatment of model names that are in no list. */
  unknownModels: UnknownModels;
  /** Headers of every call; names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Credential names, in the order in which they are tried. */
  credentials: readonly string[];
  /** `null` if unknown. */
  region: string | null;
  /** True if calls may refer to objects in the provider's account. */
  sharedIds: SharedIds;
  messageThreads?: boolean;
  /** `null`: unlimited. */
  concurrency: Concurrency | null;
  /** The most that may be sent per minute; absent: unlimited. */
  rate?: OutgoingRate;
  /** The reason why it is off, as a sentence; `null` if it is on. */
  off: string | null;
  /** True if connections to private addresses are refused. */
  publicOnly?: boolean;
}>;

/** Facts that the operator states. A fact that is not given is absent, so that these spread over the known facts. */
export type KnownFacts = Readonly<{
  name?: string;
  /** Tokens. */
  contextWindow?: number;
  maxOutputTokens?: number;
  /** Vector length of an embedding model. */
  dimensions?: number;
  price?: Price;
  parameters?: OwnParameters;
  rate?: OutgoingRate;
}>;

export type ModelConfig = KnownFacts &
  Readonly<{
    id: string;
    /** The vendor's name for the model. */
    upstream: string;
    /** Absent: the provider's dialects. */
    dialects?: readonly DialectId[];
    /** Absent: the default of the vendor's row. */
    thinkTags?: boolean;
  }>;

/** `routes`: names that the product may call. `budget`: shared by all its keys. */
export type ProductConfig = Readonly<{ name: string; routes: readonly string[]; budget: SpendLimit | null }>;

export type Limits = Readonly<{
  /** Default for keys without their own limit. */
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** For a signed-in person, over all their browsers. */
  personRequestsPerMinute: number;
  /** Concurrent requests per caller and process; model calls do not count. */
  maxRequestsAtOnce: number;
  /** In bytes: the body of a request, and a whole answer of a provider. */
  maxBody: number;
  maxAnswer: number;
  /** Bytes of a request's headers. */
  maxHeader: number;
  /** Bytes of one line of an event stream. */
  maxLine: number;
  maxJsonDepth: number;
  /** Values in a JSON request body, and named members among them. */
  json: { maxValues: number; maxMembers: number };
  maxOpenCalls: number;
  /** Caller connections without a request. */
  maxIdleConnections: number;
  /** Bytes of buffered answers that callers have not read yet. */
  maxUnread: number;
  /** Bytes of request bodies that are being received. */
  maxReceiving: number;
  /** Output tokens reserved for a call without a maximum. */
  defaultMaxOutput: number;
  /**
   * True if a call without a maximum holds the price of the model's longest output, if that is known. Such a call is admitted
   * if the limit still covers `defaultMaxOutput`, and no other call is admitted beside it.
   */
  holdModelMaximum: boolean;
  /** True if cached prompt tokens count towards the tokens per minute of keys and projects. */
  countCachedInput: boolean;
  maxEmbeddingInputs: number;
  /** Total bytes of stored output items. */
  maxOutputItems: number;
  /** The most stored refused calls. */
  refusedCalls: RefusedBounds;
  /** Reported usage above this many context windows of the model is rejected as implausible. */
  maxUsageFactor: number;
  /** Dollars: a higher cost of one call that a provider reports is not believed. */
  maxVendorCost: number;
  /** Targets plus fallbacks of one route. */
  maxRouteTargets: number;
  /** Concurrent usage reports per key and process. */
  maxReports: number;
  /** Open streams of live usage per process, and per key or person within it. */
  maxWatchers: number;
  maxKeyWatchers: number;
  /** A process beyond these refuses new calls: event loop lag in ms, memory in bytes. 0 disables the check. */
  maxLoopLag: number;
  maxMemory: number;
}>;

/** All in ms, but for `minSpeed`. */
export type Timeouts = Readonly<{
  connect: number;
  /** For streams: from the request to the first byte of the answer. */
  firstByte: number;
  /** `firstByte` for reasoning models. */
  firstByteReasoning: number;
  /** The longest silence in the middle of a stream. */
  idle: number;
  /** A stream slower than this (characters per second) for `minSpeedAfter` is ended. 0 disables the check. */
  minSpeed: number;
  minSpeedAfter: number;
  /** For one non-streamed answer of one target. */
  whole: number;
  /** For a call with all its attempts. */
  total: number;
  /** Interval of the comments that keep a silent stream open. */
  ping: number;
  /** How long opening events are held back until the first event with content. */
  hold: number;
  /** For a request to arrive in full. */
  request: number;
}>;

/** Retries of a call. `budget`: the share of calls in flight that may be retries at the same target. */
export type Retries = Readonly<{
  attempts: number;
  /** The longest wait before a retry at the same target, in ms. */
  maxWait: number;
  budget: number;
  /** Retries that are always allowed, however few calls are in flight. */
  budgetMin: number;
}>;

/** Circuit breakers of targets and credentials. Times in ms. */
export type BreakerSettings = Readonly<{
  /** Consecutive failures that open the breaker. */
  failures: number;
  /** The share of failed calls within `window` that opens the breaker, from `minCalls` calls on. */
  errorRate: number;
  window: number;
  minCalls: number;
  /** The first open time, and the longest. */
  open: number;
  openMax: number;
  credential: number;
  credentialMax: number;
  /** Number of API keys whose refused calls open a credential's breaker. */
  credentialKeys: number;
  /** Upper bound on a vendor's `retry-after`. */
  retryAfterMax: number;
}>;

/** A provider's key, and its share of the calls. */
export type ProviderKey = Readonly<{ name: string; secret: Secret; weight: number; rate?: OutgoingRate }>;

/** Secrets, kept apart from `Config` because they must not be logged. */
export type Secrets = Readonly<{
  /** By provider id, for providers that are on and have keys; in the order in which keys are tried. */
  providerKeys: ReadonlyMap<string, readonly ProviderKey[]>;
  /** The bearer token for `/metrics` from other machines. */
  metricsToken: Secret | null;
  /** The pepper for hashes of API keys; `null` if the environment has none. */
  pepper: Secret | null;
  /** The mail server, with its password. */
  smtpUrl: Secret | null;
  /** The current and the previous wrapping key of stored vendor keys; `null` if the environment has none. */
  wrapping: Readonly<{ current: Secret | null; before: Secret | null }>;
}>;

/** The part of a preset that is needed to read a configuration. */
export type PresetNames = Readonly<{
  id: string;
  /** What people call it too, in lower case. */
  alsoCalled?: readonly string[];
  /** Variables for the key; the first that is set is used. */
  keyEnv: readonly string[];
  needsKey: boolean;
  needsBaseUrl: boolean;
  /** Variables for the address; the first that is set is used. */
  baseUrlEnv: readonly string[];
}>;

const SERVER_SETTINGS = {
  host: 'server.host',
  port: 'server.port',
  data: 'server.data',
  headerPrefix: 'server.header_prefix',
  logLevel: 'server.log_level',
  logCalls: 'server.log_calls',
  console: 'server.console',
  drain: 'server.drain',
  ledgerDurability: 'server.durability',
  httpLayer: 'server.http_layer',
  workers: 'server.workers',
  workerTimeout: 'server.worker_timeout',
  workerStartTimeout: 'server.worker_start_timeout',
  publicUrl: 'server.public_url',
  trustedProxies: 'server.trusted_proxies',
  webhookHosts: 'server.webhook_hosts',
  providerHosts: 'server.provider_hosts',
} as const satisfies Record<keyof ServerConfig, string>;

/** The names of changed `server` settings, as in the file. They need a restart. */
export function changedServerSettings(before: Config, after: Config): string[] {
  const keys = Object.keys(SERVER_SETTINGS) as (keyof ServerConfig)[];
  return keys
    .filter((key) => !isDeepStrictEqual(before.server[key], after.server[key]))
    .map((key) => SERVER_SETTINGS[key]);
}
