import { splitBudgetIds } from '../core/budget.ts';
import type { ErrorKind, GatewayError } from '../core/errors.ts';
import { NO_LOSSES } from '../core/losses.ts';
import {
  type Bill,
  bill,
  countedCost,
  joinBills,
  type NanoDollars,
  type Price,
  VENDOR_COST,
  VENDOR_PRICE,
  vendorBill,
} from '../core/money.ts';
import type { CatalogEntry, Directory, Provider, Target, VendorEntry } from '../core/provider.ts';
import type { AttemptRecord, CallStatus, Intent, Routed, Settlement } from '../core/records.ts';
import type { Usage } from '../core/usage.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { cancel, type Reserved, reserveFor } from './admission/reserve.ts';
import { type MeasuredUsage, NOT_USED } from './measure.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './planner.ts';
import { type AnswerHead, isSuccess, NO_HEAD } from './vendor-answer.ts';

/** How a call or one of its attempts ended. */
export type CallEnd = {
  status: CallStatus;
  /** The target asked last; `null` if none was asked, and the record then names the first planned one. */
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
  /** The name that it was planned by: the caller's, or that of the model that serves instead. */
  name: string;
  /** The caller named a route, so its steering was meant for that. No vendor is sent it, whichever model serves. */
  isSteered: boolean;
  settings: PipelineSettings;
  /** The directory of names for the duration of the call. */
  directory: Directory;
};

/** The bill of one call: opened before a byte is sent upstream, and settled exactly once. */
export class Account {
  readonly intent: Intent;
  readonly #parts: PipelineParts;
  readonly #reserved: Reserved;
  readonly #startedAt: number;
  readonly #plan: CallPlan;
  readonly #attempts: AttemptRecord[] = [];
  /** When the intent was made (monotonic). */
  readonly #openedAt: number;
  #settled: Promise<void> | null = null;
  #charged: NanoDollars | null = null;

  private constructor(parts: PipelineParts, reserved: Reserved, intent: Intent) {
    const { call } = reserved;
    this.#parts = parts;
    this.#plan = call.plan;
    this.intent = intent;
    this.#reserved = reserved;
    this.#startedAt = call.request.startedAt;
    this.#openedAt = parts.clock.monotonic();
  }

  /**
   * Reserves what the call may use and writes its intent. Throws `GatewayError`; nothing is then reserved or written. Targets
   * that limits of their models keep from serving are left out of `plan`.
   */
  static async open(parts: PipelineParts, call: PlannedCall): Promise<Account> {
    const reserving = reserveFor(parts, call);
    const reserved = reserving instanceof Promise ? await reserving : reserving;
    // If the call names no maximum, the model's maximum is reserved, but does not count as the call's cost.
    const intent = intentOf(parts, reserved);
    const account = new Account(parts, reserved, intent);
    try {
      await parts.ledger.intend(intent);
    } catch (error) {
      cancel(reserved);
      throw error;
    }
    parts.observer.opened();
    return account;
  }

  /** The targets that may serve the call after all limits were applied. */
  get plan(): CallPlan {
    return this.#plan;
  }

  /** Whether rates of a target's model let the call go there. */
  admits(target: Target): boolean | Promise<boolean> {
    return this.#reserved.rates === null || this.#reserved.rates.admit(target);
  }

  /** Counts that an admitted target is asked. */
  asks(target: Target): void {
    this.#reserved.rates?.ask(target);
  }

  /** Asks a target again in the same attempt. @returns the refusal if its rates have no room for another request */
  async asksAgain(target: Target): Promise<GatewayError | null> {
    return this.#reserved.rates === null ? null : this.#reserved.rates.askAgain(target);
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
    const { usageSource, reported } = measured;
    const usage = recorded(measured.usage);
    const target = end.target ?? this.#plan.targets[0];
    const price = this.#plan.route?.price ?? target.model.price;
    const { directory } = this.#reserved.call;
    const charged = billOf(measured, price, target, directory);
    const own = price === target.model.price ? charged : billOf(measured, target.model.price, target, directory);
    this.#charged = charged.total;
    const counted = countedCost(charged, intent.held, price, usage);
    const { firstContentAt } = answered;
    const all = usage.inputTokens + usage.outputTokens;
    const { reservation, rates, call } = this.#reserved;
    const counts = call.settings.limits.countCachedInput;
    const uncounted = this.#uncounted(target);
    reservation.settle(counts ? all : all - usage.cacheReadTokens, counted, uncounted);
    rates?.settle(target, { all, cached: usage.cacheReadTokens });
    const settlement: Settlement = {
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
      routed: this.#routed(target, priceOf(charged, price, intent), own.total, lost),
    };
    if (uncounted !== undefined) settlement.budgets = without(intent.budgets, uncounted);
    this.#parts.observer.closed(intent, settlement, this.#plan.entry.model.known !== 'asked');
    return this.#parts.ledger.settle(settlement);
  }

