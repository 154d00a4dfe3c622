import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import type { UpstreamHeaders, UpstreamHold, UpstreamListener, UpstreamRequest } from '../core/ports.ts';
import { Deadline } from '../deadlines/timer-wheel.ts';
import {
  type ConnectionOwner,
  Connections,
  type PooledConnection,
  RESEND_WITHIN_MS,
  valuesFor,
} from './connections.ts';
import { Delivery, disconnected, unreachable, unreadable } from './delivery.ts';
import { keepAliveHint } from './http1/head.ts';
import { isPrivateHost, NotPublicError, publicLookup } from './private-networks.ts';
import { type Address, Pools, type SocketOptions, type Sockets } from './sockets.ts';

/**
 * Sends requests to vendors through undici, with one undici client per connection. Has no deadlines except for
 * connecting, and follows no redirects. Supports proxies, which the gateway's own HTTP/1.1 layer does not.
 */
export class UndiciUpstream implements Sockets {
  readonly #pools: Pools<UndiciPool>;

  constructor(options: SocketOptions) {
    this.#pools = new Pools((address) => new UndiciPool(address, options));
  }

  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold {
    const address = this.#pools.address(request.target.provider);
    return this.#pools.at(address).send(request, address.path, listener);
  }

  close(): Promise<void> {
    return this.#pools.close();
  }
}

class UndiciPool extends Connections<UndiciRequest> {
  readonly #origin: string;
  readonly #options: SocketOptions;
  readonly #connector: buildConnector.connector;
  /** A proxy would look names up itself, and connect where it likes. */
  readonly #isStraight: boolean;

  constructor({ origin, publicOnly }: Address, options: SocketOptions) {
    super(options.wheel);
    this.#origin = origin;
    const { proxies } = options;
    this.#isStraight = publicOnly || (proxies.http === null && proxies.https === null);
    this.#options = options;
    const { connectTimeoutMs: timeout } = options;
    // A resumed TLS session skips the host check, and undici also caches sessions with rejected certificates.
    const settings = { timeout, noDelay: true, allowH2: false, maxCachedSessions: 0 };
    this.#connector = publicOnly ? publicConnector(settings) : buildConnector(settings);
  }

