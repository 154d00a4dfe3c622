import type { CallStatus } from '../core/records.ts';
import type { UsageSource } from '../core/usage.ts';
import { OTHER_NAMES } from '../core/usage-summary.ts';
import { utcDayNumber } from '../core/utc-day.ts';
import { countedMs } from './first-tokens.ts';
import { addUsage, type DaySums, noDaySums } from './sum-columns.ts';

/** What of a call is read before it is deleted: what it was added up by. */
export type DeletedCall = {
  id: string;
  status: 'open' | CallStatus;
  created_at: bigint;
  usage_group: bigint | null;
  key_id: string;
  source: string;
  product: string | null;
  tool_name: string | null;
  model: string;
  requested_model: string;
  usage_source: UsageSource;
  input_tokens: bigint;
  cache_read_tokens: bigint;
  output_tokens: bigint;
  cost_nano: bigint | null;
  vendor_cost: bigint | null;
  attempts: bigint;
  first_token_ms: bigint | null;
};

/** Its columns, for a statement. */
export const DELETED_COLUMNS = `id, status, created_at, usage_group, key_id, source, product, tool_name, model, requested_model,
  usage_source, input_tokens, cache_read_tokens, output_tokens, cost_nano, attempts,
  time_to_first_token_ms as first_token_ms,
  case when charged_otherwise is null then cost_nano else vendor_cost_nano end as vendor_cost`;

/** What calls came to, by the day and the group that they were added up in. */
export function sumsOfDeleted(calls: readonly DeletedCall[]): { day: number; group: number; sums: DaySums }[] {
  const days = new Map<string, { day: number; group: number; sums: DaySums }>();
  for (const call of calls) {
    if (call.usage_group === null) continue;
    const [day, group] = [utcDayNumber(Number(call.created_at)), Number(call.usage_group)];
    const place = days.get(`${day} ${group}`) ?? { day, group, sums: noDaySums() };
    days.set(`${day} ${group}`, place);
    addUsage(place.sums, {
      status: call.status as CallStatus,
      usageSource: call.usage_source,
      cost: call.cost_nano,
      vendorCost: call.vendor_cost,
      attempts: Number(call.attempts),
      timeToFirstTokenMs: null,
      usage: {
        inputTokens: Number(call.input_tokens),
        cacheReadTokens: Number(call.cache_read_tokens),
        outputTokens: Number(call.output_tokens),
      },
    });
  }
  return [...days.values()];
}

/** How many of these calls are counted by each wait of a day. */
export function waitsOfDeleted(calls: readonly DeletedCall[]): { day: number; ms: number; calls: number }[] {
  const waits = new Map<string, { day: number; ms: number; calls: number }>();
  for (const { usage_group: group, first_token_ms: wait, created_at: at } of calls) {
    if (group === null || wait === null) continue;
    const [day, ms] = [utcDayNumber(Number(at)), countedMs(Number(wait))];
    const place = waits.get(`${day} ${ms}`) ?? { day, ms, calls: 0 };
    waits.set(`${day} ${ms}`, place);
    place.calls += 1;
  }
  return [...waits.values()];
}

/** What a call may be grouped by: its own names, or those that names beyond the bound share. */
export function groupsOfDeleted(call: DeletedCall): [tool: string, model: string, requestedModel: string][] {
  const { tool_name: tool, model, requested_model: name } = call;
  return [
    [tool ?? '', model, name],
    [tool === null ? '' : OTHER_NAMES, OTHER_NAMES, OTHER_NAMES],
  ];
}
