import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { DueEndpoint, WebhookDelivery, WebhookEvent, WebhookOutcome, WebhookStore } from '../core/webhooks.ts';
import { numberOrNull } from './call-rows.ts';
import { table } from './dialect.ts';
import { pageOf, placeOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** How many are deleted by one statement, so that what else is asked of the tables comes in between. */
const FORGET_BATCH = 1_000;

/** What endpoints are told of, and what came of it. */
export function createWebhookStore(db: Kysely<Schema>): WebhookStore {
  return {
    async add(deliveries) {
      if (deliveries.length === 0) return;
      await db.insertInto('webhook_deliveries').values(deliveries.map(rowOf)).execute();
    },

    due: (now) => dueEndpoints(db, now),

    async take({ endpointId, now, until }) {
      const oldest = db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('endpoint_id', '=', endpointId)
        .where('next_at', '<=', BigInt(now))
        .orderBy('next_at')
        .limit(1);
      const taken = db
        .updateTable('webhook_deliveries')
        .set({ next_at: until })
        .where('id', '=', oldest)
        // Another process may have taken it since it was found.
        .where('next_at', '<=', BigInt(now))
        .returningAll();
      const row = await taken.executeTakeFirst();
      return row === undefined ? null : readDelivery(row);
    },

    async note(delivery) {
      const { id, ...changes } = rowOf(delivery);
      await db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute();
    },

    async list(organizationId, query) {
      const { from, direction, past } = placeOf(query, 'desc');
      let rows = db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('endpoint_id', '=', query.endpointId);
      if (from !== undefined) rows = rows.where('id', past, from);
      const found = await rows
        .orderBy('id', direction)
        .limit(query.limit + 1)
        .execute();
      return pageOf(found.map(readDelivery), query);
    },

    async forget(what) {
      const rows = db.selectFrom('webhook_deliveries').select('id');
      const gone =
        'before' in what
          ? // What is still to be tried stays: a clock that was ahead for a moment may have asked.
            rows.where('created_at', '<', BigInt(what.before)).where('next_at', 'is', null)
          : rows.where('organization_id', '=', what.organizationId).where('endpoint_id', '=', what.endpointId);
      for (let deleted = FORGET_BATCH; deleted === FORGET_BATCH; await turn()) {
        const batch = db.deleteFrom('webhook_deliveries').where('id', 'in', gone.limit(FORGET_BATCH));
        deleted = Number((await batch.executeTakeFirst()).numDeletedRows);
      }
    },
  };
}

/**
 * The endpoints are walked, and not what is due: one that has ten thousand waiting costs as much as one that has a single one.
 */
async function dueEndpoints(db: Kysely<Schema>, now: number): Promise<DueEndpoint[]> {
  const deliveries = table('webhook_deliveries');
  const oldest = sql`from ${deliveries} where endpoint_id = waiting.endpoint and next_at is not null
    order by next_at limit 1`;
  const { rows } = await sql<DueEndpoint>`
    with recursive waiting (endpoint) as (
      select min(endpoint_id) from ${deliveries} where next_at is not null
      union all
      select (select min(endpoint_id) from ${deliveries} where next_at is not null and endpoint_id > waiting.endpoint)
      from waiting where endpoint is not null
    )
    select "endpointId", "organizationId" from (
      select endpoint as "endpointId", (select organization_id ${oldest}) as "organizationId", (select next_at ${oldest}) as due_at
      from waiting where endpoint is not null
    ) as oldest where due_at <= ${BigInt(now)} order by due_at`.execute(db);
  return rows.map(({ endpointId, organizationId }) => ({ endpointId, organizationId }));
}

function rowOf(delivery: WebhookDelivery) {
  const { id, organizationId, endpointId, createdAt, event, attempts, nextAt, deliveredAt, outcome } = delivery;
  return {
    id,
    organization_id: organizationId,
    endpoint_id: endpointId,
    created_at: createdAt,
    event: JSON.stringify(event),
    attempts,
    next_at: nextAt,
    delivered_at: deliveredAt,
    last_status: outcome !== null && 'status' in outcome ? outcome.status : null,
    last_fault: outcome !== null && 'fault' in outcome ? outcome.fault : null,
  };
}

function readDelivery(row: Selectable<Schema['webhook_deliveries']>): WebhookDelivery {
  return {
    id: row.id,
    organizationId: row.organization_id,
    endpointId: row.endpoint_id,
    createdAt: Number(row.created_at),
    event: JSON.parse(row.event) as WebhookEvent,
    attempts: Number(row.attempts),
    nextAt: numberOrNull(row.next_at),
    deliveredAt: numberOrNull(row.delivered_at),
    outcome: outcomeOf(row),
  };
}

function outcomeOf(row: Selectable<Schema['webhook_deliveries']>): WebhookOutcome | null {
  if (row.last_status !== null) return { status: Number(row.last_status) };
  return row.last_fault === null ? null : { fault: row.last_fault };
}
