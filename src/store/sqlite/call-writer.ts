import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { NanoDollars } from '../../core/money.ts';
import type { Attempt, Intent, Settlement } from '../../core/records.ts';
import { writeLineItems } from '../price-json.ts';

const DAY_MS = 86_400_000;

/**
 * The statements of the ledger. They belong inside a transaction, which is rolled back if one throws, between `begin`
 * and `finish`.
 */
export type CallWriter = {
  /** @param together whether what keys have spent is written once for all calls, in `finish`, or with each call */
  begin(together: boolean): void;
  /** Opens a call of this instance. Throws where the id is taken. */
  open(intent: Intent, priceVersion: string | null, instanceId: string): void;
  /** Opens and settles a call at once, at half the cost. */
  add(intent: Intent, priceVersion: string | null, settlement: Settlement): void;
  /** Does nothing for a call that is settled already; throws for one that was never opened. */
  settle(settlement: Settlement): void;
  finish(): void;
};

const OPENED = `organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model,
       provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id`;
const SETTLED = `status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens,
       cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier,
       usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status,
       upstream_request_id, attempted_at`;
const [OPENED_COUNT, SETTLED_COUNT] = [OPENED, SETTLED].map((names) => names.split(',').length) as [number, number];

/** Nobody looks for the instance of a call that is over. */
const NO_INSTANCE = '';

/** /!\ Hot path: prepared once, bound by position. */
export function createCallWriter(database: DatabaseSync): CallWriter {
  const openCall = database.prepare(
    `insert into calls (${OPENED}, status) values (${placeholders(OPENED_COUNT)}, 'open')`,
  );
  const addCall = database.prepare(
    `insert into calls (${OPENED}, ${SETTLED}) values (${placeholders(OPENED_COUNT + SETTLED_COUNT)})`,
  );
  const settleCall = database.prepare(
    `update calls set (${SETTLED}) = (${placeholders(SETTLED_COUNT)})
     where organization_id = ? and id = ? and status = 'open'`,
  );
  const findCall = database.prepare('select 1 from calls where organization_id = ? and id = ?');
  const insertAttempt = database.prepare(
    `insert into earlier_attempts (
       call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id,
       started_at, ended_at, usage_source
     ) values (${placeholders(11)})`,
  );
  const addSpend = database.prepare(
    `insert into key_spend (key_id, utc_day, amount_nano) values (?, ?, ?)
     on conflict do update set amount_nano = amount_nano + excluded.amount_nano`,
  );
  /** By key and day, of the present transaction; `null` where each call is written by itself. */
  let spent: Map<string, Map<string, NanoDollars>> | null = null;

  function addWhatFollows({ id, keyId, cost, createdAt, attempts }: Settlement): void {
    for (let index = 0; index < attempts.length - 1; index += 1) addEarlierAttempt(id, index + 1, attempts[index]!);
    if (cost === null || cost === 0n) return;
    const day = utcDay(createdAt);
    if (spent === null) return void addSpend.run(keyId, day, cost);
    let days = spent.get(keyId);
    if (days === undefined) {
      days = new Map();
      spent.set(keyId, days);
    }
    days.set(day, (days.get(day) ?? 0n) + cost);
  }

  function addEarlierAttempt(callId: string, number: number, attempt: Attempt): void {
    insertAttempt.run(
      callId,
      number,
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

  return {
    begin(together) {
      spent = together ? new Map() : null;
    },

    open(intent, priceVersion, instanceId) {
      openCall.run(...opened(intent, priceVersion, instanceId));
    },

    add(intent, priceVersion, settlement) {
      addCall.run(...opened(intent, priceVersion, NO_INSTANCE), ...settled(settlement));
      addWhatFollows(settlement);
    },

    settle(settlement) {
      const { organizationId, id } = settlement;
      // The update of an open call is what counts it once: all that follows it happens only if it changed a row.
      if (settleCall.run(...settled(settlement), organizationId, id).changes === 1) return addWhatFollows(settlement);
      if (findCall.get(organizationId, id) === undefined) throw new Error(`The call ${id} was never opened.`);
    },

    finish() {
      for (const [keyId, days] of spent ?? []) {
        for (const [day, amount] of days) addSpend.run(keyId, day, amount);
      }
    },
  };
}

function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

function opened(intent: Intent, priceVersion: string | null, instanceId: string): SQLInputValue[] {
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
    intent.provider,
    intent.upstreamModel,
    intent.streamed ? 1 : 0,
    intent.createdAt,
    intent.estimatedInputTokens,
    priceVersion,
    instanceId,
  ];
}

function settled(settlement: Settlement): SQLInputValue[] {
  const { usage, attempts } = settlement;
  const last = attempts.at(-1);
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
    JSON.stringify(writeLineItems(settlement.lineItems)),
    settlement.cost,
    settlement.settledAt,
    settlement.timeToFirstTokenMs,
    settlement.dropped.length === 0 ? null : JSON.stringify(settlement.dropped),
    attempts.length,
    last?.httpStatus ?? null,
    last?.upstreamRequestId ?? null,
    last?.startedAt ?? null,
  ];
}

/** The day of the last call is nearly always that of the next. */
let knownDay = { number: 0, text: '1970-01-01' };

function utcDay(at: number): string {
  const number = Math.floor(at / DAY_MS);
  if (number !== knownDay.number) knownDay = { number, text: new Date(at).toISOString().slice(0, 10) };
  return knownDay.text;
}
