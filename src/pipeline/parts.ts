import type {
  Caller,
  CallerAnswer,
  CallLog,
  CallObserver,
  Clock,
  Ids,
  Ledger,
  Limiter,
  TokenCounter,
  Upstream,
} from '../core/ports.ts';
import type { Directory, Provider } from '../core/provider.ts';
import type { ApiKey, CallingTool } from '../core/records.ts';
import type { Route } from '../core/route.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Health } from '../health/health.ts';
import type { Scorer } from '../learning/scorer.ts';
import type { Affinity } from '../routing/affinity.ts';
import type { LoadShedder } from './admission/load-shedder.ts';
import type { ItemMemory } from './item-memory.ts';

/** What a call is held to. Times in ms, sizes in bytes. A reload makes a new one; a call keeps the one it began with. */
export type PipelineSettings = {
  timeouts: {
    firstByte: number;
    /** Of a model that reasons. */
    firstByteReasoning: number;
    /** Of a whole answer of one target. */
    whole: number;
    idle: number;
    /** Of the call, all attempts together. */
    total: number;
    ping: number;
    hold: number;
    /** Characters a second, over each span of `minSpeedAfter`; 0: a stream may be as slow as it likes. */
    minSpeed: number;
    minSpeedAfter: number;
  };
  retries: {
    attempts: number;
    /** The longest wait before a target is asked again. */
    maxWait: number;
    /** Of repeats at the same target: their part of the other calls in flight, and how many there may be in any case. */
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
    /** What a call may put out, for its limits, where it names no maximum itself. */
    defaultMaxOutput: number;
    /** Whether, of money, what its model can put out at most is held for it instead, where that is known and as far as it is left. */
    holdModelMaximum: boolean;
    maxOutputItems: number;
    /** A report of more tokens than so many context windows is not believed. */
    maxUsageFactor: number;
  };
  retention: { outputItems: number };
  /** What the gateway's own headers begin with. */
  headerPrefix: string;
  /** Off, every frame is parsed and written again: the byte path is an optimisation only, and tests hold it to that. */
  bytePath: boolean;
};

/** What the pipeline stands on, handed over by `runtime/gateway.ts`. */
export type PipelineParts = {
  /** The snapshot of the configuration that is in force at this moment. */
  current(): { directory: Directory; settings: PipelineSettings };
  /** Every dialect that can be spoken, the richest first. */
  dialects: readonly Dialect[];
  upstreamOf(provider: Provider): Upstream;
  ledger: Ledger;
  limiter: Limiter;
  /** Whether a call of this key may only go where its cost is known. */
  demandsPrice(key: ApiKey): boolean;
  health: Health;
  affinity: Affinity;
  /** What a smart route asks; `null` where it has nobody to ask. */
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

/** One call as a surface hands it in. `startedAt` is monotonic. */
export type CallRequest = {
  /** The dialect of the body, and that of the answer. */
  asked: Dialect;
  answered: Dialect;
  body: Buffer;
  /** Headers of the caller's that its dialect sends on to the vendor; names and values alternate. */
  forwarded: readonly string[];
  caller: Caller;
  /** The developer tool that calls, where the key is a tool's. */
  tool: CallingTool | null;
  /** The request as it came, for its headers: by their names in lower case. */
  sent: { header(name: string): string | undefined };
  requestId: string;
  clientRequestId: string | null;
  startedAt: number;
  answer: CallerAnswer;
};
