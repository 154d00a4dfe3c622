import type { Kysely, Selectable } from 'kysely';
import type { WebhookDelivery, WebhookEvent, WebhookOutcome, WebhookStore } from '../core/webhooks.ts';
import { numberOrNull } from './call-rows.ts';
import { pageOf, placeOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** What endpoints are told of, and what came of it. */
export function createWebhookStore(db: Kysely<Schema>): WebhookStore {
  return {
    async add(deliveries) {
      if (deliveries.length === 0) return;
      await db.insertInto('webhook_deliveries').values(deliveries.map(rowOf)).execute();
    },

    async take({ now, until, limit }) {
      const due = db.selectFrom('webhook_deliveries').selectAll().where('next_at', '<=', BigInt(now));
      const taken: WebhookDelivery[] = [];
      for (const row of await due.orderBy('next_at').limit(limit).execute()) {
        const { numUpdatedRows } = await db
          .updateTable('webhook_deliveries')
          .set({ next_at: until })
          .where('id', '=', row.id)
          .where('next_at', '=', row.next_at!)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) taken.push(readDelivery(row));
      }
      return taken;
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
      const rows = db.deleteFrom('webhook_deliveries');
      const gone =
        'before' in what
          ? // What is still to be tried stays: a clock that was ahead for a moment may have asked.
            rows.where('created_at', '<', BigInt(what.before)).where('next_at', 'is', null)
          : rows.where('organization_id', '=', what.organizationId).where('endpoint_id', '=', what.endpointId);
      await gone.execute();
    },
  };
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
