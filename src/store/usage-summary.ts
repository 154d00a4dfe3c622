import type { Kysely } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import { REPORT_ROWS_PER_PART } from '../core/usage-buckets.ts';
import type { SummaryDimension, SummaryPart, SummaryQuery, SummaryRow, UsageSums } from '../core/usage-summary.ts';
import { DAY_MS, utcDay, utcDayNumber } from '../core/utc-day.ts';
import { isOfProject } from './grouped-calls.ts';
import { keyNamesOf, organizationIds } from './names.ts';
import type { Reading, ReadValue } from './reading.ts';
import { ReportTime } from './report-time.ts';
import type { Schema } from './schema.ts';
import { addSumsRow, SUM_COLUMNS, type SumsRow } from './sum-columns.ts';
import {
  addCompared,
  type DayReader,
  eachInSteps,
  firstRows,
  MAX_SUMMARY_ROWS,
  noneCompared,
  type ReportBounds,
  restOfDays,
} from './summary-rows.ts';
import { SHAPES } from './usage-groups.ts';

/** How many days one summary may have; it reads as many before them. */
export const MAX_SUMMARY_DAYS = 400;
/**
 * How many sums, each of a group and day, one step reads at most, or adds up at most where days are not told apart, which is cheaper:
 * some ms, behind which others have their turn.
 */
const SUMS_PER_STEP = 1_000;
const ADDED_PER_STEP = 6_000;
/** How many groups one step looks through for those that filters let through. */
const GROUPS_PER_STEP = 2_000;
const MAX_DAYS_PER_STEP = 31;
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

type SumsOfGroup = SumsRow & { group_number: number; day: number };

/** A statement that reads amounts as `bigint` reads all whole numbers so; what JavaScript has exactly is cheaper as a real one. */
function columnOfSum({ column, isMoney }: (typeof SUM_COLUMNS)[number], isSum: boolean): string {
  const value = isSum ? `sum(${column})` : column;
  return `${isMoney ? value : `cast(${value} as double precision)`} as ${column}`;
}

/** Days since 1970, from the first to the last, both inclusive. */
type Days = { first: number; last: number };

type SummaryRead = ReportBounds & {
  reading: Reading;
  query: SummaryQuery;
  organizations: readonly string[];
};

export type SummaryReaderParts = {
  db: Kysely<Schema>;
  /** On the same data. */
  reading: Reading;
  catchUp(): Promise<void>;
  /** How long other reports may be worked at, in ms; `null`: as long as it takes. */
  reportMs: number | null;
};

/** Adds settled calls up from what is kept by day, once the tables have caught up. */
export function createSummaryReader({ db, reading, catchUp, reportMs }: SummaryReaderParts) {
  return async function* (query: SummaryQuery): AsyncGenerator<SummaryPart, void> {
    await catchUp();
    const days: Days = { first: utcDayNumber(query.from), last: utcDayNumber(query.through) };
    const length = days.last - days.first + 1;
    if (length > MAX_SUMMARY_DAYS) throw refusal('start_time', `A summary may have at most ${MAX_SUMMARY_DAYS} days.`);
    const organizations = query.organizationId === null ? await organizationIds(db) : [query.organizationId];
    const time = new ReportTime(reportMs === null ? null : reportMs * TIME_SHARE);
    const read = { reading, query, organizations, time, refuse: REFUSE };
    const rows = await (query.top === undefined ? rowsIn(read, days) : topRows(read, days));
    const totals = noneCompared();
    await eachInSteps(time, rows, (row) => addCompared(totals, row));
    const { told, rest } = await firstRows(rows, query, time);
    yield {
      from: days.first * DAY_MS,
      until: (days.last + 1) * DAY_MS,
      previousFrom: (days.first - length) * DAY_MS,
      totals,
      rows: await time.step(() => nameKeys(db, told.slice(0, REPORT_ROWS_PER_PART))),
      rest,
    };
    for (let from = REPORT_ROWS_PER_PART; from < told.length; from += REPORT_ROWS_PER_PART)
      yield { rows: await time.step(() => nameKeys(db, told.slice(from, from + REPORT_ROWS_PER_PART))) };
  };
}

const REFUSE: SummaryRead['refuse'] = {
  tooLong: () => refusal('start_time', 'The summary takes too long. Bring start and end closer together.'),
  tooMany: () => refusal('by', `This comes to more than ${MAX_SUMMARY_ROWS} rows. Ask by less, or for fewer days.`),
};

