import { BudgetUsedUp } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Directory, Provider, ServedBy } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import type { Envelope, OutputItem } from '../dialects/dialect.ts';
import { mayReceive, sharedIdRefusal } from '../dialects/shared-ids.ts';
import { withRoute } from '../routing/directory.ts';
import { unpricedTargets } from '../routing/unpriced.ts';
import { Account, billOf, type PlannedCall, unbilled } from './account.ts';
import { Dispatcher } from './admission/dispatcher.ts';
import { withCost } from './answer-metadata.ts';
import { type Attempt, type AttemptEnd, type FailedAttempt, GONE, type Streamed, type Whole } from './attempt.ts';
import { CallRun } from './call-run.ts';
import { withEarlierAnswers } from './earlier-answers.ts';
import { type ExplainedNow, explainCall, fullness, outgoingStatuses, targetStatuses } from './explain.ts';
import { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { type CallPlan, Planner, type PlanRequest } from './planner.ts';
import { isReferencedLater, noteMaker } from './threads.ts';
import { type CountDialect, type CountRequest, countTokens } from './token-count.ts';
import { LARGE, turnIf, turnOfTheLoop } from './turns.ts';
import { cleanError, upstreamRequestId, withProvider } from './upstream-request.ts';

const NONE_FAILED: readonly FailedAttempt[] = [];

/**
 * Runs a call from its body to its record: read, plan, reserve, ask one target after the other, settle. The record is
 * settled before the caller's terminal byte.
 */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #calls = new OpenCalls();
  readonly #planner: Planner;
  readonly #dispatcher: Dispatcher;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#planner = new Planner(parts);
    this.#dispatcher = new Dispatcher(parts);
  }

  /** Answers one call. Throws `GatewayError` if nothing has been written; later faults become error frames. */
  async handle(request: CallRequest): Promise<void> {
    const { directory, settings } = this.#parts.current();
    let model: string | null = null;
    let isRecorded = false;
    let hasBegun = false;
    try {
      this.#begin(settings);
      hasBegun = true;
      const { asked } = request;
      const { items } = this.#parts;
      const outermost = asked.inbound.readEnvelope(request.body, settings.limits);
      const read = withEarlierAnswers(items, request, outermost, settings.limits);
      const envelope = read instanceof Promise ? await read : read;
      model = envelope.model;
      // Large bodies are processed in several turns of the event loop, so that other calls are not blocked.
      const isLarge = envelope.body.length > LARGE;
      if (isLarge) await turnOfTheLoop();
      const plan = this.#planner.plan(request, envelope, directory);
      refuseWhereNobodyMayReceive(envelope, plan);
      if (isLarge) await turnOfTheLoop();
      const isSteered = plan.route !== null;
      const call = { request, envelope, plan, name: envelope.model, isSteered, settings, directory };
      let run: CallRun;
      try {
        run = new CallRun(this.#parts, this.#calls, call, await Account.open(this.#parts, call));
      } catch (error) {
        run = await this.#runInstead(error, call, directory);
      }
      isRecorded = true;
      await this.#serve(run);
    } catch (error) {
      if (!isRecorded) this.#tellRefused(request, model, knownError(error));
      throw error;
    } finally {
      if (hasBegun) this.#calls.end(request.answer);
    }
  }

  #tellRefused(request: CallRequest, model: string | null, { status, kind, message, param }: GatewayError): void {
    const { observer, clock } = this.#parts;
    const { requestId, clientRequestId, caller, tool, startedAt } = request;
    observer.refused({
      ...{ requestId, clientRequestId, key: caller.key, sender: null, tool, model, message, param },
      ...{ at: clock.now(), httpStatus: status, errorKind: kind, latencyMs: clock.monotonic() - startedAt },
    });
  }

  /**
   * Runs a call whose account could not be opened. If an exhausted budget names a model that serves instead, the call
   * is planned for that model, once. If the key may not use it, or it cannot serve the call, the budget's refusal is
   * thrown.
   */
  async #runInstead(error: unknown, call: PlannedCall, directory: Directory): Promise<CallRun> {
    this.#noteUsedUp(error);
    const model = error instanceof BudgetUsedUp ? error.instead : null;
    if (model === null) throw error;
    const instead = this.#plannedFor(model, call, directory);
    if (instead === null) throw error;
    try {
      return new CallRun(this.#parts, this.#calls, instead, await Account.open(this.#parts, instead));
    } catch (refusal) {
      this.#noteUsedUp(refusal);
      throw refusal;
    }
  }

  #noteUsedUp(error: unknown): void {
    if (error instanceof BudgetUsedUp) this.#parts.onUsedUp(error.usedUp);
  }

  #plannedFor(model: string, call: PlannedCall, directory: Directory): PlannedCall | null {
    const envelope = { ...call.envelope, model };
    try {
      const plan = this.#planner.plan(call.request, envelope, directory);
      refuseWhereNobodyMayReceive(envelope, plan);
      return { ...call, plan, name: model };
    } catch (error) {
      if (error instanceof GatewayError) return null;
      throw error;
    }
  }

  /** Counts the tokens of a prompt; rejects as a call does. */
  async countTokens(counting: CountDialect, request: CountRequest): Promise<number> {
    this.#begin(this.#parts.current().settings);
    try {
      const counter = {
        parts: this.#parts,
        calls: this.#calls,
        planner: this.#planner,
        slotAt: (provider: Provider) => this.#dispatcher.slotAt(provider),
      };
      return await countTokens(counter, counting, request);
    } finally {
      this.#calls.end(null);
    }
  }

  /**
   * What would happen to a call now. Calls no vendor and records nothing. Rejects as `explainCall` throws.
   *
   * @param draft - a route that is not in the configuration
   */
  async explain(request: PlanRequest & Pick<CallRequest, 'body'>, draft?: Route): Promise<ExplainedNow> {
    const { directory: present, settings } = this.#parts.current();
    const directory = draft === undefined ? present : withRoute(present, draft);
    this.#begin(settings);
    try {
      const read = request.asked.inbound.readEnvelope(request.body, settings.limits);
      await turnIf(request.body.length > LARGE);
      const envelope = await withEarlierAnswers(this.#parts.items, request, read, settings.limits);
      await turnIf(envelope.body.length > LARGE);
      const { rates, clock } = this.#parts;
      return { ...explainCall(this.#planner, request, envelope, directory), fullUntil: fullness(rates, clock) };
    } finally {
      this.#calls.end(null);
    }
  }

  /** The state of targets as this process knows it, and the number of its open calls. */
  status(): Pick<GatewayStatus, 'targets' | 'outgoing' | 'unpriced' | 'openCalls'> {
    const { health, dialects, current, rates, clock } = this.#parts;
    const { directory } = current();
    const targets = targetStatuses(health, directory, dialects);
    const outgoing = outgoingStatuses(directory, rates, clock);
    return { targets, outgoing, unpriced: unpricedTargets(directory), openCalls: this.#calls.count };
  }

  /** Ends the calls whose callers have lost access. */
  lookAgain(): Promise<void> {
    return this.#calls.lookAgain();
  }

  /** Waits until no call is open, at most `ms`; then ends the running calls with an error, and waits for their records. */
  drain(ms: number): Promise<void> {
    return this.#calls.drain(ms);
  }

  #begin({ limits }: PipelineSettings): void {
    this.#parts.shedder.check();
    if (this.#calls.held >= limits.maxOpenCalls) {
      const message = `The gateway has ${limits.maxOpenCalls} open calls, which is its limit.`;
      throw new GatewayError('overloaded', message, { retryAfterMs: 1000 });
    }
    this.#calls.begin();
  }

  /** Asks one target after the other, until one answers or none may be asked. */
  async #serve(run: CallRun): Promise<void> {
    const { request, account } = run;
    const { references } = request.answered.inbound;
    let failed = NONE_FAILED;
    let served: ServedBy | null = null;
    try {
      if (request.answer.gone) return await settleLeft(run, failed);
      const first = this.#dispatcher.next(run);
      let opened: Attempt | null = first instanceof Promise ? await first : first;
      while (opened !== null) {
        let failure: FailedAttempt;
        {
          using attempt = opened;
          const outcome = await attempt.run();
          served = outcome.end.served ?? served;
          switch (outcome.kind) {
            case 'whole':
              this.#planner.noteAnswer(run.plan, outcome.end.target, outcome.end.measured.usage);
              await settle(run, outcome.end, failed);
              if (references !== undefined || isReferencedLater(run.envelope)) await this.#keepItems(run, outcome);
              return request.answer.whole(
                outcome.end.answered.status ?? 200,
                run.metadata.whole(outcome.body, account.charged, outcome.end.dropped),
                {
                  ...outcome.end.served!,
                  cost: account.charged,
                },
              );
            case 'streamed':
            case 'broken':
              return await this.#endStream(run, outcome, failed);
            case 'left':
              return await settle(run, outcome.end, failed);
            case 'failed':
              failure = outcome;
          }
        }
        failed = [...failed, failure];
        opened = await this.#dispatcher.after(run, failure.end.target, failure.error);
      }
      await (request.answer.gone ? settleLeft(run, failed) : giveUp(run, failed));
    } catch (error) {
      // A caller who left while the call waited in a queue gets no error.
      if (request.answer.gone && isBusy(error)) return await settleLeft(run, failed);
      let known = knownError(error);
      // Already settled if the error is an answer; this settles calls that failed by the gateway's own fault.
      await account.settle(unbilled('failed', known, failed.at(-1)?.end.target), lostOf(run, failed)).catch((fault) => {
        known = knownError(fault);
      });
      const told = run.metadata.error(known);
      throw served === null ? told : told.with({ served });
    }
  }

  /** Settles a stream, then writes its last bytes. If the record cannot be written, it ends with an error frame. */
  async #endStream(run: CallRun, { end, converter, last }: Streamed, failed: readonly FailedAttempt[]): Promise<void> {
    const { answer } = run.request;
    if (end.error === null) this.#planner.noteAnswer(run.plan, end.target, end.measured.usage);
    try {
      await settle(run, end, failed);
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause;
      logFailure(run, end, cause);
      return answer.end(converter.writeFailure(cause));
    }
    if (end.error === null) this.#keep(run, end, converter.items());
    answer.end(run.metadata.cost ? withCost(last, run.account.charged) : last);
  }

  /** Returns a promise only if it yields to the event loop, which it does for large answers. */
  #keepItems(run: CallRun, whole: Whole): Promise<void> | undefined {
    if (whole.body.length > LARGE) return this.#keepInTurns(run, whole);
    this.#keep(run, whole.end, whole.converter.items());
    return undefined;
  }

  async #keepInTurns(run: CallRun, { end, converter }: Whole): Promise<void> {
    await turnOfTheLoop();
    this.#keep(run, end, converter.items());
    await turnOfTheLoop();
  }

  /** Keeps what later calls may refer to: the answer's items, or its maker. */
  #keep({ keyId, envelope }: CallRun, { target }: AttemptEnd, items: readonly OutputItem[]): void {
    const { items: memory } = this.#parts;
    for (const { id, json } of items) {
      if (isReferencedLater(envelope)) noteMaker(memory, keyId, id, target);
      else memory.keep(keyId, id, json);
    }
  }
}

