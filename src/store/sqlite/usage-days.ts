import type { DatabaseSync } from 'node:sqlite';
import type { CallStatus } from '../../core/records.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import { addDaySums, addUsage, type DaySums, noDaySums, SUM_COLUMNS, type SummedUsage } from '../sum-columns.ts';
import {
  type CallPlace,
  type DayPlace,
  type GroupedCall,
  type GroupNames,
  isAlike,
  MAX_KEY_DAY_GROUPS,
  GROUP_NAMES as NAMES,
  nameOf,
  namesOf,
  parentNamesOf,
  restOf,
  SHAPES,
  type SummedCall,
} from '../usage-groups.ts';
import { CallGroups } from './call-groups.ts';
import { FirstTokens } from './first-tokens.ts';

/** How many places are remembered; past it all are forgotten, and looked up again. */
const MAX_REMEMBERED = 20_000;

const SUMS = SUM_COLUMNS.map(({ column }) => column);

/** Makes or finds groups, and adds to their days. Prepared once. */
function statementsOf(database: DatabaseSync) {
  return {
    insertGroup: database.prepare(
      `insert into usage_groups (${NAMES}, by_caller, by_server, by_tool) values (${Array(13).fill('?')})`,
    ),
    findGroup: database.prepare(
      `select number, by_caller, by_server, by_tool from usage_groups where (${NAMES}) = (${Array(10).fill('?')})`,
    ),
    setParents: database.prepare('update usage_groups set by_caller = ?, by_server = ?, by_tool = ? where number = ?'),
    findDay: database.prepare(
      'select 1 from usage_days where organization_id = ? and shape = 0 and day = ? and group_number = ?',
    ),
    countDay: database.prepare(
      `select count(*) as count from usage_days join usage_groups on number = group_number
       where usage_days.organization_id = ? and usage_days.shape = 0 and day = ? and key_id = ? and is_rest = 0`,
    ),
    addDay: database.prepare(
      `insert into usage_days (organization_id, shape, day, group_number, ${SUMS}) values (${Array(4 + SUMS.length).fill('?')})
       on conflict do update set ${SUMS.map((name) => `${name} = ${name} + excluded.${name}`)}`,
    ),
    generation: database.prepare("select value from counters where name = 'removed_groups'"),
    setUse: database.prepare(
      `insert into key_use (key_id, last_used_at) values (?, ?)
       on conflict do update set last_used_at = max(last_used_at, excluded.last_used_at)`,
    ),
  };
}

/**
 * Puts settled calls into their groups, and adds them up by day. `begin`, `add` and `finish` belong inside a transaction;
 * `committed` or `rolledBack` follows.
 *
 * /!\ Hot path: of a call of a group that is known, one name is made and one object is added to; rows are written once a batch.
 */
export class UsageDays {
  readonly #groups: CallGroups;
  readonly #firstTokens: FirstTokens;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #maxKeyDayGroups: number;
  /** By what a call is told apart by, and by day. */
  readonly #places = new Map<string, CallPlace>();
  /** Of the last call: the next is often told apart from it by nothing, and needs no name then. */
  #last: { call: SummedCall; day: number; status: CallStatus; place: CallPlace } | null = null;
  /** Several models that were asked for may be added up in one. */
  readonly #leaves = new Map<string, DayPlace>();
  readonly #parents = new Map<string, DayPlace>();
  /** How many groups of a key and day there are. */
  readonly #counts = new Map<string, number>();
  #touched: DayPlace[] = [];
  /** When the keys of the present transaction were used last: a new map for each, as in `settled-batches.ts`. */
  #lastUse = new Map<string, number>();

  #generation: unknown = null;

  constructor(database: DatabaseSync, maxKeyDayGroups = MAX_KEY_DAY_GROUPS) {
    this.#groups = new CallGroups(database);
    this.#firstTokens = new FirstTokens(database);
    this.#statements = statementsOf(database);
    this.#maxKeyDayGroups = maxKeyDayGroups;
  }