export function createDayReader(reading: Reading): DayReader {
  return async ({ organizationId, ...bounds }, query, day) => {
    const span = { from: day * DAY_MS, through: day * DAY_MS, isCompared: false } as const;
    const ofDay = { ...query, ...span, organizationId, limit: MAX_SUMMARY_ROWS };
    const parts = { ...bounds, reading, query: ofDay, organizations: [organizationId] };
    return rowsIn(parts, { first: day, last: day });
  };
}

function rowsIn(parts: SummaryRead, days: Days): Promise<SummaryRow[]> {
  return readRows(parts, days, sumsReader(parts));
}

/**
 * The rows of a query with `top`: names are ranked without their days, of which there may be too many rows. What the first come
 * to by day is read by their groups, and the rest of a day is the whole of it without them.
 */
async function topRows(parts: SummaryRead, days: Days): Promise<SummaryRow[]> {
  const { query, time } = parts;
  const { top: limit = 0, by, ...same } = query;
  const names = by.filter((each) => each !== 'day');
  const ranking = { ...parts, query: { ...same, by: names } };
  const reader = sumsReader(ranking);
  const { told, rest } = await firstRows(await readRows(ranking, days, reader), { ...ranking.query, limit }, time);
  const isByDay = by.includes('day');
  if (rest === null) return isByDay ? rowsIn(parts, days) : told;
  const { rows: restOf, ...sums } = rest;
  if (!isByDay) return [...told, { values: {}, keyName: null, restOf, ...sums }];
  const first = new Set(told.map(({ values }) => nameOf(names, values)));
  const numbers: number[] = [];
  await eachInSteps(time, [...reader.groups], ([number, { name }]) => {
    if (first.has(name)) numbers.push(number);
  });
  const rows = await readRows(parts, days, { ...reader, sums: sumsOfGroups(parts, numbers) });
  const ofDays = { ...parts, query: { ...same, by: ['day'] as const } };
  const whole = await readRows(ofDays, days, sumsReader(ofDays, reader.shape));
  return [...rows, ...(await restOfDays(whole, rows, { restOf, time }))];
}

/** Of the period and the one before it, put together by what was asked for. */
async function readRows({ query, time, refuse }: SummaryRead, days: Days, read: SumsReader): Promise<SummaryRow[]> {
  const length = days.last - days.first + 1;
  const rows = new SummaryRows(query);
  const before = { first: days.first - length, last: days.first - 1 };
  const periods = query.isCompared === false ? [[days, 0] as const] : [[before, length] as const, [days, 0] as const];
  for (const [period, ahead] of periods) {
    for (let steps = read.sums(period), isOver = false; !isOver; ) {
      if (time.isOver) throw refuse.tooLong();
      isOver = await time.step(async () => {
        const { value, done } = await steps.next();
        if (done === true) return true;
        await read.learn(value);
        for (const row of value) rows.add(row, read.groupOf(row.group_number), ahead);
        return false;
      });
      if (rows.size > MAX_SUMMARY_ROWS) throw refuse.tooMany();
    }
  }
  return rows.all();
}

/** What is told of a group: its names, in the order of the query's dimensions but for the day, as one text too. */
type ToldGroup = { name: string; values: SummaryRow['values']; isRest: boolean };

/** Rows by what is told of them. */
class SummaryRows {
  readonly #isByDay: boolean;
  readonly #rows = new Map<string, SummaryRow>();
  readonly #days = new Map<number, string>();

  constructor({ by }: SummaryQuery) {
    this.#isByDay = by.includes('day');
  }

  get size(): number {
    return this.#rows.size;
  }

  all(): SummaryRow[] {
    return [...this.#rows.values()];
  }

  /** @param ahead - how many days before those that it is compared with; 0 for the period itself */
  add(row: SumsOfGroup, { name, values, isRest }: ToldGroup, ahead: number): void {
    const day = row.day + ahead;
    const key = this.#isByDay ? `${day} ${name}` : name;
    let found = this.#rows.get(key);
    if (found === undefined) {
      found = {
        values: this.#isByDay ? { ...values, day: this.#dayText(day) } : values,
        keyName: null,
        ...noneCompared(),
      };
      this.#rows.set(key, found);
    }
    addRow(ahead === 0 ? found.sums : found.previous, row, isRest);
  }

  #dayText(day: number): string {
    const text = this.#days.get(day) ?? utcDay(day * DAY_MS);
    this.#days.set(day, text);
    return text;
  }
}

