import type { ErrorKind, GatewayError } from '../core/errors.ts';
import { NO_LOSSES } from '../core/losses.ts';
import {
  atLeast,
  type Bill,
  bill,
  countedCost,
  highestCost,
  type NanoDollars,
  type Price,
  toolCost,
} from '../core/money.ts';
import type { LimitRequest, Reservation } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import type { AttemptRecord, CallStatus, Intent, Routed } from '../core/records.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import { hasMember } from '../json/tape.ts';
import { alwaysSearches, type MeasuredUsage, NOT_USED, WEB_SEARCH } from './measure.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './planner.ts';
import { type AnswerHead, isSuccess, NO_HEAD } from './vendor-answer.ts';

/** How a call or one of its attempts ended. */
export type CallEnd = {
  status: CallStatus;
  /** The target asked last; `null` if none was asked: the record then names the first planned one. */
  target: Target | null;
  /** The vendor's status and headers, as far as received. */
  answered: AnswerHead;
  /** The error as the caller receives it. */
  error: GatewayError | null;
  /** What the vendor charges for, as it reported or as we counted. */
  measured: MeasuredUsage;
  /** Names of what translation left out. */
  dropped: readonly string[];
};

/** A call that has been read and planned. */
export type PlannedCall = {
  request: CallRequest;
  envelope: Envelope;
  plan: CallPlan;
  /** The name that it was planned by: the one that the caller sent, or that of what serves instead. */
  name: string;
  /** The caller named a route, which its steering was for: no vendor is sent it, whatever serves instead. */
  isSteered: boolean;
  settings: PipelineSettings;
};

/** The bill of one call: opened before a byte is sent upstream, and settled exactly once. */
export class Account {
  readonly intent: Intent;
  readonly #parts: PipelineParts;
  readonly #reservation: Reservation;
  readonly #startedAt: number;
  readonly #plan: CallPlan;
  readonly #attempts: AttemptRecord[] = [];
  /** When the intent was made (monotonic). */
  readonly #openedAt: number;
  #settled: Promise<void> | null = null;
  #charged: NanoDollars | null = null;

  private constructor(parts: PipelineParts, call: PlannedCall, intent: Intent, reservation: Reservation) {
    this.#parts = parts;
    this.#plan = call.plan;
    this.intent = intent;
    this.#reservation = reservation;
    this.#startedAt = call.request.startedAt;
    this.#openedAt = parts.clock.monotonic();
  }

  /** Reserves what the call may use and writes its intent. Throws `GatewayError`; nothing is then reserved or written. */
  static async open(parts: PipelineParts, call: PlannedCall): Promise<Account> {
    const limited = limitRequestOf(parts, call);
    const reserved = parts.limiter.reserve(call.request.caller.key, limited);
    const reservation = reserved instanceof Promise ? await reserved : reserved;
    // If the call names no maximum, the model's maximum is reserved, but does not count as the call's cost.
    const intent = intentOf(parts, call, limited, reservation.at);
    const account = new Account(parts, call, intent, reservation);
    try {
      await parts.ledger.intend(intent);
    } catch (error) {
      reservation.cancel();
      throw error;
    }
    parts.observer.opened();
    return account;
  }

  /** What the caller is charged, once it is settled; `null` where no price is known. */
  get charged(): NanoDollars | null {
    return this.#charged;
  }

  get attempts(): number {
    return this.#attempts.length;
  }

