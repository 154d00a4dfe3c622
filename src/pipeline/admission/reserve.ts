import { BudgetUsedUp, type CallBudgets, demandsPrice } from '../../core/budget.ts';
import type { GatewayError } from '../../core/errors.ts';
import { atLeast, highestCost, type NanoDollars, toolCost } from '../../core/money.ts';
import { hasOutgoingRates } from '../../core/outgoing-rates.ts';
import { parametersOf } from '../../core/parameters.ts';
import type { LimitRequest, Reservation } from '../../core/ports.ts';
import type { Target } from '../../core/provider.ts';
import type { ApiKey } from '../../core/records.ts';
import type { DecisionCandidate } from '../../core/route.ts';
import type { Dialect, Envelope } from '../../dialects/dialect.ts';
import { hasMember } from '../../json/tape.ts';
import { allTargets, hasTarget } from '../../routing/failover.ts';
import type { PlannedCall } from '../account.ts';
import { alwaysSearches, WEB_SEARCH } from '../measure.ts';
import type { PipelineParts } from '../parts.ts';
import type { CallPlan } from '../planner.ts';
import { envelopeWith } from '../translation/own-parameters.ts';
import { TargetRates } from './target-rates.ts';

type LimitedCall = LimitRequest & { budgets: CallBudgets };

/** A call with all that it has reserved. `call`: without the targets that limits of their models keep from serving. */
export type Reserved = {
  call: PlannedCall;
  limited: LimitedCall;
  reservation: Reservation;
  /** `null`: its project sets no rates, and nothing limits what may be sent to its targets. */
  rates: TargetRates | null;
};

/** Gives back what a call has reserved that is not sent. */
export function cancel({ reservation, rates }: Reserved): void {
  reservation.cancel();
  rates?.cancel();
}

/**
 * Reserves what a call may use: of the rates of its project, of its key, and of its budgets. Throws as `Limiter.reserve`; nothing
 * is then taken.
 *
 * /!\ Hot path: no promise where no limit names models and the limiter makes none.
 */
export function reserveFor(parts: PipelineParts, call: PlannedCall): Reserved | Promise<Reserved> {
  const { key } = call.request.caller;
  const rates = hasRates(key) || hasTarget(call.plan, isRated) ? ratesOf(parts, call) : null;
  if (rates !== null) return reserveInTurn(parts, call, rates);
  const limited = limitRequestOf(parts, call);
  if (limited.budgets.notAt !== undefined) return reserveInTurn(parts, call, null);
  const reserved = parts.limiter.reserve(key, limited);
  if (reserved instanceof Promise) return reserved.then((reservation) => ({ call, limited, reservation, rates }));
  return { call, limited, reservation: reserved, rates };
}

async function reserveInTurn(parts: PipelineParts, planned: PlannedCall, rates: TargetRates | null): Promise<Reserved> {
  try {
    let call = planned;
    for (;;) {
      // The project first, because a call that it refuses must not use the key's rate.
      if (rates !== null) call = await admitted(rates, call);
      const limited = limitRequestOf(parts, call);
      try {
        const reserved = parts.limiter.reserve(call.request.caller.key, limited);
        const reservation = reserved instanceof Promise ? await reserved : reserved;
        return { call, limited, reservation, rates };
      } catch (error) {
        call = withoutUsedUp(error, call, limited.budgets);
        parts.onUsedUp((error as BudgetUsedUp).usedUp);
      }
    }
  } catch (error) {
    rates?.cancel();
    throw error;
  }
}

/**
 * Takes one request without tokens, for a prompt whose tokens are counted. Throws as `Limiter.reserve`.
 *
 * @returns the first target that the rates let the request go to
 */
export async function reserveCount(parts: PipelineParts, planned: NamedPlan, key: ApiKey): Promise<Target> {
  const { plan, directory } = planned;
  const call = { tokens: 0, model: plan.entry.id };
  const rates = hasRates(key)
    ? new TargetRates({ limiter: parts.rates, key, find: directory.find, call, countsCached: true, isSent: false })
    : null;
  try {
    const [target] = (rates === null ? planned : await admitted(rates, planned)).plan.targets;
    const reserved = parts.limiter.reserve(key, { ...call, cost: 0n });
    (reserved instanceof Promise ? await reserved : reserved).settle(0, 0n);
    rates?.settle(target, { all: 0, cached: 0 });
    return target;
  } catch (error) {
    rates?.cancel();
    throw error;
  }
}

