import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import type { AuditQuery } from '../core/audit.ts';
import { createAuditReader } from './audit-reader.ts';
import { watchStatements } from './fixtures.test.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';

/** Far more than a page, or what is counted, of each of two types. */
const ENTRIES = 6_000;
/** The only entries of the one type that are of the project of the other. */
const ODD = [10, 3_000, 5_996];
/** About as many as a few groups take. */
const FEW_STATEMENTS = 30;

test('of very many entries those are found that pass all filters, page by page, and what others there are costs nothing', async () => {
  const { audit, run } = reader();
  const asked = { types: ['a'], projectIds: ['proj_b'] };
  for (const order of ['asc', 'desc'] as const) {
    const expected = ODD.map(idOf);
    if (order === 'desc') expected.reverse();
    const told: string[] = [];
    for (let after: string | undefined; ; after = told.at(-1)) {
      const { items, hasMore } = await audit({ ...asked, order, limit: 2, after });
      told.push(...items);
      if (!hasMore) break;
    }
    assert.deepEqual(told, expected);
    const before = await audit({ ...asked, order, limit: 2, before: expected[2]! });
    assert.deepEqual(before, { items: expected.slice(0, 2), hasMore: false });
  }
  assert.ok(run.length < 6 * FEW_STATEMENTS, `${run.length} statements for six pages`);
  const common = await audit({ types: ['b'], projectIds: ['proj_b'], order: 'asc', limit: 2 });
  assert.deepEqual(common, { items: [1, 3].map(idOf), hasMore: true });
});

const NOTHING: readonly Partial<AuditQuery>[] = [
  { types: ['b'], projectIds: ['proj_a'] },
  { types: ['b'], actorIds: ['user_a'] },
  { types: ['b'], actorEmails: ['a@example.com'] },
  { projectIds: ['proj_a'], actorIds: ['user_b'] },
  { types: ['b'], resourceIds: ['res_a'] },
  { resourceIds: ['res_b', 'res_c'], actorIds: ['user_a'] },
  { types: ['a'], until: 1 },
  { types: ['a'], from: 2_000_000_000_000, projectIds: ['proj_a'] },
];

test('filters that no entry passes together find nothing by few statements, however many entries each lets through', async () => {
  const { audit, run } = reader();
  for (const filters of NOTHING) {
    run.length = 0;
    assert.deepEqual(await audit({ ...filters, limit: 100 }), { items: [], hasMore: false });
    assert.ok(run.length < FEW_STATEMENTS, `${run.length} statements: ${JSON.stringify(filters)}`);
    for (const { sql, values } of run.filter((each) => each.sql.includes('audit_log'))) {
      const isBounded = Number(values.at(-1)) <= 1_000 && / limit \?/.test(sql);
      assert.ok(isBounded || / limit 1$/.test(sql), sql);
    }
  }
});

test('where there are very many groups others have their turn meanwhile', async () => {
  const { audit, run, prepared } = reader({ actors: 2_000 });
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const many = await audit({ types: ['a'], projectIds: ['proj_a'], order: 'asc', limit: 3 });
  clearInterval(others);
  assert.deepEqual(many, { items: [0, 2, 4].map(idOf), hasMore: true });
  assert.ok(run.length > 2_000);
  assert.ok(prepared.length < 10, `${prepared.length} statements were prepared`);
  assert.ok(turns > 0);
});

function idOf(number: number): string {
  return `audit_log-${String(number).padStart(26, '0')}`;
}

/**
 * A log in which every second entry is of type `a`, project `proj_a`, resource `res_a` and actor `user_a`, and the others of `b`, but
 * for `ODD`, which are of type `a` and project `proj_b`.
 *
 * @param actors - how many there are in the place of two; of these none has a name with `a` or `b`
 */
function reader({ actors = 2 }: { actors?: number } = {}) {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrate(database);
  const columns = 'organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link';
  const insert = database.prepare(`insert into audit_log (${columns}) values ('org_1', ?, ?, ?, ?, ?, ?, ?, ?, x'00')`);
  database.exec('begin');
  for (let number = 0; number < ENTRIES; number += 1) {
    const type = number % 2 === 0 ? 'a' : 'b';
    const project = ODD.includes(number) ? 'proj_b' : `proj_${type}`;
    const actor = actors === 2 ? type : String(number % actors);
    const event = JSON.stringify({ id: idOf(number), actor: { userId: `user_${actor}` } });
    const by = [`user_${actor}`, `${actor}@example.com`];
    insert.run(idOf(number), type, 1_000 + number, ...by, project, `res_${type}`, event);
  }
  database.exec('commit');
  const { watched, run, prepared } = watchStatements(database);
  const { list } = createAuditReader(new Kysely<Schema>({ dialect: sqliteDialect(watched, 0) }), '');
  const audit = async (query: AuditQuery) => {
    const { items, hasMore } = await list('org_1', query);
    return { items: items.map(({ id }) => id), hasMore };
  };
  return { audit, run, prepared };
}
