import type { Kysely } from 'kysely';
import type { PriceReader } from '../core/ports.ts';
import { readPrice } from './price-json.ts';
import type { Schema } from './schema.ts';

/** Reads the prices that calls were billed by, once the tables have caught up. */
export function createPriceReader(db: Kysely<Schema>, catchUp: () => Promise<void>): PriceReader {
  return {
    async ofModel(provider, upstreamModel) {
      await catchUp();
      const rows = await db
        .selectFrom('price_versions')
        .selectAll()
        .where('provider', '=', provider)
        .where('upstream_model', '=', upstreamModel)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({ id: row.id, price: readPrice(row) }));
    },
  };
}
