import type { Kysely } from 'kysely';
import type { FeedbackStore } from '../core/feedback.ts';
import type { Schema } from './schema.ts';

/** What callers thought of answers: one row a call, which goes with the call. */
export function createFeedbackStore(db: Kysely<Schema>): FeedbackStore {
  return {
    async put({ callId, organizationId, keyId, score, note, at }) {
      const given = { organization_id: organizationId, key_id: keyId, score, note, at };
      await db
        .insertInto('feedback')
        .values({ call_id: callId, ...given })
        .onConflict((conflict) => conflict.column('call_id').doUpdateSet(given))
        .execute();
    },

    async find(callId) {
      const row = await db.selectFrom('feedback').selectAll().where('call_id', '=', callId).executeTakeFirst();
      if (row === undefined) return null;
      const { organization_id: organizationId, key_id: keyId, score, note, at } = row;
      return { callId, organizationId, keyId, score, note, at: Number(at) };
    },
  };
}
