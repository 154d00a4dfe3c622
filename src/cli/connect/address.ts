import type { ServerConfig } from '../../config/config.ts';
import { UsageError } from '../failure.ts';

/** Addresses to listen on that cannot be called. */
const CALLED_AT: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const LOCAL = /^(localhost|127\..*|\[::1\])$/;

/**
 * Where tools find the gateway, without `/v1` and trailing slashes: `--url`, else the configuration. Throws a
 * `UsageError` if neither has it.
 */
export function addressOf(given: string | undefined, { host, port }: Pick<ServerConfig, 'host' | 'port'>): string {
  if (given !== undefined) return checkedAddress(given);
  if (port === 0) {
    throw new UsageError(
      'The port is 0 (any free one), so the address is known only while the gateway runs. Use --url.',
    );
  }
  const called = CALLED_AT[host] ?? host;
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`;
}

/** Whether only programs on the same machine can call it. */
export function isLocal(address: string): boolean {
  return LOCAL.test(new URL(address).hostname);
}

function checkedAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--url must be the gateway’s address, such as https://headgate.example.com.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}
