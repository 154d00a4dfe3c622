import type { DatabaseSync } from 'node:sqlite';
import { TOKEN_COLUMNS } from '../token-columns.ts';

/** The statements that make the columns of tokens which a database does not have yet. Its earlier calls have none of them. */
export function laterColumns(database: DatabaseSync): string[] {
  const there = new Set(
    database
      .prepare("select name from pragma_table_info('calls')")
      .all()
      .map(({ name }) => name),
  );
  if (there.size === 0) return [];
  return TOKEN_COLUMNS.filter(({ column }) => !there.has(column)).map(
    ({ column }) => `alter table calls add column ${column} integer`,
  );
}
