import { dirname, isAbsolute, join } from 'node:path';
import { Secret } from '../core/secret.ts';
import { resolveAliases } from './aliases.ts';
import type { Config, Limits, Secrets, ServerConfig, Timeouts } from './config.ts';
import type { Overrides } from './environment.ts';
import { factsOf } from './facts.ts';
import type { Report } from './problems.ts';
import type { KeyedProvider } from './providers.ts';
import type { ConfigFile } from './schema.ts';

/** What a configuration is made of: the checked content of the file at `path`, what wins over it, and its providers. */
export type Parts = {
  path: string | null;
  file: ConfigFile;
  overrides: Overrides;
  providers: readonly KeyedProvider[];
};

/** The file's words turned into ours. */
export function buildConfig(parts: Parts, problem: Report): Config {
  const { path, file, providers } = parts;
  return {
    file: path,
    server: buildServer(parts),
    providers: providers.map(({ provider }) => provider),
    echo: file.echo,
    models: new Map([...file.models].map(([id, entry]) => [id, factsOf(entry)])),
    aliases: resolveAliases(file.aliases, problem),
    organizations: [...file.organizations].map(([id, { name }]) => ({ id, name })),
    limits: buildLimits(parts, problem),
    timeouts: buildTimeouts(file.timeouts),
    retention: { usage: file.retention.usage, outputItems: file.retention.output_items },
  };
}

/** The secrets of the same parts. */
export function buildSecrets({ file, overrides, providers }: Parts): Secrets {
  const keys = providers.flatMap(({ provider, key }) => (key === null ? [] : [[provider.id, key] as const]));
  return {
    providerKeys: new Map(keys),
    metricsToken: secretOf(overrides.HEADGATE_METRICS_TOKEN ?? file.server.metrics_token),
    pepper: secretOf(overrides.HEADGATE_PEPPER),
  };
}

function secretOf(value: string | undefined): Secret | null {
  return value === undefined ? null : new Secret(value);
}

function buildServer({ path, file: { server }, overrides }: Parts): ServerConfig {
  return {
    host: overrides.HEADGATE_HOST ?? server.host,
    port: overrides.HEADGATE_PORT ?? server.port,
    data: overrides.HEADGATE_DATA ?? besideFile(path, server.data),
    headerPrefix: server.header_prefix,
    logLevel: overrides.HEADGATE_LOG_LEVEL ?? server.log_level,
    drain: server.drain,
    ledgerDurability: server.durability,
    httpLayer: overrides.HEADGATE_HTTP_LAYER ?? server.http_layer,
    workers: overrides.HEADGATE_WORKERS ?? server.workers,
  };
}

function besideFile(file: string | null, folder: string): string {
  return file === null || isAbsolute(folder) ? folder : join(dirname(file), folder);
}

function buildLimits({ file: { limits, server }, overrides }: Parts, problem: Report): Limits {
  const workers = overrides.HEADGATE_WORKERS ?? server.workers;
  if (limits.max_open_calls < workers) {
    problem(['limits', 'max_open_calls'], `must be at least the number of workers, ${workers}, who share it`);
  }
  return {
    requestsPerMinute: limits.requests_per_minute,
    tokensPerMinute: limits.tokens_per_minute,
    maxBody: limits.max_body,
    maxAnswer: limits.max_answer,
    maxHeader: limits.max_header,
    maxLine: limits.max_line,
    maxJsonDepth: limits.max_json_depth,
    maxOpenCalls: limits.max_open_calls,
    defaultMaxOutput: limits.default_max_output,
    maxEmbeddingInputs: limits.max_embedding_inputs,
    maxOutputItems: limits.max_output_items,
  };
}

function buildTimeouts(timeouts: ConfigFile['timeouts']): Timeouts {
  const { first_byte: firstByte, ...rest } = timeouts;
  return { ...rest, firstByte };
}
