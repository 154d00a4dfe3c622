import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { type ChangeCounter, counterOf } from '../counted-changes.ts';
import { storageUnavailable } from '../errors.ts';
import { SqliteCompiler } from './compiler.ts';
import { waitingForLock } from './lock-wait.ts';

/**
 * Kysely over `node:sqlite`. (Kysely's own SQLite dialect asks a statement whether it is a `reader`; here none says so,
 * and no rows would come back.) Integers are read as BigInt. A failure is a `GatewayError` (`storage_unavailable`), and told to `onFailure` as it was.
 */
export function sqliteDialect(
  database: DatabaseSync,
  lockWaitMs: number,
  onFailure: (error: unknown) => void = () => undefined,
): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(database, lockWaitMs, onFailure),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

/** One connection needs no pool: each query is done within one turn. The database belongs to who opened it. */
function createDriver(database: DatabaseSync, lockWaitMs: number, onFailure: (error: unknown) => void): Driver {
  const connection = createConnection(database, lockWaitMs, onFailure);
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

function createConnection(
  database: DatabaseSync,
  lockWaitMs: number,
  onFailure: (error: unknown) => void,
): DatabaseConnection {
  async function executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await waitingForLock(lockWaitMs, () =>
        counterOf(query) === null ? run<Row>(database, query) : runCounted<Row>(database, query),
      );
    } catch (error) {
      onFailure(error);
      throw storageUnavailable(error);
    }
  }
  return {
    executeQuery,
    async *streamQuery<Row>(query: CompiledQuery) {
      yield await executeQuery<Row>(query);
    },
  };
}

/** Runs one statement, now. Throws as SQLite does. */
export function run<Row>(database: DatabaseSync, query: CompiledQuery): QueryResult<Row> {
  const statement = prepared(database, query.sql);
  const parameters = query.parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...parameters) as Row[] };
  return { numAffectedRows: BigInt(statement.run(...parameters).changes), rows: [] };
}

/** How many statements of a connection stay prepared for the next who runs the same. */
const KEPT_STATEMENTS = 200;
/** The longest that is kept, in characters: an insert of many rows has a text for each number of rows, and much memory. */
const LONGEST_KEPT = 8_000;
const keptStatements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/**
 * A statement, which reads integers as BigInt. Those that were run last stay prepared: a search runs two or three in turn, up to
 * thousands of times.
 */
export function prepared(database: DatabaseSync, text: string): StatementSync {
  const kept = keptStatements.get(database) ?? new Map<string, StatementSync>();
  keptStatements.set(database, kept);
  let statement = kept.get(text);
  if (statement === undefined) {
    statement = database.prepare(text);
    statement.setReadBigInts(true);
  }
  if (text.length > LONGEST_KEPT) return statement;
  kept.delete(text);
  kept.set(text, statement);
  if (kept.size > KEPT_STATEMENTS) kept.delete(kept.keys().next().value!);
  return statement;
}

/** Runs a statement whose changes are counted, in a transaction with the count. */
function runCounted<Row>(database: DatabaseSync, query: CompiledQuery): QueryResult<Row> {
  database.exec('begin immediate');
  try {
    const result = run<Row>(database, query);
    if (changedRows(result) > 0) count(database, counterOf(query)!);
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** How many rows a statement that writes has changed. */
export function changedRows({ numAffectedRows, rows }: QueryResult<unknown>): bigint {
  return numAffectedRows ?? BigInt(rows.length);
}

/** Moves a counter, as part of a transaction. */
export function count(database: DatabaseSync, counter: ChangeCounter | 'removed_groups'): void {
  database.prepare('update counters set value = value + 1 where name = ?').run(counter);
}

/** It would await between its statements, hold the lock meanwhile, and mix with the ledger's on the same connection. */
async function refuseTransaction(): Promise<void> {
  throw new Error(
    'A transaction here is one statement, or is run within one turn, as `transact.ts` and the ledger do.',
  );
}
