import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import type { AuditQuery } from '../core/audit.ts';
import { createAuditReader } from './audit.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';

/** More than are looked at in two steps, of each of two types. */
const ENTRIES = 24_000;
/** The only entries of the one type that are of the project of the other. */
const ODD = [10, 11_000, 23_996];

test('of very many entries those are found that pass all filters, page by page, and others have their turn meanwhile', async () => {
  const audit = reader();
  const asked = { types: ['a'], projectIds: ['proj_b'] };
  for (const order of ['asc', 'desc'] as const) {
    const expected = ODD.map(idOf);
    if (order === 'desc') expected.reverse();
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    const told: string[] = [];
    for (let after: string | undefined; ; after = told.at(-1)) {
      const { items, hasMore } = await audit({ ...asked, order, limit: 2, after });
      told.push(...items);
      if (!hasMore) break;
    }
    clearInterval(others);
    assert.deepEqual(told, expected);
    assert(turns > 0);
    const before = await audit({ ...asked, order, limit: 2, before: expected[2]! });
    assert.deepEqual(before, { items: expected.slice(0, 2), hasMore: false });
  }
  const nothing = await audit({ types: ['b'], projectIds: ['proj_a'], limit: 2 });
  assert.deepEqual(nothing, { items: [], hasMore: false });
  const common = await audit({ types: ['b'], projectIds: ['proj_b'], order: 'asc', limit: 2 });
  assert.deepEqual(common, { items: [1, 3].map(idOf), hasMore: true });
});

function idOf(number: number): string {
  return `audit_log-${String(number).padStart(26, '0')}`;
}

/** A log in which every second entry is of type `a` and project `proj_a`, and the others of `b` and `proj_b`, but for `ODD`. */
function reader() {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrate(database);
  const columns = 'organization_id, id, type, at, project_id, resource_id, event, link';
  const insert = database.prepare(`insert into audit_log (${columns}) values ('org_1', ?, ?, 1, ?, 'r', ?, x'00')`);
  database.exec('begin');
  for (let number = 0; number < ENTRIES; number += 1) {
    const type = number % 2 === 0 ? 'a' : 'b';
    const project = ODD.includes(number) ? 'proj_b' : `proj_${type}`;
    insert.run(idOf(number), type, project, JSON.stringify({ id: idOf(number) }));
  }
  database.exec('commit');
  const { list } = createAuditReader(new Kysely<Schema>({ dialect: sqliteDialect(database, 0) }), '');
  return async (query: AuditQuery) => {
    const { items, hasMore } = await list('org_1', query);
    return { items: items.map(({ id }) => id), hasMore };
  };
}
