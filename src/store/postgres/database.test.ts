import type { TestContext } from 'node:test';
import { postgresServer } from '../../testing/postgres-server.ts';
import { openDatabase } from './open.ts';
import { createPool, type PostgresPool } from './pool.ts';

/** Where tests find Postgres: the folder of its programs, or `1` for the newest of Debian's packages. Unset: they do without. */
const PROGRAMS = process.env.HEADGATE_TEST_POSTGRES ?? '';

/** The option of each test that needs Postgres. */
export const WITH_POSTGRES = { skip: PROGRAMS === '' && 'needs Postgres: npm run test:postgres' };

/** The URL of a database of this test, which has the schema and nothing else. A later test may be handed it, emptied. */
export async function temporaryDatabase(t: TestContext): Promise<string> {
  template ??= makeTemplate();
  const from = await template;
  const url = unused.pop() ?? (await (await postgresServer(PROGRAMS)).makeDatabase(from));
  await emptied(url);
  t.after(() => unused.push(url));
  return url;
}

/** The URL of a database of this test without a schema, which goes when the test is over. */
export async function emptyDatabase(t: TestContext): Promise<string> {
  const server = await postgresServer(PROGRAMS);
  const url = await server.makeDatabase();
  t.after(() => server.dropDatabase(url));
  return url;
}

/** A pool over a `temporaryDatabase`. */
export async function temporaryPool(t: TestContext): Promise<PostgresPool> {
  const pool = await openDatabase({ url: await temporaryDatabase(t) });
  t.after(() => pool.close());
  return pool;
}

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const url = await (await postgresServer(PROGRAMS)).makeDatabase();
  await (await openDatabase({ url })).close();
  return url;
}

/** To make a database takes half a second, and to empty one a few milliseconds. */
const unused: string[] = [];

/** Whoever is still connected is so no more. */
async function emptied(url: string): Promise<void> {
  const pool = createPool({ url, connections: 1 });
  try {
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const { rows } = await pool.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'headgate'::regnamespace and relkind = 'r'",
    );
    const names = rows.map(({ name }) => name).filter((name) => name !== 'counters' && name !== 'schema_state');
    // Without triggers, which hold foreign keys, and keep the audit log.
    const deleted = names.map((name) => `delete from headgate.${name};`).join('');
    await pool.query(
      `begin; set local session_replication_role = replica; ${deleted} update headgate.counters set value = 0; commit`,
    );
  } finally {
    await pool.close();
  }
}
