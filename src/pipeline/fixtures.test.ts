import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { type CallBudgets, NO_BUDGETS } from '../core/budget.ts';
import type { GatewayError } from '../core/errors.ts';
import type {
  Caller,
  CallerAnswer,
  FailedCall,
  LimitRequest,
  UpstreamHeaders,
  UpstreamListener,
  UpstreamRequest,
} from '../core/ports.ts';
import type { Products, Served, ServedBy } from '../core/provider.ts';
import type { ApiKey, Intent, Settlement } from '../core/records.ts';
import type { RefusedCall } from '../core/refused-calls.ts';
import type { Route } from '../core/route.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { DIALECTS } from '../dialects/built.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { Health } from '../health/health.ts';
import { Affinity } from '../routing/affinity.ts';
import { buildDirectory } from '../routing/directory.ts';
import { HeldCall } from '../testing/held-call.ts';
import { plainKey } from '../testing/plain-key.ts';
import { LoadShedder } from './admission/load-shedder.ts';
import { ItemMemory } from './item-memory.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { Pipeline } from './pipeline.ts';

/** A pipeline between callers, vendors, a ledger and limits that do what a test says, on a clock that it sets. */

const HOUR = 3_600_000;
const STEP_MS = 10;
const MAX_STEPS = 10_000;
/** Unix ms of the clock's beginning. */
export const START = Date.UTC(2026, 10, 22, 12);

/** Deadlines pass by the clock of the lab, and not by themselves. */
mock.timers.enable({ apis: ['setTimeout'] });

/** Until all promises that are settled have been heard of. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What a vendor does with one request. */
export type Reaction = (listener: UpstreamListener, request: UpstreamRequest, lab: Lab) => void;

export type LabOptions = {
  served: readonly Served[];
  routes?: readonly Route[];
  products?: Products;
  settings?: (usual: PipelineSettings) => PipelineSettings;
  /** Whether keys have a budget, so that what a call may cost at most is reserved. */
  budgets?: boolean;
};

const SOME_BUDGET: CallBudgets = {
  list: [
    {
      id: 'budget_1',
      name: 'the budget of the lab',
      amount: 10n ** 12n,
      per: 'life',
      overrides: [],
      isHard: true,
      instead: null,
      models: null,
    },
  ],
  ids: 'budget_1',
};

const USUAL: PipelineSettings = {
  timeouts: {
    firstByte: HOUR,
    firstByteReasoning: HOUR,
    whole: HOUR,
    idle: HOUR,
    total: 2 * HOUR,
    ping: HOUR,
    hold: HOUR,
    minSpeed: 0,
    minSpeedAfter: 1000,
  },
  retries: { attempts: 3, maxWait: 10_000, budget: 0.2, budgetMin: 10 },
  limits: {
    maxBody: 1_000_000,
    maxAnswer: 1_000_000,
    maxLine: 1_000_000,
    maxJsonDepth: 64,
    json: { maxValues: 100_000, maxMembers: 10_000 },
    maxEmbeddingInputs: 16,
    maxOpenCalls: 100,
    defaultMaxOutput: 1000,
    maxOutputItems: 1_000_000,
    holdModelMaximum: false,
    countCachedInput: true,
    maxUsageFactor: 4,
    maxVendorCost: 10_000,
  },
  retention: { outputItems: HOUR },
  headerPrefix: 'service',
  bytePath: true,
};

/** A caller's side of one call: what it was answered. */
export type Seen = {
  answer: CallerAnswer;
  status: number | null;
  /** The whole answer, or all that was written of a stream. */
  body: string;
  begun: boolean;
  ended: boolean;
  /** Who gave the answer, for its headers. */
  served: ServedBy | null;
  /** The caller leaves. */
  leave(): void;
};

