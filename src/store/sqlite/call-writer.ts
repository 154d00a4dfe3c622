import type { DatabaseSync } from 'node:sqlite';
import type { Intent, Settlement } from '../../core/records.ts';
import { writeLineItems } from '../price-json.ts';
import type { PriceVersions } from './price-versions.ts';

/** The statements of the hot path. Each function belongs inside a transaction, which is rolled back if it throws. */
export type CallWriter = {
  /** Throws where the id is taken. */
  open(intent: Intent): void;
  /** Does nothing for a call that is settled already; throws for one that was never opened. */
  settle(settlement: Settlement): void;
};

/** /!\ Hot path: prepared once, bound by position; four statements are the whole cost of a call in the ledger. */
export function createCallWriter(database: DatabaseSync, prices: PriceVersions, instanceId: string): CallWriter {
  const insertCall = database.prepare(
    `insert into calls (
       organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model,
       provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status
     ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')`,
  );
  const settleCall = database.prepare(
    `update calls set
       status = ?, http_status = ?, error_kind = ?, input_tokens = ?, cache_read_tokens = ?, cache_write_tokens = ?,
       cache_write_1h_tokens = ?, output_tokens = ?, reasoning_tokens = ?, audio_input_tokens = ?,
       audio_output_tokens = ?, service_tier = ?, usage_source = ?, line_items = ?, cost_nano = ?, settled_at = ?,
       time_to_first_token_ms = ?
     where organization_id = ? and id = ? and status = 'open'`,
  );
  const findCall = database.prepare('select 1 from calls where organization_id = ? and id = ?');
  const insertAttempt = database.prepare(
    `insert into attempts (
       call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id,
       started_at, ended_at, usage_source
     ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addSpend = database.prepare(
    `insert into key_spend (key_id, utc_day, amount_nano) values (?, ?, ?)
     on conflict do update set amount_nano = amount_nano + excluded.amount_nano`,
  );

  /** The update of an open call is what counts it once: all that follows it happens only if it changed a row. */
  function closeCall(settlement: Settlement): boolean {
    const { usage } = settlement;
    const { changes } = settleCall.run(
      settlement.status,
      settlement.httpStatus,
      settlement.errorKind,
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.cacheWrite1hTokens,
      usage.outputTokens,
      usage.reasoningTokens,
      usage.audioInputTokens,
      usage.audioOutputTokens,
      usage.serviceTier ?? null,
      settlement.usageSource,
      writeLineItems(settlement.lineItems),
      settlement.cost,
      settlement.settledAt,
      settlement.timeToFirstTokenMs,
      settlement.organizationId,
      settlement.id,
    );
    return changes === 1;
  }

  return {
    open(intent) {
      const { price, provider, upstreamModel } = intent;
      insertCall.run(
        intent.organizationId,
        intent.id,
        intent.requestId,
        intent.clientRequestId,
        intent.keyId,
        intent.source,
        intent.dialect,
        intent.model,
        intent.requestedModel,
        provider,
        upstreamModel,
        intent.streamed ? 1 : 0,
        intent.createdAt,
        intent.estimatedInputTokens,
        price === null ? null : prices.use(price, provider, upstreamModel),
        instanceId,
      );
    },

    settle(settlement) {
      const { organizationId, id, keyId, cost } = settlement;
      if (!closeCall(settlement)) {
        if (findCall.get(organizationId, id) === undefined) throw new Error(`The call ${id} was never opened.`);
        return;
      }
      for (const [index, attempt] of settlement.attempts.entries()) {
        insertAttempt.run(
          id,
          index + 1,
          attempt.provider,
          attempt.upstreamModel,
          attempt.status,
          attempt.httpStatus,
          attempt.errorKind,
          attempt.upstreamRequestId,
          attempt.startedAt,
          attempt.endedAt,
          attempt.usageSource,
        );
      }
      if (cost !== null && cost !== 0n) addSpend.run(keyId, utcDay(settlement.createdAt), cost);
    },
  };
}

function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
