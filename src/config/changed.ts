import type { Config, ServerConfig } from './config.ts';

const SERVER_SETTINGS = {
  host: 'server.host',
  port: 'server.port',
  data: 'server.data',
  headerPrefix: 'server.header_prefix',
  logLevel: 'server.log_level',
  drain: 'server.drain',
  ledgerDurability: 'server.durability',
  httpLayer: 'server.http_layer',
  workers: 'server.workers',
  workerTimeout: 'server.worker_timeout',
} as const satisfies Record<keyof ServerConfig, string>;

/** The settings of the server, by the file's names, that differ: a reload cannot change them, a restart does. */
export function changedServerSettings(before: Config, after: Config): string[] {
  const keys = Object.keys(SERVER_SETTINGS) as (keyof ServerConfig)[];
  return keys.filter((key) => before.server[key] !== after.server[key]).map((key) => SERVER_SETTINGS[key]);
}
