import type { Kysely } from 'kysely';
import type { RouteStore } from '../core/ports.ts';
import type { Schema } from './schema.ts';

/** Routes, and every definition they had. Changes are counted by triggers, in the change's own transaction. */
export function createRouteStore(db: Kysely<Schema>): RouteStore {
  return {
    async list() {
      const rows = await db.selectFrom('routes').selectAll().orderBy('id').execute();
      return rows.map(({ id, definition, origin, updated_at }) => ({
        id,
        definition,
        from: origin,
        updatedAt: Number(updated_at),
      }));
    },

    async put({ id, definition, from, updatedAt }) {
      await db
        .insertInto('routes')
        .values({ id, definition, origin: from, updated_at: updatedAt })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ definition, origin: from, updated_at: updatedAt })
            .where((kept) => kept.or([kept('routes.definition', '<>', definition), kept('routes.origin', '<>', from)])),
        )
        .execute();
    },

    async remove(id) {
      const { numDeletedRows } = await db.deleteFrom('routes').where('id', '=', id).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async keepVersion(version, definition) {
      await db
        .insertInto('route_versions')
        .values({ version, definition })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async version(version) {
      const kept = db.selectFrom('route_versions').select('definition').where('version', '=', version);
      return (await kept.executeTakeFirst())?.definition ?? null;
    },

    async changes() {
      const counter = db.selectFrom('counters').select('value').where('name', '=', 'route_changes');
      return Number((await counter.executeTakeFirstOrThrow()).value);
    },
  };
}
