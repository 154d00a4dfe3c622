import type { CallStatus } from '../../core/records.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import { FirstTokenCounts } from '../first-tokens.ts';
import { addDaySums, addUsage, type DaySums, noDaySums, SUM_COLUMNS, type SummedUsage } from '../sum-columns.ts';
import {
  type CallPlace,
  type DayPlace,
  GROUP_NAMES,
  type GroupedCall,
  type GroupNames,
  MAX_KEY_DAY_GROUPS,
  nameOf,
  namesOf,
  parentNamesOf,
  restOf,
  SHAPES,
  type SummedCall,
} from '../usage-groups.ts';
import { boundRows, unnested, valuesOf } from './arrays.ts';
import { type Columns, findNumbers, inOrder, insertRows, numbersOf, type RowValues } from './bulk.ts';
import type { RunQuery } from './pool.ts';
import { table } from './reading.ts';

/** How many places are remembered; past it all are forgotten, and looked up again. */
const MAX_REMEMBERED = 20_000;

const NUMBERS = new Set(['shape', 'is_rest']);
const NAMES: Columns = GROUP_NAMES.split(', ').map((name) => [name, NUMBERS.has(name) ? 'integer' : 'text']);
const PARENTS: Columns = [
  ['by_caller', 'integer'],
  ['by_server', 'integer'],
  ['by_tool', 'integer'],
];
const CALL_NAMES: Columns = [
  ['organization_id', 'text'],
  ['key_id', 'text'],
  ['source', 'text'],
  ['product', 'text'],
  ['tool_name', 'text'],
  ['model', 'text'],
  ['requested_model', 'text'],
  ['status', 'text'],
];
const DAY: Columns = [
  ['organization_id', 'text'],
  ['shape', 'integer'],
  ['day', 'integer'],
  ['group_number', 'integer'],
];
const ADD_TO_DAY = `on conflict (organization_id, shape, day, group_number) do update set
  ${SUM_COLUMNS.map(({ column }) => `${column} = usage_days.${column} + excluded.${column}`).join(', ')}`;

type EndedGroup = SummedCall & GroupedCall;
/** What is not known yet, and what it comes to be added up as. */
type Unknown = { name: string; day: number; call: EndedGroup; names: GroupNames };

/**
 * Puts settled calls into their groups, and adds them up by day, as `sqlite/usage-days.ts`. `learn` comes before `add` for the same
 * calls; it, `finish` and what is between belong inside a transaction; `committed` or `rolledBack` follows.
 */
export class BatchDays {
  readonly #maxKeyDayGroups: number;
  readonly #places = new Map<string, CallPlace>();
  readonly #leaves = new Map<string, DayPlace>();
  readonly #parents = new Map<string, DayPlace>();
  /** How many groups of a key and day there are. */
  readonly #counts = new Map<string, number>();
  #touched: DayPlace[] = [];
  #calls: [group: number, id: string][] = [];
  #lastUse = new Map<string, number>();
  #firstTokens = new FirstTokenCounts();
  #generation: unknown = null;

  constructor(maxKeyDayGroups = MAX_KEY_DAY_GROUPS) {
    this.#maxKeyDayGroups = maxKeyDayGroups;
  }

