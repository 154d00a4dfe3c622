import type { ErrorKind, GatewayError } from '../core/errors.ts';
import { atLeast, type Bill, bill, countedCost, type NanoDollars, type Price, ratesFor } from '../core/money.ts';
import type { LimitRequest, Reservation } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import type { Attempt, CallStatus, Intent, Routed } from '../core/records.ts';
import { NO_USAGE, type Usage, type UsageSource } from '../core/usage.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import { isSuccess } from './answer-head.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './plan-call.ts';

/** How a call ended, in the words of its record. */
export type Outcome = {
  status: CallStatus;
  httpStatus: number;
  errorKind: ErrorKind | null;
  usage: Usage;
  usageSource: UsageSource;
  /** What the vendor reported, where it was not believed. */
  reported?: Usage | null;
  /** Monotonic; when the first content left for the caller. */
  firstContentAt: number | null;
  /** What translation left out. */
  dropped?: readonly string[];
  /** Who served it; left out, whoever was to be asked first. */
  target?: Target;
  /** What vendors may have charged for attempts that came to nothing; `null` where that cannot be told. */
  lost?: NanoDollars | null;
};

/** The bill of one call: opened before a byte goes upstream, settled exactly once whatever happens. */
export class Account {
  readonly intent: Intent;
  readonly #parts: PipelineParts;
  readonly #reservation: Reservation;
  readonly #startedAt: number;
  readonly #plan: CallPlan;
  readonly #attempts: Attempt[] = [];
  /** Monotonic; when the intent was made. */
  readonly #openedAt: number;
  #settled: Promise<void> | null = null;

  private constructor(
    parts: PipelineParts,
    plan: CallPlan,
    intent: Intent,
    reservation: Reservation,
    startedAt: number,
    openedAt: number,
  ) {
    this.#parts = parts;
    this.#plan = plan;
    this.intent = intent;
    this.#reservation = reservation;
    this.#startedAt = startedAt;
    this.#openedAt = openedAt;
  }

  /** Reserves what the call may use and writes its intent. Throws `GatewayError`; nothing is then held or written. */
  static async open(
    parts: PipelineParts,
    settings: PipelineSettings,
    request: CallRequest,
    call: Envelope,
    plan: CallPlan,
  ): Promise<Account> {
    const { caller } = request;
    const { entry, route } = plan;
    const target = plan.targets[0];
    const { limits } = settings;
    const maxOutput = allAnswers(call, call.maxOutputTokens ?? limits.defaultMaxOutput);
    const outputOf = (asked: Target) =>
      allAnswers(call, mostOutput(asked, call, request.asked, { dialects: parts.dialects, limits }));
    const inputTokens = call.estimatedInputTokens;
    const held = parts.demandsPrice(caller.key) ? highestOf(plan, inputTokens, outputOf) : null;
    const limited: LimitRequest = { tokens: inputTokens + maxOutput, cost: held, model: call.model };
    if (held !== null && call.maxOutputTokens === null && limits.holdModelMaximum) {
      limited.leastCost = highestOf(plan, inputTokens, (asked) => Math.min(outputOf(asked), maxOutput)) ?? held;
    }
    const reserved = parts.limiter.reserve(caller.key, limited);
    const reservation = reserved instanceof Promise ? await reserved : reserved;
    const now = parts.clock.now();
    const openedAt = parts.clock.monotonic();
    const intent: Intent = {
      id: parts.ids.recordId(now),
      requestId: request.requestId,
      clientRequestId: request.clientRequestId,
      organizationId: caller.organization.id,
      keyId: caller.key.id,
      source: caller.key.source,
      product: caller.key.product,
      tool: request.tool,
      dialect: request.answered.id,
      model: entry.id,
      requestedModel: call.model,
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      streamed: call.stream,
      createdAt: now,
      estimatedInputTokens: inputTokens,
      price: route?.price ?? target.model.price,
      // Of a call that names no maximum, what its model can put out is held, and is no measure of what it has.
      held: limited.leastCost ?? held,
    };
    try {
      await parts.ledger.intend(intent);
    } catch (error) {
      reservation.settle(0, 0n);
      throw error;
    }
    parts.observer.opened();
    return new Account(parts, plan, intent, reservation, request.startedAt, openedAt);
  }

  get attempts(): number {
    return this.#attempts.length;
  }

