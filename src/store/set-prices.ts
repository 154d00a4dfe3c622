import { type Kysely, type RawBuilder, sql } from 'kysely';
import { integerMember, member, table, textsOf } from './dialect.ts';
import type { Schema } from './schema.ts';

/** The prices that were set for a model. What is asked for is written as in the index `prices_by_model`, or that is not used. */
export function pricesOf(db: Kysely<Schema>, organizationId: string, model: string) {
  return db
    .selectFrom('settings as each')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', sql.lit('price_override'))
    .where(member('each.value', 'model'), '=', model)
    .orderBy('id');
}

const FROM = integerMember('other.value', 'from');

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
  const from = integerMember('each.value', 'from');
  // Asked in two parts, each of which is a place in the index.
  const { rows } = await sql<Replaced>`
    select id, case
      when exists (${behind(sql`${FROM} = ${from} and other.id > each.id`)}) then ${from}
      else (${behind(sql`${FROM} > ${from}`)})
    end as at
    from ${table('settings')} as each
    where organization_id = ${organizationId} and kind = 'price_override' and parent_id = ''
      and id in ${textsOf(ids)}
  `.execute(db);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, Number(at)] as const])));
}

function behind(isLater: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select ${FROM} from ${table('settings')} as other
    where other.organization_id = each.organization_id and other.kind = 'price_override'
      and ${member('other.value', 'model')} = ${member('each.value', 'model')} and ${isLater}
      and coalesce(${integerMember('other.value', 'endedAt')} > ${FROM}, true)
    order by ${FROM}, other.id limit 1
  `;
}
