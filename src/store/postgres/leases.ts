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
import { parsePeriodId } from '../../core/spend-period.ts';
import { storageUnavailable } from '../errors.ts';
import { type LeaseRow, readLease } from '../lease-rows.ts';
import { boundRows, unnested, valuesOf } from './arrays.ts';
import { type Columns, inOrder, insertRows, type RowValues } from './bulk.ts';
import { isGone, mayDoAgain } from './errors.ts';
import type { PostgresPool, RunQuery } from './pool.ts';
import { table } from './reading.ts';

export type LeaseStoreParts = {
  pool: PostgresPool;
  /** Whose leases are one's own. */
  instanceId: string;
  /** In ms, the same for all processes. Default: the server's clock. */
  now?: (() => number) | undefined;
  /** Brings the tables up to date with all journals. */
  catchUp(): Promise<void>;
  /** Told of what the database refused. */
  onFailure(error: unknown): void;
};

/** Spending that is asked for: of a key or budget, between two days. */
type SpentSpan = { id: string; sinceDay: string | null; throughDay: string | null };

type KeyLeaseRow = LeaseRow & { key_id: string };
type RatesRow = {
  key_id: string;
  at: bigint;
  requests_limit: bigint;
  requests_missing: bigint;
  tokens_limit: bigint;
  tokens_missing: bigint;
};
type SpendRow = { key_id: string; spend_period: string | null; spent_nano: bigint | null };

/** How often a transaction is tried that others are in the way of. */
const MOST_TRIES = 20;
/** Texts that sort before and after every day. */
const [FIRST_DAY, LAST_DAY] = ['', '~'];

/**
 * The limits that processes share. An exchange is one transaction, which has locked the rows of its keys in their order before it
 * reads any: whoever asks for the same keys waits, and nobody in a circle.
 */
export function createLeaseStore(parts: LeaseStoreParts): LeaseStore {
  const { pool, instanceId, catchUp, onFailure } = parts;

  async function inTransaction<Value>(work: (query: RunQuery) => Promise<Value>): Promise<Value> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await pool.transaction('read committed', work);
      } catch (error) {
        if (!mayDoAgain(error) || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** Where the answer to a commit is lost, nothing is known. */
  async function guarded<Value>(work: () => Promise<Value>, refusal = storageUnavailable): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      onFailure(error);
      throw isGone(error) ? storageUnavailable(error) : refusal(error);
    }
  }

  async function now(query: RunQuery): Promise<number> {
    if (parts.now !== undefined) return parts.now();
    const { rows } = await query<{ at: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::double precision as at',
    );
    return rows[0]!.at;
  }

  async function exchange(query: RunQuery, { number, asks }: LeaseExchange): Promise<LeaseAnswer> {
    const { rows } = await query<{ number: bigint; answer: Uint8Array }>(
      `select number, answer from ${table('lease_answers')} where instance_id = $1 for update`,
      [instanceId],
    );
    const last = rows[0];
    if (last !== undefined && last.number >= number) {
      if (last.number === BigInt(number)) return deserialize(last.answer) as LeaseAnswer;
      throw new Error(`The exchange ${number} was followed by the exchange ${last.number}.`);
    }
    // What is only of requests and tokens needs to survive no crash.
    if (asks.every(({ spend }) => spend === null)) await query('set local synchronous_commit = off');
    const spans = asks.flatMap(({ id, spend }): SpentSpan[] => (spend === null ? [] : [{ id, ...spend }]));
    const ids = asks.map(({ id }) => id);
    await lockKeys(query, ids);
    const found = await findLimits(query, ids, { owner: instanceId, spans });
    const { kept, answer } = decideExchange(found, asks, await now(query));
    await keepLimits(
      query,
      instanceId,
      asks.map(({ id }, index) => [id, kept[index]!]),
    );
    await query(
      `insert into ${table('lease_answers')} values ($1, $2, $3)
       on conflict (instance_id) do update set number = excluded.number, answer = excluded.answer`,
      [instanceId, number, serialize(answer)],
    );
    return answer;
  }

  async function closeAccountOf(query: RunQuery, owner: string, id: string): Promise<void> {
    await lockKeys(query, [id]);
    const { rows } = await query<{ period: string | null }>(
      `select spend_period as period from ${table('limit_leases')} where key_id = $1 and instance_id = $2`,
      [id, owner],
    );
    const period = rows[0]?.period ?? null;
    const spans = period === null ? [] : [{ id, ...parsePeriodId(period) }];
    const [found] = await findLimits(query, [id], { owner, spans });
    await keepLimits(query, owner, [[id, { shared: closeAccount(found!, await now(query)), own: null }]]);
  }

  return {
    exchange: (asked) => guarded(() => inTransaction((query) => exchange(query, asked)), exchangeNotDone),
    async end(owner) {
      const held = await guarded(() =>
        pool.query<{ id: string }>(
          `select key_id as id from ${table('limit_leases')} where instance_id = $1 order by key_id`,
          [owner],
        ),
      );
      // A transaction for each key: nobody waits for all keys of a busy instance.
      for (const { id } of held.rows) await guarded(() => inTransaction((query) => closeAccountOf(query, owner, id)));
      await guarded(() => pool.query(`delete from ${table('lease_answers')} where instance_id = $1`, [owner]));
    },
    catchUp,
    async clear() {
      await guarded(() =>
        inTransaction(async (query) => {
          for (const name of ['shared_rates', 'shared_spend', 'limit_leases', 'lease_answers'])
            await query(`delete from ${table(name)}`);
        }),
      );
    },
  };
}

