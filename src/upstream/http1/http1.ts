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
    this.#pools = new Pools((address) => new ConnectionPool(address, options));
  }

  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold {
    const address = this.#pools.address(request.target.provider);
    // A proxy would look names up itself, and connect where it likes.
    const mayBeProxied = this.#proxied !== null && !address.publicOnly;
    if (mayBeProxied && isProxied(this.#proxies, address.origin)) return this.#proxied.send(request, listener);
    return this.#pools.at(address).send(request, address.path, listener);
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