/** A plan under the name that it was made for. */
type NamedPlan = Pick<PlannedCall, 'plan' | 'name' | 'directory'>;

function hasRates({ inForce }: ApiKey): boolean {
  return inForce !== undefined && inForce.rates.size > 0;
}

/** Whether anything limits what may be sent to a target. */
const isRated = ({ provider, model }: Target) => hasOutgoingRates(provider, model);
/** Whether the operator has set parameters of its model. */
const isSet = ({ model }: Target) => model.parameters !== undefined;

function ratesOf(parts: PipelineParts, call: PlannedCall): TargetRates {
  const { request, plan, settings, directory } = call;
  const envelope = widestOf(call);
  const { key } = request.caller;
  const output = allAnswers(envelope, envelope.maxOutputTokens ?? settings.limits.defaultMaxOutput);
  const rated = { tokens: envelope.estimatedInputTokens + output, model: plan.entry.id };
  const { countCachedInput: countsCached } = settings.limits;
  return new TargetRates({ limiter: parts.rates, key, find: directory.find, call: rated, countsCached, isSent: true });
}

/** The call as it is sent to a target, with the parameters that its operator set. */
function envelopeAt({ request, envelope, plan }: PlannedCall, { model }: Target): Envelope {
  const own = parametersOf(plan.route, model);
  return own === null ? envelope : envelopeWith(request.asked, envelope, own);
}

/** The call as it is sent to the target that allows the longest answer. */
function widestOf(call: PlannedCall): Envelope {
  const { plan, envelope, settings } = call;
  if (plan.route?.parameters === undefined && !hasTarget(plan, isSet)) return envelope;
  const outputOf = (at: Envelope) => allAnswers(at, at.maxOutputTokens ?? settings.limits.defaultMaxOutput);
  let widest: Envelope | null = null;
  for (const target of allTargets(plan)) {
    const at = envelopeAt(call, target);
    if (widest === null || (at !== widest && outputOf(at) > outputOf(widest))) widest = at;
  }
  return widest ?? envelope;
}

/** The call without its first targets whose rates are used up, up to one that has room. Rejects with the refusal of the first if none has. */
async function admitted<Call extends NamedPlan>(rates: TargetRates, planned: Call): Promise<Call> {
  const { entry, route, targets } = planned.plan;
  if (route !== null && !(await rates.admitRoute({ entry, sent: planned.name }))) throw rates.refusal!;
  const refused = new Set<Target>();
  for (const target of targets) {
    if (await rates.admit(target)) break;
    refused.add(target);
  }
  return refused.size === 0 ? planned : withoutTargets(planned, (target) => !refused.has(target), rates.refusal!);
}

/** The call of a route without the targets that a used-up budget of their model holds for. Throws the refusal if none is left, or it holds for all. */
function withoutUsedUp(error: unknown, planned: PlannedCall, budgets: CallBudgets): PlannedCall {
  const { notAt } = budgets;
  if (!(error instanceof BudgetUsedUp) || notAt === undefined) throw error;
  return withoutTargets(planned, (target) => notAt(target).has(error.usedUp.id), error);
}

function withoutTargets<Call extends NamedPlan>(
  planned: Call,
  stays: (target: Target) => boolean,
  refusal: GatewayError,
): Call {
  const { plan } = planned;
  const [first, ...others] = plan.targets.filter(stays);
  if (first === undefined) throw refusal;
  const lists = {
    targets: [first, ...others] as const,
    contextTargets: plan.contextTargets.filter(stays),
    policyTargets: plan.policyTargets.filter(stays),
  };
  return { ...planned, plan: { ...plan, ...lists, decision: decisionWithout(plan, stays, refusal.message) } };
}

