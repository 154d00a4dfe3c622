import type { Upstream } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';

/** An upstream over sockets. `close` closes idle ones and waits for calls in flight. */
export type Sockets = Upstream & { close(): Promise<void> };

/** Proxies as the environment names them (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). */
export type Proxies = { http: string | null; https: string | null; no: string | null };

export type SocketOptions = {
  /** How long a connection may take to be made, in ms. */
  connectTimeoutMs: number;
  /** Bytes of the vendor's response headers. */
  maxHeaderBytes: number;
  proxies: Proxies;
  wheel: TimerWheel;
};

/** Where a provider is: what a pool is kept for, and what all its paths begin with. */
export type Address = { origin: string; path: string };

/** Vendors' addresses that a pool is kept for; beyond it the oldest one is let go. */
export const MAX_POOLS = 256;

/** One pool of sockets for each origin. */
export class Pools<Pool extends { close(): Promise<void> }> {
  readonly #open: (origin: string) => Pool;
  readonly #pools = new Map<string, Pool>();
  /** Where providers are: read once of each, since a URL costs as much to read as a body. A reload makes new providers. */
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

  /** Closes idle sockets and waits for calls in flight. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}
