import type { UpstreamHold, UpstreamListener, UpstreamRequest } from '../../core/ports.ts';
import { Connections } from '../connections.ts';
import { unreachable } from '../delivery.ts';
import type { Address } from '../sockets.ts';
import { type ConnectionOptions, Http1Connection } from './connection.ts';
import { Dialer } from './dial.ts';
import { Http1Request } from './request.ts';
import { RequestTexts } from './request-text.ts';

export type PoolOptions = Omit<ConnectionOptions, 'dialer'>;

/** The gateway's own connections to one origin. */
export class ConnectionPool extends Connections<Http1Request> {
  readonly #options: ConnectionOptions;
  readonly #texts: RequestTexts;

  constructor(address: Pick<Address, 'origin' | 'publicOnly'>, options: PoolOptions) {
    super(options.wheel);
    this.#options = { ...options, dialer: new Dialer(address) };
    this.#texts = new RequestTexts(new URL(address.origin).host);
  }

  /** @param prefix the path of the provider's base URL, before the request's path */
  send(request: UpstreamRequest, prefix: string, listener: UpstreamListener): UpstreamHold {
    const exchange = new Http1Request(listener);
    try {
      exchange.head = this.#texts.headOf(request, prefix);
    } catch (error) {
      exchange.onFailure(unreachable(error));
      return exchange;
    }
    exchange.body = request.body;
    this.dispatch(exchange);
    return exchange;
  }

  protected open(): Http1Connection {
    return new Http1Connection(this.#options, this);
  }
}
