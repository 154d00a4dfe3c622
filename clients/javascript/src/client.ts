import { type APIError, type ClientOptions, OpenAI, OpenAIError } from 'openai';
import type { APIPromise } from 'openai/core/api-promise';
import { addressOf, environment, faultOf, NO_KEY } from './environment.ts';
import { specific } from './errors.ts';
import { note, notePage } from './gateway.ts';
import {
  CatalogResource,
  FeedbackResource,
  RoutesResource,
  SettingsResource,
  StatusResource,
  UsageResource,
} from './generated.ts';
import { jitter, sendPaced } from './pace.ts';

/** The parent’s options; those that choose another vendor’s address or way to authorize are not for a gateway. */
export type HeadgateOptions = Omit<ClientOptions, 'provider' | 'dataResidency' | 'credential' | 'x509Transport'> & {
  /** An API key of the gateway, or a function that gives one. `HEADGATE_API_KEY` where left out. */
  apiKey?: ClientOptions['apiKey'];
  /** An administrator’s key, for `admin`, `settings` and `status`. `HEADGATE_ADMIN_KEY` where left out. */
  adminAPIKey?: string | null | undefined;
  /** With or without `/v1`. `HEADGATE_BASE_URL` where left out, else a gateway on this machine: `http://127.0.0.1:8080`. */
  baseURL?: string | null | undefined;
  /** Wait while the key is over its limit of requests or tokens, up to ten minutes a call, instead of failing. */
  pace?: boolean | undefined;
  /**
   * Have streams say at their end what they cost, for `gateway(stream).costUsd`; of chat completions with
   * `stream_options: { include_usage: true }`. The gateway then holds each piece of a stream until it has the next.
   */
  includeCost?: boolean | undefined;
};

type Fields = Pick<HeadgateOptions, 'pace' | 'includeCost' | 'defaultHeaders'>;
type Request = Parameters<OpenAI['request']>[0];
type FinalOptions = Awaited<Request>;

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const DENO_INSPECT = Symbol.for('Deno.customInspect');

/**
 * OpenAI’s client, pointed at a gateway, with the gateway’s own resources. All that the official client has works as it is
 * documented; `gateway(answer)` tells who served an answer.
 */
export class Headgate extends OpenAI {
  readonly catalog: CatalogResource;
  readonly usage: UsageResource;
  readonly routes: RoutesResource;
  readonly feedback: FeedbackResource;
  /** What an organization has beyond OpenAI’s, for an administrator’s key; `admin` offers the rest. */
  readonly settings: SettingsResource;
  readonly status: StatusResource;
  readonly #includesCost: boolean;
  /** Requests that were sent once: the next time is a retry. */
  readonly #sent = new WeakSet<object>();

  /** Throws an `OpenAIError` where no key is there, or one with characters that no header may have. */
  constructor(options: HeadgateOptions = {}) {
    const { pace = false, includeCost = false, ...parents } = options;
    super(parentOptions(parents));
    this.catalog = new CatalogResource(this);
    this.usage = new UsageResource(this);
    this.routes = new RoutesResource(this);
    this.feedback = new FeedbackResource(this);
    this.settings = new SettingsResource(this);
    this.status = new StatusResource(this);
    this.#includesCost = includeCost;
    // Read by the parent when it makes a copy with other options. `OPENAI_CUSTOM_HEADERS` may hold what is for OpenAI alone.
    Object.assign(this._options, { pace, includeCost, defaultHeaders: parents.defaultHeaders } satisfies Fields);
    for (const name of ['apiKey', 'adminAPIKey', 'webhookSecret', '_options'] as const) hide(this, name);
    this.requestAPIList = notingPages(this.requestAPIList.bind(this));
    if (pace) {
      const once = this.fetchWithTimeout.bind(this);
      this.fetchWithTimeout = (url, init, ms, controller) =>
        sendPaced(() => once(url, init, ms, controller), init?.signal ?? controller.signal);
    }
  }

  override withOptions(options: Partial<HeadgateOptions>): this {
    return super.withOptions(options);
  }

