import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import type { KeptModel, ModelStore, TrainingRow } from '../core/route-store.ts';
import type { Schema } from './schema.ts';

/** How many rows one statement writes or reads. */
const BATCH = 200;

const NO_WEIGHTS = Buffer.alloc(0);

/**
 * Models of smart routes, and the rows they learn from. Which model is in force stands apart, in one row a route: to put
 * another in force changes nothing of the models themselves, whose weights may be megabytes.
 */
export function createModelStore(db: Kysely<Schema>): ModelStore {
  const models = () =>
    db
      .selectFrom('route_models')
      .leftJoin('live_route_models', 'live_route_models.model_id', 'route_models.id')
      .select(['id', 'route_models.route_id', 'created_at', 'model_id', 'source', 'rows', 'evaluation']);

  return {
    async list(routeId) {
      const ofRoute = models().where('route_models.route_id', '=', routeId);
      const rows = await ofRoute.orderBy('created_at', 'desc').orderBy('number', 'desc').execute();
      return rows.map((row) => readModel(row, NO_WEIGHTS));
    },

    async find(id) {
      const row = await models().select('weights').where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : readModel(row, row.weights);
    },

    async live(routeId) {
      const inForce = models().select('weights').where('live_route_models.route_id', '=', routeId);
      const row = await inForce.executeTakeFirst();
      return row === undefined ? null : readModel(row, row.weights);
    },

    async add(model) {
      await db
        .insertInto('route_models')
        .values({
          id: model.id,
          route_id: model.routeId,
          created_at: model.createdAt,
          source: model.source,
          rows: model.rows,
          evaluation: model.evaluation,
          weights: model.weights,
        })
        .execute();
    },

    async forget(id) {
      const live = db.selectFrom('live_route_models').select('model_id');
      await db.deleteFrom('route_models').where('id', '=', id).where('id', 'not in', live).execute();
    },

    async enforce(routeId, id) {
      if (id === null) {
        await db.deleteFrom('live_route_models').where('route_id', '=', routeId).execute();
        return;
      }
      const model = db.selectFrom('route_models').select(['route_id', 'id']).where('route_id', '=', routeId);
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('live_route_models')
        .columns(['route_id', 'model_id'])
        .expression(model.where('id', '=', id))
        .onConflict((conflict) => conflict.column('route_id').doUpdateSet({ model_id: id }))
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) {
        throw new GatewayError('not_found', `The route \`${routeId}\` has no model \`${id}\`.`);
      }
    },

    async addRows(routeId, rows) {
      // Of two with the same id the later one: no statement may write a row twice.
      const latest = [...new Map(rows.map((row) => [row.id, row])).values()];
      for (let start = 0; start < latest.length; start += BATCH) {
        await putRows(db, routeId, latest.slice(start, start + BATCH));
        await turn();
      }
    },

    async countRows(routeId, origin, since) {
      const { count } = await db
        .selectFrom('route_rows')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('route_id', '=', routeId)
        .where('origin', '=', origin)
        .where('at', '>', BigInt(since))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async *rows(routeId) {
      for (let after = ''; ; await turn()) {
        const batch = await db
          .selectFrom('route_rows')
          .selectAll()
          .where('route_id', '=', routeId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(BATCH)
          .execute();
        const last = batch.at(-1);
        if (last === undefined) return;
        yield batch.map(
          ({ id, origin, at, features, scores, propensity }): TrainingRow => ({
            id,
            origin,
            at: Number(at),
            features,
            scores: JSON.parse(scores) as TrainingRow['scores'],
            propensity,
          }),
        );
        after = last.id;
      }
    },
  };
}

async function putRows(db: Kysely<Schema>, routeId: string, rows: readonly TrainingRow[]): Promise<void> {
  await db
    .insertInto('route_rows')
    .values(
      rows.map(({ id, origin, at, features, scores, propensity }) => ({
        route_id: routeId,
        id,
        origin,
        at,
        features,
        scores: JSON.stringify(scores),
        propensity,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['route_id', 'id']).doUpdateSet(({ ref }) => ({
        origin: ref('excluded.origin'),
        at: ref('excluded.at'),
        features: ref('excluded.features'),
        scores: ref('excluded.scores'),
        propensity: ref('excluded.propensity'),
      })),
    )
    .execute();
}

type ModelRow = {
  id: string;
  route_id: string;
  created_at: bigint;
  model_id: string | null;
  source: string;
  rows: bigint;
  evaluation: string;
};

function readModel(row: ModelRow, weights: Uint8Array): KeptModel {
  return {
    id: row.id,
    routeId: row.route_id,
    createdAt: Number(row.created_at),
    live: row.model_id !== null,
    source: row.source,
    rows: Number(row.rows),
    evaluation: row.evaluation,
    weights: Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength),
  };
}