function exchangeNotDone(cause: unknown): GatewayError {
  return new ExchangeNotDone(storageUnavailable(cause));
}

/** A key has a row of money as long as anything is kept of it; who makes it has it locked, too. */
async function lockKeys(query: RunQuery, ids: readonly string[]): Promise<void> {
  const sorted = inOrder(ids.map((id) => [id]));
  await insertRows(query, 'shared_spend', {
    columns: [['key_id', 'text']],
    rows: sorted,
    tail: 'on conflict (key_id) do update set key_id = excluded.key_id',
  });
}

/** The limits of keys, in their order, and what was spent in the spans, of each at most one. */
async function findLimits(
  query: RunQuery,
  ids: readonly string[],
  { owner, spans }: { owner: string; spans: readonly SpentSpan[] },
): Promise<FoundLimits[]> {
  const of = (name: string) => `select * from ${table(name)} where key_id = any($1::text[])`;
  const { rows: leases } = await query<KeyLeaseRow>(of('limit_leases'), [ids]);
  const { rows: rates } = await query<RatesRow>(of('shared_rates'), [ids]);
  const { rows: money } = await query<SpendRow>(of('shared_spend'), [ids]);
  const spent = await spentIn(query, spans, [owner, ...leases.map(({ instance_id: id }) => id)]);
  return ids.map((id) => {
    const ofKey = leases.filter((lease) => lease.key_id === id);
    const own = ofKey.find((lease) => lease.instance_id === owner);
    const spentBy =
      (instance: string): FoundLimits['ownSpentSince'] =>
      (sinceDay, throughDay = null) =>
        spent(instance, { id, sinceDay, throughDay });
    return {
      shared: readShared(
        rates.find((row) => row.key_id === id),
        money.find((row) => row.key_id === id),
      ),
      own: own === undefined ? null : readLease(own),
      others: ofKey
        .filter((lease) => lease !== own)
        .map((lease) => ({ ...readLease(lease), spentSince: spentBy(lease.instance_id) })),
      spentSince: spentBy(EVERYBODY),
      ownSpentSince: spentBy(owner),
    };
  });
}

/** Stands for all instances together. */
const EVERYBODY = '';

const SPANS: Columns = [
  ['id', 'text'],
  ['product', 'text'],
  ['project', 'text'],
  ['organization', 'text'],
  ['first_day', 'text'],
  ['last_day', 'text'],
];

/** What all, and what some instances have spent in spans, by one statement. */
async function spentIn(
  query: RunQuery,
  spans: readonly SpentSpan[],
  instances: readonly string[],
): Promise<(instance: string, span: SpentSpan) => bigint> {
  const totals = new Map<string, bigint>();
  if (spans.length > 0) {
    const arrays = boundRows(SPANS, spans.map(countedIn));
    const { rows } = await query<{ at: bigint; instance: string; total: bigint }>(
      `with wanted as (
         select * from ${unnested(arrays, 2)} with ordinality as wanted (${SPANS.map(([name]) => name).join(', ')}, at)
       ), counted as (
         select at, id as key_id, first_day, last_day from wanted
         union select at, keys.id, first_day, last_day from wanted join ${table('api_keys')} as keys on keys.product = wanted.product
         union select at, keys.id, first_day, last_day from wanted join ${table('api_keys')} as keys on keys.project_id = wanted.project
         union select at, keys.id, first_day, last_day from wanted
           join ${table('api_keys')} as keys on keys.organization_id = wanted.organization
       )
       select at, '${EVERYBODY}' as instance, sum(amount_nano) as total from counted
       join ${table('key_spend')} as spend on spend.key_id = counted.key_id and utc_day between first_day and last_day group by at
       union all
       select at, instance_id, sum(amount_nano) from counted join ${table('worker_spend')} as spend
         on spend.key_id = counted.key_id and utc_day between first_day and last_day and instance_id = any($1::text[])
       group by at, instance_id`,
      [[...new Set(instances)], ...valuesOf(arrays)],
    );
    for (const { at, instance, total } of rows) totals.set(nameOf(instance, spans[Number(at) - 1]!), total);
  }
  const known = new Set(spans.map((span) => nameOf(EVERYBODY, span)));
  return (instance, span) => {
    if (!known.has(nameOf(EVERYBODY, span))) throw new Error(`Spending of ${span.id} was not looked up for this span.`);
    return totals.get(nameOf(instance, span)) ?? 0n;
  };
}

