import type { DatabaseSync } from 'node:sqlite';
import type { CallStatus, Source } from '../../core/records.ts';
import type { UsageSource } from '../../core/usage.ts';
import { UsageDays } from './usage-days.ts';

/** How many calls one transaction adds up. */
const BATCH = 200;

type UnsummedCall = {
  id: string;
  status: 'open' | CallStatus;
  usage_group: bigint | null;
  key_id: string;
  source: Source;
  product: string | null;
  tool: string | null;
  model: string;
  requested_model: string;
  route: string | null;
  provider: string;
  created_at: bigint;
  usage_source: UsageSource;
  input_tokens: bigint;
  cache_read_tokens: bigint;
  output_tokens: bigint;
  cost_nano: bigint | null;
  vendor_cost: bigint | null;
  attempts: bigint;
  first_token_ms: bigint | null;
};

/** Whether calls of before sums by day may still be in none. */
export function hasUnsummed(database: DatabaseSync): boolean {
  return database.prepare('select 1 from unsummed_calls limit 1').get() !== undefined;
}

/**
 * Makes the step that adds a batch of calls of before up by day, newest first, and tells how many it looked at; `null` once
 * all are. A call's row says whether it is counted, so none is counted twice, whatever is settled or deleted meanwhile.
 */
export function createOldCallSums(database: DatabaseSync): () => number | null {
  const days = new UsageDays(database);
  const next = database.prepare('select organization_id as organization, up_to as upTo from unsummed_calls limit 1');
  const batch = database.prepare(
    `select id, status, usage_group, key_id, source, product, tool_name as tool, model, requested_model, provider, created_at,
       coalesce(route, (
         select route_id from decisions where organization_id = calls.organization_id and call_id = calls.id
       )) as route, usage_source, input_tokens, cache_read_tokens, output_tokens, cost_nano,
       attempts, time_to_first_token_ms as first_token_ms,
       case when charged_otherwise is null then cost_nano else vendor_cost_nano end as vendor_cost
     from calls where organization_id = ? and id <= ? order by id desc limit ${BATCH + 1}`,
  );
  batch.setReadBigInts(true);
  const note = database.prepare('update calls set (usage_group, route) = (?, ?) where organization_id = ? and id = ?');
  const advance = database.prepare('update unsummed_calls set up_to = ? where organization_id = ?');
  const finish = database.prepare('delete from unsummed_calls where organization_id = ?');

  function sum(organizationId: string, call: UnsummedCall): void {
    const { id, key_id: keyId, created_at: createdAt, requested_model: requestedModel } = call;
    const { source, product, tool, model, route, provider } = call;
    const summed = {
      id,
      organizationId,
      keyId,
      source,
      product,
      tool,
      model,
      requestedModel,
      route,
      provider,
      createdAt: Number(createdAt),
    };
    const group = days.add(summed, {
      status: call.status as CallStatus,
      usageSource: call.usage_source,
      usage: {
        inputTokens: Number(call.input_tokens),
        cacheReadTokens: Number(call.cache_read_tokens),
        outputTokens: Number(call.output_tokens),
      },
      cost: call.cost_nano,
      vendorCost: call.vendor_cost,
      attempts: Number(call.attempts),
      timeToFirstTokenMs: call.first_token_ms === null ? null : Number(call.first_token_ms),
    });
    note.run(group, route, organizationId, call.id);
  }

  return () => {
    database.exec('begin immediate');
    try {
      days.begin();
      const found = next.get() as { organization: string; upTo: string } | undefined;
      const calls = found === undefined ? [] : (batch.all(found.organization, found.upTo) as unknown as UnsummedCall[]);
      for (const call of calls.slice(0, BATCH)) {
        if (call.status !== 'open' && call.usage_group === null) sum(found!.organization, call);
      }
      days.finish();
      const rest = calls.at(BATCH);
      if (found !== undefined && rest !== undefined) advance.run(rest.id, found.organization);
      else if (found !== undefined) finish.run(found.organization);
      database.exec('commit');
      days.committed();
      return found === undefined ? null : Math.min(calls.length, BATCH);
    } catch (error) {
      days.rolledBack();
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
}
