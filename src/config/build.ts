import { dirname, isAbsolute, join } from 'node:path';
import type { SignInRules } from '../core/people.ts';
import { SYSTEM_ROUTE } from '../core/route.ts';
import { Secret } from '../core/secret.ts';
import { buildProducts, buildRoutes } from './build-routes.ts';
import type {
  BreakerSettings,
  CatalogConfig,
  Config,
  Limits,
  Retries,
  Secrets,
  ServerConfig,
  Timeouts,
} from './config.ts';
import type { Overrides } from './environment.ts';
import { factsOf } from './facts.ts';
import type { Report } from './problems.ts';
import type { KeyedProvider } from './providers.ts';
import type { ConfigFile } from './schema.ts';

/** The inputs of a configuration: the checked content of the file at `path`, the overrides, and the providers. */
export type BuildParts = {
  path: string | null;
  file: ConfigFile;
  /** The file's content before the schema was applied. */
  tree: unknown;
  overrides: Overrides;
  providers: readonly KeyedProvider[];
  /** Number of workers that already run, for a reload; 0 at a start. */
  running: number;
};

/** Converts the file's settings to a `Config`. */
export function buildConfig(parts: BuildParts, problem: Report): Config {
  const { path, file, tree } = parts;
  const providers = parts.providers.map(({ provider }) => provider);
  checkShares(parts, problem);
  const models = new Map([...file.models].map(([id, entry]) => [id, factsOf(entry)] as const));
  const aliases = resolveAliases(file.aliases, file.routes, problem);
  return {
    file: path,
    server: buildServer(parts),
    providers,
    echo: file.echo,
    catalog: buildCatalog(parts, problem),
    models,
    aliases,
    organizations: [...file.organizations].map(([id, { name }]) => ({ id, name })),
    ...buildRoutes(file, tree, { aliases, providers, models }, problem),
    products: buildProducts(file.products),
    limits: buildLimits(file),
    timeouts: buildTimeouts(file.timeouts),
    retries: buildRetries(file.retries),
    breaker: buildBreaker(file.breaker, problem),
    routing: {
      affinityKeep: file.routing.affinity_keep,
      maxConversations: file.routing.max_conversations,
      learnEvery: file.routing.learn_every,
      learnAfter: file.routing.learn_after,
    },
    retention: {
      usage: file.retention.usage,
      refusedCalls: file.retention.refused_calls,
      outputItems: file.retention.output_items,
    },
    signIn: buildSignIn(file.sign_in),
    mail: file.mail == null ? null : { from: file.mail.from },
  };
}

/** Extracts the secrets, which `Config` must not hold. */
export function buildSecrets({ file, overrides, providers }: BuildParts): Secrets {
  const keyed = providers.filter(({ keys }) => keys.length > 0);
  return {
    providerKeys: new Map(keyed.map(({ provider, keys }) => [provider.id, keys])),
    metricsToken: secretOf(overrides.HEADGATE_METRICS_TOKEN ?? file.server.metrics_token),
    pepper: secretOf(overrides.HEADGATE_PEPPER),
    smtpUrl: secretOf(file.mail?.smtp_url),
    wrapping: {
      current: secretOf(overrides.HEADGATE_WRAPPING_KEY),
      before: secretOf(overrides.HEADGATE_WRAPPING_KEY_BEFORE),
    },
  };
}

function secretOf(value: string | undefined): Secret | null {
  return value === undefined ? null : new Secret(value);
}

function buildServer({ path, file: { server }, overrides }: BuildParts): ServerConfig {
  return {
    host: overrides.HEADGATE_HOST ?? server.host,
    port: overrides.HEADGATE_PORT ?? server.port,
    data: overrides.HEADGATE_DATA ?? besideFile(path, server.data),
    headerPrefix: server.header_prefix,
    logLevel: overrides.HEADGATE_LOG_LEVEL ?? server.log_level,
    logCalls: server.log_calls,
    console: server.console,
    drain: server.drain,
    ledgerDurability: server.durability,
    httpLayer: overrides.HEADGATE_HTTP_LAYER ?? server.http_layer,
    workers: overrides.HEADGATE_WORKERS ?? server.workers,
    workerTimeout: server.worker_timeout,
    workerStartTimeout: server.worker_start_timeout,
    publicUrl: server.public_url ?? null,
    trustedProxies: server.trusted_proxies ?? [],
    webhookHosts: server.webhook_hosts,
    providerHosts: server.provider_hosts,
  };
}

function besideFile(file: string | null, folder: string): string {
  return file === null || isAbsolute(folder) ? folder : join(dirname(file), folder);
}

/** A limit that workers share must allow each worker at least one. Running workers count: a reload does not stop them. */
function checkShares({ file, providers, overrides, running }: BuildParts, problem: Report): void {
  const workers = Math.max(running, overrides.HEADGATE_WORKERS ?? file.server.workers);
  const sentence = `must be at least ${workers}, the number of workers that share it`;
  for (const name of ['max_open_calls', 'max_idle_connections'] as const)
    if (file.limits[name] < workers) problem(['limits', name], sentence);
  for (const { provider } of providers) {
    if (provider.concurrency !== null && provider.concurrency.max < workers) {
      problem(['providers', provider.id, 'max_concurrency'], sentence);
    }
  }
}