function nameOf(instance: string, { id, sinceDay, throughDay }: SpentSpan): string {
  return JSON.stringify([instance, id, sinceDay, throughDay]);
}

function countedIn({ id, sinceDay, throughDay }: SpentSpan): RowValues {
  const group = budgetOwner(id);
  const owners = (['product', 'project', 'organization'] as const).map((of) => (group?.of === of ? group.id : null));
  return [id, ...owners, sinceDay ?? FIRST_DAY, throughDay ?? LAST_DAY];
}

function readShared(rates: RatesRow | undefined, money: SpendRow | undefined): SharedLimits | null {
  const spend =
    money === undefined || money.spend_period === null || money.spent_nano === null
      ? null
      : { period: money.spend_period, spent: money.spent_nano };
  if (rates === undefined && spend === null) return null;
  const counted = rates ?? EMPTY_RATES;
  const at = Number(counted.at);
  return {
    requests: { limit: Number(counted.requests_limit), missing: Number(counted.requests_missing), at },
    tokens: { limit: Number(counted.tokens_limit), missing: Number(counted.tokens_missing), at },
    spend,
  };
}

/** After a crash of the server: nothing is missing, and the limit is told by who asks. */
const EMPTY_RATES = { at: 0n, requests_limit: 0n, requests_missing: 0n, tokens_limit: 0n, tokens_missing: 0n };

const RATES: Columns = [
  ['key_id', 'text'],
  ['at', 'integer'],
  ['requests_limit', 'integer'],
  ['requests_missing', 'integer'],
  ['tokens_limit', 'integer'],
  ['tokens_missing', 'integer'],
];
const LEASE: Columns = [
  ['key_id', 'text'],
  ['instance_id', 'text'],
  ['requests', 'integer'],
  ['tokens', 'integer'],
  ['spend_nano', 'integer'],
  ['spend_period', 'text'],
  ['told_nano', 'integer'],
  ['before_nano', 'integer'],
];

/** The rows of these keys are locked. */
async function keepLimits(
  query: RunQuery,
  owner: string,
  kept: readonly (readonly [id: string, limits: KeptLimits])[],
): Promise<void> {
  const rates: RowValues[] = [];
  const money: RowValues[] = [];
  const leases: RowValues[] = [];
  const [unused, given] = [[] as string[], [] as string[]];
  for (const [id, { shared, own }] of kept) {
    if (shared === null) unused.push(id);
    else {
      const { requests, tokens, spend } = shared;
      rates.push([id, requests.at, requests.limit, requests.missing, tokens.limit, tokens.missing]);
      money.push([id, spend?.period ?? null, spend?.spent ?? null]);
    }
    if (own === null) given.push(id);
    else leases.push([id, owner, own.requests, own.tokens, own.spend, own.period, own.told, own.before]);
  }
  await insertRows(query, 'shared_rates', { columns: RATES, rows: rates, tail: replacing(['key_id'], RATES) });
  await insertRows(query, 'shared_spend', { columns: SPEND, rows: money, tail: replacing(['key_id'], SPEND) });
  await insertRows(query, 'limit_leases', {
    columns: LEASE,
    rows: leases,
    tail: replacing(['key_id', 'instance_id'], LEASE),
  });
  if (given.length > 0)
    await query(`delete from ${table('limit_leases')} where instance_id = $1 and key_id = any($2::text[])`, [
      owner,
      given,
    ]);
  if (unused.length > 0)
    for (const name of ['shared_rates', 'shared_spend'])
      await query(`delete from ${table(name)} where key_id = any($1::text[])`, [unused]);
}

const SPEND: Columns = [
  ['key_id', 'text'],
  ['spend_period', 'text'],
  ['spent_nano', 'integer'],
];

function replacing(key: readonly string[], columns: Columns): string {
  const rest = columns.map(([name]) => name).filter((name) => !key.includes(name));
  return `on conflict (${key.join(', ')}) do update set ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
