import type { Reading, ReadRow } from '../reading.ts';
import { arrayOf } from './arrays.ts';
import type { PostgresPool } from './pool.ts';
import { SCHEMA } from './schema/schema.ts';

/** How many statements are remembered as Postgres writes them. */
const MAX_REMEMBERED = 200;

/** Reads by a pool. */
export function createReading(pool: PostgresPool): Reading {
  const texts = new Map<string, string>();
  const numbered = (sql: string) => {
    const text = sql.split('?').reduce((before, after, number) => `${before}$${number}${after}`);
    if (texts.size >= MAX_REMEMBERED) texts.clear();
    texts.set(sql, text);
    return text;
  };
  return {
    async rows(sql, values) {
      return (await pool.query<ReadRow>(texts.get(sql) ?? numbered(sql), values)).rows;
    },
    words: {
      table,
      unindexed: (column) => column,
      daysOfGroups: `unnest(?::bigint[]) as wanted (value)
        join ${table('usage_days')} on usage_days.group_number = wanted.value`,
      groups: `unnest(?::bigint[]) as wanted (value) join ${table('usage_groups')} on usage_groups.number = wanted.value`,
      numbers: (numbers) => arrayOf('integer', numbers, (number) => number)!,
    },
  };
}

/** A table as each statement names it. */
export function table(name: string): string {
  return `${SCHEMA}.${name}`;
}