function buildSignIn(file: ConfigFile['sign_in']): SignInRules {
  return {
    sessionIdle: file.session_idle,
    sessionLife: file.session_life,
    recent: file.recent,
    ownerLinkLife: file.owner_link_life,
    attemptsPerEmail: file.attempts_per_email,
    attemptsPerAddress: file.attempts_per_address,
    attemptsWindow: file.attempts_window,
  };
}

/** Relative paths in the file are resolved against its folder. */
function buildCatalog({ path, file: { catalog }, overrides }: BuildParts, problem: Report): CatalogConfig {
  const discovery = overrides.HEADGATE_DISCOVERY ?? catalog.discovery;
  const { infer_prices: inferPrices, list_prices: listPrices, refresh: everyMs, source } = catalog;
  if (everyMs === null && source !== undefined) problem(['catalog', 'source'], 'has no effect without “refresh”');
  if (everyMs !== null && source === undefined) problem(['catalog', 'refresh'], 'must have a “source” beside it');
  if (everyMs === null || source === undefined) return { inferPrices, listPrices, discovery, refresh: null };
  const isAddress = /^https?:\/\//i.test(source);
  return {
    inferPrices,
    listPrices,
    discovery,
    refresh: { everyMs, source: isAddress ? source : besideFile(path, source) },
  };
}

function buildLimits({ limits }: ConfigFile): Limits {
  return {
    requestsPerMinute: limits.requests_per_minute,
    tokensPerMinute: limits.tokens_per_minute,
    personRequestsPerMinute: limits.person_requests_per_minute,
    maxRequestsAtOnce: limits.max_requests_at_once,
    maxBody: limits.max_body,
    maxAnswer: limits.max_answer,
    maxHeader: limits.max_header,
    maxLine: limits.max_line,
    maxJsonDepth: limits.max_json_depth,
    json: { maxValues: limits.max_json_values, maxMembers: limits.max_json_members },
    maxOpenCalls: limits.max_open_calls,
    maxIdleConnections: limits.max_idle_connections,
    maxUnread: limits.max_unread,
    maxReceiving: limits.max_receiving,
    defaultMaxOutput: limits.default_max_output,
    holdModelMaximum: limits.hold_model_maximum,
    countCachedInput: limits.count_cached_input,
    maxEmbeddingInputs: limits.max_embedding_inputs,
    maxOutputItems: limits.max_output_items,
    maxUsageFactor: limits.max_usage_factor,
    refusedCalls: { inAll: limits.max_refused_calls, perKey: limits.max_key_refused_calls },
    maxVendorCost: limits.max_vendor_cost,
    maxRouteTargets: limits.max_route_targets,
    maxReports: limits.max_reports,
    maxWatchers: limits.max_watchers,
    maxKeyWatchers: limits.max_key_watchers,
    maxLoopLag: limits.max_loop_lag,
    maxMemory: limits.max_memory,
  };
}

function buildTimeouts(timeouts: ConfigFile['timeouts']): Timeouts {
  const { first_byte, first_byte_reasoning, min_speed, min_speed_after, ...rest } = timeouts;
  return {
    ...rest,
    firstByte: first_byte,
    firstByteReasoning: first_byte_reasoning,
    minSpeed: min_speed,
    minSpeedAfter: min_speed_after,
  };
}

function buildRetries({ attempts, max_wait, budget, budget_min }: ConfigFile['retries']): Retries {
  return { attempts, maxWait: max_wait, budget, budgetMin: budget_min };
}

function buildBreaker(breaker: ConfigFile['breaker'], problem: Report): BreakerSettings {
  for (const least of ['open', 'credential'] as const) {
    if (breaker[`${least}_max`] < breaker[least]) problem(['breaker', `${least}_max`], `must be at least ${least}`);
  }
  return {
    failures: breaker.failures,
    errorRate: breaker.error_rate,
    window: breaker.window,
    minCalls: breaker.min_calls,
    open: breaker.open,
    openMax: breaker.open_max,
    credential: breaker.credential,
    credentialMax: breaker.credential_max,
    credentialKeys: breaker.credential_keys,
    retryAfterMax: breaker.retry_after_max,
  };
}

/**
 * Resolves each alias to its model or route, through other aliases. Reports aliases that form a cycle or hide a route.
 */
function resolveAliases(
  aliases: ReadonlyMap<string, string>,
  routes: ReadonlyMap<string, unknown>,
  problem: Report,
): Map<string, string> {
  const resolved = new Map<string, string>();
  for (const name of aliases.keys()) {
    if (name === SYSTEM_ROUTE || routes.has(name)) problem(['aliases', name], 'is the name of a route');
    const way = [name];
    let next = aliases.get(name);
    while (next !== undefined && !way.includes(next)) {
      way.push(next);
      next = aliases.get(next);
    }
    if (next === undefined) resolved.set(name, way.at(-1)!);
    else problem(['aliases', name], `never leads to a model: ${[...way, next].join(' → ')}`);
  }
  return resolved;
}
