import type { Upstream } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';

/** An upstream over sockets. `close` closes idle sockets and waits for running calls. */
export type Sockets = Upstream & { close(): Promise<void> };

/** The proxies set in the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). */
export type Proxies = { http: string | null; https: string | null; no: string | null };

export type SocketOptions = {
  /** The longest time to connect, in ms. */
  connectTimeoutMs: number;
  /** The most bytes of a vendor's response headers. */
  maxHeaderBytes: number;
  proxies: Proxies;
  wheel: TimerWheel;
};

/**
 * The origin of a provider, and the path of its base URL. `pool`: what its pool goes by, since an origin that must be
 * public has one of its own.
 */
export type Address = { origin: string; path: string; pool: string; publicOnly: boolean };

/** The most pools; beyond it the oldest one is closed. */
const MAX_POOLS = 256;

/** One pool of sockets for each origin, and another where it must be public. */
export class Pools<Pool extends { close(): Promise<void> }> {
  readonly #open: (address: Address) => Pool;
  readonly #pools = new Map<string, Pool>();
  /** Parsed addresses of providers. Parsing a URL costs as much as reading a body. A reload makes new providers. */
  readonly #addresses = new WeakMap<Provider, Address>();

  constructor(open: (address: Address) => Pool) {
    this.#open = open;
  }

  address(provider: Provider): Address {
    const known = this.#addresses.get(provider);
    if (known !== undefined) return known;
    const { origin, pathname } = new URL(provider.baseUrl);
    const { publicOnly = false } = provider;
    const pool = publicOnly ? `public ${origin}` : origin;
    const address = { origin, path: pathname === '/' ? '' : pathname, pool, publicOnly };
    this.#addresses.set(provider, address);
    return address;
  }

  at(address: Address): Pool {
    const known = this.#pools.get(address.pool);
    if (known !== undefined) return known;
    const pool = this.#open(address);
    if (this.#pools.size >= MAX_POOLS) {
      const [oldest, idle] = this.#pools.entries().next().value!;
      this.#pools.delete(oldest);
      void idle.close();
    }
    this.#pools.set(address.pool, pool);
    return pool;
  }

  /** Closes idle sockets and waits for running calls. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}
