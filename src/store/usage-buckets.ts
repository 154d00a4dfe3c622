import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning } from '../core/record-id.ts';
import { NO_USAGE } from '../core/usage.ts';
import {
  type BucketDimension,
  type BucketQuery,
  type BucketReader,
  type BucketRow,
  type BucketSums,
  REPORT_ROWS_PER_PART,
} from '../core/usage-buckets.ts';
import type { SummaryDimension, UsageSums } from '../core/usage-summary.ts';
import { DAY_MS, utcDayNumber } from '../core/utc-day.ts';
import type { Span } from './call-scan.ts';
import { textsOf } from './dialect.ts';
import type { LineItemJson } from './price-json.ts';
import { ReportTime } from './report-time.ts';
import type { Schema } from './schema.ts';
import type { DayReader } from './summary-rows.ts';
import { TOKEN_COLUMNS, tokensOfRow } from './token-columns.ts';

/** How many rows all buckets of an answer may have together. */
const MAX_BUCKET_ROWS = 50_000;
/** Calls that one step adds up; where each has to be taken apart, fewer. */
const CALLS_PER_STEP = 500;
const ITEMIZED_CALLS_PER_STEP = 250;
/** How many sums by day one step puts into buckets. */
const SUMS_PER_STEP = 500;
/** Buckets may be worked at for so many times as long as another report, as summaries may. */
const TIME_SHARE = 10;
const EMBEDDINGS = 'openai-embeddings';

/** What sums by day tell, by the name that a summary has for it; those of `project` and `user` are the key's. */
const SUMMED: Partial<Record<BucketDimension, SummaryDimension>> = {
  project: 'key',
  user: 'key',
  key: 'key',
  model: 'model',
  product: 'product',
  source: 'source',
  route: 'route',
  provider: 'provider',
};

export type BucketReaderParts = {
  db: Kysely<Schema>;
  rowsOfDay: DayReader;
  catchUp(): Promise<void>;
  /** How long other reports may be worked at, in ms; `null`: as long as it takes. */
  reportMs: number | null;
};

type BucketRead = {
  db: Kysely<Schema>;
  query: BucketQuery;
  time: ReportTime;
  add(parts: readonly BucketRow[]): Promise<void>;
};

/**
 * Adds settled calls up by time, once the tables have caught up: whole days from the sums by day, as far as they tell what is
 * asked for, and all else from the calls. Rejects with `invalid_request` where that is too much.
 */
export function createBucketReader(parts: BucketReaderParts): BucketReader['buckets'] {
  const read = createRowReader(parts);
  return async function* (query) {
    const rows = await read(query);
    for (let from = 0; from < rows.length; from += REPORT_ROWS_PER_PART) {
      yield rows.slice(from, from + REPORT_ROWS_PER_PART);
      await turn();
    }
  };
}

function createRowReader({ db, rowsOfDay, catchUp, reportMs }: BucketReaderParts) {
  return async (query: BucketQuery): Promise<BucketRow[]> => {
    await catchUp();
    const time = new ReportTime(reportMs === null ? null : reportMs * TIME_SHARE);
    const needed = neededBy(query);
    const owners = needed.some((each) => each === 'project' || each === 'user') ? new Map<string, Owner>() : null;
    const rows = new Map<string, BucketRow>();
    const add = async (parts: readonly BucketRow[]) => {
      if (owners !== null) await readOwners(db, query, parts, owners);
      for (const part of parts) put(rows, query, owners === null ? part : withOwner(part, owners));
    };
    const reading = { db, query, time, add };
    if (isSummed(query)) await readDays(reading, rowsOfDay);
    else await readCalls(reading);
    return [...rows.values()];
  };
}

function neededBy({ by, only }: BucketQuery): BucketDimension[] {
  return [...by, ...(Object.keys(only) as BucketDimension[])];
}

function isSummed(query: BucketQuery): boolean {
  return query.of === 'all' && query.widthMs === DAY_MS && neededBy(query).every((each) => SUMMED[each] !== undefined);
}

async function readDays({ query, time, add }: BucketRead, rowsOfDay: DayReader): Promise<void> {
  const { organizationId, hidesTargets } = query;
  const refuse = { tooLong: () => tooMuch('end_time'), tooMany: () => tooMuch('group_by') };
  const reading = { organizationId, time, refuse };
  const by = [...new Set(neededBy(query).map((each) => SUMMED[each]!))];
  for (let day = query.from; day < query.until; day += DAY_MS) {
    const rows = await rowsOfDay(reading, { by, hidesTargets }, utcDayNumber(day));
    for (let from = 0; from < rows.length; from += SUMS_PER_STEP) {
      const called = rows.slice(from, from + SUMS_PER_STEP).filter(({ sums }) => sums.calls > 0);
      const parts = called.map(({ values, sums }) => ({
        start: day,
        values: values as BucketRow['values'],
        sums: { ...noSums(), ...pick(sums) },
      }));
      await time.step(() => add(parts));
    }
  }
}