/** Settles the account with the call's last attempt. `failed`: the attempts that failed before it. */
function settle(run: CallRun, end: AttemptEnd, failed: readonly FailedAttempt[]): Promise<void> {
  const { account, parts } = run;
  if (end.status === 'failed') logFailure(run, end, end.error!);
  if (end.measured.reported !== null) parts.log.disbelieved(account.intent, end.target, end.measured.reported);
  return account.settle(end, lostOf(run, failed));
}

/**
 * Settles a call that no vendor answered, and throws the error for the caller: the first `upstream_rejected`, which
 * says what is wrong with the call, else the last failure of a vendor, else the last: that the call cannot be written.
 */
async function giveUp(run: CallRun, failed: readonly FailedAttempt[]): Promise<never> {
  const told =
    failed.find(({ error }) => error.kind === 'upstream_rejected') ??
    failed.findLast(({ error }) => error.kind !== 'invalid_request') ??
    failed.at(-1)!;
  const error = cleanError(told.error, told.end.target);
  // The reported attempt is billed in the record itself, so it is not counted as lost too.
  const others = failed.filter((other) => other !== told);
  await settle(run, { ...told.end, error }, others);
  // A route that does not tell who serves it left the name out here, too.
  throw told.end.served?.provider == null ? error : withProvider(error, told.end.target);
}

