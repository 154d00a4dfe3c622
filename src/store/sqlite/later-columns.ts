import type { DatabaseSync } from 'node:sqlite';
import { SUM_COLUMNS } from '../sum-columns.ts';
import { TOKEN_COLUMNS } from '../token-columns.ts';

/**
 * The statements that make the columns of tokens and daily sums which a database does not have yet. Earlier calls have no such
 * tokens; earlier days have sums of nothing.
 */
export function laterColumns(database: DatabaseSync): string[] {
  return [
    ...missingIn(database, 'calls', TOKEN_COLUMNS).map((column) => `alter table calls add column ${column} integer`),
    ...missingIn(database, 'usage_days', SUM_COLUMNS).map(
      (column) => `alter table usage_days add column ${column} integer not null default 0`,
    ),
  ];
}

function missingIn(database: DatabaseSync, table: string, columns: readonly { column: string }[]): string[] {
  const rows = database.prepare('select name from pragma_table_info(?)').all(table);
  if (rows.length === 0) return [];
  const there = new Set(rows.map(({ name }) => name));
  return columns.map(({ column }) => column).filter((column) => !there.has(column));
}
