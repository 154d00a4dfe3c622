import type { UpstreamHold, UpstreamListener, UpstreamRequest } from '../../core/ports.ts';
import { Pools, type Proxies, type SocketOptions, type Sockets } from '../sockets.ts';
import { ConnectionPool } from './pool.ts';

export type Http1Options = SocketOptions & {
  /** Carries calls to origins behind a proxy, which this layer does not support; `null` if no proxy is configured. */
  proxied: Sockets | null;
};

/** Sends requests to vendors over the gateway's own HTTP/1.1 layer. Does not follow redirects. */
export class Http1Upstream implements Sockets {
  readonly #proxies: Proxies;
  readonly #proxied: Sockets | null;
  readonly #pools: Pools<ConnectionPool>;

  constructor(options: Http1Options) {
    this.#proxies = options.proxies;
    this.#proxied = options.proxied;
    this.#pools = new Pools((origin) => new ConnectionPool(origin, options));
  }

  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold {
    const { origin, path } = this.#pools.address(request.target.provider);
    if (this.#proxied !== null && isProxied(this.#proxies, origin)) return this.#proxied.send(request, listener);
    return this.#pools.at(origin).send(request, path, listener);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pools.close(), this.#proxied?.close()]);
  }
}

/** The other layer handles `NO_PROXY`. The http proxy also serves https if there is no https proxy. */
function isProxied(proxies: Proxies, origin: string): boolean {
  if (proxies.http === null && proxies.https === null) return false;
  return proxies.http !== null || origin.startsWith('https:');
}