function pick({ calls, inputTokens, cachedTokens, outputTokens, cost, withoutCost }: UsageSums) {
  return { calls, inputTokens, cacheReadTokens: cachedTokens, outputTokens, cost, withoutCost };
}

/** From the oldest on, in steps between which others have their turn. */
async function readCalls({ db, query, time, add }: BucketRead): Promise<void> {
  const isItemized = neededBy(query).includes('line_item');
  const end = recordIdBeginning(query.until + MAX_ID_LEAD_MS);
  const calls = db
    .selectFrom('calls')
    .where('organization_id', '=', query.organizationId)
    .where('id', '<', end)
    .orderBy('id');
  const most = isItemized ? ITEMIZED_CALLS_PER_STEP : CALLS_PER_STEP;
  for (let start: string | null = recordIdBeginning(query.from); start !== null; ) {
    if (time.isOver) throw tooMuch('end_time');
    const first: string = start;
    start = await time.step(async () => {
      const next = calls.where('id', '>=', first).select('id').offset(most).limit(1);
      const reached = (await next.executeTakeFirst())?.id ?? null;
      const span: Span = { start: first, end: reached ?? end };
      await add(isItemized ? await itemsOf(db, query, span) : await sumsOf(db, query, span));
      return reached;
    });
  }
}

/** The settled calls that are asked for, with what they are taken apart by. */
function callsOf(db: Kysely<Schema>, query: BucketQuery, { start, end }: Span) {
  const { organizationId, of, from, until, widthMs, only, hidesTargets } = query;
  const all = db
    .selectFrom('calls')
    .where('organization_id', '=', organizationId)
    .where('id', '>=', start)
    .where('id', '<', end)
    .where('status', '<>', 'open')
    .where('created_at', '>=', BigInt(from))
    .where('created_at', '<', BigInt(until))
    .$if(of !== 'all', (calls) => calls.where('dialect', of === 'embeddings' ? '=' : '<>', EMBEDDINGS))
    .$if(only.model !== undefined, (calls) => calls.where('model', 'in', only.model!))
    .$if(only.key !== undefined, (calls) => calls.where('key_id', 'in', only.key!));
  const needed = neededBy(query);
  const nothing = sql<string | null>`null`;
  const told = (column: string, ...of: BucketDimension[]) =>
    of.some((each) => needed.includes(each)) ? sql<string | null>`${sql.ref(column)}` : nothing;
  const served = (column: 'provider' | 'upstream_model') =>
    hidesTargets && needed.includes(column)
      ? sql<string | null>`case when route is null then ${sql.ref(column)} end`
      : told(column, column);
  return all.select([
    sql<bigint>`created_at / ${sql.lit(widthMs)}`.as('bucket'),
    told('key_id', 'project', 'user', 'key').as('called_key'),
    told('model', 'model').as('called_model'),
    told('requested_model', 'requested_model').as('called_name'),
    told('product', 'product').as('called_product'),
    told('source', 'source').as('called_source'),
    told('route', 'route').as('called_route'),
    served('provider').as('called_provider'),
    served('upstream_model').as('called_upstream'),
    told('service_tier', 'tier').as('called_tier'),
  ]);
}

const TOLD = [
  'called_key',
  'called_model',
  'called_name',
  'called_product',
  'called_source',
  'called_route',
  'called_provider',
  'called_upstream',
  'called_tier',
] as const;
type Told = Record<(typeof TOLD)[number], string | null> & { bucket: bigint };

function placeOf(row: Told, { widthMs }: BucketQuery): Pick<BucketRow, 'start' | 'values'> {
  return {
    start: Number(row.bucket) * widthMs,
    values: {
      key: row.called_key,
      model: row.called_model,
      requested_model: row.called_name,
      product: row.called_product,
      source: row.called_source,
      route: row.called_route,
      provider: row.called_provider,
      upstream_model: row.called_upstream,
      tier: row.called_tier,
    },
  };
}

