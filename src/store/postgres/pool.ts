import pg from 'pg';
import { StoreGoneError } from './errors.ts';
import { VALUE_TYPES } from './value-types.ts';

export type DatabaseOptions = {
  /** `postgres://…` */
  url: string;
  /** How many connections there are at most. Default 8. */
  connections?: number;
  /** How long a connection may take to be there, in ms. Default `CONNECT_MS`. */
  connectMs?: number;
  /** How long a statement may take, in ms, until its connection is given up. Default `QUERY_MS`. */
  queryMs?: number;
};

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export type Result<Row> = { rows: Row[] /** Rows that were changed, or read. */; count: number };

/** Runs one statement; several, if they have no values. Rejects with Postgres's own error, or with a `StoreGoneError`. */
export type RunQuery = <Row = Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
) => Promise<Result<Row>>;

/**
 * Connections that work through a transaction pooler, too: a session has nothing of its own. So statements have no names, tables
 * are named with their schema, and there is no SET but SET LOCAL, no lock of a session, no LISTEN and no temporary table.
 */
export type PostgresPool = {
  query: RunQuery;
  /** Does the work in one transaction, which is rolled back if it throws. */
  transaction<Value>(isolation: Isolation, work: (query: RunQuery) => Promise<Value>): Promise<Value>;
  /** Ends all connections once what is under way is done. */
  close(): Promise<void>;
};

const CONNECT_MS = 5_000;
const QUERY_MS = 30_000;
const CONNECTIONS = 8;

export function createPool(options: DatabaseOptions): PostgresPool {
  const { url, connections = CONNECTIONS, connectMs = CONNECT_MS, queryMs = QUERY_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    types: VALUE_TYPES,
    application_name: 'headgate',
    keepAlive: true,
  });
  // The end of a connection is told to the statement that was under way on it, or is of nobody's concern.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));

  async function acquire(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw told(error);
    }
  }

  let closing: Promise<void> | null = null;
  return {
    async query(text, values) {
      const client = await acquire();
      let failure: unknown = null;
      try {
        return await queryOf(client)(text, values);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        client.release(failure instanceof StoreGoneError);
      }
    },
    async transaction(isolation, work) {
      const client = await acquire();
      const query = queryOf(client);
      let isUsable = true;
      try {
        await query(`begin isolation level ${isolation}`);
        const value = await work(query);
        await query('commit');
        return value;
      } catch (error) {
        isUsable = await query('rollback').then(
          () => true,
          () => false,
        );
        throw error;
      } finally {
        client.release(!isUsable);
      }
    },
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

function queryOf(client: pg.PoolClient): RunQuery {
  return async (text, values = []) => {
    try {
      const { rows, rowCount } = await client.query({ text, values: values.map(bindable) });
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      throw told(error);
    }
  };
}

/** Postgres refuses NUL, so that no value that it keeps has one; halves of surrogate pairs become U+FFFD, too, as UTF-8. */
function bindable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}

/** What Postgres says is an error of its own; a value that cannot be read is ours; all else is the connection's. */
function told(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof SyntaxError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreGoneError(`it cannot be reached (${reason})`, { cause: error });
}
