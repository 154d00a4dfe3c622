import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { GatewayError } from '../core/errors.ts';
import type { Upstream, UpstreamHeaders, UpstreamHold, UpstreamListener, UpstreamRequest } from '../core/ports.ts';
import type { Provider } from '../core/provider.ts';
import { type Decoder, decoderFor } from './decode.ts';

/** Proxies as the environment names them (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). */
export type Proxies = { http: string | null; https: string | null; no: string | null };

export type SocketOptions = {
  /** How long a connection may take to be made, in ms. */
  connectTimeoutMs: number;
  /** Bytes of the vendor's response headers. */
  maxHeaderBytes: number;
  proxies: Proxies;
};

type Address = { origin: string; path: string };

/** Vendors' addresses that a pool is kept for; beyond it the least used one is let go. */
const MAX_POOLS = 256;

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * The only way out: sends requests to vendors over pooled sockets, one pool an address. It has no deadlines of its own
 * but the connection's; no redirect is followed.
 */
export class SocketUpstream implements Upstream {
  readonly #options: SocketOptions;
  readonly #pools = new Map<string, Dispatcher>();
  /** Where providers are: read once of each, since a URL costs as much to read as a body. A reload makes new providers. */
  readonly #addresses = new WeakMap<Provider, Address>();

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold {
    const { origin, path } = this.#address(request.target.provider);
    const exchange = new Exchange(listener);
    this.#pool(origin).dispatch(
      {
        origin,
        path: path + request.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      exchange,
    );
    return exchange;
  }

  /** Closes idle sockets and waits for calls in flight. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #address(provider: Provider): Address {
    const known = this.#addresses.get(provider);
    if (known !== undefined) return known;
    const { origin, pathname } = new URL(provider.baseUrl);
    const address = { origin, path: pathname === '/' ? '' : pathname };
    this.#addresses.set(provider, address);
    return address;
  }

  #pool(origin: string): Dispatcher {
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

  #open(origin: string): Dispatcher {
    const { proxies, connectTimeoutMs, maxHeaderBytes } = this.#options;
    const options: Pool.Options = {
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
      connect: { timeout: connectTimeoutMs, noDelay: true },
    };
    if (proxies.http === null && proxies.https === null) return new Pool(origin, options);
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: proxies.http ?? '',
      httpsProxy: proxies.https ?? '',
      noProxy: proxies.no ?? '',
    });
  }
}

/** One request under way: undici's handler on one side, the listener on the other. Says nothing after an abort. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamHold {
  readonly #listener: UpstreamListener;
  #controller: Dispatcher.DispatchController | null = null;
  #decoder: Decoder | null = null;
  #started = false;
  #over = false;

  constructor(listener: UpstreamListener) {
    this.#listener = listener;
  }

  pause(): void {
    if (!this.#over) this.#flow()?.pause();
  }

  resume(): void {
    if (!this.#over) this.#flow()?.resume();
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#decoder?.destroy();
    this.#controller?.abort(new Error('the caller of the vendor let go'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the caller of the vendor let go'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (this.#over || status < 200) return;
    this.#started = true;
    this.#decoder = decoderFor(headers['content-encoding'], {
      onData: (chunk) => this.#listener.onData(chunk),
      onEnd: () => this.#finish(),
      onFailure: (cause) =>
        this.#fail(
          new GatewayError('upstream_invalid_answer', 'The provider’s compressed answer is broken.', { cause }),
        ),
      onFull: () => controller.pause(),
      onDrain: () => controller.resume(),
    });
    this.#listener.onStart(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (this.#decoder === null) this.#listener.onData(chunk);
    else this.#decoder.write(chunk);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    if (this.#decoder === null) this.#finish();
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    if (this.#over) return;
    const code = (cause as Error & { code?: string }).code ?? '';
    if (!this.#started && NOT_CONNECTED.has(code)) {
      this.#fail(new GatewayError('upstream_unreachable', 'The provider could not be reached.', { cause }));
    } else if (code === 'UND_ERR_HEADERS_OVERFLOW' || code.startsWith('HPE_')) {
      this.#fail(
        new GatewayError('upstream_invalid_answer', 'The provider’s answer is not HTTP that can be read.', { cause }),
      );
    } else {
      this.#fail(
        new GatewayError('upstream_disconnected', 'The provider’s connection broke before its answer was complete.', {
          cause,
        }),
      );
    }
  }

  /** What is held back: a body that is unpacked must be held where it comes out, for a little can unpack to a lot. */
  #flow(): Decoder | Dispatcher.DispatchController | null {
    return this.#decoder ?? this.#controller;
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#listener.onEnd();
  }

  #fail(error: GatewayError): void {
    if (this.#over) return;
    this.abort();
    this.#listener.onFailure(error);
  }
}