export class Lab {
  now = 0;
  readonly clock = { now: () => START + this.now, monotonic: () => this.now };
  readonly wheel = new TimerWheel(() => this.now);
  /** From 0 to 1: how much longer or shorter a circuit is open. */
  chance = () => 0.5;
  readonly health = new Health(this.clock, () => this.chance());
  readonly intents: Intent[] = [];
  readonly settlements: Settlement[] = [];
  readonly logged: { call: FailedCall; error: GatewayError }[] = [];
  /** Calls whose vendor reported more than can be. */
  readonly disbelieved: Intent[] = [];
  readonly observed = { opened: 0, closed: 0 };
  readonly refused: RefusedCall[] = [];
  readonly held: HeldCall[] = [];
  readonly requests: UpstreamRequest[] = [];
  /** Requests that the gateway let go of before their end. */
  readonly aborted: UpstreamRequest[] = [];
  /** What vendors do with requests, one after the other; the last goes on for all that follow. */
  reactions: Reaction[] = [];
  /** Asked before anything is written: what it throws is the ledger's refusal. */
  onIntend: (intent: Intent) => void = () => {};
  onSettle: (settlement: Settlement) => void | Promise<void> = () => {};
  onReserve: (request: LimitRequest) => void = () => {};
  readonly pipeline: Pipeline;
  readonly parts: PipelineParts;
  #ids = 0;

  constructor({ served, routes = [], products, settings = (usual) => usual, budgets = false }: LabOptions) {
    const directory = buildDirectory(served, { routes, ...(products !== undefined && { products }) });
    const present = { directory, settings: settings(USUAL) };
    const id = () => String(++this.#ids);
    this.parts = {
      current: () => present,
      dialects: DIALECTS,
      upstreamOf: () => ({ send: (request, listener) => this.#send(request, listener) }),
      ledger: {
        intend: async (intent) => {
          this.onIntend(intent);
          this.intents.push(intent);
        },
        settle: async (settlement) => {
          await this.onSettle(settlement);
          this.settlements.push(settlement);
        },
      },
      limiter: {
        reserve: (_key, request) => {
          this.onReserve(request);
          const held = new HeldCall(request, this.clock.now());
          this.held.push(held);
          return held;
        },
        state: () => assert.fail('The pipeline does not ask for the state of limits.'),
      },
      rates: {
        reserve: (_key, _rate, call) => new HeldCall({ ...call, cost: 0n }, this.clock.now()),
        reserveOutgoing: (_rate, call) => new HeldCall({ ...call, cost: 0n }, this.clock.now()),
        outgoing: () => new Map(),
      },
      onUsedUp: () => {},
      budgetsOf: () => (budgets ? SOME_BUDGET : NO_BUDGETS),
      health: this.health,
      affinity: new Affinity(),
      scorerOf: () => null,
      shedder: new LoadShedder({
        now: () => this.now,
        memory: () => 0,
        limits: () => ({ maxLoopLag: 0, maxMemory: 0 }),
      }),
      random: () => 0.5,
      tokens: { count: async (text) => Math.ceil(text.length / 4) },
      items: new ItemMemory(
        () => present.settings,
        () => this.now,
      ),
      observer: {
        opened: () => void this.observed.opened++,
        closed: () => void this.observed.closed++,
        refused: (call) => void this.refused.push(call),
      },
      log: {
        failed: (call, error) => void this.logged.push({ call, error }),
        disbelieved: (intent) => void this.disbelieved.push(intent),
      },
      clock: this.clock,
      wheel: this.wheel,
      ids: {
        requestId: () => `req_${id()}`,
        token: id,
        recordId: () => `usage_${id()}`,
        keyId: id,
        organizationId: id,
      },
    };
    this.pipeline = new Pipeline(this.parts);
  }

  #send(request: UpstreamRequest, listener: UpstreamListener) {
    const reaction = this.reactions[Math.min(this.requests.length, this.reactions.length - 1)];
    this.requests.push(request);
    if (reaction === undefined) throw new Error('No vendor was to be asked.');
    let over = false;
    const guarded: UpstreamListener = {
      onStart: (status, headers) => over || listener.onStart(status, headers),
      onData: (chunk) => over || listener.onData(chunk),
      onEnd: () => over || listener.onEnd(),
      onFailure: (error) => over || listener.onFailure(error),
    };
    queueMicrotask(() => reaction(guarded, request, this));
    return {
      pause: () => {},
      resume: () => {},
      abort: () => {
        over = true;
        this.aborted.push(request);
      },
    };
  }

  /** One call to its end; what the pipeline throws is thrown. `more` takes the place of what a small chat has. */
  async call(body: object, more: Partial<CallRequest> = {}): Promise<Seen> {
    const seen = caller();
    await this.ended(this.pipeline.handle(this.request(body, seen, more)));
    return seen;
  }

  /** Lets time pass: what is due by then happens. */
  pass(ms: number): void {
    this.now += ms;
    mock.timers.tick(ms);
  }

  /** Lets time pass until something has ended. */
  async ended<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await turn();
      if (isOver) return work;
      this.pass(STEP_MS);
    }
    throw new Error(`It did not end within ${(MAX_STEPS * STEP_MS) / 1000} seconds of the clock.`);
  }

