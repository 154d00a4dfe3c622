import { isDeepStrictEqual } from 'node:util';
import type { Price } from '../core/money.ts';
import type { OwnParameters } from '../core/parameters.ts';
import type { SignInRules } from '../core/people.ts';
import type { Concurrency, DialectId, OutgoingRate, SharedIds, UnknownModels } from '../core/provider.ts';
import type { SpendLimit } from '../core/records.ts';
import type { Route } from '../core/route.ts';
import type { Secret } from '../core/secret.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What an acknowledged record survives: `normal`, the end of the process; `full`, a loss of power too. */
export const DURABILITIES = ['normal', 'full'] as const;
export type LedgerDurability = (typeof DURABILITIES)[number];

/** What reads and writes HTTP for calls: our own layer, or Node.js and undici. */
export const HTTP_LAYERS = ['fast', 'node'] as const;
export type HttpLayer = (typeof HTTP_LAYERS)[number];

/** The most worker processes that can be set. */
export const MAX_WORKERS = 64;

/** Everything an operator can set, with its defaults filled in. It holds no secret, so it may be logged and compared. */
export type Config = Readonly<{
  /** The file this was read from; `null` where there was none. */
  file: string | null;
  server: ServerConfig;
  /** In the order of the file, or of the presets where there is no file. Those that are off are here too, and say why. */
  providers: readonly ProviderConfig[];
  echo: boolean;
  catalog: CatalogConfig;
  /** Facts that replace what is known of a model otherwise, by `provider/id`. A model that is in no list is there by them. */
  models: ReadonlyMap<string, KnownFacts>;
  /** The name callers use, and the model or the route it leads to: never another alias. */
  aliases: ReadonlyMap<string, string>;
  organizations: readonly Readonly<{ id: string; name: string }>[];
  /** The operator's own models, in the order of the file, and the one for products alone. */
  routes: readonly Route[];
  system: Route | null;
  /** What each version of these routes was read from, as canonical JSON. */
  definitions: ReadonlyMap<string, string>;
  /** By id. */
  products: ReadonlyMap<string, ProductConfig>;
  limits: Limits;
  timeouts: Timeouts;
  retries: Retries;
  breaker: BreakerSettings;
  routing: Readonly<{
    /** How long a silent conversation is remembered (0: not at all), in ms, and how many are. */
    affinityKeep: number;
    maxConversations: number;
    /** How often smart routes look for feedback to learn from (0: never), in ms, and from how many scores on they do. */
    learnEvery: number;
    learnAfter: number;
  }>;
  /** How long usage records (`null`: without end) and the output items of responses are kept, in ms. */
  retention: Readonly<{ usage: number | null; outputItems: number }>;
  signIn: SignInRules;
  /** Whom mail is from; `null`: none is sent. */
  mail: Readonly<{ from: string }> | null;
}>;

/** `inferPrices`: a dated name that has no price of its own is billed as the model that it is a version of. */
export type CatalogConfig = Readonly<{
  inferPrices: boolean;
  /** Whether a model that has no other price is billed by the price in its vendor's own list. */
  listPrices: boolean;
  /** Whether providers are asked for their models, and servers on this machine looked for. */
  discovery: boolean;
  /** `null`: it is not brought up to date by itself. */
  refresh: Readonly<{ everyMs: number; source: string }> | null;
}>;

/** What only a restart can change. */
export type ServerConfig = Readonly<{
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The data folder. One named in the file is relative to the file, any other to the working folder. */
  data: string;
  /** Of our own response headers: `service` gives `service-provider`. Lower case. */
  headerPrefix: string;
  logLevel: LogLevel;
  /** Whether each call is told in a line of the log. */
  logCalls: boolean;
  /** Whether browsers are given the web console. */
  console: boolean;
  /** How long a stop waits for open calls, in ms. */
  drain: number;
  ledgerDurability: LedgerDurability;
  httpLayer: HttpLayer;
  /** How many processes serve. */
  workers: number;
  /** How long one of several may leave the primary without an answer before it is replaced, in ms. */
  workerTimeout: number;
  /** The same while it does not serve yet. */
  workerStartTimeout: number;
  /** The origin at which browsers find the gateway; `null`: on a loopback address, `http://localhost` with its port. */
  publicUrl: string | null;
  /** Addresses and ranges in CIDR. */
  trustedProxies: readonly string[];
  /** Hosts that webhooks may be sent to whatever their addresses are. */
  webhookHosts: readonly string[];
  /** Hosts that providers of the settings may be at whatever their addresses are. */
  providerHosts: readonly string[];
}>;

