import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { GatewayError } from '../../core/errors.ts';
import {
  closeAccount,
  decideExchange,
  type FoundLimits,
  type KeptLimits,
  type SharedLimits,
} from '../../core/lease-exchange.ts';
import { ExchangeNotDone, type LeaseAnswer, type LeaseExchange, type LeaseStore } from '../../core/leases.ts';
import { budgetOwner } from '../../core/records.ts';
import { StorageOpenError, storageUnavailable } from '../errors.ts';
import { makePrivateFile } from '../folder.ts';
import { type LeaseRow, readLease } from '../lease-rows.ts';
import { BUSY_WAIT_MS, waitingForLock } from './lock-wait.ts';
import { DATABASE_FILE } from './open.ts';

export type LeaseStoreOptions = {
  folder: string;
  /** Whose leases are one's own. */
  instanceId: string;
  lockWaitMs: number;
  /** Monotonic ms, the same for all processes of the machine. Default: the machine's. */
  now?: (() => number) | undefined;
  /** Brings the tables up to date with all journals. */
  catchUp(): Promise<void>;
  /** Told of what the database refused. */
  onFailure(error: unknown): void;
};

type SharedRow = {
  at: bigint;
  requests_limit: bigint;
  requests_missing: bigint;
  tokens_limit: bigint;
  tokens_missing: bigint;
  spend_period: string | null;
  spent_nano: bigint | null;
};

/** Texts that sort before and after every day. */
const [FIRST_DAY, LAST_DAY] = ['', '~'];

/**
 * `missing` is in 1/60,000, `at` and the buckets' time in ms of the machine's monotonic clock; so a start empties all
 * tables. No loss of power matters to them. `lease_answers` has the last exchange of each instance and its answer.
 */
const TABLES = `
  pragma journal_mode = wal;
  pragma synchronous = off;
  create table if not exists shared_limits (
    key_id text primary key,
    at integer not null,
    requests_limit integer not null,
    requests_missing integer not null,
    tokens_limit integer not null,
    tokens_missing integer not null,
    spend_period text,
    spent_nano integer
  ) strict, without rowid;
  create table if not exists limit_leases (
    key_id text not null,
    instance_id text not null,
    requests integer not null,
    tokens integer not null,
    spend_nano integer not null,
    spend_period text,
    told_nano integer not null,
    before_nano integer not null,
    primary key (key_id, instance_id)
  ) strict, without rowid;
  create index if not exists limit_leases_by_instance on limit_leases (instance_id);
  create table if not exists lease_answers (
    instance_id text primary key,
    number integer not null,
    answer blob not null
  ) strict, without rowid;
`;

const PUT_SHARED = 'insert or replace into shared_limits values (?, ?, ?, ?, ?, ?, ?, ?)';
const PUT_LEASE = 'insert or replace into limit_leases values (?, ?, ?, ?, ?, ?, ?, ?)';
const PUT_ANSWER = 'insert or replace into lease_answers values (?, ?, ?)';
const EMPTIED = 'delete from shared_limits; delete from limit_leases; delete from lease_answers';
/** What counts in a budget: its id, a product, a project, an organization, and the first and the last day. */
const OF_BUDGET = `
  (key_id = ? or key_id in (
    select id from api_keys where product = ?
    union all select id from api_keys where project_id = ?
    union all select id from api_keys where organization_id = ?
  )) and utc_day between ? and ?`;
const LIMITS_FILE = 'limits.db';

/** `heldBy` has the keys and budgets that an instance has leases of. */
type OpenLeaseStore = LeaseStore & { heldBy(instanceId: string): Promise<string[]>; close(): void };

/** A store of leases that is opened when it is first needed: most processes never do. */
export function createLeaseStore(
  options: LeaseStoreOptions,
): Omit<OpenLeaseStore, 'close'> & { close(): Promise<void> } {
  let opened: Promise<OpenLeaseStore> | null = null;
  const store = () => {
    opened ??= openLeaseStore(options).catch((error: unknown) => {
      opened = null;
      options.onFailure(error);
      throw storageUnavailable(error);
    });
    return opened;
  };
  return {
    exchange: async (asked) => (await store()).exchange(asked),
    end: async (instanceId) => (await store()).end(instanceId),
    heldBy: async (instanceId) => (await store()).heldBy(instanceId),
    catchUp: options.catchUp,
    async clear() {
      if (opened === null) removeFile(options);
      await (await store()).clear();
    },
    close: async () => (await opened)?.close(),
  };
}

/**
 * A start removes the file, so that no damage to it lasts: nobody else has it open then, and nothing in it is still true. Throws a
 * `StorageOpenError` where it cannot be removed.
 */
function removeFile({ folder }: LeaseStoreOptions): void {
  const path = join(folder, LIMITS_FILE);
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  } catch (error) {
    throw new StorageOpenError(`The file ${path} cannot be used: ${String(error)}.`, { cause: error });
  }
}

/**
 * Opens the limits that workers share: small tables in a file of their own, so that an exchange never waits for whoever
 * takes over records. Every exchange is one transaction within one turn.
 */
