import type { Kysely } from 'kysely';
import type { KeyUse } from '../core/records.ts';
import type { Schema } from './schema.ts';

/** What was used with each key, from the sums that settlements add to. `day` and its month are UTC. */
export async function keyUse(db: Kysely<Schema>, day: string): Promise<KeyUse[]> {
  const month = day.slice(0, 'yyyy-mm'.length);
  const spent = await db
    .selectFrom('key_spend')
    .select(({ fn, eb }) => [
      'key_id',
      fn.sum<bigint>('amount_nano').as('in_all'),
      fn.sum<bigint | null>('amount_nano').filterWhere('utc_day', '=', day).as('in_day'),
      fn
        .sum<bigint | null>('amount_nano')
        .filterWhere(eb('utc_day', '>=', month).and('utc_day', '<', `${month}~`))
        .as('in_month'),
    ])
    .groupBy('key_id')
    .execute();
  const use = new Map<string, KeyUse>();
  for (const row of spent) {
    const [inAll, inDay, inMonth] = [row.in_all, row.in_day ?? 0n, row.in_month ?? 0n];
    use.set(row.key_id, { keyId: row.key_id, inAll, inDay, inMonth, lastUsedAt: null });
  }
  for (const { key_id: keyId, last_used_at } of await db.selectFrom('key_use').selectAll().execute()) {
    const known = use.get(keyId) ?? { keyId, inAll: 0n, inDay: 0n, inMonth: 0n };
    use.set(keyId, { ...known, lastUsedAt: Number(last_used_at) });
  }
  return [...use.values()];
}
