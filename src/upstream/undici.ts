import { type Dispatcher, EnvHttpProxyAgent, errors, Pool } from 'undici';
import type { UpstreamHeaders, UpstreamHold, UpstreamListener, UpstreamRequest } from '../core/ports.ts';
import { Delivery, disconnected, unreachable, unreadable } from './delivery.ts';
import { Pools, type SocketOptions, type Sockets } from './sockets.ts';

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
 * Sends requests to vendors by way of undici, one pool an address. It has no deadlines of its own but the connection's; no
 * redirect is followed. It knows proxies, which the gateway's own HTTP/1.1 does not.
 */
export class UndiciUpstream implements Sockets {
  readonly #options: SocketOptions;
  readonly #pools: Pools<Dispatcher>;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#pools = new Pools((origin) => this.#open(origin));
  }

  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold {
    const { origin, path } = this.#pools.address(request.target.provider);
    const exchange = new Exchange(listener);
    this.#pools.at(origin).dispatch(
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

  close(): Promise<void> {
    return this.#pools.close();
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

/** One request under way, as undici's handler. */
class Exchange extends Delivery implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null;
  #started = false;

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.over) this.letGo();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (status < 200) return;
    this.#started = true;
    this.onStart(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.onData(chunk);
  }

  onResponseEnd(): void {
    this.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    const code = (cause as Error & { code?: string }).code ?? '';
    if (!this.#started && NOT_CONNECTED.has(code)) this.onFailure(unreachable(cause));
    else if (cause instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW')
      this.onFailure(unreadable(cause));
    else this.onFailure(disconnected(cause));
  }

  protected holdInput(): void {
    this.#controller?.pause();
  }

  protected freeInput(): void {
    this.#controller?.resume();
  }

  protected letGo(): void {
    this.#controller?.abort(new Error('the caller of the vendor let go'));
  }
}
