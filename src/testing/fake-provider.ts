import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answer, type ListedModel, modelsReply } from './answers.ts';
import { FAULTS, type FaultName, isFaultName } from './faults.ts';
import { field } from './json.ts';
import { listen } from './listen.ts';
import { play } from './play-reply.ts';
import { errorReply, type Plan, type Reply, type VendorRequest } from './reply.ts';
import { refusalOf } from './strictness.ts';
import { createWaiters } from './wait.ts';

/** Older requests are forgotten, so that long runs do not need more memory. */
const KEPT_REQUESTS = 10_000;

/**
 * `broken`: the vendor broke the connection on purpose. `left`: the client disconnected before the answer was complete.
 */
export type RequestOutcome = 'open' | 'complete' | 'broken' | 'left';

export type RecordedRequest = VendorRequest & { outcome: RequestOutcome };

export type FakeProviderOptions = {
  /** Default: a free port (0). */
  port?: number;
  /** The models in `GET /v1/models`. Default: none. */
  models?: readonly ListedModel[];
  /** Accepts what the strictest real vendors refuse (`strictness.ts`), such as system text anywhere. */
  lenient?: boolean;
  /** The number of requests that are stored. Default: `KEPT_REQUESTS`. */
  keptRequests?: number;
};

/** The calls that a plan is for. Plans for the next `times` calls take precedence over permanent ones. */
export type Scope = {
  times?: number;
  model?: string;
  /** Default: all paths of model calls. */
  path?: string;
};

/** A vendor on a real socket that follows plans. Its answers have `x-request-id: req_fake_SERIAL`. */
export type FakeProvider = AsyncDisposable & {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string;
  /**
   * The latest `keptRequests` requests, oldest first, recorded when their body is complete. Requests for the list of
   * models are separate.
   */
  readonly requests: readonly RecordedRequest[];
  /** The latest requests for the list of models, which a gateway sends on its own. They do not count as calls. */
  readonly listRequests: readonly RecordedRequest[];
  /** Changes the list of models. */
  list(models: readonly ListedModel[]): void;
  /** Adds a plan. The oldest matching plan for a number of calls is used first, then the newest permanent one. */
  plan(what: FaultName | Plan, scope?: Scope): void;
  /** Removes all plans. */
  forget(): void;
  /** Continues all calls that are held. Throws if none is held: wait for `heldCalls` first. */
  release(): void;
  openCalls(): number;
  heldCalls(): number;
  /** The number of calls whose client disconnected before the answer was complete. */
  readonly closedEarly: number;
  /**
   * Resolves when the condition is true. It is checked when a call arrives, is held, or ends. Rejects after
   * `timeoutMs`.
   */
  waitFor(condition: (provider: FakeProvider) => boolean, timeoutMs?: number): Promise<void>;
  /** Closes idle connections, so that the next call opens a new one. */
  closeIdle(): void;
  close(): Promise<void>;
};

type PlanRule = { plan: Plan; scope: Scope; left: number };

/** Paths that are answered without a plan, as OpenAI answers. */
const ANSWERED_PATHS: readonly string[] = ['/v1/chat/completions', '/v1/embeddings'];
const PLANNED_PATHS: readonly string[] = [
  ...ANSWERED_PATHS,
  '/v1/responses',
  '/v1/messages',
  '/v1/messages/count_tokens',
];
const MODELS_PATH = '/v1/models';
/** Further pages of some servers about their models, which this vendor does not have. */
const FURTHER_PAGES: ReadonlySet<string> = new Set([
  '/props',
  '/info',
  '/get_model_info',
  '/api/show',
  '/api/v0/models',
]);

