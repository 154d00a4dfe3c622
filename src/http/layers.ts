import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { stoppingError } from '../core/errors.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';
import { HttpAnswer } from './answer.ts';
import { CallerConnections, fileHandles } from './caller-connections.ts';
import { FastLayer } from './fast/fast-layer.ts';
import type { BodyRoute, IncomingCall, Router } from './incoming-call.ts';
import type { ServerOptions } from './server.ts';

/** `fast`: our own reading of plain requests, and Node's of all others; `node`: Node's alone. */
export type Layer = 'fast' | 'node';

/** While calls are open, a stop takes connections for this long, to tell their callers to come back. */
const REFUSE_MS = 5_000;
/** Connections whose last bytes are not taken in this time are cut when the gateway stops. */
const FLUSH_MS = 2_000;
const LOOK_MS = 20;

/** The two layers of one server: every route of the one is a route of the other, and answers the same. */
export class HttpLayers implements Router {
  readonly #app: FastifyInstance;
  readonly #options: ServerOptions;
  readonly #fast: FastLayer | null;

  /** To be made before the server listens. */
  constructor(app: FastifyInstance, options: ServerOptions, wheel: TimerWheel, layer: Layer) {
    this.#app = app;
    this.#options = options;
    const callers = new CallerConnections(options, wheel, fileHandles());
    this.#fast = layer === 'fast' ? new FastLayer(app.server, options, wheel, callers) : null;
    callers.watch(app.server);
    app.addHook('preHandler', ({ context, raw }, _reply, done) => {
      if (context.caller !== null) callers.welcome(raw.socket);
      done();
    });
    app.addHook('preClose', (done) => {
      this.#fast?.closeIdle();
      done();
    });
  }

  post(route: BodyRoute): void {
    const { front } = this.#options;
    this.#fast?.post(route);
    this.#app.post(route.path, { config: { style: route.style, takesFromLimits: true } }, (request, reply) => {
      // It may have begun to stop while the body came.
      if (this.#options.stopping()) throw stoppingError();
      reply.hijack();
      const { context, raw } = request;
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const answer = new HttpAnswer(front, context, reply.raw);
      const header: IncomingCall['header'] = (name) => headerOf(raw, name);
      route.handle({ context, caller: context.caller!, body, answer, header });
    });
  }

  /**
   * Closes the server, once calls are refused. New callers are told to come back, as long as calls are open but at most for a
   * moment; after that the port is closed, which tells them the same. Each connection is closed once its answer has been
   * flushed, and what is left a moment after the last call has ended.
   *
   * @param drained settles when no call is open any more
   */
  async stop(drained: Promise<void>): Promise<void> {
    const refused = Promise.withResolvers<void>();
    const timer = setTimeout(refused.resolve, REFUSE_MS);
    await Promise.race([drained, refused.promise]);
    clearTimeout(timer);
    const closed = this.#app.close();
    await drained;
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