export type ProviderConfig = Readonly<{
  id: string;
  /** The preset whose defaults hold where this says nothing; `null` for an address of the operator's own. */
  preset: string | null;
  /** No trailing slash; or the bare name that a variable of the preset holds. `null`: the preset's. */
  baseUrl: string | null;
  /** `null`: the preset's, else the id. */
  label: string | null;
  /** The dialects of this provider, as far as they are built. `null`: the preset's, else the default. */
  dialects: readonly DialectId[] | null;
  /** What it has beside what the catalog and its own list say, or what of that is otherwise. */
  models: readonly ModelConfig[];
  /** All that it has; `null`: whatever there is. */
  only: readonly ModelConfig[] | null;
  /** What becomes of names that are in no list. */
  unknownModels: UnknownModels;
  /** Sent with every call, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Names of the credentials it has, in the order in which they are tried. */
  credentials: readonly string[];
  /** `null`: not known. */
  region: string | null;
  /** Whether calls may name what is kept in its account. */
  sharedIds: SharedIds;
  messageThreads?: boolean;
  /** `null`: any number of calls. */
  concurrency: Concurrency | null;
  /** What it may be sent in a minute; left out: anything. */
  rate?: OutgoingRate;
  /** Why it is off, as a sentence; `null` where it is on. */
  off: string | null;
  /** It is connected to where its address is public alone; left out: anywhere. */
  publicOnly?: boolean;
}>;

/** What the operator says of a model. A fact that is not given is absent, so that these spread over what is known. */
export type KnownFacts = Readonly<{
  name?: string;
  /** Tokens. */
  contextWindow?: number;
  maxOutputTokens?: number;
  /** Length of an embedding model's vectors. */
  dimensions?: number;
  price?: Price;
  parameters?: OwnParameters;
  rate?: OutgoingRate;
}>;

export type ModelConfig = KnownFacts &
  Readonly<{
    id: string;
    /** The vendor's own name for it. */
    upstream: string;
    /** Absent: those of its provider. */
    dialects?: readonly DialectId[];
    /** Absent: as its vendor's row says. */
    thinkTags?: boolean;
  }>;

/** `routes`: names of what it may call. `budget`: of all its keys together. */
export type ProductConfig = Readonly<{ name: string; routes: readonly string[]; budget: SpendLimit | null }>;

export type Limits = Readonly<{
  /** Of a key that has none of its own. */
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** Of a person who is signed in, in all their browsers together. */
  personRequestsPerMinute: number;
  /** Requests of one caller that may be under way at once, in each process; calls of models do not count. */
  maxRequestsAtOnce: number;
  /** Bytes of a caller's body, and of a whole answer of a provider. */
  maxBody: number;
  maxAnswer: number;
  /** Bytes of a request's headers. */
  maxHeader: number;
  /** Bytes of one line of an event stream. */
  maxLine: number;
  maxJsonDepth: number;
  /** Values of a caller's JSON body, and members with a name. */
  json: { maxValues: number; maxMembers: number };
  maxOpenCalls: number;
  /** Connections of callers without a request. */
  maxIdleConnections: number;
  /** Bytes of answers that wait to be taken by their callers. */
  maxUnread: number;
  /** Bytes of callers' bodies that are being received. */
  maxReceiving: number;
  /** Tokens reserved for the output of a call that names no maximum. */
  defaultMaxOutput: number;
  /**
   * Whether money is held for what the model can put out at most, where that is known and the call names no maximum; such a call
   * is let in where enough is left for `defaultMaxOutput`, and no other beside it.
   */
  holdModelMaximum: boolean;
  /** Whether prompt tokens that were read from a cache count for the tokens per minute of keys and projects. */
  countCachedInput: boolean;
  maxEmbeddingInputs: number;
  /** Bytes of all output items that are kept to be referred to. */
  maxOutputItems: number;
  /** A provider's report of more tokens than so many context windows of its model is not believed. */
  maxUsageFactor: number;
  /** Targets and fallbacks of one route together. */
  maxRouteTargets: number;
  /** Reports that one key may have open at once, in each process. */
  maxReports: number;
  /** Streams of live usage that may be open at once, in each process, and those of one key or person among them. */
  maxWatchers: number;
  maxKeyWatchers: number;
  /** Beyond these a process refuses new calls: ms that its event loop is behind, bytes that it has. 0: never. */
  maxLoopLag: number;
  maxMemory: number;
}>;