/** Starts a vendor on 127.0.0.1. A model called `fault:NAME` selects a fault without a plan. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const vendor = new Vendor(options);
  await vendor.listen(options.port ?? 0);
  return vendor;
}

class Vendor implements FakeProvider {
  readonly requests: RecordedRequest[] = [];
  readonly listRequests: RecordedRequest[] = [];
  url = '';
  closedEarly = 0;
  #models: readonly ListedModel[];
  readonly #keptRequests: number;
  readonly #lenient: boolean;
  readonly #server: Server;
  readonly #waiters = createWaiters();
  readonly #normal = answer();
  readonly #held = new Set<ServerResponse>();
  #rules: PlanRule[] = [];
  #gate = Promise.withResolvers<void>();
  #serial = 0;
  #open = 0;

  constructor({ models = [], keptRequests = KEPT_REQUESTS, lenient = false }: FakeProviderOptions) {
    this.#models = models;
    this.#lenient = lenient;
    this.#keptRequests = keptRequests;
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
      // Gateways request these pages on their own, so they do not count as calls.
      if (FURTHER_PAGES.has(incoming.url ?? '')) return void response.writeHead(404).end();
      if (isCall(incoming)) this.#open += 1;
      this.#waiters.changed();
      void this.#serve(incoming, response);
    });
  }

  async listen(port: number): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server, port)}/v1`;
  }

  plan(what: FaultName | Plan, scope: Scope = {}): void {
    const plan = typeof what === 'string' ? FAULTS[what].plan : what;
    this.#rules.push({ plan, scope, left: scope.times ?? Number.POSITIVE_INFINITY });
  }

  list(models: readonly ListedModel[]): void {
    this.#models = models;
  }

  forget(): void {
    this.#rules = [];
  }

  release(): void {
    // A call that is only on its way would not go on, and its test would wait for the end of a timeout.
    if (this.#held.size === 0) throw new Error('No call is held.');
    this.#held.clear();
    this.#gate.resolve();
    this.#gate = Promise.withResolvers<void>();
  }

  // Arrow functions, because conditions of `waitFor` use them without the object.
  readonly openCalls = () => this.#open;
  readonly heldCalls = () => this.#held.size;

  waitFor(condition: (provider: FakeProvider) => boolean, timeoutMs?: number): Promise<void> {
    return this.#waiters.until(
      () => condition(this),
      () => {
        const counts = {
          open: this.#open,
          held: this.#held.size,
          closedEarly: this.closedEarly,
          requests: this.#serial,
        };
        return `${condition} ${JSON.stringify(counts)}`;
      },
      timeoutMs,
    );
  }

  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  close(): Promise<void> {
    return close(this.#server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const isCounted = isCall(incoming);
    let request: RecordedRequest | undefined;
    let outcome: RequestOutcome = 'open';
    const settle = (how: RequestOutcome) => {
      if (outcome !== 'open') return;
      outcome = how;
      if (request !== undefined) request.outcome = how;
      this.#held.delete(response);
      if (isCounted) this.#open -= 1;
      if (isCounted && how === 'left') this.closedEarly += 1;
      this.#waiters.changed();
    };
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void closed.then(() => settle(response.writableFinished ? 'complete' : 'left'));

    const body = await received(incoming);
    if (body === null) return;
    if (isCounted) this.#serial += 1;
    request = { ...describe(incoming, body, this.#serial), outcome };
    const recorded = isCounted ? this.requests : this.listRequests;
    recorded.push(request);
    if (recorded.length > this.#keptRequests) recorded.shift();
    this.#waiters.changed();
    response.setHeader('x-request-id', `req_fake_${this.#serial}`);
    await play(this.#replyTo(request), response, {
      hold: async () => {
        this.#held.add(response);
        this.#waiters.changed();
        await Promise.race([this.#gate.promise, closed]);
      },
      breaking: () => settle('broken'),
    });
  }

  #replyTo(request: VendorRequest): Reply {
    const refused = this.#lenient ? null : refusalOf(request);
    if (refused !== null) return refused;
    const planned = this.#takePlan(request);
    if (planned !== undefined) return planned(request);
    if (request.method === 'GET' && `${request.path}/`.startsWith(`${MODELS_PATH}/`)) {
      return modelsReply(request.path, this.#models);
    }
    if (request.method !== 'POST' || !ANSWERED_PATHS.includes(request.path)) return notFound(request);
    if (request.model === '') return missingModel();
    const name = request.model.replace(/^fault:/, '');
    return name !== request.model && isFaultName(name) ? FAULTS[name].plan(request) : this.#normal(request);
  }

  #takePlan(request: VendorRequest): Plan | undefined {
    const fitting = this.#rules.filter((rule) => fits(rule.scope, request));
    const rule = fitting.find(({ left }) => left !== Number.POSITIVE_INFINITY) ?? fitting.at(-1);
    if (rule === undefined) return undefined;
    rule.left -= 1;
    if (rule.left === 0) this.#rules = this.#rules.filter((other) => other !== rule);
    return rule.plan;
  }
}

/** False for requests for the list of models. */
function isCall({ method, url = '' }: IncomingMessage): boolean {
  return method !== 'GET' || new URL(url, 'http://fake').pathname !== MODELS_PATH;
}

function fits(scope: Scope, request: VendorRequest): boolean {
  if (scope.model !== undefined && scope.model !== request.model) return false;
  return scope.path === undefined ? PLANNED_PATHS.includes(request.path) : scope.path === request.path;
}

/** The whole body; `null` if the client disconnected while sending it. */
async function received(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch (error) {
    if (incoming.complete) throw error;
    return null;
  }
  return Buffer.concat(chunks);
}

function describe(incoming: IncomingMessage, body: Buffer, serial: number): VendorRequest {
  const { method = '', url = '', headers, rawHeaders } = incoming;
  const json = parsed(body);
  const model = field(json, 'model');
  return {
    serial,
    method,
    path: new URL(url, 'http://fake').pathname,
    headers,
    rawHeaders,
    body,
    json,
    model: typeof model === 'string' ? model : '',
    stream: field(json, 'stream') === true,
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function notFound(request: VendorRequest): Reply {
  const message = `Invalid URL (${request.method} ${request.path})`;
  return errorReply(404, { message, type: 'invalid_request_error' });
}

function missingModel(): Reply {
  return errorReply(400, { message: 'you must provide a model parameter', type: 'invalid_request_error' });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
