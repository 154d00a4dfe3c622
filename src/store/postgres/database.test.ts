import type { TestContext } from 'node:test';
import { postgresServer } from '../../testing/postgres-server.ts';
import { openDatabase } from './open.ts';
import type { PostgresPool } from './pool.ts';

/** Where tests find Postgres: the folder of its programs, or `1` for the newest of Debian's packages. Unset: they do without. */
const PROGRAMS = process.env.HEADGATE_TEST_POSTGRES ?? '';

/** The option of each test that needs Postgres. */
export const WITH_POSTGRES = { skip: PROGRAMS === '' && 'needs Postgres: npm run test:postgres' };

/** The URL of a database of this test, which has the schema and nothing else, and goes when the test is over. */
export async function temporaryDatabase(t: TestContext): Promise<string> {
  template ??= makeTemplate();
  return copyOf(t, await template);
}

/** The same without the schema. */
export function emptyDatabase(t: TestContext): Promise<string> {
  return copyOf(t);
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

async function copyOf(t: TestContext, from?: string): Promise<string> {
  const server = await postgresServer(PROGRAMS);
  const url = await server.makeDatabase(from);
  t.after(() => server.dropDatabase(url));
  return url;
}
