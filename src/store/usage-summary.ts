import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { GatewayError } from '../core/errors.ts';
import type {
  ComparedSums,
  SummaryDimension,
  SummaryQuery,
  SummaryRow,
  UsageSummary,
  UsageSums,
} from '../core/usage-summary.ts';
import { ReportTime } from './report-time.ts';
import { SHAPES } from './sqlite/usage-days.ts';

const DAY_MS = 86_400_000;

/** How many days one summary may have; it reads as many before them. */
export const MAX_SUMMARY_DAYS = 400;
/** How many rows may be put together, before the dearest of them are told. */
export const MAX_SUMMARY_ROWS = 50_000;
/** How many days one step reads, so that others have their turn. */
const DAYS_PER_STEP = 8;
/** A summary may be worked at for so many times as long as another report. */
const TIME_SHARE = 10;

/** The columns of groups; a day is none of them. */
const COLUMNS: Readonly<Record<Exclude<SummaryDimension, 'day'>, string>> = {
  key: 'key_id',
  model: 'model',
  product: 'product',
  tool: 'tool_name',
  source: 'source',
  route: 'route',
  provider: 'provider',
};
/** Where who served a route's calls is not told. */
const DIRECT_PROVIDER = "case when route = '' then provider else '' end";

const SUMS = [
  'calls',
  'failed',
  'estimated',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'cost_nano',
  'without_cost',
  'vendor_cost_nano',
  'without_vendor_cost',
] as const;

type SumsRow = Record<(typeof SUMS)[number] | 'is_rest', bigint> & { day: bigint } & Record<string, unknown>;

/** Days since 1970, from the first to the last, both inclusive. */
type Days = { first: number; last: number };

type SummaryRead = { database: DatabaseSync; query: SummaryQuery; organizations: readonly string[]; time: ReportTime };

export type SummaryReaderParts = {
  database: DatabaseSync;
  organizationIds(): Promise<string[]>;
  catchUp(): Promise<void>;
  /** How long other reports may be worked at, in ms; `null`: as long as it takes. */
  reportMs: number | null;
};

/** Adds settled calls up from what is kept by day, once the tables have caught up. */
export function createSummaryReader({ database, organizationIds, catchUp, reportMs }: SummaryReaderParts) {
  return async (query: SummaryQuery): Promise<UsageSummary> => {
    await catchUp();
    const days: Days = { first: dayOf(query.from), last: dayOf(query.through) };
    const length = days.last - days.first + 1;
    if (length > MAX_SUMMARY_DAYS) throw refusal('start_time', `A summary may have at most ${MAX_SUMMARY_DAYS} days.`);
    const organizations = query.organizationId === null ? await organizationIds() : [query.organizationId];
    const time = new ReportTime(reportMs === null ? null : reportMs * TIME_SHARE);
    const rows = await readRows({ database, query, organizations, time }, days);
    const totals = noneCompared();
    for (const row of rows) addCompared(totals, row);
    const sorted = rows.sort((a, b) => order(a, b, query.by.includes('day')));
    const told = sorted.slice(0, query.limit);
    nameKeys(database, told);
    return {
      from: days.first * DAY_MS,
      until: (days.last + 1) * DAY_MS,
      previousFrom: (days.first - length) * DAY_MS,
      totals,
      rows: told,
      rest: restOf(sorted.slice(query.limit)),
      isComplete: isComplete(database, organizations),
    };
  };
}

/** Of the period and the one before it, put together by what was asked for. */
async function readRows(parts: SummaryRead, days: Days): Promise<SummaryRow[]> {
  const length = days.last - days.first + 1;
  const { query, time } = parts;
  const read = sumsReader(parts);
  const rows = new Map<string, SummaryRow>();
  const before = { first: days.first - length, last: days.first - 1 };
  for (const [period, ahead] of [[before, length] as const, [days, 0] as const]) {
    for (const step of stepsOf(period)) {
      if (time.isOver) throw refusal('start_time', 'The summary takes too long. Bring start and end closer together.');
      await time.step(() => {
        for (const row of read(step)) put(rows, query, row, ahead);
      });
      if (rows.size > MAX_SUMMARY_ROWS) {
        throw refusal('by', `This comes to more than ${MAX_SUMMARY_ROWS} rows. Ask by less, or for fewer days.`);
      }
    }
  }
  return [...rows.values()];
}

function* stepsOf({ first, last }: Days): Generator<Days> {
  for (let day = first; day <= last; day += DAYS_PER_STEP) {
    yield { first: day, last: Math.min(day + DAYS_PER_STEP - 1, last) };
  }
}

/** Makes what reads the sums of some days. Rows of a group are put together before its names are looked up. */
function sumsReader({ database, query, organizations }: SummaryRead): (days: Days) => SumsRow[] {
  const { by, hidesTargets } = query;
  const filters = filtersOf(query);
  const isByDay = by.includes('day');
  const columns = by.flatMap((each) => (each === 'day' ? [] : [each]));
  const shape = shapeOf([...columns, ...filters.map(({ dimension }) => dimension)]);
  const toldRest = shape === SHAPES.caller ? '0' : 'is_rest';
  const columnOf = (each: (typeof columns)[number]) =>
    each === 'provider' && hidesTargets ? DIRECT_PROVIDER : COLUMNS[each];
  const told = columns.map((each) => `, ${columnOf(each)} as told_${each}`).join('');
  const groups = ['day', 'is_rest', ...columns.map((each) => `told_${each}`)];
  const where = filters.map(({ dimension }) => `and ${columnOf(dimension)} = ?`).join(' ');
  const statement = database.prepare(
    `select ${isByDay ? 'day' : '0'} as day, ${toldRest} as is_rest${told}, ${SUMS.map((name) => `sum(${name}) as ${name}`)}
     from (
       select group_number, ${isByDay ? 'day' : '0 as day'}, ${SUMS.map((name) => `sum(${name}) as ${name}`)} from usage_days
       where organization_id = ? and shape = ${shape} and day >= ? and day <= ?
       group by group_number${isByDay ? ', day' : ''}
     ) join usage_groups on number = group_number where true ${where} group by ${groups}`,
  );
  statement.setReadBigInts(true);
  const values = filters.map(({ value }) => value);
  return ({ first, last }) =>
    organizations.flatMap((organization) => statement.all(organization, first, last, ...values) as SumsRow[]);
}

