import type { Kysely } from 'kysely';
import type { KeyUse } from '../core/records.ts';
import { periodAt } from '../core/spend-period.ts';
import { textsOf } from './dialect.ts';
import type { Schema } from './schema.ts';

/** What was used with each key, or with some that are there, from the sums that settlements add to. `day`, its week and its month are UTC. */
export async function keyUse(db: Kysely<Schema>, day: string, of?: readonly string[]): Promise<KeyUse[]> {
  const month = day.slice(0, 'yyyy-mm'.length);
  const week = periodAt('week', Date.parse(day));
  let sums = db
    .selectFrom('key_spend')
    .select(({ fn, eb }) => [
      'key_id',
      fn.sum<bigint>('amount_nano').as('in_all'),
      fn.sum<bigint | null>('amount_nano').filterWhere('utc_day', '=', day).as('in_day'),
      fn
        .sum<bigint | null>('amount_nano')
        .filterWhere(eb('utc_day', '>=', week.sinceDay).and('utc_day', '<=', week.throughDay))
        .as('in_week'),
      fn
        .sum<bigint | null>('amount_nano')
        .filterWhere(eb('utc_day', '>=', month).and('utc_day', '<', `${month}~`))
        .as('in_month'),
    ])
    .groupBy('key_id');
  let lastUses = db.selectFrom('key_use').selectAll();
  if (of === undefined) sums = sums.where('key_id', 'in', db.selectFrom('api_keys').select('id'));
  else {
    // Beside a list of keys, a look whether each is there would read all keys.
    sums = sums.where('key_id', 'in', textsOf(of));
    lastUses = lastUses.where('key_id', 'in', textsOf(of));
  }
  const spent = await sums.execute();
  const use = new Map<string, KeyUse>();
  for (const row of spent) {
    const { key_id: keyId, in_all: inAll } = row;
    const [inDay, inWeek, inMonth] = [row.in_day ?? 0n, row.in_week ?? 0n, row.in_month ?? 0n];
    use.set(keyId, { keyId, inAll, inDay, inWeek, inMonth, lastUsedAt: null });
  }
  for (const { key_id: keyId, last_used_at } of await lastUses.execute()) {
    const known = use.get(keyId) ?? { keyId, inAll: 0n, inDay: 0n, inWeek: 0n, inMonth: 0n };
    use.set(keyId, { ...known, lastUsedAt: Number(last_used_at) });
  }
  return [...use.values()];
}
