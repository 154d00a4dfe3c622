import { StorageOpenError } from '../errors.ts';
import { SUM_COLUMNS } from '../sum-columns.ts';
import { TOKEN_COLUMNS } from '../token-columns.ts';
import { createPool, type DatabaseOptions, type PostgresPool, type RunQuery } from './pool.ts';
import { FIRST_SCHEMA, SCHEMA } from './schema/schema.ts';

/** The version of the schema that this program writes. */
export const SCHEMA_VERSION = 1;

/** The transaction-level advisory lock of whoever makes or changes the schema: "headgate", as a number. */
const SCHEMA_LOCK = 0x68656164n;

/** Opens the database and brings its schema up to date. Throws a `StorageOpenError`, with a sentence that has no password. */
export async function openDatabase(options: DatabaseOptions): Promise<PostgresPool> {
  let pool: PostgresPool | undefined;
  try {
    pool = createPool(options);
    await prepareSchema(pool);
    await forgetForeignBatches(pool);
    return pool;
  } catch (error) {
    await pool?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageOpenError(`The Postgres database of \`store\` cannot be used: ${reason}.`, { cause: error });
  }
}

/** Makes the schema where there is none, once however many nodes start. Throws if a newer version has written it. */
async function prepareSchema(pool: PostgresPool): Promise<void> {
  if (await isReady(pool.query)) return;
  await pool.transaction('read committed', async (query) => {
    await query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    if (await isReady(query)) return;
    await query(`set local search_path to ${SCHEMA}, pg_catalog`);
    if ((await versionOf(query)) === null) await makeSchema(query);
    for (const statement of await laterColumns(query)) await query(statement);
  });
}

/**
 * Batches are numbered by transactions of their cluster. In another, into which a dump was restored, those that it has not begun yet
 * would never be complete, and hide all new ones. Looked for first: a database that only reads can be opened, too.
 */
async function forgetForeignBatches({ query }: PostgresPool): Promise<void> {
  const foreign = `from ${SCHEMA}.settled_batches where number >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
  const { rows } = await query(`select 1 ${foreign} limit 1`);
  if (rows.length > 0) await query(`delete ${foreign}`);
}

async function isReady(query: RunQuery): Promise<boolean> {
  const version = await versionOf(query);
  if (version !== null && version > SCHEMA_VERSION) {
    throw new Error(
      `it was written by a newer headgate (schema ${version}, and this one knows ${SCHEMA_VERSION}): ` +
        'start that version, or restore a backup from before it',
    );
  }
  return version === SCHEMA_VERSION && (await laterColumns(query)).length === 0;
}

/** `null` if the database has no schema of ours. */
async function versionOf(query: RunQuery): Promise<number | null> {
  const { rows } = await query<{ found: string | null }>('select to_regclass($1) as found', [`${SCHEMA}.schema_state`]);
  if (rows[0]?.found === null) return null;
  const state = await query<{ version: bigint }>(`select version from ${SCHEMA}.schema_state`);
  return Number(state.rows[0]?.version);
}

/** The operator may have made the schema for a role that may not make one. */
async function makeSchema(query: RunQuery): Promise<void> {
  const { rows } = await query('select 1 from pg_namespace where nspname = $1', [SCHEMA]);
  if (rows.length === 0) await query(`create schema ${SCHEMA}`);
  await query('create table schema_state (version bigint not null)');
  await query(FIRST_SCHEMA);
  await query('insert into schema_state values ($1)', [SCHEMA_VERSION]);
}

/** The statements that make the columns of tokens and daily sums which the database does not have yet. */
async function laterColumns(query: RunQuery): Promise<string[]> {
  const { rows } = await query<{ name: string }>(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = $1",
    [SCHEMA],
  );
  const there = new Set(rows.map(({ name }) => name));
  const missing = (table: string, columns: readonly { column: string }[]) =>
    columns.map(({ column }) => column).filter((column) => !there.has(`${table}.${column}`));
  return [
    ...missing('calls', TOKEN_COLUMNS).map((column) => `alter table ${SCHEMA}.calls add column ${column} bigint`),
    ...missing('usage_days', SUM_COLUMNS).map(
      (column) => `alter table ${SCHEMA}.usage_days add column ${column} bigint not null default 0`,
    ),
  ];
}
