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

/** The origin of a provider, which has a pool, and the path of its base URL. */
export type Address = { origin: string; path: string };

/** The most pools; beyond it the oldest one is closed. */
export const MAX_POOLS = 256;

/** One pool of sockets for each origin. */
export class Pools<Pool extends { close(): Promise<void> }> {
  readonly #open: (origin: string) => Pool;
  readonly #pools = new Map<string, Pool>();
  /** Parsed addresses of providers. Parsing a URL costs as much as reading a body. A reload makes new providers. */
  readonly #addresses = new WeakMap<Provider, Address>();

  constructor(open: (origin: string) => Pool) {
    this.#open = open;
  }

  address(provider: Provider): Address {
    const known = this.#addresses.get(provider);
    if (known !== undefined) return known;
    const { origin, pathname } = new URL(provider.baseUrl);
    const address = { origin, path: pathname === '/' ? '' : pathname };
    this.#addresses.set(provider, address);
    return address;
  }

  at(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const pool = this.#open(origin);
    if (this.#pools.size >= MAX_POOLS) {
      const [oldest, idle] = this.#pools.entries().next().value!;
      this.#pools.delete(oldest);
      void idle.close();
    }
    this.#pools.set(origin, pool);
    return pool;
  }

  /** Closes idle sockets and waits for running calls. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}