async function sumsOf(db: Kysely<Schema>, query: BucketQuery, span: Span): Promise<BucketRow[]> {
  const rows = await callsOf(db, query, span)
    .select(({ fn }) => [
      fn.countAll<bigint>().as('calls'),
      ...TOKEN_COLUMNS.map(({ column }) => fn.sum<bigint>(column).as(column)),
      fn.sum<bigint | null>('cost_nano').as('cost'),
      fn.count<bigint>('cost_nano').as('with_cost'),
    ])
    .groupBy(['bucket', ...TOLD])
    .execute();
  return rows.map((row) => ({
    ...placeOf(row, query),
    sums: {
      calls: Number(row.calls),
      ...tokensOfRow(row),
      cost: row.cost ?? 0n,
      withoutCost: Number(row.calls - row.with_cost),
      quantity: 0,
    },
  }));
}

/** A part for each line item of each call; calls whose cost is not known have none that count, and are of none. */
async function itemsOf(db: Kysely<Schema>, query: BucketQuery, span: Span): Promise<BucketRow[]> {
  const rows = await callsOf(db, query, span).select(['model', 'cost_nano', 'line_items']).execute();
  return rows.flatMap((row): BucketRow[] => {
    const { start, values } = placeOf(row, query);
    const items = row.cost_nano === null ? [] : (JSON.parse(row.line_items) as LineItemJson[]);
    const withoutCost = row.cost_nano === null ? 1 : 0;
    if (items.length === 0)
      return [{ start, values: { ...values, line_item: null }, sums: { ...noSums(), calls: 1, withoutCost } }];
    return items.map(([component, quantity, , amount]) => ({
      start,
      values: { ...values, line_item: lineItemName(row.model, component) },
      sums: { ...noSums(), calls: 1, quantity, cost: BigInt(amount) },
    }));
  });
}

/** As OpenAI names them: `gpt-6-sol, input_tokens`. */
function lineItemName(model: string, component: string): string {
  return `${model}, ${component.startsWith('tool:') ? component : `${component}_tokens`}`;
}

type Owner = { project: string | null; user: string | null };

/** Reads whose the keys of calls are, where that is not known yet. Keys that are gone stay in the table, so that each call has its project. */
async function readOwners(
  db: Kysely<Schema>,
  { organizationId }: BucketQuery,
  parts: readonly BucketRow[],
  owners: Map<string, Owner>,
): Promise<void> {
  const called = new Set(parts.flatMap(({ values: { key } }) => (key == null || owners.has(key) ? [] : [key])));
  if (called.size === 0) return;
  const keys = db.selectFrom('api_keys').select(['id', 'project_id', 'owner_id']).where('id', 'in', textsOf(called));
  for (const { id, project_id: project, owner_id: user } of await keys
    .where('organization_id', '=', organizationId)
    .execute())
    owners.set(id, { project, user });
}

function withOwner(part: BucketRow, owners: ReadonlyMap<string, Owner>): BucketRow {
  const owner = owners.get(part.values.key ?? '');
  return {
    ...part,
    values: { ...part.values, project: owner?.project ?? null, user: owner?.user ?? null },
  };
}

function put(rows: Map<string, BucketRow>, { by, only }: BucketQuery, { start, values, sums }: BucketRow): void {
  for (const [dimension, wanted] of Object.entries(only) as [BucketDimension, readonly string[]][]) {
    if (!wanted.includes(values[dimension] ?? '')) return;
  }
  const told = Object.fromEntries(by.map((each) => [each, values[each] ?? null]));
  const name = JSON.stringify([start, ...by.map((each) => told[each])]);
  const row = rows.get(name);
  if (row === undefined) {
    if (rows.size === MAX_BUCKET_ROWS) throw tooMuch('group_by');
    rows.set(name, { start, values: told, sums: { ...sums } });
    return;
  }
  const { cost, ...counts } = sums;
  row.sums.cost += cost;
  for (const each of Object.keys(counts) as (keyof typeof counts)[]) row.sums[each] += counts[each];
}

function noSums(): BucketSums {
  return {
    calls: 0,
    ...NO_USAGE,
    cost: 0n,
    withoutCost: 0,
    quantity: 0,
  };
}

function tooMuch(param: 'end_time' | 'group_by'): GatewayError {
  const message =
    param === 'end_time'
      ? 'This takes longer than a report may. Bring `start_time` and `end_time` closer together, or ask for fewer buckets by `limit`.'
      : `This comes to more than ${MAX_BUCKET_ROWS} rows. Group by less, or ask for fewer buckets by \`limit\`.`;
  return new GatewayError('invalid_request', message, { param });
}