  override request<Answer>(options: Request, remainingRetries: number | null = null): APIPromise<Answer> {
    return noting(super.request<Answer>(sentOnce(options), remainingRetries), this.#includesCost);
  }

  protected override prepareOptions(options: FinalOptions): Promise<void> {
    if (this.#sent.has(options)) return jitter(options.signal ?? null);
    this.#sent.add(options);
    return super.prepareOptions(options);
  }

  protected override async prepareRequest(...[request, sent]: Parameters<OpenAI['prepareRequest']>): Promise<void> {
    await super.prepareRequest(request, sent);
    if (this.#includesCost && sent.options.stream) (request.headers as Headers).set('service-include-cost', 'true');
  }

  protected override makeStatusError(...said: Parameters<OpenAI['makeStatusError']>): APIError {
    return specific(super.makeStatusError(...said));
  }

  /** What is printed of a client: no key, and no password of its address. */
  toJSON(): { baseURL: string } {
    return { baseURL: this.baseURL.replace(/(\/\/[^/?#@]*:)[^/?#]*@/, '$1[secure]@') };
  }

  [INSPECT](): string {
    return `Headgate { baseURL: '${this.toJSON().baseURL}' }`;
  }

  [DENO_INSPECT](): string {
    return this[INSPECT]();
  }
}

const SETTINGS = /^\/(organization|projects|webhook_endpoints)(\/|$)/;

/** What changes settings is not sent again unless it is asked for: if only the answer was lost, there would be two of it. */
async function sentOnce(options: Request): Promise<FinalOptions> {
  const asked = await options;
  const changes = asked.method === 'post' && SETTINGS.test(asked.path);
  return changes ? { ...asked, maxRetries: asked.maxRetries ?? 0 } : asked;
}

/** The parent’s options, from ours and the environment. What is OpenAI’s own in the environment is not for the gateway. */
function parentOptions(options: HeadgateOptions): ClientOptions {
  const { workloadIdentity } = options;
  const apiKey = options.apiKey === undefined && !workloadIdentity ? environment('HEADGATE_API_KEY') : options.apiKey;
  const adminAPIKey = options.adminAPIKey === undefined ? environment('HEADGATE_ADMIN_KEY') : options.adminAPIKey;
  if (!apiKey && !adminAPIKey && !workloadIdentity) {
    throw new OpenAIError(NO_KEY);
  }
  return {
    ...options,
    organization: options.organization ?? null,
    project: options.project ?? null,
    apiKey: typeof apiKey === 'function' ? async () => sendable('apiKey', await apiKey()) : sendable('apiKey', apiKey),
    adminAPIKey: sendable('adminAPIKey', adminAPIKey),
    baseURL: addressOf(options.baseURL),
  };
}

function sendable<Key extends string | null | undefined>(name: string, key: Key): Key {
  const fault = faultOf(name, key ?? '');
  if (fault !== null) throw new OpenAIError(fault);
  return key;
}

/** Keeps a member out of what prints or copies an object; it is read and written as before. */
function hide(client: object, name: string): void {
  const { value } = Object.getOwnPropertyDescriptor(client, name) ?? {};
  Object.defineProperty(client, name, { value, enumerable: false, writable: true, configurable: true });
}

/** The parent’s lists, each of whose pages `gateway` finds the headers of. */
function notingPages(list: OpenAI['requestAPIList']): OpenAI['requestAPIList'] {
  return (Page, options) => {
    // Called with `new`, it returns the page itself, so that its class stays what it is.
    function NotedPage(...args: ConstructorParameters<typeof Page>) {
      const page = new Page(...args);
      notePage(page, args[1]);
      return page;
    }
    return list(NotedPage as unknown as typeof Page, options);
  };
}

type Noting<Answer> = Pick<APIPromise<Answer>, '_thenUnwrap'>;

/** Has `gateway` find whatever this promise comes to, and what others make of that. */
function noting<Answer>(promise: APIPromise<Answer>, watches: boolean): APIPromise<Answer> {
  const followed = follow(promise, (answer) => answer);

  function follow<From, To>(of: Noting<From>, transform: Parameters<Noting<From>['_thenUnwrap']>[0]): APIPromise<To> {
    const next = of._thenUnwrap((answer, props) => note(transform(answer, props), props, watches)) as APIPromise<To>;
    const unwrap = next._thenUnwrap.bind(next);
    next._thenUnwrap = (after) => follow({ _thenUnwrap: unwrap } as Noting<To>, after as never);
    return next;
  }

  return followed as APIPromise<Answer>;
}