type GroupFilter = { dimension: Exclude<SummaryDimension, 'day'>; value: SQLInputValue };

function filtersOf({ keyId, model, product, tool, source, route, provider }: SummaryQuery): GroupFilter[] {
  const wanted = { key: keyId, model, product, tool, source, route, provider };
  return (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap((dimension) => {
    const value = wanted[dimension];
    return value === undefined ? [] : [{ dimension, value }];
  });
}

/** The shape with the fewest groups of those that have all that is asked for. */
function shapeOf(needed: readonly SummaryDimension[]): number {
  const isWithin = (...names: SummaryDimension[]) => needed.every((each) => names.includes(each));
  if (isWithin('tool')) return SHAPES.tool;
  if (isWithin('key', 'source', 'product')) return SHAPES.caller;
  if (isWithin('model', 'route', 'provider')) return SHAPES.server;
  return SHAPES.all;
}

/** @param ahead - how many days before those that it is compared with; 0 for the period itself */
function put(rows: Map<string, SummaryRow>, { by }: SummaryQuery, row: SumsRow, ahead: number): void {
  const values: SummaryRow['values'] = {};
  for (const each of by) {
    const value = each === 'day' ? dayText(Number(row.day) + ahead) : String(row[`told_${each}`]);
    values[each] = value === '' ? null : value;
  }
  const name = JSON.stringify(by.map((each) => values[each]));
  let found = rows.get(name);
  if (found === undefined) {
    found = { values, keyName: null, ...noneCompared() };
    rows.set(name, found);
  }
  addSums(ahead === 0 ? found.sums : found.previous, sumsIn(row));
}

function sumsIn(row: SumsRow): UsageSums {
  const calls = Number(row.calls);
  return {
    calls,
    failed: Number(row.failed),
    estimated: Number(row.estimated),
    inputTokens: Number(row.input_tokens),
    cachedTokens: Number(row.cached_tokens),
    outputTokens: Number(row.output_tokens),
    cost: row.cost_nano,
    withoutCost: Number(row.without_cost),
    vendorCost: row.vendor_cost_nano,
    withoutVendorCost: Number(row.without_vendor_cost),
    underOther: row.is_rest === 1n ? calls : 0,
  };
}

function noneCompared(): ComparedSums {
  return { sums: noSums(), previous: noSums() };
}

function noSums(): UsageSums {
  return {
    calls: 0,
    failed: 0,
    estimated: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    cost: 0n,
    withoutCost: 0,
    vendorCost: 0n,
    withoutVendorCost: 0,
    underOther: 0,
  };
}

function addCompared(to: ComparedSums, { sums, previous }: ComparedSums): void {
  addSums(to.sums, sums);
  addSums(to.previous, previous);
}

function addSums(to: UsageSums, added: UsageSums): void {
  to.calls += added.calls;
  to.failed += added.failed;
  to.estimated += added.estimated;
  to.inputTokens += added.inputTokens;
  to.cachedTokens += added.cachedTokens;
  to.outputTokens += added.outputTokens;
  to.cost += added.cost;
  to.withoutCost += added.withoutCost;
  to.vendorCost += added.vendorCost;
  to.withoutVendorCost += added.withoutVendorCost;
  to.underOther += added.underOther;
}

/** The last day first where there are days; then the dearest, then what was called most, then by name. */
function order(one: SummaryRow, other: SummaryRow, isByDay: boolean): number {
  if (isByDay && one.values.day !== other.values.day) return one.values.day! > other.values.day! ? -1 : 1;
  if (one.sums.cost !== other.sums.cost) return one.sums.cost > other.sums.cost ? -1 : 1;
  if (one.sums.calls !== other.sums.calls) return other.sums.calls - one.sums.calls;
  return JSON.stringify(one.values) < JSON.stringify(other.values) ? -1 : 1;
}

function restOf(rows: readonly SummaryRow[]): UsageSummary['rest'] {
  if (rows.length === 0) return null;
  const rest = noneCompared();
  for (const row of rows) addCompared(rest, row);
  return { ...rest, rows: rows.length };
}

function nameKeys(tables: DatabaseSync, rows: readonly SummaryRow[]): void {
  const find = tables.prepare('select name from api_keys where id = ?');
  for (const row of rows) {
    const id = row.values.key;
    if (typeof id === 'string') row.keyName = (find.get(id)?.name as string | undefined) ?? null;
  }
}

function isComplete(tables: DatabaseSync, organizations: readonly string[]): boolean {
  const find = tables.prepare('select 1 from unsummed_calls where organization_id = ?');
  return organizations.every((organization) => find.get(organization) === undefined);
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function refusal(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
