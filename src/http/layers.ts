import type { IncomingMessage } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stoppingError } from '../core/errors.ts';
import type { Admission, Caller } from '../core/ports.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';
import { HttpAnswer } from './answer.ts';
import { peerOf, personAgain } from './browser.ts';
import { CallerConnections, fileHandles } from './caller-connections.ts';
import { FastLayer } from './fast/fast-layer.ts';
import type { BodyRoute, IncomingCall, Router } from './incoming-call.ts';
import type { ServerOptions } from './server.ts';

/** `fast`: plain requests are read by the gateway, others by Node; `node`: all are read by Node. */
export type Layer = 'fast' | 'node';

/** While calls are open, a stop accepts connections for this long, to answer that callers should retry. */
const REFUSE_MS = 5_000;
/** At a stop, connections with unread bytes are cut after this time. */
const FLUSH_MS = 2_000;
const LOOK_MS = 20;
/** The time for the first bytes of a connection made while the port closes. */
const FIRST_MS = 1_000;
/** The header for the project of a signed-in person's call, as in OpenAI's clients. */
const PROJECT_HEADER = 'openai-project';

type Admitted = Admission & { caller: Caller };

/** Both layers of a server. They have the same routes and answers. */
export class HttpLayers implements Router {
  readonly #app: FastifyInstance;
  readonly #options: ServerOptions;
  readonly #fast: FastLayer | null;
  readonly #callers: CallerConnections;

  /** Must be constructed before the server listens. */
  constructor(app: FastifyInstance, options: ServerOptions, wheel: TimerWheel, layer: Layer) {
    this.#app = app;
    this.#options = options;
    const callers = new CallerConnections(options, wheel, fileHandles());
    this.#callers = callers;
    this.#fast = layer === 'fast' ? new FastLayer(app.server, options, wheel, callers) : null;
    callers.watch(app.server);
    app.addHook('preHandler', ({ context, browser, raw }, _reply, done) => {
      if (context.caller !== null || (browser !== null && browser.signedIn !== null)) callers.welcome(raw.socket);
      done();
    });
    app.addHook('preClose', (done) => {
      this.#fast?.closeIdle();
      done();
    });
  }

  post(route: BodyRoute): void {
    const { front, site } = this.#options;
    this.#fast?.post(route);
    const config = { style: route.style, takesFromLimits: true, callers: 'keys_or_people' } as const;
    const handle = (request: FastifyRequest, reply: FastifyReply, { caller, again }: Admitted) => {
      // The gateway may have begun to stop while the body arrived.
      if (this.#options.stopping()) throw stoppingError();
      reply.hijack();
      const { context, raw } = request;
      context.caller = caller;
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const answer = new HttpAnswer(front, context, reply.raw);
      const header: IncomingCall['header'] = (name) => headerOf(raw, name);
      route.handle({ context, caller, body, answer, header, again });
    };
    this.#app.post(route.path, { config }, (request, reply) => {
      const { context, browser, raw } = request;
      const keyAgain = (caller: Caller) => {
        const looked = front.keys.again(caller, peerOf(raw, site));
        return looked instanceof Promise ? looked : undefined;
      };
      const { caller } = context;
      if (caller !== null) return handle(request, reply, { caller, again: () => keyAgain(caller) });
      const projectId = headerOf(raw, PROJECT_HEADER) ?? null;
      const asked = { projectId, visit: browser!.visit };
      const signedIn = browser!.signedIn!;
      return site.callerFor(signedIn, asked).then((person) => {
        const demand = async () => Promise.all([keyAgain(person), site.demandCalls(signedIn, asked)]);
        const again = personAgain({ site, keys: front.keys }, signedIn, demand);
        handle(request, reply, { caller: person, again });
      });
    });
  }

  /**
   * Closes the server, once calls are refused. New callers are told to come back, as long as calls are open but at most for a
   * moment; after that the port is closed, which tells them the same, while who is connected already is still told in words.
   * Each connection is closed once its answer has been flushed, and what is left a moment after the last call has ended.
   *
   * @param drained settles when no call is open any more
   */
  async stop(drained: Promise<void>): Promise<void> {
    const refused = Promise.withResolvers<void>();
    const timer = setTimeout(refused.resolve, REFUSE_MS);
    await Promise.race([drained, refused.promise]);
    clearTimeout(timer);
    // Not the server's own `close`, which also closes connections that were just made, before their first request is read.
    NetServer.prototype.close.call(this.#app.server);
    for (let waited = 0; waited < FIRST_MS && this.#callers.awaitFirst; waited += LOOK_MS) await after(LOOK_MS);
    const closed = this.#app.close();
    await drained;
    const look = setInterval(() => this.closeIdle(), LOOK_MS);
    const cut = setTimeout(() => this.closeAll(), FLUSH_MS);
    await closed;
    clearInterval(look);
    clearTimeout(cut);
  }

  /** Closes idle connections. */
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

/** A header by its lower-case name. */
export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
