import type { EndedCall, Intent, Settlement } from '../core/records.ts';
import { utcDay, utcDayNumber } from '../core/utc-day.ts';
import type { EarlierAttempt, SettledCall } from './call-columns.ts';
import type { SummedUsage } from './sum-columns.ts';
import type { SummedCall } from './usage-groups.ts';

/** What of an open call's row its group is found by, and against which budgets it is held. */
export type FoundCall = Omit<SummedCall, 'id' | 'organizationId' | 'keyId' | 'createdAt'> &
  ServedCall & {
    status: string;
    budgets: string | null;
  };

/** What a log tells of a call, beside how it ended. */
export type ServedCall = Pick<Intent, 'requestId' | 'model' | 'provider' | 'upstreamModel'>;

/**
 * Whether the last attempt ended as its call did, so that the call's own row tells of it. One that failed before its caller
 * left does not, nor one that came behind the refusal that its caller was told.
 */
function isToldByItsCall({ attempts, status, errorKind, usageSource, routed }: Settlement): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return true;
  if (last.status !== status || last.errorKind !== errorKind || last.usageSource !== usageSource) return false;
  return routed === null || (last.provider === routed.provider && last.upstreamModel === routed.upstreamModel);
}

/** The attempts of a settled call that need rows of their own. */
export function earlierAttemptsOf(settlement: Settlement): EarlierAttempt[] {
  const { id, attempts } = settlement;
  const rows = isToldByItsCall(settlement) ? attempts.length - 1 : attempts.length;
  return attempts.slice(0, Math.max(0, rows)).map((attempt, index) => ({ callId: id, number: index + 1, attempt }));
}

/** What of a settlement is added up. */
export function summedUsageOf(settlement: Settlement): SummedUsage {
  const { status, usage, usageSource, cost, routed, timeToFirstTokenMs } = settlement;
  const vendorCost = routed === null ? cost : routed.vendorCost;
  const attempts = settlement.attempts.length;
  return { status, usage, usageSource, cost, vendorCost, timeToFirstTokenMs, attempts };
}

/** What is told of a call that has ended; the name of its key is looked up later. */
export function endedCallOf(
  { requestId, model, provider, upstreamModel }: ServedCall,
  settlement: Settlement,
): EndedCall {
  const { routed } = settlement;
  const served = { provider: routed?.provider ?? provider, upstreamModel: routed?.upstreamModel ?? upstreamModel };
  return { requestId, keyName: null, model, ...served, settlement };
}

export function endOf(settlement: Settlement, usageGroup: number): SettledCall {
  return { settlement, last: settlement.attempts.at(-1), usageGroup };
}

/** The day of the last call is nearly always that of the next. */
let knownDay = { number: 0, text: '1970-01-01' };

export function rememberedUtcDay(at: number): string {
  const number = utcDayNumber(at);
  if (number !== knownDay.number) knownDay = { number, text: utcDay(at) };
  return knownDay.text;
}
