import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { TimerWheel } from '../core/timer-wheel.ts';
import { HttpAnswer } from './answer.ts';
import type { BodyRoute, Door, IncomingCall } from './door.ts';
import { FastLayer } from './fast/fast-layer.ts';
import type { ServerOptions } from './server.ts';

/** `fast`: our own reading of plain requests, and Node's of all others; `node`: Node's alone. */
export type Layer = 'fast' | 'node';

/** Connections whose last bytes are not taken in this time are cut when the gateway stops. */
const FLUSH_MS = 2_000;
const LOOK_MS = 20;

/** The two doors of one server: every route of the one is a route of the other, and answers the same. */
export class Doors implements Door {
  readonly #app: FastifyInstance;
  readonly #options: ServerOptions;
  readonly #fast: FastLayer | null;

  /** To be made before the server listens. */
  constructor(app: FastifyInstance, options: ServerOptions, wheel: TimerWheel, layer: Layer) {
    this.#app = app;
    this.#options = options;
    this.#fast = layer === 'fast' ? new FastLayer(app.server, options, wheel) : null;
    app.addHook('preClose', (done) => {
      this.#fast?.closeIdle();
      done();
    });
  }

  post(route: BodyRoute): void {
    const { front } = this.#options;
    this.#fast?.post(route);
    this.#app.post(route.path, { config: { manner: route.manner } }, (request, reply) => {
      reply.hijack();
      const { exchange, raw } = request;
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const answer = new HttpAnswer(front, exchange, reply.raw);
      const header: IncomingCall['header'] = (name) => headerOf(raw, name);
      route.handle({ exchange, caller: exchange.caller!, body, answer, header });
    });
  }

  /** Until the server has closed: closes each connection once its answer has been flushed, and what is left after a moment. */
  async letGo(closed: Promise<unknown>): Promise<void> {
    const look = setInterval(() => this.closeIdle(), LOOK_MS);
    const cut = setTimeout(() => this.closeAll(), FLUSH_MS);
    await closed;
    clearInterval(look);
    clearTimeout(cut);
  }

  /** Closes the connections that wait for a next request. */
  closeIdle(): void {
    this.#fast?.closeIdle();
    this.#app.server.closeIdleConnections();
  }

  /** Cuts every connection. */
  closeAll(): void {
    this.#fast?.closeAll();
    this.#app.server.closeAllConnections();
  }
}

/** A header's value, by its name in lower case. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
