import type { Kysely } from 'kysely';
import type { SpendReader } from '../core/ports.ts';
import { budgetOwner } from '../core/records.ts';
import type { EarlierSpend } from '../core/settings.ts';
import type { Schema } from './schema.ts';

/** The keys of the group whose budget an id names; none where it names no group. */
export function keysOf(db: Kysely<Schema>, id: string) {
  const group = budgetOwner(id);
  const column = group === null ? 'id' : COLUMN_OF[group.of];
  return db
    .selectFrom('api_keys')
    .select('id')
    .where(column, '=', group?.id ?? '');
}

/** Where a key says which of these groups it is in. */
export const COLUMN_OF = { product: 'product', project: 'project_id', organization: 'organization_id' } as const;

/** Adds under a budget's id, day by day, what keys of its holders have spent that are of this organization. */
export function countEarlierSpend(
  db: Kysely<Schema>,
  organizationId: string,
  { budgetId, holders, sinceDay }: EarlierSpend,
) {
  const spent = db
    .selectFrom('api_keys')
    .innerJoin('key_spend', 'key_spend.key_id', 'api_keys.id')
    .select(({ val, fn }) => [
      val(budgetId).as('key_id'),
      'key_spend.utc_day',
      fn.sum<bigint>('key_spend.amount_nano').as('amount_nano'),
    ])
    .where('api_keys.organization_id', '=', organizationId)
    .where('key_spend.utc_day', '>=', sinceDay)
    .where(({ eb, or, and }) =>
      or(
        holders.flatMap(({ type, id }) => {
          if (type === 'group') return [];
          if (type !== 'user') return [eb(`api_keys.${HOLDER_COLUMNS[type]}`, '=', id)];
          return [
            and([eb('api_keys.owner_type', '=', 'user'), eb('api_keys.owner_id', '=', id)]),
            and([eb('api_keys.maker_type', '=', 'user'), eb('api_keys.maker_id', '=', id)]),
          ];
        }),
      ),
    )
    .groupBy('key_spend.utc_day');
  return db.insertInto('key_spend').columns(['key_id', 'utc_day', 'amount_nano']).expression(spent).compile();
}

const HOLDER_COLUMNS = { ...COLUMN_OF, api_key: 'id' } as const;

/** Reads the sums per key and UTC day that each settlement adds to, once the tables have caught up. */
export function createSpendReader(db: Kysely<Schema>, catchUp: () => Promise<void>): SpendReader {
  return {
    async spent(keyId, sinceDay, throughDay = null) {
      await catchUp();
      let query = db
        .selectFrom('key_spend')
        .select(({ fn }) => fn.sum<bigint | null>('amount_nano').as('total'))
        .where((spend) => spend.or([spend('key_id', '=', keyId), spend('key_id', 'in', keysOf(db, keyId))]));
      if (sinceDay !== null) query = query.where('utc_day', '>=', sinceDay);
      if (throughDay !== null) query = query.where('utc_day', '<=', throughDay);
      return (await query.executeTakeFirstOrThrow()).total ?? 0n;
    },
  };
}
