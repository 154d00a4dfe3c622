import type { ErrorKind, GatewayError } from '../core/errors.ts';
import { type Bill, bill, type NanoDollars, ratesFor } from '../core/money.ts';
import type { Caller, Reservation } from '../core/ports.ts';
import type { CatalogEntry, Target } from '../core/provider.ts';
import type { Attempt, CallStatus, Intent } from '../core/records.ts';
import { NO_USAGE, type Usage, type UsageSource } from '../core/usage.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { isSuccess } from './answer-head.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';

/** How a call ended, in the words of its record. */
export type Outcome = {
  status: CallStatus;
  httpStatus: number;
  errorKind: ErrorKind | null;
  usage: Usage;
  usageSource: UsageSource;
  /** Monotonic; when the first content left for the caller. */
  firstContentAt: number | null;
  /** What translation left out. */
  dropped?: readonly string[];
};

/** The bill of one call: opened before a byte goes upstream, settled exactly once whatever happens. */
export class Account {
  readonly intent: Intent;
  readonly #parts: PipelineParts;
  readonly #reservation: Reservation;
  readonly #startedAt: number;
  readonly #attempts: Attempt[] = [];
  #settled: Promise<void> | null = null;

  private constructor(parts: PipelineParts, intent: Intent, reservation: Reservation, startedAt: number) {
    this.#parts = parts;
    this.intent = intent;
    this.#reservation = reservation;
    this.#startedAt = startedAt;
  }

  /** Reserves what the call may use and writes its intent. Throws `GatewayError`; nothing is then held or written. */
  static async open(
    parts: PipelineParts,
    settings: PipelineSettings,
    request: CallRequest,
    call: Envelope,
    entry: CatalogEntry,
    target: Target,
  ): Promise<Account> {
    const { caller } = request;
    const maxOutput = (call.maxOutputTokens ?? settings.limits.defaultMaxOutput) * call.choices;
    const reserved = parts.limiter.reserve(caller.key, {
      tokens: call.estimatedInputTokens + maxOutput,
      cost: mayHaveSpendLimit(caller) ? highestCost(target, call.estimatedInputTokens, maxOutput) : null,
      model: call.model,
    });
    const reservation = reserved instanceof Promise ? await reserved : reserved;
    const now = parts.clock.now();
    const intent: Intent = {
      id: parts.ids.recordId(now),
      requestId: request.requestId,
      clientRequestId: request.clientRequestId,
      organizationId: caller.organization.id,
      keyId: caller.key.id,
      source: caller.key.source,
      product: caller.key.product,
      tool: null,
      dialect: request.answered.id,
      model: entry.id,
      requestedModel: call.model,
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      streamed: call.stream,
      createdAt: now,
      estimatedInputTokens: call.estimatedInputTokens,
      price: target.model.price,
    };
    try {
      await parts.ledger.intend(intent);
    } catch (error) {
      reservation.settle(0, 0n);
      throw error;
    }
    parts.observer.opened();
    return new Account(parts, intent, reservation, request.startedAt);
  }

  get attempts(): number {
    return this.#attempts.length;
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
    const charged: Bill = outcome.usageSource === 'none' ? { items: [], total: 0n } : bill(intent.price, outcome.usage);
    this.#reservation.settle(outcome.usage.inputTokens + outcome.usage.outputTokens, charged.total);
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
      settledAt: this.#parts.clock.now(),
      timeToFirstTokenMs: outcome.firstContentAt === null ? null : Math.round(outcome.firstContentAt - this.#startedAt),
      attempts: this.#attempts,
      dropped: outcome.dropped ?? [],
      routed: null,
    };
    this.#parts.observer.closed(intent, settlement);
    return this.#parts.ledger.settle(settlement);
  }
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

/** Of the key's own, or of the product's that it belongs to. */
function mayHaveSpendLimit({ key }: Caller): boolean {
  return key.spendLimit !== null || key.product !== null;
}

/** The most a call can cost: every prompt token at the dearest input rate, and its whole output. */
function highestCost(target: Target, inputTokens: number, maxOutput: number): NanoDollars | null {
  const price = target.model.price;
  if (price === null) return null;
  const rates = ratesFor(price, inputTokens);
  const dearest = (...of: (bigint | undefined)[]) =>
    of.reduce<bigint>((most, rate) => (rate !== undefined && rate > most ? rate : most), 0n);
  const input = dearest(rates.input, rates.cache_write, rates.cache_write_1h, rates.audio_input);
  const output = dearest(rates.output, rates.reasoning, rates.audio_output);
  return (BigInt(inputTokens) * input + BigInt(maxOutput) * output + 999n) / 1000n;
}