/** What reads the sums of a period in steps, and what is told of a group, whose names are looked up once. */
type SumsReader = {
  shape: number;
  sums: SumSteps;
  /** Looks up the groups of these sums that are not known yet. */
  learn(sums: readonly SumsOfGroup[]): Promise<void>;
  /** Of a group that was looked up. */
  groupOf(number: number): ToldGroup;
  /** Those that were looked up, by number. */
  groups: ReadonlyMap<number, ToldGroup>;
};

/** @param like - the shape as whose sums it counts calls under other names; left out, its own */
function sumsReader(parts: SummaryRead, like?: number): SumsReader {
  const { reading, query } = parts;
  const filters = filtersOf(query);
  const columns = query.by.flatMap((each) => (each === 'day' ? [] : [each]));
  const fewest = shapeOf([...columns, ...filters.map(({ dimension }) => dimension)]);
  const countsOther = (like ?? fewest) !== SHAPES.caller;
  const shape = countsOther && fewest === SHAPES.caller ? SHAPES.all : fewest;
  const told = ['number', 'is_rest', ...columns.map((each) => `${columnOf(query, each)} as ${each}`)];
  const findGroups = `select ${told.join(', ')} from ${reading.words.groups}`;
  const groups = new Map<number, ToldGroup>();
  return {
    shape,
    groups,
    sums: filters.length === 0 ? sumsOfAll(parts, shape) : sumsOfSome(parts, shape, filters),
    async learn(sums) {
      const unknown = new Set<number>();
      for (const { group_number: number } of sums) if (!groups.has(number)) unknown.add(number);
      if (unknown.size === 0) return;
      for (const row of await reading.rows(findGroups, [reading.words.numbers([...unknown])]))
        groups.set(Number(row.number), toldGroup(row, columns, countsOther));
    },
    groupOf: (number) => groups.get(number)!,
  };
}

/** The sums of a period, of each group or, where days are asked for, of each group and day: with each part a step is done. */
type SumSteps = (days: Days) => AsyncGenerator<readonly SumsOfGroup[], void>;

/** @param isSum - of several days together */
function selectSums({ by }: SummaryQuery, isSum: boolean): string {
  return `select cast(group_number as double precision) as group_number,
       cast(${by.includes('day') ? 'day' : '0'} as double precision) as day, ${SUM_COLUMNS.map((sum) => columnOfSum(sum, isSum))}`;
}

/** As many days at once as have few sums, and of a day that has many a part. */
function sumsOfAll({ reading, query, organizations }: SummaryRead, shape: number): SumSteps {
  const isByDay = query.by.includes('day');
  const ofShape = `from ${reading.words.table('usage_days')} where organization_id = ? and shape = ${shape}`;
  const ofDays = `${selectSums(query, !isByDay)} ${ofShape} and day >= ? and day <= ? ${isByDay ? '' : 'group by usage_days.group_number'}`;
  const ofDay = `${selectSums(query, false)} ${ofShape} and day = ? and usage_days.group_number > ?
     order by usage_days.group_number limit ${SUMS_PER_STEP}`;
  const countOf = `select count(*) as count ${ofShape} and day = ?`;
  return async function* ({ first, last }) {
    for (const organization of organizations) {
      for (let day = first; day <= last; ) {
        const [counted] = await reading.rows(countOf, [organization, day]);
        const count = Math.max(1, Number(counted!.count));
        const atOnce = Math.min(MAX_DAYS_PER_STEP, Math.floor((isByDay ? SUMS_PER_STEP : ADDED_PER_STEP) / count));
        if (atOnce > 1 || count <= SUMS_PER_STEP) {
          const through = Math.min(last, day + Math.max(1, atOnce) - 1);
          yield await readSums(reading, ofDays, [organization, day, through]);
          day = through + 1;
          continue;
        }
        for (let after: number | undefined = 0; after !== undefined; ) {
          const rows: readonly SumsOfGroup[] = await readSums(reading, ofDay, [organization, day, after]);
          yield rows;
          after = rows.length < SUMS_PER_STEP ? undefined : rows.at(-1)!.group_number;
        }
        day += 1;
      }
    }
  };
}