  /** Unix ms, as far behind the intent as has passed: a clock that is set meanwhile makes no call end before it began. */
  now(): number {
    return this.intent.createdAt + Math.round(this.#parts.clock.monotonic() - this.#openedAt);
  }

  /** Notes one try at the vendor, once it is over. */
  tried(attempt: Attempt): void {
    this.#attempts.push(attempt);
  }

  /** Closes the record and gives back what was reserved. Resolves when that is durable; a second call changes nothing. */
  settle(outcome: Outcome): Promise<void> {
    if (this.#settled !== null) return this.#settled;
    try {
      this.#settled = this.#write(outcome);
    } catch (error) {
      this.#settled = Promise.reject(error);
    }
    return this.#settled;
  }

  #write(outcome: Outcome): Promise<void> {
    const { intent } = this;
    const target = outcome.target ?? this.#plan.targets[0];
    const price = this.#plan.route?.price ?? target.model.price;
    const charged = billOf(outcome, price);
    const counted = charged.total ?? atLeast(countedCost(charged, intent.held), mostCharged(outcome, price));
    this.#reservation.settle(outcome.usage.inputTokens + outcome.usage.outputTokens, counted);
    const settlement = {
      id: intent.id,
      organizationId: intent.organizationId,
      keyId: intent.keyId,
      createdAt: intent.createdAt,
      status: outcome.status,
      httpStatus: outcome.httpStatus,
      errorKind: outcome.errorKind,
      usage: outcome.usage,
      usageSource: outcome.usageSource,
      lineItems: charged.items,
      cost: charged.total,
      counted,
      reported: outcome.reported ?? null,
      settledAt: this.now(),
      timeToFirstTokenMs: outcome.firstContentAt === null ? null : Math.round(outcome.firstContentAt - this.#startedAt),
      attempts: this.#attempts,
      dropped: outcome.dropped ?? [],
      routed: this.#routed(outcome, target, price, charged.total),
    };
    this.#parts.observer.closed(intent, settlement);
    return this.#parts.ledger.settle(settlement);
  }

  /** What the record must say beside its intent; `null` where one target was asked and charges what the caller pays. */
  #routed(outcome: Outcome, target: Target, price: Price | null, charged: NanoDollars | null): Routed | null {
    const { route, decision, targets } = this.#plan;
    const { lost = 0n } = outcome;
    if (route === null && target.model === targets[0].model && lost === 0n) return null;
    const own = price === target.model.price ? charged : billOf(outcome, target.model.price).total;
    return {
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      price,
      vendorCost: own === null || lost === null ? null : own + lost,
      decision,
    };
  }
}

/** The most that what was used can have cost; nothing where the price does not say. */
function mostCharged({ usage }: Outcome, price: Price | null): NanoDollars {
  return (price === null ? null : highestCost(price, usage.inputTokens, usage.outputTokens)) ?? 0n;
}

const NOTHING_BILLED: Bill = { items: [], total: 0n };

function billOf({ usageSource, usage }: Outcome, price: Price | null): Bill {
  return usageSource === 'none' ? NOTHING_BILLED : bill(price, usage);
}

/** Failures that no vendor charges for: it was never reached, or says itself that it does not answer. */
const UNCHARGED: ReadonlySet<ErrorKind> = new Set([
  'upstream_unreachable',
  'upstream_rejected',
  'upstream_rate_limited',
  'upstream_unauthorized',
  'upstream_error',
]);

/** Whether a vendor may charge for a call that failed before its answer began. `status` is what it answered, if it did. */
export function mayBeCharged(error: GatewayError, status: number | null): boolean {
  return !UNCHARGED.has(error.kind) && (status === null || isSuccess(status));
}

/** The outcome of a call that failed, or was left by its caller, before the vendor can have charged for it. */
export function unbilled(status: 'failed' | 'cancelled', error: GatewayError): Outcome {
  return {
    status,
    httpStatus: error.status,
    errorKind: error.kind,
    usage: { ...NO_USAGE },
    usageSource: 'none',
    firstContentAt: null,
  };
}

/** The tokens of all answers that a vendor may charge for, each of `perChoice` and what is thought beside it. */
function allAnswers(call: Envelope, perChoice: number): number {
  const { choices, bestOf = 1, leastOutputTokens = 0, thinkingTokens = 0 } = call;
  return (Math.max(perChoice, leastOutputTokens) + thinkingTokens) * Math.max(choices, bestOf);
}

/** The most that one answer of a target can have: what it is asked for, else what its model can, as far as is known. */
function mostOutput(
  { dialect, model }: Target,
  call: Envelope,
  { id }: Dialect,
  { dialects, limits }: Pick<PipelineParts, 'dialects'> & Pick<PipelineSettings, 'limits'>,
): number {
  const spoken = dialect === id ? undefined : dialects.find((each) => each.id === dialect)?.translation;
  const asked = spoken?.mostOutput === undefined ? call.maxOutputTokens : spoken.mostOutput(call, model);
  return asked ?? (limits.holdModelMaximum ? model.maxOutputTokens : null) ?? limits.defaultMaxOutput;
}

/** The most that any target of a plan can cost; `null` where one has no price. */
function highestOf(plan: CallPlan, inputTokens: number, outputOf: (target: Target) => number): NanoDollars | null {
  let most: NanoDollars = 0n;
  for (const target of [...plan.targets, ...plan.contextTargets, ...plan.policyTargets]) {
    const price = plan.route?.price ?? target.model.price;
    const cost = price === null ? null : highestCost(price, inputTokens, outputOf(target));
    if (cost === null) return null;
    if (cost > most) most = cost;
  }
  return most;
}

/**
 * The most a call can cost: every prompt token at the dearest input rate, and its whole output. `null` where the price does
 * not say what the prompt costs, or an answer that the call may have: nothing could be held for it.
 */
function highestCost(price: Price, inputTokens: number, maxOutput: number): NanoDollars | null {
  const rates = ratesFor(price, inputTokens);
  if (rates.input === undefined || (rates.output === undefined && maxOutput > 0)) return null;
  const dearest = (...of: (bigint | undefined)[]) =>
    of.reduce<bigint>((most, rate) => (rate !== undefined && rate > most ? rate : most), 0n);
  const input = dearest(rates.input, rates.cache_write, rates.cache_write_1h, rates.audio_input);
  const output = dearest(rates.output, rates.reasoning, rates.audio_output);
  return (BigInt(inputTokens) * input + BigInt(maxOutput) * output + 999n) / 1000n;
}