  /** Forgets what it remembers of groups where some were removed since. */
  begin(): void {
    const { value } = this.#statements.generation.get()!;
    if (value !== this.#generation) this.#forget();
    this.#generation = value;
  }

  /** Tells the number of the group that the call is added up in, which belongs into its row. Written in `finish`. */
  add(call: SummedCall, usage: SummedUsage): number {
    const { group, day } = this.#placeOf(call, usage.status);
    const { id, keyId, createdAt } = call;
    this.#groups.put(group, id);
    if (createdAt > (this.#lastUse.get(keyId) ?? Number.NEGATIVE_INFINITY)) this.#lastUse.set(keyId, createdAt);
    addUsage(this.#sumsOf(day), usage);
    if (usage.timeToFirstTokenMs !== null) {
      this.#firstTokens.add(call.organizationId, createdAt, usage.timeToFirstTokenMs);
    }
    return day.number;
  }

  /** Writes what was added, once for all calls of a group. */
  finish(): void {
    this.#groups.finish();
    this.#firstTokens.finish();
    for (const place of this.#touched.slice()) {
      for (const parent of place.parents) addDaySums(this.#sumsOf(parent), place.sums!);
    }
    for (const place of this.#touched) {
      this.#write(place);
      place.sums = null;
    }
    for (const [keyId, at] of this.#lastUse) this.#statements.setUse.run(keyId, at);
    this.#touched = [];
    this.#lastUse = new Map();
  }

  committed(): void {
    if (Math.max(this.#places.size, this.#parents.size) >= MAX_REMEMBERED) this.#forget();
  }

  rolledBack(): void {
    for (const place of this.#touched) place.sums = null;
    this.#touched = [];
    this.#lastUse = new Map();
    this.#groups.rolledBack();
    this.#firstTokens.rolledBack();
    this.#forget();
  }

  #forget(): void {
    this.#places.clear();
    this.#last = null;
    this.#leaves.clear();
    this.#parents.clear();
    this.#counts.clear();
  }

  #placeOf(call: SummedCall, status: CallStatus): CallPlace {
    const day = utcDayNumber(call.createdAt);
    const last = this.#last;
    if (last !== null && last.day === day && last.status === status && isAlike(last.call, call)) return last.place;
    const name = nameOf(call, day, status);
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.#newPlace({ ...call, status }, day);
      this.#places.set(name, place);
    }
    this.#last = { call, day, status, place };
    return place;
  }

  #newPlace(call: SummedCall & GroupedCall, day: number): CallPlace {
    const names = namesOf(call);
    if (this.#isToldApart(names, day)) return { group: this.#groups.numberOf(call), day: this.#leafOf(names, day) };
    const { rest, names: restNames } = restOf(call);
    return { group: this.#groups.numberOf(rest), day: this.#leafOf(restNames, day) };
  }

  /** Whether a group has one of a key's places on this day; a new one takes a place, while there is one. */
  #isToldApart(names: GroupNames, day: number): boolean {
    const [organizationId, , keyId] = names;
    if (this.#leaves.has(JSON.stringify([day, ...names]))) return true;
    const number = this.#numberOf(names);
    if (number !== null && this.#statements.findDay.get(organizationId, day, number) !== undefined) return true;
    const counted = `${day} ${keyId}`;
    const count = this.#counts.get(counted) ?? Number(this.#statements.countDay.get(organizationId, day, keyId)!.count);
    if (count >= this.#maxKeyDayGroups) return false;
    this.#counts.set(counted, count + 1);
    return true;
  }

  #leafOf(names: GroupNames, day: number): DayPlace {
    const name = JSON.stringify([day, ...names]);
    const leaf = this.#leaves.get(name) ?? this.#newLeaf(names, day);
    this.#leaves.set(name, leaf);
    return leaf;
  }

  #newLeaf(names: GroupNames, day: number): DayPlace {
    const [organizationId] = names;
    const parents = parentNamesOf(names).map((each) => this.#parentOf(each, day));
    const number = this.#foundUnder(names, parents) ?? this.#insert(names, parents);
    return { organizationId, shape: SHAPES.all, day, number, parents, sums: null };
  }

  #parentOf(names: GroupNames, day: number): DayPlace {
    const name = JSON.stringify([day, ...names]);
    let place = this.#parents.get(name);
    if (place === undefined) {
      const number = this.#numberOf(names) ?? this.#insert(names, []);
      place = { organizationId: names[0], shape: names[1], day, number, parents: [], sums: null };
      this.#parents.set(name, place);
    }
    return place;
  }

  #numberOf(names: GroupNames): number | null {
    const found = this.#statements.findGroup.get(...names);
    return found === undefined ? null : Number(found.number);
  }

  /** The same of a leaf, which names its present parents from now on: a purge may have removed those that it named. */
  #foundUnder(names: GroupNames, parents: readonly DayPlace[]): number | null {
    const found = this.#statements.findGroup.get(...names);
    if (found === undefined) return null;
    const number = Number(found.number);
    const present = parents.map((parent) => parent.number);
    const named = [found.by_caller, found.by_server, found.by_tool];
    if (named.some((parent, place) => parent !== present[place])) this.#statements.setParents.run(...present, number);
    return number;
  }

  #insert(names: GroupNames, parents: readonly DayPlace[]): number {
    const [caller, server, tool] = parents;
    const above = [caller?.number ?? null, server?.number ?? null, tool?.number ?? null];
    return Number(this.#statements.insertGroup.run(...names, ...above).lastInsertRowid);
  }

  #sumsOf(place: DayPlace): DaySums {
    if (place.sums === null) {
      place.sums = noDaySums();
      this.#touched.push(place);
    }
    return place.sums;
  }

  #write({ organizationId, shape, day, number, sums }: DayPlace): void {
    this.#statements.addDay.run(organizationId, shape, day, number, ...SUM_COLUMNS.map(({ member }) => sums![member]));
  }
}
