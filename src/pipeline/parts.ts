import type { CalledModel } from '../core/access.ts';
import type { CallBudgets, UsedUp } from '../core/budget.ts';
import type {
  Admission,
  Caller,
  CallerAnswer,
  CallLog,
  CallObserver,
  Clock,
  Ids,
  Ledger,
  Limiter,
  RateLimiter,
  TokenCounter,
  Upstream,
} from '../core/ports.ts';
import type { Directory, Provider, Target } from '../core/provider.ts';
import type { ApiKey, CallingTool } from '../core/records.ts';
import type { Route } from '../core/route.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Health } from '../health/health.ts';
import type { Scorer } from '../learning/scorer.ts';
import type { Affinity } from '../routing/affinity.ts';
import type { LoadShedder } from './admission/load-shedder.ts';
import type { ItemMemory } from './item-memory.ts';

/** Limits of a call. Times in ms, sizes in bytes. A reload makes a new object; a call keeps the one it began with. */
export type PipelineSettings = {
  timeouts: {
    firstByte: number;
    /** For models that reason. */
    firstByteReasoning: number;
    /** For a whole answer of one target. */
    whole: number;
    idle: number;
    /** For the whole call, all attempts together. */
    total: number;
    ping: number;
    hold: number;
    /** Characters per second, over each span of `minSpeedAfter`; 0: no minimum. */
    minSpeed: number;
    minSpeedAfter: number;
  };
  retries: {
    attempts: number;
    /** The longest wait before a target is asked again. */
    maxWait: number;
    /** Repeats at the same target: their share of the other calls in flight, and the number that is always allowed. */
    budget: number;
    budgetMin: number;
  };
  limits: {
    maxBody: number;
    maxAnswer: number;
    maxLine: number;
    maxJsonDepth: number;
    json: { maxValues: number; maxMembers: number };
    maxEmbeddingInputs: number;
    maxOpenCalls: number;
    /** Output tokens reserved for a call that names no maximum. */
    defaultMaxOutput: number;
    /** Whether to reserve the model's maximum output in money instead, if it is known, up to what is left of the limit. */
    holdModelMaximum: boolean;
    countCachedInput: boolean;
    maxOutputItems: number;
    /** Reported usage above this many context windows is implausible. */
    maxUsageFactor: number;
    /** Dollars. */
    maxVendorCost: number;
  };
  retention: { outputItems: number };
  /** The prefix of the gateway's own headers. */
  headerPrefix: string;
  /** If false, every frame is parsed and written again. Tests verify this way that the byte path changes nothing. */
  bytePath: boolean;
};

/** The parts that the pipeline uses, provided by `runtime/gateway.ts`. */
export type PipelineParts = {
  /** The current configuration snapshot. */
  current(): { directory: Directory; settings: PipelineSettings };
  /** All dialects, richest first. */
  dialects: readonly Dialect[];
  upstreamOf(provider: Provider): Upstream;
  ledger: Ledger;
  limiter: Limiter;
  /** Rates that projects set for models. */
  rates: RateLimiter;
  /**
   * The budgets that hold for a call of this key to this entry, which it asked for by the name `sent`; for a route's call, with
   * the targets that may serve it.
   */
  budgetsOf(key: ApiKey, model: CalledModel & Pick<Directory, 'find'>, targets?: readonly Target[]): CallBudgets;
  /** Called for each budget for which a call is refused. */
  onUsedUp(usedUp: UsedUp): void;
  health: Health;
  affinity: Affinity;
  /** The scorer of a smart route; `null` if it has none. */
  scorerOf(route: Route): Scorer | null;
  shedder: LoadShedder;
  /** From 0 to 1. */
  random(): number;
  tokens: TokenCounter;
  items: ItemMemory;
  observer: CallObserver;
  log: CallLog;
  clock: Clock;
  wheel: TimerWheel;
  ids: Ids;
};

/** One call as a surface passes it in. `startedAt` is monotonic. */
export type CallRequest = {
  /** The dialects of the body and of the answer. */
  asked: Dialect;
  answered: Dialect;
  body: Buffer;
  /** The caller's headers that its dialect forwards to the vendor; names and values alternate. */
  forwarded: readonly string[];
  caller: Caller;
  /** The developer tool that calls, if the key is a tool's. */
  tool: CallingTool | null;
  /** The request's headers, by lower-case name. */
  sent: { header(name: string): string | undefined };
  /** Checked while the call waits: the call ends soon after its caller loses access. */
  admission: Admission;
  requestId: string;
  clientRequestId: string | null;
  startedAt: number;
  answer: CallerAnswer;
};