async function openLeaseStore(options: LeaseStoreOptions): Promise<OpenLeaseStore> {
  const { folder, instanceId, lockWaitMs, catchUp, onFailure, now = machineNow } = options;
  const path = join(folder, LIMITS_FILE);
  makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_WAIT_MS });
  const spending = new DatabaseSync(join(folder, DATABASE_FILE), { timeout: BUSY_WAIT_MS, readOnly: true });
  await waitingForLock(lockWaitMs, () => database.exec(TABLES));
  const prepare = (sql: string, on = database): StatementSync => {
    const statement = on.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  const [begin, commit, rollback] = [prepare('begin immediate'), prepare('commit'), prepare('rollback')];
  const getShared = prepare('select * from shared_limits where key_id = ?');
  const putShared = prepare(PUT_SHARED);
  const dropShared = prepare('delete from shared_limits where key_id = ?');
  const getLeases = prepare('select * from limit_leases where key_id = ?');
  const putLease = prepare(PUT_LEASE);
  const dropLease = prepare('delete from limit_leases where key_id = ? and instance_id = ?');
  const getAnswer = prepare('select number, answer from lease_answers where instance_id = ?');
  const putAnswer = prepare(PUT_ANSWER);
  const dropAnswer = prepare('delete from lease_answers where instance_id = ?');
  const heldKeys = prepare('select key_id from limit_leases where instance_id = ?');
  const sumSpent = prepare(`select coalesce(sum(amount_nano), 0) as total from key_spend where ${OF_BUDGET}`, spending);
  const sumOwnSpent = prepare(
    `select coalesce(sum(amount_nano), 0) as total from worker_spend where ${OF_BUDGET} and instance_id = ?`,
    spending,
  );

  function find(keyId: string, owner: string): FoundLimits {
    const shared = getShared.get(keyId) as SharedRow | undefined;
    const rows = getLeases.all(keyId) as LeaseRow[];
    const own = rows.find((row) => row.instance_id === owner);
    const spentBy =
      (instance: string): FoundLimits['spentSince'] =>
      (day, throughDay) =>
        totalOf(sumOwnSpent.get(...countedIn(keyId, day, throughDay), instance));
    return {
      shared: shared === undefined ? null : readShared(shared),
      own: own === undefined ? null : readLease(own),
      others: rows
        .filter((row) => row !== own)
        .map((row) => ({ ...readLease(row), spentSince: spentBy(row.instance_id) })),
      spentSince: (day, throughDay) => totalOf(sumSpent.get(...countedIn(keyId, day, throughDay))),
      ownSpentSince: spentBy(owner),
    };
  }

  function keep(keyId: string, owner: string, { shared, own }: KeptLimits): void {
    if (shared === null) dropShared.run(keyId);
    else {
      const { requests, tokens, spend } = shared;
      const buckets = [requests.at, requests.limit, requests.missing, tokens.limit, tokens.missing];
      putShared.run(keyId, ...buckets, spend?.period ?? null, spend?.spent ?? null);
    }
    if (own === null) dropLease.run(keyId, owner);
    else putLease.run(keyId, owner, own.requests, own.tokens, own.spend, own.period, own.told, own.before);
  }

  /** Where it throws, nothing was done: a transaction whose commit fails has not happened. */
  function inTransaction<Result>(work: () => Result): Result {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      if (database.isTransaction) rollback.run();
      throw error;
    }
  }

  function exchange({ number, asks }: LeaseExchange): LeaseAnswer {
    const last = getAnswer.get(instanceId) as { number: bigint; answer: Uint8Array } | undefined;
    if (last !== undefined && last.number >= number) {
      if (last.number === BigInt(number)) return deserialize(last.answer) as LeaseAnswer;
      throw new Error(`The exchange ${number} was followed by the exchange ${last.number}.`);
    }
    const found = asks.map(({ id }) => find(id, instanceId));
    const { kept, answer } = decideExchange(found, asks, now());
    for (const [index, { id }] of asks.entries()) keep(id, instanceId, kept[index]!);
    putAnswer.run(instanceId, number, serialize(answer));
    return answer;
  }

  function closeAccountOf(owner: string, keyId: string): void {
    keep(keyId, owner, { shared: closeAccount(find(keyId, owner), now()), own: null });
  }

  function heldBy(owner: string): string[] {
    return heldKeys.all(owner).map((row) => row.key_id as string);
  }

  async function guarded<Result>(work: () => Result, refusal = storageUnavailable): Promise<Result> {
    try {
      return await waitingForLock(lockWaitMs, work);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onFailure(error);
      throw refusal(error);
    }
  }

  return {
    exchange: (asked) => guarded(() => inTransaction(() => exchange(asked)), exchangeNotDone),
    async end(owner) {
      // A transaction for each key: nobody waits for all keys of a busy instance.
      for (const keyId of await guarded(() => heldBy(owner))) {
        await guarded(() => inTransaction(() => closeAccountOf(owner, keyId)));
      }
      await guarded(() => dropAnswer.run(owner));
    },
    heldBy: (owner) => guarded(() => heldBy(owner)),
    catchUp,
    clear: () => guarded(() => database.exec(EMPTIED)),
    close() {
      for (const each of [spending, database]) if (each.isOpen) each.close();
    },
  };
}

function exchangeNotDone(cause: unknown): GatewayError {
  return new ExchangeNotDone(storageUnavailable(cause));
}

function machineNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

function readShared(row: SharedRow): SharedLimits {
  const at = Number(row.at);
  const { spend_period: period, spent_nano: spent } = row;
  return {
    requests: { limit: Number(row.requests_limit), missing: Number(row.requests_missing), at },
    tokens: { limit: Number(row.tokens_limit), missing: Number(row.tokens_missing), at },
    spend: period === null || spent === null ? null : { period, spent },
  };
}

/** The parameters of `OF_BUDGET`. */
function countedIn(id: string, day: string | null, throughDay: string | null = null): (string | null)[] {
  const group = budgetOwner(id);
  const owners = (['product', 'project', 'organization'] as const).map((of) => (group?.of === of ? group.id : null));
  return [id, ...owners, day ?? FIRST_DAY, throughDay ?? LAST_DAY];
}

function totalOf(row: unknown): bigint {
  return (row as { total: bigint }).total;
}
