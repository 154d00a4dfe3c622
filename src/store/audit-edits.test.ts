import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { IS_NIGHTLY } from '../../tests/support/nightly.ts';
import type { AuditEvent } from '../core/audit.ts';
import { seeded } from '../testing/seeded.ts';
import { readAuditHead } from './audit-head.ts';
import { auditRow, createAuditReader } from './audit-reader.ts';
import { NOON, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';

/** Another seed makes other edits. */
const SEED = 20_261_123;
const EDITS = IS_NIGHTLY ? 10_000 : 1_000;
const ENTRIES = 8;
const KEY = Buffer.alloc(32, 7);
/** Of somebody who can write the database, and has no pepper. */
const FORGED_KEY = Buffer.alloc(32, 8);

type Row = Record<string, SQLInputValue> & { number: number; link: Uint8Array };
/** Draws a whole number from 0 up to a bound that is not reached. */
type Draw = (bound: number) => number;

test('of many random edits of the audit log each is found', async (t) => {
  const folder = temporaryFolder(t);
  const storage = await openStorage({ folder, instanceId: 'instance_1', durability: 'normal' });
  for (const id of ['org_1', 'org_2']) await storage.organizations.create({ id, name: id, createdAt: NOON });
  for (let number = 1; number <= ENTRIES; number += 1) {
    const value = { name: `Group ${number}` };
    const event = eventOf(number);
    const group = { kind: 'group' as const, id: `group_${number}`, parentId: null, version: 1, createdAt: NOON, value };
    await storage.settings.change(event.organizationId, [{ put: group }], { event, key: KEY });
  }
  await storage.close();

  using database = new DatabaseSync(join(folder, 'headgate.db'), { readBigInts: true });
  database.exec('drop trigger audit_log_is_not_changed; drop trigger audit_log_is_not_cut');
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, 0) });
  const { verify } = createAuditReader(db, folder);
  const rows = database.prepare('select * from audit_log order by number').all().map(rowOf);
  assert.deepEqual(await verify(KEY), { entries: ENTRIES, fault: null });
  assert.equal(readAuditHead(folder)?.entries, ENTRIES);

  const columns = Object.keys(rows[0]!);
  const insert = database.prepare(
    `insert into audit_log (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const random = seeded(SEED);
  const draw: Draw = (bound) => Math.floor(random() * bound);
  const done = new Map<string, number>();
  for (let edit = 0; edit < EDITS; ) {
    const [name, change] = KINDS[draw(KINDS.length)]!;
    const edited = change(structuredClone(rows), draw);
    if (same(edited, rows)) continue;
    edit += 1;
    done.set(name, (done.get(name) ?? 0) + 1);
    database.exec('begin; delete from audit_log');
    for (const row of edited) insert.run(...columns.map((column) => row[column]!));
    const { fault } = await verify(KEY);
    assert.notEqual(fault, null, `seed ${SEED}, edit ${edit}: ${name}\n${JSON.stringify(edited)}`);
    database.exec('rollback');
  }
  assert.deepEqual([...done.keys()].sort(), KINDS.map(([name]) => name).sort());
  assert.deepEqual(await verify(KEY), { entries: ENTRIES, fault: null });
});

function eventOf(number: number): AuditEvent {
  const { [number % 3]: actor } = [
    { type: 'operator' as const },
    { type: 'session' as const, userId: `user_${number}`, email: `ada${number}@example.com` },
    { type: 'api_key' as const, keyId: `key_${number}`, userId: null },
  ];
  return {
    id: `audit_log-${number}`,
    organizationId: number % 4 === 0 ? 'org_2' : 'org_1',
    type: 'group.created',
    at: NOON + number,
    actor: actor!,
    project: number % 2 === 0 ? null : { id: `proj_${number}`, name: 'Search' },
    resourceId: `group_${number}`,
    details: { data: { name: `Group ${number}` } },
    request: number % 3 === 0 ? null : { id: `req_${number}`, address: '127.0.0.1' },
  };
}

function rowOf(read: Record<string, unknown>): Row {
  const numbers = { number: Number(read.number), at: Number(read.at) };
  return { ...(read as Row), ...numbers, link: new Uint8Array(read.link as Uint8Array) };
}

function same(some: readonly Row[], others: readonly Row[]): boolean {
  const text = (rows: readonly Row[]) =>
    JSON.stringify(rows.map(({ link, ...row }) => [row, Buffer.from(link).toString('hex')]));
  return text(some) === text(others);
}

/** What somebody could do to a log who can write the database. Each is given a copy of its rows, in their order. */
const KINDS: readonly [name: string, change: (rows: Row[], draw: Draw) => Row[]][] = [
  ['a text is changed', (rows, draw) => changeText(rows, draw)],
  ['a text is another entry’s', (rows, draw) => takeText(rows, draw)],
  ['a number is changed', (rows, draw) => changeNumber(rows, draw)],
  ['a column is emptied or filled', (rows, draw) => emptyOrFill(rows, draw)],
  ['a link is changed', (rows, draw) => changeLink(rows, draw)],
  ['an entry is removed', (rows, draw) => rows.toSpliced(draw(rows.length), 1)],
  ['entries are removed, and the rest are numbered anew', (rows, draw) => removeRun(rows, draw)],
  ['the tail is cut', (rows, draw) => rows.slice(0, draw(rows.length))],
  ['two entries are swapped', (rows, draw) => swap(rows, draw, ({ number }) => ({ number }))],
  ['two entries are swapped, and keep their links', (rows, draw) => swap(rows, draw, linkAndNumber)],
  ['an entry is put in', (rows, draw) => putIn(rows, draw, KEY.subarray(1))],
  ['an entry is put behind the last', (rows, draw) => append(rows, draw)],
  ['all links are made anew with another key', (rows, draw) => relink(changeText(rows, draw), 0)],
  ['the links from an entry on are made anew with another key', (rows, draw) => relinkFrom(rows, draw)],
];

const TEXTS = ['organization_id', 'id', 'type', 'resource_id', 'event'] as const;
const ALL_TEXTS = [...TEXTS, 'actor_id', 'actor_email', 'project_id'] as const;

/** One character of one text is another. */
function changeText(rows: Row[], draw: Draw): Row[] {
  const row = rows[draw(rows.length)]!;
  const column = TEXTS[draw(TEXTS.length)]!;
  const text = String(row[column]);
  const at = draw(text.length);
  row[column] = `${text.slice(0, at)}${String.fromCharCode(32 + draw(95))}${text.slice(at + 1)}`;
  return hasOwnIds(rows) ? rows : changeText(rows, draw);
}

function takeText(rows: Row[], draw: Draw): Row[] {
  const column = ALL_TEXTS[draw(ALL_TEXTS.length)]!;
  if (column !== 'id') rows[draw(rows.length)]![column] = rows[draw(rows.length)]![column]!;
  return rows;
}

function changeNumber(rows: Row[], draw: Draw): Row[] {
  const row = rows[draw(rows.length)]!;
  if (draw(2) === 0) row.at = Number(row.at) + (draw(2) === 0 ? 1 + draw(1_000_000) : -1 - draw(1_000_000));
  else row.number = rows.length + 1 + draw(100);
  return rows;
}

function emptyOrFill(rows: Row[], draw: Draw): Row[] {
  const row = rows[draw(rows.length)]!;
  const column = (['actor_id', 'actor_email', 'project_id'] as const)[draw(3)]!;
  row[column] = row[column] === null ? ['', 'x', 'null'][draw(3)]! : null;
  return rows;
}

function changeLink(rows: Row[], draw: Draw): Row[] {
  const row = rows[draw(rows.length)]!;
  const { length } = row.link;
  const kind = draw(6);
  if (kind === 0) row.link = row.link.slice(0, draw(length));
  else if (kind === 1) row.link = new Uint8Array(length);
  else row.link[draw(length)]! ^= 1 + draw(255);
  return rows;
}

function removeRun(rows: Row[], draw: Draw): Row[] {
  const from = draw(rows.length);
  const rest = rows.toSpliced(from, 1 + draw(rows.length - from));
  return numbered(rest);
}

/** @param kept - what each place keeps of what was there */
function swap(rows: Row[], draw: Draw, kept: (row: Row) => Partial<Row>): Row[] {
  const [one, other] = [draw(rows.length), draw(rows.length)];
  const [first, second] = [rows[one]!, rows[other]!];
  return rows.with(one, { ...second, ...kept(first) } as Row).with(other, { ...first, ...kept(second) } as Row);
}

function linkAndNumber({ number, link }: Row): Partial<Row> {
  return { number, link };
}

function putIn(rows: Row[], draw: Draw, key: Uint8Array): Row[] {
  const place = draw(rows.length);
  const made = forged(draw, rows[place - 1] ?? null, key);
  return numbered(rows.toSpliced(place, 0, made));
}

/** One that is made with another key, or a copy of one that there is. */
function append(rows: Row[], draw: Draw): Row[] {
  const last = rows.at(-1)!;
  const copied = { ...rows[draw(rows.length)]!, id: `audit_log-${100 + draw(900)}`, number: rows.length + 1 };
  return [...rows, draw(2) === 0 ? (copied as Row) : forged(draw, last, FORGED_KEY)];
}

function relinkFrom(rows: Row[], draw: Draw): Row[] {
  const from = draw(rows.length);
  const row = rows[from]!;
  row.type = `group.${['deleted', 'updated', 'made'][draw(3)]}`;
  return relink(rows, from);
}

/** Makes the links of all entries from a place on as `audit_log` has them, with another key. */
function relink(rows: Row[], from: number): Row[] {
  for (let place = from; place < rows.length; place += 1) {
    const before = rows[place - 1] ?? null;
    const event = { ...eventOf(place + 1), type: String(rows[place]!.type) };
    const { link } = auditRow({ event, key: FORGED_KEY }, chainOf(before));
    rows[place] = { ...rows[place]!, link };
  }
  return rows;
}

function forged(draw: Draw, before: Row | null, key: Uint8Array): Row {
  const event = { ...eventOf(100 + draw(900)), details: { data: { name: 'Never was' } } };
  return auditRow({ event, key }, chainOf(before)) as Row;
}

function chainOf(before: Row | null): { number: bigint; link: Uint8Array } | null {
  return before === null ? null : { number: BigInt(before.number), link: before.link };
}

function numbered(rows: readonly Row[]): Row[] {
  return rows.map((row, index) => ({ ...row, number: index + 1 }) as Row);
}

/** The table takes no id twice. */
function hasOwnIds(rows: readonly Row[]): boolean {
  return new Set(rows.map(({ id }) => id)).size === rows.length;
}
