import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Intent, Settlement } from '../../core/records.ts';
import { writeLineItems } from '../price-json.ts';
import type { PriceVersions } from './price-versions.ts';

const DAY_MS = 86_400_000;

/** The statements of the ledger. Each function belongs inside a transaction, which is rolled back if it throws. */
export type CallWriter = {
  /** Opens a call of this instance. Throws where the id is taken. */
  open(intent: Intent, instanceId: string): void;
  /** Opens and settles a call at once, at half the cost. */
  add(intent: Intent, settlement: Settlement, instanceId: string): void;
  /** Does nothing for a call that is settled already; throws for one that was never opened. */
  settle(settlement: Settlement): void;
};

const OPENED = `organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model,
       provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id`;
const SETTLED = `status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens,
       cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier,
       usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped`;

/** /!\ Hot path: prepared once, bound by position. */
export function createCallWriter(database: DatabaseSync, prices: PriceVersions): CallWriter {
  const openCall = database.prepare(
    `insert into calls (${OPENED}, status) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')`,
  );
  const addCall = database.prepare(
    `insert into calls (${OPENED}, ${SETTLED}) values (${Array.from({ length: 34 }, () => '?').join(', ')})`,
  );
  const settleCall = database.prepare(
    `update calls set (${SETTLED}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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

  function opened(intent: Intent, instanceId: string): SQLInputValue[] {
    const { price, provider, upstreamModel } = intent;
    return [
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
    ];
  }

  function addWhatFollows({ id, keyId, cost, createdAt, attempts }: Settlement): void {
    for (const [index, attempt] of attempts.entries()) {
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
    if (cost !== null && cost !== 0n) addSpend.run(keyId, utcDay(createdAt), cost);
  }

  return {
    open: (intent, instanceId) => void openCall.run(...opened(intent, instanceId)),

    add(intent, settlement, instanceId) {
      addCall.run(...opened(intent, instanceId), ...settled(settlement));
      addWhatFollows(settlement);
    },

    settle(settlement) {
      const { organizationId, id } = settlement;
      // The update of an open call is what counts it once: all that follows it happens only if it changed a row.
      if (settleCall.run(...settled(settlement), organizationId, id).changes === 1) return addWhatFollows(settlement);
      if (findCall.get(organizationId, id) === undefined) throw new Error(`The call ${id} was never opened.`);
    },
  };
}

function settled(settlement: Settlement): SQLInputValue[] {
  const { usage } = settlement;
  return [
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
    settlement.dropped.length === 0 ? null : JSON.stringify(settlement.dropped),
  ];
}

/** The day of the last call is nearly always that of the next. */
let knownDay = { number: 0, text: '1970-01-01' };

function utcDay(at: number): string {
  const number = Math.floor(at / DAY_MS);
  if (number !== knownDay.number) knownDay = { number, text: new Date(at).toISOString().slice(0, 10) };
  return knownDay.text;
}
