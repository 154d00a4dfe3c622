import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { GatewayError } from '../../core/errors.ts';
import type { SummaryDimension, SummaryQuery, SummaryRow, UsageSummary, UsageSums } from '../../core/usage-summary.ts';
import { DAY_MS, utcDay, utcDayNumber } from '../../core/utc-day.ts';
import { ReportTime } from '../report-time.ts';
import { addSumsRow, SUM_COLUMNS, type SumsRow } from '../sum-columns.ts';
import { addCompared, firstRows, keepTop, noneCompared } from '../summary-rows.ts';
import { IS_OF_PROJECT } from './grouped-calls.ts';
import { DAYS_OF_GROUPS, SHAPES } from './usage-days.ts';

/** How many days one summary may have; it reads as many before them. */
export const MAX_SUMMARY_DAYS = 400;
/** How many rows may be put together, before the dearest of them are told. */
export const MAX_SUMMARY_ROWS = 50_000;
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
  return `${isMoney ? value : `cast(${value} as real)`} as ${column}`;
}

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
    const days: Days = { first: utcDayNumber(query.from), last: utcDayNumber(query.through) };
    const length = days.last - days.first + 1;
    if (length > MAX_SUMMARY_DAYS) throw refusal('start_time', `A summary may have at most ${MAX_SUMMARY_DAYS} days.`);
    const organizations = query.organizationId === null ? await organizationIds() : [query.organizationId];
    const time = new ReportTime(reportMs === null ? null : reportMs * TIME_SHARE);
    const rows = await readRows({ database, query, organizations, time }, days);
    const totals = noneCompared();
    await time.step(() => {
      for (const row of rows) addCompared(totals, row);
    });
    const kept = await time.step(() => keepTop(rows, query));
    const { told, rest } = await time.step(() => firstRows(kept, query));
    nameKeys(database, told);
    return {
      from: days.first * DAY_MS,
      until: (days.last + 1) * DAY_MS,
      previousFrom: (days.first - length) * DAY_MS,
      totals,
      rows: told,
      rest: restOf(rest),
      isComplete: isComplete(database, organizations),
    };
  };
}