  /**
   * Forgets what it remembers of groups where some were removed since.
   *
   * @param generation - of groups, which grows as some are removed; nobody removes any until the transaction is over
   */
  begin(generation: unknown): void {
    if (generation !== this.#generation) this.#forget();
    this.#generation = generation;
  }

  /** Looks up, or makes, the groups of calls. */
  async learn(query: RunQuery, calls: readonly EndedGroup[]): Promise<void> {
    const unknown = new Map<string, Unknown>();
    for (const call of calls) {
      const day = utcDayNumber(call.createdAt);
      const name = nameOf(call, day, call.status);
      if (!this.#places.has(name) && !unknown.has(name)) unknown.set(name, { name, day, call, names: namesOf(call) });
    }
    if (unknown.size === 0) return;
    const all = [...unknown.values()];
    await this.#tellApart(query, all);
    await this.#learnLeaves(query, all);
    const names = uniqueBy(
      all.map(({ call }) => callNames(call)),
      (each) => JSON.stringify(each),
    );
    const groups = await numbersOf(query, 'call_groups', { columns: CALL_NAMES, names: [...names.values()] });
    const numbers = new Map([...names.keys()].map((key, index) => [key, groups[index]!.number]));
    for (const { name, call, day, names: ofDay } of all) {
      const group = numbers.get(JSON.stringify(callNames(call)))!;
      this.#places.set(name, { group, day: this.#leaves.get(keyOf(ofDay, day))! });
    }
  }

  /** Tells the number of the group that the call is added up in, which belongs into its row. Written in `finish`. */
  add(call: SummedCall, usage: SummedUsage): number {
    const { group, day } = this.#places.get(nameOf(call, utcDayNumber(call.createdAt), usage.status))!;
    const { id, keyId, createdAt, organizationId } = call;
    this.#calls.push([group, id]);
    if (createdAt > (this.#lastUse.get(keyId) ?? Number.NEGATIVE_INFINITY)) this.#lastUse.set(keyId, createdAt);
    addUsage(this.#sumsOf(day), usage);
    const { timeToFirstTokenMs: wait } = usage;
    if (wait !== null) this.#firstTokens.add(organizationId, createdAt, wait);
    return day.number;
  }

  /** Writes what was added, the rows that many write last. */
  async finish(query: RunQuery): Promise<void> {
    const calls = inOrder(this.#calls);
    await insertRows(query, 'grouped_calls', { columns: GROUPED, rows: calls, tail: 'on conflict do nothing' });
    for (const place of this.#touched.slice()) {
      for (const parent of place.parents) addDaySums(this.#sumsOf(parent), place.sums!);
    }
    const days = this.#touched.map(({ organizationId, shape, day, number, sums }) => [
      organizationId,
      shape,
      day,
      number,
      ...SUM_COLUMNS.map(({ member }) => sums![member]),
    ]);
    const sums = SUM_COLUMNS.map(({ column }) => [column, 'integer'] as const);
    await insertRows(query, 'usage_days', { columns: [...DAY, ...sums], rows: inOrder(days), tail: ADD_TO_DAY });
    await insertRows(query, 'first_tokens', {
      columns: WAITS,
      rows: inOrder([...this.#firstTokens.all()]),
      tail: 'on conflict (organization_id, day, ms) do update set calls = first_tokens.calls + excluded.calls',
    });
    await insertRows(query, 'key_use', {
      columns: USE,
      rows: inOrder([...this.#lastUse]),
      tail: `on conflict (key_id) do update set last_used_at = excluded.last_used_at
        where key_use.last_used_at < excluded.last_used_at`,
    });
    this.#clear();
  }

  committed(): void {
    if (Math.max(this.#places.size, this.#parents.size) >= MAX_REMEMBERED) this.#forget();
  }

  rolledBack(): void {
    this.#clear();
    this.#forget();
  }

  #clear(): void {
    for (const place of this.#touched) place.sums = null;
    this.#touched = [];
    this.#calls = [];
    this.#lastUse = new Map();
    this.#firstTokens = new FirstTokenCounts();
  }

  #forget(): void {
    this.#places.clear();
    this.#leaves.clear();
    this.#parents.clear();
    this.#counts.clear();
  }

  /** Names beyond those that are told apart of a key's day become `other`; a new group takes a place, while there is one. */
  async #tellApart(query: RunQuery, all: Unknown[]): Promise<void> {
    const asked = all.filter(({ names, day }) => !this.#leaves.has(keyOf(names, day)));
    const found = await findNumbers(query, 'usage_groups', { columns: NAMES, names: asked.map(({ names }) => names) });
    const places = asked.flatMap(({ names, day }, index) =>
      found[index] === null || found[index] === undefined ? [] : [[names[0], SHAPES.all, day, found[index].number]],
    );
    const told = new Set(await existing(query, places));
    const isThere = asked.map(({ names, day }, index) => told.has(dayKey(names[0], day, found[index]?.number)));
    await this.#count(
      query,
      asked.filter((_, index) => !isThere[index]),
    );
    const counted = new Set<string>();
    for (const [index, each] of asked.entries()) {
      const key = keyOf(each.names, each.day);
      if (isThere[index] || counted.has(key)) continue;
      const place = countedBy(each);
      const count = this.#counts.get(place)!;
      if (count < this.#maxKeyDayGroups) {
        this.#counts.set(place, count + 1);
        counted.add(key);
        continue;
      }
      const { rest, names } = restOf(each.call);
      Object.assign(each, { call: rest, names });
    }
  }

  /** How many groups the keys of these have on their days, where that is not known. */
  async #count(query: RunQuery, asked: readonly Unknown[]): Promise<void> {
    const unknown = [...uniqueBy(asked, countedBy)].filter(([key]) => !this.#counts.has(key)).map(([, each]) => each);
    if (unknown.length === 0) return;
    const rows = unknown.map(({ names: [organizationId, , keyId], day }) => [organizationId, day, keyId]);
    const arrays = boundRows(
      [
        ['organization_id', 'text'],
        ['day', 'integer'],
        ['key_id', 'text'],
      ],
      rows,
    );
    const counts = await query<{ at: bigint; count: bigint }>(
      `select wanted.at, (
         select count(*) from ${table('usage_days')} as days join ${table('usage_groups')} as groups on groups.number = days.group_number
         where days.organization_id = wanted.organization_id and days.shape = 0 and days.day = wanted.day
           and groups.key_id = wanted.key_id and groups.is_rest = 0
       ) as count from ${unnested(arrays)} with ordinality as wanted (organization_id, day, key_id, at)`,
      valuesOf(arrays),
    );
    for (const { at, count } of counts.rows) this.#counts.set(countedBy(unknown[Number(at) - 1]!), Number(count));
  }

  async #learnLeaves(query: RunQuery, all: readonly Unknown[]): Promise<void> {
    const leaves = [...uniqueBy(all, ({ names, day }) => keyOf(names, day))].filter(([key]) => !this.#leaves.has(key));
    if (leaves.length === 0) return;
    await this.#learnParents(
      query,
      leaves.map(([, leaf]) => leaf),
    );
    const parents = leaves.map(([, { names, day }]) =>
      parentNamesOf(names).map((each) => this.#parents.get(keyOf(each, day))!),
    );
    const names = uniqueBy(
      leaves.map(([, leaf], index) => ({ names: leaf.names, parents: parents[index]! })),
      (each) => JSON.stringify(each.names),
    );
    const wanted = [...names.values()];
    const more = wanted.map((each) => each.parents.map(({ number }) => number));
    const found = await numbersOf(
      query,
      'usage_groups',
      { columns: NAMES, names: wanted.map((each) => each.names), more },
      PARENTS,
    );
    await setParents(
      query,
      found.flatMap(({ number, row }, index) => {
        const named = PARENTS.map(([name]) => row[name]);
        return more[index]!.some((parent, at) => BigInt(parent) !== named[at]) ? [[number, ...more[index]!]] : [];
      }),
    );
    const numbers = new Map([...names.keys()].map((key, index) => [key, found[index]!.number]));
    for (const [index, [key, leaf]] of leaves.entries()) {
      const number = numbers.get(JSON.stringify(leaf.names))!;
      const [organizationId] = leaf.names;
      const place = { organizationId, shape: SHAPES.all, day: leaf.day, number, parents: parents[index]!, sums: null };
      this.#leaves.set(key, place);
    }
  }

  async #learnParents(query: RunQuery, leaves: readonly Unknown[]): Promise<void> {
    const asked = leaves.flatMap(({ names, day }) => parentNamesOf(names).map((each) => ({ names: each, day })));
    const unknown = [...uniqueBy(asked, ({ names, day }) => keyOf(names, day))].filter(
      ([key]) => !this.#parents.has(key),
    );
    const names = uniqueBy(
      unknown.map(([, each]) => each.names),
      (each) => JSON.stringify(each),
    );
    const found = await numbersOf(query, 'usage_groups', { columns: NAMES, names: [...names.values()] });
    const numbers = new Map([...names.keys()].map((key, index) => [key, found[index]!.number]));
    for (const [key, { names: each, day }] of unknown) {
      const number = numbers.get(JSON.stringify(each))!;
      this.#parents.set(key, { organizationId: each[0], shape: each[1], day, number, parents: [], sums: null });
    }
  }

  #sumsOf(place: DayPlace): DaySums {
    if (place.sums === null) {
      place.sums = noDaySums();
      this.#touched.push(place);
    }
    return place.sums;
  }
}

const GROUPED: Columns = [
  ['group_number', 'integer'],
  ['call_id', 'text'],
];
const WAITS: Columns = [
  ['organization_id', 'text'],
  ['day', 'integer'],
  ['ms', 'integer'],
  ['calls', 'integer'],
];
const USE: Columns = [
  ['key_id', 'text'],
  ['last_used_at', 'integer'],
];

/** Which of these days of groups have sums. */
async function existing(query: RunQuery, places: readonly RowValues[]): Promise<string[]> {
  if (places.length === 0) return [];
  const arrays = boundRows(DAY, places);
  const { rows } = await query<{ organization: string; day: bigint; number: bigint }>(
    `select wanted.organization_id as organization, wanted.day, wanted.group_number as number
     from ${unnested(arrays)} as wanted (organization_id, shape, day, group_number)
     cross join lateral (
       select 1 from ${table('usage_days')} as days where days.organization_id = wanted.organization_id
         and days.shape = wanted.shape and days.day = wanted.day and days.group_number = wanted.group_number limit 1
     ) as found`,
    valuesOf(arrays),
  );
  return rows.map(({ organization, day, number }) => dayKey(organization, Number(day), Number(number)));
}

/** A purge may have removed the parents that a group names: it names its present ones from now on. */
async function setParents(query: RunQuery, rows: readonly RowValues[]): Promise<void> {
  if (rows.length === 0) return;
  const arrays = boundRows([['number', 'integer'], ...PARENTS], inOrder(rows));
  await query(
    `update ${table('usage_groups')} as groups
     set by_caller = present.by_caller, by_server = present.by_server, by_tool = present.by_tool
     from ${unnested(arrays)} as present (number, by_caller, by_server, by_tool) where groups.number = present.number`,
    valuesOf(arrays),
  );
}

function callNames(call: EndedGroup): RowValues {
  const { organizationId, keyId, source, product, tool, model, requestedModel, status } = call;
  return [organizationId, keyId, source, product ?? '', tool ?? '', model, requestedModel, status satisfies CallStatus];
}

function keyOf(names: GroupNames, day: number): string {
  return JSON.stringify([day, ...names]);
}

function dayKey(organizationId: string, day: number, number: number | undefined): string {
  return `${organizationId} ${day} ${number}`;
}

function countedBy({ day, names: [organizationId, , keyId] }: Unknown): string {
  return `${day} ${organizationId} ${keyId}`;
}

function uniqueBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item> {
  const unique = new Map<string, Item>();
  for (const item of items) {
    const name = key(item);
    if (!unique.has(name)) unique.set(name, item);
  }
  return unique;
}