  send({ path, method, headers, body }: UpstreamRequest, prefix: string, listener: UpstreamListener): UpstreamHold {
    const options = { origin: this.#origin, path: prefix + path, method, headers, body };
    const exchange = new UndiciRequest(listener, options);
    this.dispatch(exchange);
    return exchange;
  }

  protected open(): PooledConnection<UndiciRequest> {
    const connection = new UndiciConnection(this.#options, this);
    const { maxHeaderBytes, connectTimeoutMs: timeout, proxies } = this.#options;
    const options: Client.Options = {
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
    };
    if (this.#isStraight) {
      const client = new Client(this.#origin, { ...options, connect: connection.watched(this.#connector) });
      connection.dispatcher = connection.follow(client);
      return connection;
    }
    connection.dispatcher = new EnvHttpProxyAgent({
      ...options,
      connect: { timeout, noDelay: true, maxCachedSessions: 0 },
      factory: (origin: string | URL, given: object) => {
        const { connect, ...also } = given as Client.Options;
        const connector = typeof connect === 'function' ? connect : buildConnector({ ...connect });
        // For a plain proxy undici passes on only `connect` of these settings.
        return connection.follow(new Client(origin, { ...options, ...also, connect: connection.watched(connector) }));
      },
      httpProxy: proxies.http ?? '',
      httpsProxy: proxies.https ?? '',
      noProxy: proxies.no ?? '',
    });
    return connection;
  }
}

/** A connector for public addresses only. */
function publicConnector(settings: buildConnector.BuildOptions): buildConnector.connector {
  const connector = buildConnector({ ...settings, lookup: publicLookup });
  return (options, callback) => {
    if (isPrivateHost(options.hostname)) callback(new NotPublicError(), null);
    else connector(options, callback);
  };
}

/** An undici client as long as its socket lives, and the one exchange that it carries at a time. */
class UndiciConnection implements PooledConnection<UndiciRequest> {
  keepAliveMs = 0;
  idleSince = 0;
  idleUntil = 0;
  idleTurn = 0;
  dispatcher!: Dispatcher;
  /** True if it is connected. `broken` is the error that broke the connection. */
  connected = false;
  broken: Error | null = null;
  readonly #now: () => number;
  readonly #owner: ConnectionOwner<UndiciRequest>;
  #exchange: UndiciRequest | null = null;
  #used = false;
  /** True if the current exchange's request was written. */
  #written = false;
  #silent = true;
  #writtenAt = 0;
  #gone = false;
  /** The deadline for connecting: undici's own are some hundred ms later, and it has none for a tunnel's proxy. */
  readonly #late: Deadline;

  constructor({ wheel, connectTimeoutMs }: SocketOptions, owner: ConnectionOwner<UndiciRequest>) {
    this.#now = wheel.monotonic;
    this.#owner = owner;
    this.#late = new Deadline(wheel, () =>
      this.#exchange?.onBroken(new Error(`the connection was not made in ${connectTimeoutMs} ms`)),
    );
    this.#late.set(connectTimeoutMs);
  }

  get usable(): boolean {
    return this.#exchange === null && !this.#gone && this.connected;
  }

  /**
   * Wraps a connector so that socket errors are noted here before undici handles them. The socket is then destroyed:
   * after a broken TLS record Node leaves it open, but reads nothing more from it.
   */
  watched(connector: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connector(options, (...result) => {
        const socket = result[1];
        socket?.on('error', (error) => {
          this.broken ??= error;
          socket.destroy();
        });
        callback(...result);
      });
  }

  /** Listens to the events of the client that carries the requests. */
  follow(client: Client): Client {
    client.on('connect', () => {
      this.connected = true;
      this.#late.clear();
    });
    client.on('disconnect', (_origin, _targets, error) => {
      if (!this.#written && isSurplus(error)) this.#owner.onSurplus();
      if (this.#exchange === null || this.#written) this.#end();
      else this.#reconnects();
    });
    return client;
  }

  carry(exchange: UndiciRequest): void {
    exchange.connection = this;
    this.#exchange = exchange;
    this.#written = false;
    this.#silent = true;
    this.dispatcher.dispatch(exchange.options, exchange);
  }

  drop(): void {
    this.#exchange = null;
    this.#end();
  }

  onWritten(): void {
    this.#written = true;
    if (this.#used) this.#writtenAt = this.#now();
  }

  onByte(): void {
    this.#silent = false;
  }

  onComplete(headers: UpstreamHeaders): void {
    this.#exchange = null;
    this.#used = true;
    this.#written = false;
    this.keepAliveMs = valuesFor(keepAliveHint(headers));
    if (this.keepAliveMs <= 0 || this.#gone) this.#end();
    else this.#owner.onFree(this);
  }

  /** @returns true if the exchange continues on another connection */
  onError(exchange: UndiciRequest, cause: Error): boolean {
    const resent =
      this.#used &&
      this.#silent &&
      this.#exchange === exchange &&
      !(cause instanceof errors.HTTPParserError) &&
      this.#now() - this.#writtenAt <= RESEND_WITHIN_MS;
    this.#exchange = null;
    if (resent) this.#owner.onUnanswered(exchange);
    this.#end();
    return resent;
  }

  /** The socket closed before the request was written, so undici opens another one. */
  #reconnects(): void {
    this.connected = false;
    this.broken = null;
    this.#used = false;
  }

  #end(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#late.clear();
    void this.dispatcher.destroy().then(() => this.#owner.onGone(this));
  }
}

/** True if the error means an answer without a request, or bytes that are not an answer. */
function isSurplus(error: Error): boolean {
  return error instanceof errors.HTTPParserError || error.message === 'bad response';
}

/** One request in progress, as undici's handler. */
class UndiciRequest extends Delivery implements Dispatcher.DispatchHandler {
  readonly options: Dispatcher.DispatchOptions;
  connection: UndiciConnection | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #headers: UpstreamHeaders = {};
  /** True if only the connection's close ends the body. */
  #endless = false;
  #held = false;

  constructor(listener: UpstreamListener, options: Dispatcher.DispatchOptions) {
    super(listener);
    this.options = options;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.unsent = false;
    this.connection?.onWritten();
  }

  /** Called with the first byte of an answer, even of an interim one. */
  onResponseStarted(): void {
    this.connection?.onByte();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (status < 200) return;
    this.#headers = headers;
    const framed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    this.#endless = !framed && status !== 204 && status !== 304;
    if (this.#held) controller.pause();
    this.onStart(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.onData(chunk);
  }

  /** Undici treats some broken connections as the end of a body without declared length. */
  onResponseEnd(): void {
    const connection = this.connection;
    this.connection = null;
    connection?.onComplete(this.#headers);
    const broken = connection?.broken ?? null;
    if (this.#endless && broken !== null) this.onFailure(disconnected(broken));
    else this.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.onBroken(cause);
  }

  /** The connection broke, or could not be made. */
  onBroken(cause: Error): void {
    const connection = this.connection;
    if (this.over || connection === null) return;
    this.connection = null;
    if (connection.onError(this, cause)) return;
    const code = (cause as Error & { code?: string }).code ?? '';
    if (!connection.connected) this.onFailure(unreachable(cause));
    else if (cause instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW')
      this.onFailure(unreadable(cause));
    else this.onFailure(disconnected(cause));
  }

  protected holdInput(): void {
    this.#held = true;
    this.#controller?.pause();
  }

  protected freeInput(): void {
    this.#held = false;
    this.#controller?.resume();
  }

  protected letGo(): void {
    this.connection?.drop();
  }
}
