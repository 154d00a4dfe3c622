import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Reading, ReadRow } from '../reading.ts';

/** How many statements stay prepared; past it all are prepared again. */
const MAX_PREPARED = 200;

/** Reads on a connection, at once. */
export function createReading(database: DatabaseSync): Reading {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    prepared.set(sql, statement);
    return statement;
  };
  return {
    rows: (sql, values) => (prepared.get(sql) ?? prepare(sql)).all(...(values as SQLInputValue[])) as ReadRow[],
    words: {
      table: (name) => name,
      unindexed: (column) => `+${column}`,
      daysOfGroups:
        'json_each(?) as wanted cross join usage_days indexed by usage_days_by_group on usage_days.group_number = wanted.value',
      groups: 'json_each(?) as wanted cross join usage_groups on usage_groups.number = wanted.value',
      numbers: (numbers) => JSON.stringify(numbers),
    },
  };
}
