import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** The prices that were set for a model. What is asked for is written as in the index `prices_by_model`: SQLite uses it for nothing else. */
export function pricesOf(db: Kysely<Schema>, organizationId: string, model: string) {
  return db
    .selectFrom('settings as each')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', sql.lit('price_override'))
    .where(member('each', 'model'), '=', model)
    .orderBy('id');
}

type Replaced = { id: string; at: bigint | null };

/**
 * When the next price of the same model begins, of prices by their ids; `null` where none is behind it. Of two that begin at the
 * same time the later id is behind. What ended before it began is none.
 */
export async function replacementsOf(
  db: Kysely<Schema>,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const from = member('each', 'from');
  // Asked in two parts, each of which is a place in the index.
  const { rows } = await sql<Replaced>`
    select id, case
      when exists (${behind(sql`${member('other', 'from')} = ${from} and other.id > each.id`)}) then ${from}
      else (${behind(sql`${member('other', 'from')} > ${from}`)})
    end as at
    from settings as each
    where organization_id = ${organizationId} and kind = 'price_override' and parent_id = ''
      and id in (select value from json_each(${JSON.stringify(ids)}))
  `.execute(db);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, Number(at)] as const])));
}

function behind(isLater: RawBuilder<unknown>): RawBuilder<unknown> {
  const [from, endedAt] = [member('other', 'from'), member('other', 'endedAt')];
  return sql`
    select ${from} from settings as other
    where other.organization_id = each.organization_id and other.kind = 'price_override'
      and ${member('other', 'model')} = ${member('each', 'model')} and ${isLater}
      and coalesce(${endedAt} > ${from}, true)
    order by ${from}, other.id limit 1
  `;
}

function member(of: 'each' | 'other', name: 'model' | 'from' | 'endedAt'): RawBuilder<string> {
  return sql<string>`json_extract(${sql.ref(`${of}.value`)}, ${sql.lit(`$.${name}`)})`;
}