/** The decision as it is kept: with why targets were left out that it had chosen. */
function decisionWithout(plan: CallPlan, stays: (target: Target) => boolean, detail: string): CallPlan['decision'] {
  const { decision } = plan;
  if (decision === null) return null;
  const candidates: DecisionCandidate[] = [...decision.candidates];
  const orderOf = (order: readonly number[], targets: readonly Target[]) =>
    order.filter((index, place) => {
      const isKept = stays(targets[place]!);
      if (!isKept) candidates[index] = { ...candidates[index]!, leftOut: { reason: 'model_limit', detail } };
      return isKept;
    });
  return {
    ...decision,
    order: orderOf(decision.order, plan.targets),
    contextOrder: orderOf(decision.contextOrder, plan.contextTargets),
    policyOrder: orderOf(decision.policyOrder, plan.policyTargets),
    candidates,
  };
}

/** What a call reserves before it is sent: tokens and, if its key has a spend limit or it a budget, the most that it may cost. */
function limitRequestOf(parts: PipelineParts, call: PlannedCall): LimitedCall {
  const { request, settings } = call;
  const envelope = widestOf(call);
  const { defaultMaxOutput, holdModelMaximum } = settings.limits;
  const inputTokens = envelope.estimatedInputTokens;
  const maxOutput = allAnswers(envelope, envelope.maxOutputTokens ?? defaultMaxOutput);
  const { key } = request.caller;
  const { plan } = call;
  const { entry } = plan;
  const called = { entry, sent: call.name, find: call.directory.find };
  const budgets = parts.budgetsOf(key, called, plan.route === null ? [] : allTargets(plan));
  const limited: LimitedCall = { tokens: inputTokens + maxOutput, cost: null, model: entry.id, budgets };
  if (key.spendLimit === null && budgets.list.length === 0) return limited;
  const outputOf = (target: Target) => allAnswers(envelopeAt(call, target), mostOutput(target, call, parts.dialects));
  // Where money is limited, the plan has no target without a price but those that may serve without one.
  const priced = demandsPrice(key, budgets) && plan.route !== null ? plannedWithPrice(plan) : allTargets(plan);
  const mostOf = (outputAt: (target: Target) => number) => highestOf(call, priced, inputTokens, outputAt);
  limited.cost = mostOf(outputOf);
  if (limited.cost === null)
    limited.isPricedAfterwards = priced.some(({ provider }) => provider.quirks.reportsCost !== undefined);
  if (limited.cost !== null && envelope.maxOutputTokens === null && holdModelMaximum) {
    const least = mostOf((target) => Math.min(outputOf(target), maxOutput));
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
function mostOutput(target: Target, call: PlannedCall, dialects: readonly Dialect[]): number {
  const { dialect, model } = target;
  const { request, settings } = call;
  const envelope = envelopeAt(call, target);
  const isOwn = dialect === request.asked.id;
  const translation = isOwn ? undefined : dialects.find((each) => each.id === dialect)?.translation;
  const asked =
    translation?.mostOutput === undefined ? envelope.maxOutputTokens : translation.mostOutput(envelope, model);
  const { holdModelMaximum, defaultMaxOutput } = settings.limits;
  return asked ?? (holdModelMaximum ? model.maxOutputTokens : null) ?? defaultMaxOutput;
}

function plannedWithPrice(plan: CallPlan): readonly Target[] {
  return allTargets(plan).filter(({ model }) => (plan.route?.price ?? model.price) !== null);
}

/** The highest cost of any of these targets; `null` if one has no price. */
function highestOf(
  { plan, envelope: { body, index } }: PlannedCall,
  targets: readonly Target[],
  inputTokens: number,
  outputOf: (target: Target) => number,
): NanoDollars | null {
  // The vendor decides which service tier it uses, so the most expensive one counts.
  const isTierAsked = hasMember(body, index, 'service_tier');
  let most: NanoDollars = 0n;
  for (const target of targets) {
    const price = plan.route?.price ?? target.model.price;
    const own = parametersOf(plan.route, target.model);
    const isTierSet = own !== null && (own.force.service_tier ?? own.defaults.service_tier) !== undefined;
    const anyTier = isTierAsked || isTierSet;
    const tokens = price === null ? null : highestCost(price, inputTokens, outputOf(target), anyTier);
    if (price === null || tokens === null) return null;
    most = atLeast(most, tokens + (alwaysSearches(target) ? toolCost(price, WEB_SEARCH) : 0n));
  }
  return most;
}
