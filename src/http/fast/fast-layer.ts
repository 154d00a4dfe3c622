import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TimerWheel } from '../../deadlines/timer-wheel.ts';
import type { CallerConnections } from '../caller-connections.ts';
import type { BodyRoute } from '../incoming-call.ts';
import type { ServerOptions } from '../server.ts';
import { HeadWriter } from './answer-head.ts';
import { type ConnectionParts, FastConnection } from './connection.ts';

/**
 * Our own HTTP/1.1 for the routes that models are called at, in front of a server of Node's. The server listens; each
 * connection is read here first and goes to Node, with all that was not read, at the first request that is not plain or for
 * another route. So only one of the two ever frames a request.
 */
export class FastLayer {
  readonly #routes = new Map<string, BodyRoute>();
  readonly #connections = new Set<FastConnection>();

  constructor(server: Server, options: ServerOptions, wheel: TimerWheel, callers: CallerConnections) {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    const parts: ConnectionParts = {
      options,
      routes: this.#routes,
      heads: new HeadWriter(options.front),
      wheel,
      callers,
      toNode: (socket) => {
        for (const listener of listeners) listener.call(server, socket);
      },
      onLeft: (connection) => this.#connections.delete(connection),
    };
    server.on('connection', (socket: Socket) => this.#connections.add(new FastConnection(parts, socket)));
  }

  post(route: BodyRoute): void {
    this.#routes.set(route.path, route);
  }

  /** Closes idle connections. */
  closeIdle(): void {
    for (const connection of this.#connections) if (connection.idle) connection.cut();
  }

  closeAll(): void {
    for (const connection of this.#connections) connection.cut();
  }
}