/** All in ms, but for `minSpeed`. */
export type Timeouts = Readonly<{
  connect: number;
  /** Of a stream, from the request to the first byte of its answer. */
  firstByte: number;
  /** The same of a model that reasons. */
  firstByteReasoning: number;
  /** The longest silence in the middle of a stream. */
  idle: number;
  /** A stream that carries fewer characters a second, for so long, is ended. 0: none is. */
  minSpeed: number;
  minSpeedAfter: number;
  /** Of one whole answer of one target. */
  whole: number;
  /** Of a whole call, all its attempts together. */
  total: number;
  /** A silent open stream gets a comment this often. */
  ping: number;
  /** How long events that only open a stream are held back for the first that has content. */
  hold: number;
  /** For a caller's request to arrive in full. */
  request: number;
}>;

/** How a call is tried again. `budget`: the part of the calls in flight that may be repeats at the same target. */
export type Retries = Readonly<{
  attempts: number;
  /** Of a wait before the same target is asked again, in ms. */
  maxWait: number;
  budget: number;
  /** Repeats that may be under way however few calls are. */
  budgetMin: number;
}>;

/** When a target or a credential is left out, and for how long. Times in ms. */
export type BreakerSettings = Readonly<{
  /** In a row. */
  failures: number;
  /** The part of the calls in `window` that fail, where there are `minCalls` of them. */
  errorRate: number;
  window: number;
  minCalls: number;
  /** The first time, and the longest. */
  open: number;
  openMax: number;
  credential: number;
  credentialMax: number;
  /** API keys whose calls must have been refused. */
  credentialKeys: number;
  /** The most that a vendor's own word is believed. */
  retryAfterMax: number;
}>;

/** A key of a provider, and its share of the calls. */
export type ProviderKey = Readonly<{ name: string; secret: Secret; weight: number; rate?: OutgoingRate }>;

/** What must not be logged, kept apart from `Config`. */
export type Secrets = Readonly<{
  /** By provider id: of the providers that are on and have any, in the order in which they are tried. */
  providerKeys: ReadonlyMap<string, readonly ProviderKey[]>;
  /** The bearer token that opens `/metrics` from other machines. */
  metricsToken: Secret | null;
  /** What API keys are hashed under; `null` where the environment gives none. */
  pepper: Secret | null;
  /** The mail server, with its password. */
  smtpUrl: Secret | null;
  /** What keys of vendors are kept under that the settings have, and what before; `null` where the environment gives none. */
  wrapping: Readonly<{ current: Secret | null; before: Secret | null }>;
}>;

/** What must be known of a preset to read a file that names it. */
export type PresetNames = Readonly<{
  id: string;
  /** Variables that may hold its key; the first that is set wins. */
  keyEnv: readonly string[];
  needsKey: boolean;
  needsBaseUrl: boolean;
  /** Variables that may hold its address, likewise. */
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

/** The settings of the server, by the file's names, that differ: a reload cannot change them, a restart does. */
export function changedServerSettings(before: Config, after: Config): string[] {
  const keys = Object.keys(SERVER_SETTINGS) as (keyof ServerConfig)[];
  return keys
    .filter((key) => !isDeepStrictEqual(before.server[key], after.server[key]))
    .map((key) => SERVER_SETTINGS[key]);
}