/** The groups that pass the filters are looked for once, and then what each comes to is read by it. */
function sumsOfSome(parts: SummaryRead, shape: number, filters: readonly GroupFilter[]): SumSteps {
  const { reading, query, organizations } = parts;
  const { unindexed, table } = reading.words;
  const wanted = filters
    .map(({ dimension, isProject }) => ` and ${isProject ? isOfProject(reading) : `${columnOf(query, dimension)} = ?`}`)
    .join('');
  const lastGroup = `select coalesce(max(number), 0) as number from ${table('usage_groups')}`;
  const find = `select number from ${table('usage_groups')}
     where number > ? and number <= ? and ${unindexed('organization_id')} = ? and ${unindexed('shape')} = ${shape}${wanted}`;
  const values = filters.map(({ value }) => value);
  let found: number[] | null = null;
  return async function* (days) {
    if (found === null) {
      const groups: number[] = [];
      const [last] = await reading.rows(lastGroup, []);
      const end = Number(last!.number);
      for (const organization of organizations) {
        for (let from = 0; from < end; from += GROUPS_PER_STEP) {
          const some = await reading.rows(find, [from, from + GROUPS_PER_STEP, organization, ...values]);
          for (const { number } of some) groups.push(Number(number));
          yield [];
        }
      }
      found = groups;
    }
    yield* sumsOfGroups(parts, found)(days);
  };
}

/** What these groups come to: each is found by its number. */
function sumsOfGroups({ reading, query }: SummaryRead, groups: readonly number[]): SumSteps {
  const isByDay = query.by.includes('day');
  const ofGroups = `${selectSums(query, !isByDay)} from ${reading.words.daysOfGroups} where day >= ? and day <= ?
     ${isByDay ? '' : 'group by usage_days.group_number'}`;
  return async function* ({ first, last }) {
    const atOnce = Math.max(1, Math.floor(SUMS_PER_STEP / (last - first + 1)));
    for (let from = 0; from < groups.length; from += atOnce) {
      const some = reading.words.numbers(groups.slice(from, from + atOnce));
      yield await readSums(reading, ofGroups, [some, first, last]);
    }
  };
}

async function readSums({ rows }: Reading, sql: string, values: readonly ReadValue[]): Promise<readonly SumsOfGroup[]> {
  return (await rows(sql, values)) as readonly SumsOfGroup[];
}

function columnOf({ hidesTargets }: SummaryQuery, dimension: Exclude<SummaryDimension, 'day'>): string {
  return dimension === 'provider' && hidesTargets ? DIRECT_PROVIDER : COLUMNS[dimension];
}

function toldGroup(
  row: Record<string, unknown>,
  columns: readonly SummaryDimension[],
  countsOther: boolean,
): ToldGroup {
  const values: SummaryRow['values'] = {};
  for (const each of columns) values[each] = row[each] === '' ? null : String(row[each]);
  return { name: nameOf(columns, values), values, isRest: countsOther && Number(row.is_rest) === 1 };
}

function nameOf(columns: readonly SummaryDimension[], values: SummaryRow['values']): string {
  return JSON.stringify(columns.map((each) => values[each]));
}

/** `isProject`: the value is a project, whose keys are asked for. */
type GroupFilter = { dimension: Exclude<SummaryDimension, 'day'>; value: string; isProject: boolean };

function filtersOf({ keyId, projectId, model, product, tool, source, route, provider }: SummaryQuery): GroupFilter[] {
  const wanted = { key: keyId, model, product, tool, source, route, provider };
  const filters = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap((dimension): GroupFilter[] => {
    const value = wanted[dimension];
    return value === undefined ? [] : [{ dimension, value, isProject: false }];
  });
  return projectId === undefined ? filters : [...filters, { dimension: 'key', value: projectId, isProject: true }];
}

/** The shape with the fewest groups of those that have all that is asked for. */
function shapeOf(needed: readonly SummaryDimension[]): number {
  const isWithin = (...names: SummaryDimension[]) => needed.every((each) => names.includes(each));
  if (isWithin('tool')) return SHAPES.tool;
  if (isWithin('key', 'source', 'product')) return SHAPES.caller;
  if (isWithin('model', 'route', 'provider')) return SHAPES.server;
  return SHAPES.all;
}

function addRow(to: UsageSums, row: SumsOfGroup, isRest: boolean): void {
  addSumsRow(to, row);
  if (isRest) to.underOther += row.calls as number;
}

/** The rows with the names of their keys. */
async function nameKeys(db: Kysely<Schema>, rows: SummaryRow[]): Promise<SummaryRow[]> {
  const names = await keyNamesOf(db, [...new Set(rows.flatMap(({ values }) => values.key ?? []))]);
  for (const row of rows) row.keyName = names[row.values.key ?? ''] ?? null;
  return rows;
}

function refusal(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
