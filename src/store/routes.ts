import type { Kysely } from 'kysely';
import type { KeptRoute, RouteStore } from '../core/route-store.ts';
import type { RouteChange } from '../core/settings.ts';
import type { Schema } from './schema.ts';
import type { Statement } from './statements.ts';

/** Routes, and every definition they had. Changes are counted in their own transaction. */
export function createRouteStore(db: Kysely<Schema>): RouteStore {
  return {
    async list() {
      const rows = await db.selectFrom('routes').selectAll().orderBy('id').execute();
      return rows.map(({ id, definition, origin, updated_at, canary }) => ({
        id,
        definition,
        from: origin,
        updatedAt: Number(updated_at),
        ...(canary !== null && { canary: JSON.parse(canary) as NonNullable<KeptRoute['canary']> }),
      }));
    },

    async put({ id, definition, from, updatedAt }) {
      await db
        .insertInto('routes')
        .values({ id, definition, origin: from, updated_at: updatedAt, canary: null })
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
      await keptVersion(db, version, definition).execute();
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

export function isRouteChange(change: object): change is RouteChange {
  return 'putRoute' in change || 'removeRoute' in change;
}

/** A change of a route as statements of a transaction. What a file has put there is left as it is. */
export function routeStatements(db: Kysely<Schema>, change: RouteChange): Statement[] {
  if ('removeRoute' in change) {
    const removed = db.deleteFrom('routes').where('id', '=', change.removeRoute.id).where('origin', '=', 'store');
    return [{ query: removed.compile(), mustChange: false }];
  }
  const { id, definition, updatedAt, canary, version, canaryVersion } = change.putRoute;
  const values = { definition, updated_at: updatedAt, canary: canary === undefined ? null : JSON.stringify(canary) };
  const written = db
    .insertInto('routes')
    .values({ id, origin: 'store', ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values).where('routes.origin', '=', 'store'));
  const versions = [keptVersion(db, version, definition)];
  if (canary !== undefined && canaryVersion !== null) versions.push(keptVersion(db, canaryVersion, canary.definition));
  return [written, ...versions].map((query) => ({ query: query.compile(), mustChange: false }));
}

function keptVersion(db: Kysely<Schema>, version: string, definition: string) {
  return db
    .insertInto('route_versions')
    .values({ version, definition })
    .onConflict((conflict) => conflict.doNothing());
}