  request(body: object, seen: Seen, more: Partial<CallRequest> = {}): CallRequest {
    const dialect: Dialect = more.asked ?? openAiChat;
    return {
      asked: dialect,
      answered: dialect,
      body: Buffer.from(JSON.stringify(body)),
      forwarded: [],
      caller: CALLER,
      tool: null,
      sent: { header: () => undefined },
      admission: { again: () => undefined },
      ...{ requestId: 'req_1', clientRequestId: null },
      startedAt: this.now,
      answer: seen.answer,
      ...more,
    };
  }
}

const KEY: ApiKey = { ...plainKey, hint: 'hg_…', createdAt: START };

export const CALLER: Caller = { key: KEY, organization: { id: 'org_1', name: 'Acme', createdAt: START } };

/** A caller who takes whatever comes. */
export function caller(): Seen {
  let onGone = () => {};
  const answer: CallerAnswer & { gone: boolean } = {
    gone: false,
    onGone: (listener) => {
      onGone = listener;
      if (answer.gone) listener();
    },
    onDrain: () => {},
    unread: false,
    onTaken: () => {},
    whole: (status, body, served) => {
      seen.status = status;
      seen.served = served ?? null;
      seen.body += body.toString();
      seen.ended = true;
    },
    begin: (served) => {
      seen.begun = true;
      seen.served = served ?? null;
    },
    write: (frame) => {
      seen.body += frame.toString();
      return true;
    },
    end: (last) => {
      seen.body += last.toString();
      seen.ended = true;
    },
  };
  const seen: Seen = {
    answer,
    status: null,
    body: '',
    begun: false,
    ended: false,
    served: null,
    leave: () => {
      answer.gone = true;
      onGone();
    },
  };
  return seen;
}

const JSON_HEAD: UpstreamHeaders = { 'content-type': 'application/json', 'x-request-id': 'vendor_1' };

/** The vendor answers whole. */
export function answers(body: object, status = 200, headers: UpstreamHeaders = {}): Reaction {
  return (listener) => {
    listener.onStart(status, { ...JSON_HEAD, ...headers });
    listener.onData(Buffer.from(JSON.stringify(body)));
    listener.onEnd();
  };
}

/** The vendor refuses, in OpenAI's words. */
export function refuses(status: number, error: object = {}, headers: UpstreamHeaders = {}): Reaction {
  return answers({ error: { message: `status ${status}`, type: 'test', code: null, ...error } }, status, headers);
}

/** The vendor streams these pieces and ends, or goes on with `then`. */
export function streams(pieces: readonly string[], then: Reaction = (listener) => listener.onEnd()): Reaction {
  return (listener, request, lab) => {
    listener.onStart(200, { 'content-type': 'text/event-stream', 'x-request-id': 'vendor_1' });
    for (const piece of pieces) listener.onData(Buffer.from(piece));
    then(listener, request, lab);
  };
}

export function fails(error: GatewayError): Reaction {
  return (listener) => listener.onFailure(error);
}

export const CHAT_USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** A chat completion. */
export function completion(text = 'Hello', more: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'small-upstream',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: CHAT_USAGE,
    ...more,
  };
}

export const SMALL_CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] };