/** Of the period and the one before it, put together by what was asked for. */
async function readRows(parts: SummaryRead, days: Days): Promise<SummaryRow[]> {
  const length = days.last - days.first + 1;
  const { query, time } = parts;
  const read = sumsReader(parts);
  const rows = new SummaryRows(query);
  const before = { first: days.first - length, last: days.first - 1 };
  const periods = query.isCompared === false ? [[days, 0] as const] : [[before, length] as const, [days, 0] as const];
  for (const [period, ahead] of periods) {
    for (let steps = read.sums(period), isOver = false; !isOver; ) {
      if (time.isOver) throw refusal('start_time', 'The summary takes too long. Bring start and end closer together.');
      isOver = await time.step(() => {
        const { value, done } = steps.next();
        if (done === true) return true;
        for (const row of value) rows.add(row, read.groupOf(row.group_number), ahead);
        return false;
      });
      if (rows.size > MAX_SUMMARY_ROWS) {
        throw refusal('by', `This comes to more than ${MAX_SUMMARY_ROWS} rows. Ask by less, or for fewer days.`);
      }
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

/** Makes what reads the sums of a period in steps, and what is told of a group: its names are looked up once. */
function sumsReader(parts: SummaryRead) {
  const { database, query } = parts;
  const filters = filtersOf(query);
  const columns = query.by.flatMap((each) => (each === 'day' ? [] : [each]));
  const shape = shapeOf([...columns, ...filters.map(({ dimension }) => dimension)]);
  const told = ['is_rest', ...columns.map((each) => `${columnOf(query, each)} as ${each}`)];
  const findGroup = database.prepare(`select ${told} from usage_groups where number = ?`);
  const groups = new Map<number, ToldGroup>();
  return {
    sums: filters.length === 0 ? sumsOfAll(parts, shape) : sumsOfSome(parts, shape, filters),
    groupOf: (number: number): ToldGroup => {
      const known = groups.get(number);
      if (known !== undefined) return known;
      const group = toldGroup(findGroup.get(number)!, columns, shape);
      groups.set(number, group);
      return group;
    },
  };
}

/** The sums of a period, of each group or, where days are asked for, of each group and day: with each part a step is done. */
type SumSteps = (days: Days) => Generator<SumsOfGroup[], void>;

/** @param isSum - of several days together */
function selectSums({ by }: SummaryQuery, isSum: boolean): string {
  return `select cast(group_number as real) as group_number, ${by.includes('day') ? 'cast(day as real)' : '0.0'} as day,
       ${SUM_COLUMNS.map((sum) => columnOfSum(sum, isSum))}`;
}

/** As many days at once as have few sums, and of a day that has many a part. */
function sumsOfAll({ database, query, organizations }: SummaryRead, shape: number): SumSteps {
  const isByDay = query.by.includes('day');
  const ofShape = `from usage_days where organization_id = ? and shape = ${shape}`;
  const ofDays = database.prepare(
    `${selectSums(query, !isByDay)} ${ofShape} and day >= ? and day <= ? ${isByDay ? '' : 'group by usage_days.group_number'}`,
  );
  const ofDay = database.prepare(
    `${selectSums(query, false)} ${ofShape} and day = ? and usage_days.group_number > ?
     order by usage_days.group_number limit ${SUMS_PER_STEP}`,
  );
  for (const each of [ofDays, ofDay]) each.setReadBigInts(true);
  const countOf = database.prepare(`select count(*) as count ${ofShape} and day = ?`);
  return function* ({ first, last }) {
    for (const organization of organizations) {
      for (let day = first; day <= last; ) {
        const count = Math.max(1, Number(countOf.get(organization, day)!.count));
        const atOnce = Math.min(MAX_DAYS_PER_STEP, Math.floor((isByDay ? SUMS_PER_STEP : ADDED_PER_STEP) / count));
        if (atOnce > 1 || count <= SUMS_PER_STEP) {
          const through = Math.min(last, day + Math.max(1, atOnce) - 1);
          yield ofDays.all(organization, day, through) as SumsOfGroup[];
          day = through + 1;
          continue;
        }
        for (let after: number | undefined = 0; after !== undefined; ) {
          const rows: SumsOfGroup[] = ofDay.all(organization, day, after) as SumsOfGroup[];
          yield rows;
          after = rows.length < SUMS_PER_STEP ? undefined : rows.at(-1)!.group_number;
        }
        day += 1;
      }
    }
  };
}

/** The groups that pass the filters are looked for once, and then what each comes to is read by it. */
function sumsOfSome(
  { database, query, organizations }: SummaryRead,
  shape: number,
  filters: readonly GroupFilter[],
): SumSteps {
  const isByDay = query.by.includes('day');
  const wanted = filters
    .map(({ dimension, isProject }) => ` and ${isProject ? IS_OF_PROJECT : `${columnOf(query, dimension)} = ?`}`)
    .join('');
  const lastGroup = database.prepare('select coalesce(max(number), 0) as number from usage_groups');
  const find = database.prepare(
    `select number from usage_groups
     where number > ? and number <= ? and +organization_id = ? and +shape = ${shape}${wanted}`,
  );
  const ofGroups = database.prepare(
    `${selectSums(query, !isByDay)} from ${DAYS_OF_GROUPS}
     where organization_id = ? and shape = ${shape} and day >= ? and day <= ?
     ${isByDay ? '' : 'group by usage_days.group_number'}`,
  );
  ofGroups.setReadBigInts(true);
  const values = filters.map(({ value }) => value);
  const found = new Map<string, number[]>();
  return function* ({ first, last }) {
    const atOnce = Math.max(1, Math.floor(SUMS_PER_STEP / (last - first + 1)));
    for (const organization of organizations) {
      const groups = found.get(organization) ?? [];
      const end = found.has(organization) ? 0 : Number(lastGroup.get()!.number);
      for (let from = 0; from < end; from += GROUPS_PER_STEP) {
        const some = find.all(from, from + GROUPS_PER_STEP, organization, ...values);
        for (const { number } of some) groups.push(Number(number));
        yield [];
      }
      found.set(organization, groups);
      for (let from = 0; from < groups.length; from += atOnce) {
        const some = JSON.stringify(groups.slice(from, from + atOnce));
        yield ofGroups.all(some, organization, first, last) as SumsOfGroup[];
      }
    }
  };
}

function columnOf({ hidesTargets }: SummaryQuery, dimension: Exclude<SummaryDimension, 'day'>): string {
  return dimension === 'provider' && hidesTargets ? DIRECT_PROVIDER : COLUMNS[dimension];
}

function toldGroup(row: Record<string, unknown>, columns: readonly SummaryDimension[], shape: number): ToldGroup {
  const values: SummaryRow['values'] = {};
  for (const each of columns) values[each] = row[each] === '' ? null : String(row[each]);
  const isRest = shape !== SHAPES.caller && Number(row.is_rest) === 1;
  return { name: JSON.stringify(columns.map((each) => values[each])), values, isRest };
}

/** `isProject`: the value is a project, whose keys are asked for. */
type GroupFilter = { dimension: Exclude<SummaryDimension, 'day'>; value: SQLInputValue; isProject: boolean };

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

function refusal(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
