import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Reading, ReadRow } from '../reading.ts';
import { prepared } from './driver.ts';

/** Reads on a connection, at once. */
export function createReading(database: DatabaseSync): Reading {
  return {
    rows: (sql, values) => prepared(database, sql).all(...(values as SQLInputValue[])) as ReadRow[],
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
