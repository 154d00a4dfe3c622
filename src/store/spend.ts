import type { Kysely } from 'kysely';
import type { SpendReader } from '../core/ports.ts';
import { budgetOwner } from '../core/records.ts';
import type { Schema } from './schema.ts';

/** Reads the sums per key and UTC day that each settlement adds to, once the tables have caught up. */
export function createSpendReader(db: Kysely<Schema>, catchUp: () => Promise<void>): SpendReader {
  return {
    async spent(keyId, sinceDay, throughDay = null) {
      await catchUp();
      const ofProduct = db.selectFrom('api_keys').select('id').where('product', '=', budgetOwner(keyId));
      let query = db
        .selectFrom('key_spend')
        .select(({ fn }) => fn.sum<bigint | null>('amount_nano').as('total'))
        .where((spend) => spend.or([spend('key_id', '=', keyId), spend('key_id', 'in', ofProduct)]));
      if (sinceDay !== null) query = query.where('utc_day', '>=', sinceDay);
      if (throughDay !== null) query = query.where('utc_day', '<=', throughDay);
      return (await query.executeTakeFirstOrThrow()).total ?? 0n;
    },
  };
}