  /** The budgets that the call was held against and that do not hold for who served it; `undefined`: none. */
  #uncounted(target: Target): ReadonlySet<string> | undefined {
    const ids = this.#reserved.limited.budgets?.notAt?.(target);
    return ids === undefined || ids.size === 0 ? undefined : ids;
  }

  /** What the record has besides its intent; `null` if one target was asked and charges what the caller pays. */
  #routed(target: Target, price: Price | null, own: NanoDollars | null, lost: NanoDollars | null): Routed | null {
    const { route, decision, targets } = this.#plan;
    const isPlanned = route === null && target.model === targets[0].model && price === this.intent.price;
    if (isPlanned && lost === 0n) return null;
    return {
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      price,
      vendorCost: own === null || lost === null ? null : own + lost,
      decision,
    };
  }
}

/** The ids in one text, without some. */
function without(ids: string, some: ReadonlySet<string>): string {
  return splitBudgetIds(ids)
    .filter((id) => !some.has(id))
    .join(' ');
}

function intentOf({ ids }: PipelineParts, { call, limited, reservation: { at } }: Reserved): Intent {
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

/** The usage as it is recorded: as a whole. */
function recorded(usage: Usage): Usage {
  if (usage.byModel === undefined) return usage;
  const { byModel: _, ...whole } = usage;
  return whole;
}

const NOTHING_BILLED: Bill = { items: [], total: 0n };

/**
 * The bill for the usage at a price; empty if no vendor charges for it. At the target's own price, each model that
 * worked on the call is billed at its own price. Without a price, or with one of the vendor's own list, it is the cost
 * that the vendor reports, if it is one that does.
 */
export function billOf(
  { usageSource, usage }: MeasuredUsage,
  price: Price | null,
  { provider, model }: Target,
  directory: Directory,
): Bill {
  if (usageSource === 'none') return NOTHING_BILLED;
  const isEstimate = price === null || price.source === VENDOR_PRICE;
  const isTold = isEstimate && usageSource === 'provider' && provider.quirks.reportsCost !== undefined;
  const told = isTold && usage.reportedCost !== undefined ? vendorBill(usage.reportedCost) : null;
  if (told !== null) return told;
  if (usage.byModel !== undefined && price === model.price) {
    const priceAt = (name: string | null) =>
      name === null || name === model.upstreamId ? price : priceOfModel(name, provider, directory);
    return joinBills(usage.byModel.map((part) => bill(priceAt(part.model), part.usage)));
  }
  return bill(price, usage);
}

/** The price of another model of the provider that worked on a call, by the vendor's name; `null` if none is known. */
function priceOfModel(name: string, { id }: Provider, { entries, find }: Directory): Price | null {
  const isOfProvider = (entry: CatalogEntry | undefined): entry is VendorEntry =>
    entry?.origin === 'vendor' && entry.provider.id === id;
  const found = find(`${id}/${name}`);
  const entry = isOfProvider(found)
    ? found
    : entries.filter(isOfProvider).find(({ model }) => model.upstreamId === name);
  return entry?.model.price ?? null;
}

/** The price of a bill; if there is none, that of the vendor, which reported what it charged. */
function priceOf({ items }: Bill, price: Price | null, { createdAt }: Intent): Price | null {
  if (items[0]?.component !== VENDOR_COST) return price;
  return { rates: {}, tiers: [], source: VENDOR_PRICE, date: new Date(createdAt).toISOString().slice(0, 10) };
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
