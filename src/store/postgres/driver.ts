import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import { type ChangeCounter, counterOf } from '../counted-changes.ts';
import { storageUnavailable } from '../errors.ts';
import type { Schema } from '../schema.ts';
import { PostgresCompiler } from './compiler.ts';
import type { PostgresPool, RunQuery } from './pool.ts';
import { SCHEMA } from './schema/schema.ts';

/**
 * Kysely over a pool, whose statements name tables with their schema. A failure is a `GatewayError` (`storage_unavailable`), and
 * told to `onFailure` as it was.
 */
export function kyselyOver(pool: PostgresPool, onFailure: (error: unknown) => void = () => undefined): Kysely<Schema> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, onFailure),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  };
  return new Kysely<Schema>({ dialect });
}

/** The pool gives each statement a connection, and belongs to who made it. */
function createDriver(pool: PostgresPool, onFailure: (error: unknown) => void): Driver {
  async function executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await (counterOf(query) === null ? run<Row>(pool.query, query) : runCounted<Row>(pool, query));
    } catch (error) {
      onFailure(error);
      throw storageUnavailable(error);
    }
  }
  const connection: DatabaseConnection = {
    executeQuery,
    async *streamQuery<Row>(query: CompiledQuery) {
      yield await executeQuery<Row>(query);
    },
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => {},
  };
}

/** Runs one statement of kysely. Rejects as Postgres does. */
export async function run<Row>(query: RunQuery, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, count } = await query<Row>(sql, parameters);
  return { rows, numAffectedRows: BigInt(count) };
}

/** Runs a statement whose changes are counted, in a transaction with the count. */
function runCounted<Row>(pool: PostgresPool, compiled: CompiledQuery): Promise<QueryResult<Row>> {
  return pool.transaction('read committed', async (query) => {
    const result = await run<Row>(query, compiled);
    if (result.numAffectedRows! > 0n) await count(query, counterOf(compiled)!);
    return result;
  });
}

/** Moves a counter, as part of a transaction. */
export async function count(query: RunQuery, counter: ChangeCounter | 'removed_groups'): Promise<void> {
  await query(`update ${SCHEMA}.counters set value = value + 1 where name = $1`, [counter]);
}

/** Kysely's would be retried by nobody. */
async function refuseTransaction(): Promise<void> {
  throw new Error('A transaction here is one of the pool, as `transact.ts` makes them.');
}