/** Settles a call whose caller left while no vendor was working on it. */
function settleLeft(run: CallRun, failed: readonly FailedAttempt[]): Promise<void> {
  return run.account.settle(unbilled('cancelled', GONE, failed.at(-1)?.end.target), lostOf(run, failed));
}

/** Logs once why the call failed. `error` must be cleaned of secrets. */
function logFailure({ parts, account }: CallRun, { target, answered }: AttemptEnd, error: GatewayError): void {
  const { provider, model } = target;
  const call = {
    requestId: account.intent.requestId,
    provider: provider.id,
    model: model.upstreamId,
    upstreamStatus: answered.status,
    upstreamRequestId: upstreamRequestId(answered.headers, provider),
  };
  parts.log.failed(call, error);
}

/** What vendors may have charged for failed attempts; `null` if unknown. */
function lostOf({ directory }: CallRun, failed: readonly FailedAttempt[]): NanoDollars | null {
  let lost: NanoDollars = 0n;
  for (const { end } of failed) {
    const { total } = billOf(end.measured, end.target.model.price, end.target, directory);
    if (total === null) return null;
    lost += total;
  }
  return lost;
}

/** Throws if no target may receive the call's reference to a vendor's account; nothing is reserved or recorded then. */
function refuseWhereNobodyMayReceive(envelope: Envelope, plan: CallPlan): void {
  if (envelope.sharedId === undefined) return;
  const all = [...plan.targets, ...plan.contextTargets, ...plan.policyTargets];
  if (!all.some(({ provider }) => mayReceive(envelope, provider))) throw sharedIdRefusal(envelope.sharedId);
}

function knownError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError('internal', 'The gateway failed.', { cause: error });
}

function isBusy(error: unknown): boolean {
  return error instanceof GatewayError && error.kind === 'provider_busy';
}