  /** Unix ms of a monotonic moment, relative to the intent's, so that setting the clock cannot reverse their order. */
  unixAt(monotonic: number): number {
    return this.intent.createdAt + Math.round(monotonic - this.#openedAt);
  }

  /** Notes one attempt after it has ended. */
  tried(attempt: AttemptRecord): void {
    this.#attempts.push(attempt);
  }

  /**
   * Closes the record and releases the reservation. Resolves when that is durable; a second call changes nothing.
   *
   * @param lost what vendors may have charged for failed attempts; `null` if unknown
   */
  settle(end: CallEnd, lost: NanoDollars | null): Promise<void> {
    if (this.#settled !== null) return this.#settled;
    try {
      this.#settled = this.#write(end, lost);
    } catch (error) {
      this.#settled = Promise.reject(error);
    }
    return this.#settled;
  }

  #write(end: CallEnd, lost: NanoDollars | null): Promise<void> {
    const { intent } = this;
    const { answered, error, measured } = end;
    const { usage, usageSource, reported } = measured;
    const target = end.target ?? this.#plan.targets[0];
    const price = this.#plan.route?.price ?? target.model.price;
    const charged = billOf(measured, price);
    const own = price === target.model.price ? charged : billOf(measured, target.model.price);
    this.#charged = charged.total;
    const counted = countedCost(charged, intent.held, price, usage);
    const { firstContentAt } = answered;
    this.#reservation.settle(usage.inputTokens + usage.outputTokens, counted);
    const settlement = {
      id: intent.id,
      organizationId: intent.organizationId,
      keyId: intent.keyId,
      createdAt: intent.createdAt,
      status: end.status,
      httpStatus: error?.status ?? answered.status ?? 200,
      errorKind: error?.kind ?? null,
      usage,
      usageSource,
      lineItems: charged.items,
      cost: charged.total,
      counted,
      reported,
      settledAt: this.unixAt(this.#parts.clock.monotonic()),
      timeToFirstTokenMs: firstContentAt === null ? null : Math.round(firstContentAt - this.#startedAt),
      attempts: this.#attempts,
      dropped: end.dropped,
      routed: this.#routed(target, price, own.total, lost),
    };
    this.#parts.observer.closed(intent, settlement, this.#plan.entry.model.known !== 'asked');
    return this.#parts.ledger.settle(settlement);
  }

  /** What the record says beyond its intent; `null` if one target was asked and charges what the caller pays. */
  #routed(target: Target, price: Price | null, own: NanoDollars | null, lost: NanoDollars | null): Routed | null {
    const { route, decision, targets } = this.#plan;
    if (route === null && target.model === targets[0].model && lost === 0n) return null;
    return {
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      price,
      vendorCost: own === null || lost === null ? null : own + lost,
      decision,
    };
  }
}

function intentOf({ ids }: PipelineParts, call: PlannedCall, limited: LimitRequest, at: number): Intent {
  const { request, envelope, plan } = call;
  const { key, organization } = request.caller;
  const { provider, model } = plan.targets[0];
  return {
    id: ids.recordId(at),
    requestId: request.requestId,
    clientRequestId: request.clientRequestId,
    organizationId: organization.id,
    keyId: key.id,
    source: key.source,
    product: key.product,
    tool: request.tool,
    dialect: request.answered.id,
    model: plan.entry.id,
    requestedModel: envelope.model,
    route: plan.route?.id ?? null,
    provider: provider.id,
    upstreamModel: model.upstreamId,
    streamed: envelope.stream,
    createdAt: at,
    estimatedInputTokens: envelope.estimatedInputTokens,
    price: plan.route?.price ?? model.price,
    held: limited.leastCost ?? limited.cost,
    budgets: limited.budgets?.ids ?? '',
  };
}

const NOTHING_BILLED: Bill = { items: [], total: 0n };

/** The bill for the usage at a price; empty if no vendor charges for it. */
export function billOf({ usageSource, usage }: MeasuredUsage, price: Price | null): Bill {
  return usageSource === 'none' ? NOTHING_BILLED : bill(price, usage);
}

/** Failures that no vendor charges for: the call was not sent, the vendor was not reached, or it reported an error. */
const UNCHARGED: ReadonlySet<ErrorKind> = new Set([
  'invalid_request',
  'upstream_unreachable',
  'upstream_rejected',
  'upstream_rate_limited',
  'upstream_unauthorized',
  'upstream_account_empty',
  'upstream_error',
]);

/** Whether a vendor may charge for a call that failed before its answer began. `status` is the vendor's, if it answered. */
export function mayBeCharged(error: GatewayError, status: number | null): boolean {
  return !UNCHARGED.has(error.kind) && (status === null || isSuccess(status));
}

/** The end of a call that failed, or whose caller left, before a vendor can have charged for it. */
export function unbilled(status: 'failed' | 'cancelled', error: GatewayError, target: Target | null = null): CallEnd {
  return { status, target, answered: NO_HEAD, error, measured: NOT_USED, dropped: NO_LOSSES };
}

/** What a call reserves before it is sent: tokens and, if its key has a spend limit or it a budget, the most that it may cost. */
function limitRequestOf(parts: PipelineParts, call: PlannedCall): LimitRequest {
  const { request, envelope, settings } = call;
  const { defaultMaxOutput, holdModelMaximum } = settings.limits;
  const inputTokens = envelope.estimatedInputTokens;
  const maxOutput = allAnswers(envelope, envelope.maxOutputTokens ?? defaultMaxOutput);
  const { key } = request.caller;
  const { entry } = call.plan;
  const called = { entry, sent: call.name };
  const budgets = parts.budgetsOf(key, called);
  const limited: LimitRequest = { tokens: inputTokens + maxOutput, cost: null, model: entry.id, called, budgets };
  if (key.spendLimit === null && budgets.list.length === 0) return limited;
  const outputOf = (target: Target) => allAnswers(envelope, mostOutput(target, call, parts.dialects));
  limited.cost = highestOf(call, inputTokens, outputOf);
  if (limited.cost !== null && envelope.maxOutputTokens === null && holdModelMaximum) {
    const least = highestOf(call, inputTokens, (target) => Math.min(outputOf(target), maxOutput));
    limited.leastCost = least ?? limited.cost;
  }
  return limited;
}

/** The output tokens of all answers that a vendor may charge for, including thinking in addition to `perChoice`. */
function allAnswers(call: Envelope, perChoice: number): number {
  const { choices, bestOf = 1, leastOutputTokens = 0, thinkingTokens = 0 } = call;
  return (Math.max(perChoice, leastOutputTokens) + thinkingTokens) * Math.max(choices, bestOf);
}

/**
 * The most output tokens of one answer of a target: the maximum that it is asked for, else the model's if it is
 * reserved, else the default.
 */
function mostOutput({ dialect, model }: Target, call: PlannedCall, dialects: readonly Dialect[]): number {
  const { request, envelope, settings } = call;
  const isOwn = dialect === request.asked.id;
  const translation = isOwn ? undefined : dialects.find((each) => each.id === dialect)?.translation;
  const asked =
    translation?.mostOutput === undefined ? envelope.maxOutputTokens : translation.mostOutput(envelope, model);
  const { holdModelMaximum, defaultMaxOutput } = settings.limits;
  return asked ?? (holdModelMaximum ? model.maxOutputTokens : null) ?? defaultMaxOutput;
}

/** The highest cost of any target of a plan; `null` if one has no price. */
function highestOf(
  { plan, envelope: { body, index } }: PlannedCall,
  inputTokens: number,
  outputOf: (target: Target) => number,
): NanoDollars | null {
  // The vendor decides which service tier it uses, so the most expensive one counts.
  const anyTier = hasMember(body, index, 'service_tier');
  let most: NanoDollars = 0n;
  for (const target of [...plan.targets, ...plan.contextTargets, ...plan.policyTargets]) {
    const price = plan.route?.price ?? target.model.price;
    const tokens = price === null ? null : highestCost(price, inputTokens, outputOf(target), anyTier);
    if (price === null || tokens === null) return null;
    most = atLeast(most, tokens + (alwaysSearches(target) ? toolCost(price, WEB_SEARCH) : 0n));
  }
  return most;
}
