import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import type { Actor, AuditEvent, AuditQuery } from '../core/audit.ts';
import { auditRow, createAuditReader } from './audit-reader.ts';
import { NOON, temporaryFolder, watchStatements } from './fixtures.test.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';

const KEY = new Uint8Array(32).fill(7);

const session = (user: string): Actor => ({ type: 'session', userId: user, email: `${user}@example.com` });
const keyOf = (userId: string | null): Actor => ({ type: 'api_key', keyId: `key_${userId}`, userId });

/** The number of an entry is its place here, from one on. Ada and Ben are members of `org_1`, Cleo was one. */
const ENTRIES: readonly [organizationId: string, Actor][] = [
  ['org_1', keyOf('ada')],
  ['org_1', session('ada')],
  ['org_1', keyOf('ben')],
  ['org_1', keyOf(null)],
  ['org_1', { type: 'operator' }],
  ['org_1', session('cleo')],
  ['org_1', keyOf('cleo')],
  ['org_2', keyOf('ada')],
  ['org_1', keyOf('ada')],
  ['org_1', session('ben')],
];

test('entries are found by who did it: signed in or by a key, and by the key', async (t) => {
  const { found } = rig(t);
  assert.deepEqual(await found({ actorIds: ['ada'] }), [9, 2, 1]);
  assert.deepEqual(await found({ actorIds: ['key_ada'] }), [9, 1]);
  assert.deepEqual(await found({ actorIds: ['key_ada', 'ada', 'ben', 'key_null'] }), [10, 9, 4, 3, 2, 1]);
  assert.deepEqual(await found({ actorIds: ['ada', 'ben'], order: 'asc' }), [1, 2, 3, 9, 10]);
  assert.deepEqual(await found({ actorIds: ['ada'], resourceIds: ['group_2', 'group_3'] }), [2]);
  for (const actorIds of [[], ['nobody']]) assert.deepEqual(await found({ actorIds }), []);
});

test('by an address all that a member did is found, and what who has left did while they were signed in', async (t) => {
  const { found } = rig(t);
  assert.deepEqual(await found({ actorEmails: ['ada@example.com'] }), [9, 2, 1]);
  assert.deepEqual(await found({ actorEmails: ['cleo@example.com'] }), [6]);
  assert.deepEqual(await found({ actorEmails: ['ada@example.com', 'cleo@example.com'] }), [9, 6, 2, 1]);
  assert.deepEqual(await found({ actorEmails: ['dan@example.com'] }), [], 'a member of another organization');
  for (const [actorIds, numbers] of [
    [
      ['ada', 'ben'],
      [9, 2, 1],
    ],
    [['key_ada'], [9, 1]],
    [['ben'], []],
  ] as const)
    assert.deepEqual(await found({ actorIds, actorEmails: ['ada@example.com'] }), numbers);
});

test('what several actors did is told page by page, in either order and from either end', async (t) => {
  const { list, found } = rig(t);
  const filter = { actorIds: ['ada', 'ben', 'key_ada'] };
  for (const order of ['asc', 'desc'] as const) {
    const all = await found({ ...filter, order });
    for (let place = 0; place < all.length; place += 1) {
      const id = idOf(all[place]!);
      const behind = await list({ ...filter, order, limit: 2, after: id });
      assert.deepEqual([behind.numbers, behind.hasMore], [all.slice(place + 1, place + 3), place + 3 < all.length]);
      const ahead = await list({ ...filter, order, limit: 2, before: id });
      assert.deepEqual([ahead.numbers, ahead.hasMore], [all.slice(Math.max(0, place - 2), place), place > 2]);
    }
  }
});

test('an entry that somebody made into no JSON is of no person', async (t) => {
  const { found, verify } = rig(t, { broken: 3 });
  assert.deepEqual(await found({ actorIds: ['ben'] }), [10]);
  assert.equal((await verify(KEY)).fault?.number, 3);
});

test('no filter walks over entries that it leaves out', async (t) => {
  const { list, run, database } = rig(t);
  const actors = { actorIds: ['ada', 'key_ben'], actorEmails: ['ada@example.com'] };
  const others = { types: ['project.archived'], projectIds: ['proj_1'], resourceIds: ['group_3'] };
  const times = { from: NOON, until: NOON + 9 };
  const filters = Object.entries({ ...actors, ...others }).map(([name, values]) => ({ [name]: values }));
  for (const filter of [...filters, { ...filters[0], ...others, ...times }, { ...filters[1], ...filters[2] }])
    for (const place of [{}, { after: idOf(9) }, { order: 'asc', before: idOf(9) }] as const)
      await list({ limit: 2, ...filter, ...place });
  const searching = run.filter(({ sql }) => sql.includes('indexed by'));
  assert.ok(searching.length > 30);
  for (const { sql, values } of searching) {
    const plan = database.prepare(`explain query plan ${sql}`).all(...values);
    const steps = plan.map(({ detail }) => String(detail)).filter((step) => !/CO-ROUTINE|^SCAN found/.test(step));
    const ofOneValue =
      /^SEARCH audit_log USING (?:COVERING )?INDEX audit_log_by_\w+ \(organization_id=\? AND (?!id)\S+=\?/;
    // What a resource's few entries come to is sorted.
    const isSorted = steps.length === 2 && /INDEX audit_log_by_resource/.test(steps[0]!) && /B-TREE/.test(steps[1]!);
    assert.ok(ofOneValue.test(steps[0]!) && (steps.length === 1 || isSorted), steps.join('\n'));
  }
});

function rig(t: TestContext, { broken }: { broken?: number } = {}) {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  t.after(() => database.close());
  migrate(database);
  for (const id of ['org_1', 'org_2']) database.prepare('insert into organizations values (?, ?, 1)').run(id, id);
  const member = database.prepare(
    "insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values (?, 'member', '', ?, 1, 1, ?)",
  );
  for (const [organizationId, id] of [
    ['org_1', 'ada'],
    ['org_1', 'ben'],
    ['org_2', 'ada'],
    ['org_2', 'dan'],
  ] as const)
    member.run(organizationId, id, JSON.stringify({ email: `${id}@example.com`, name: null, role: 'reader' }));
  let last: { number: bigint; link: Uint8Array } | null = null;
  for (const [index, [organizationId, actor]] of ENTRIES.entries()) {
    const row = auditRow({ event: eventOf(index + 1, organizationId, actor), key: KEY }, last);
    const event = row.number === broken ? row.event.slice(1) : row.event;
    const values = Object.values({ ...row, event });
    database
      .prepare(`insert into audit_log (${Object.keys(row).join(', ')}) values (${values.map(() => '?').join(', ')})`)
      .run(...values);
    last = { number: BigInt(row.number), link: row.link };
  }

  const { watched, run } = watchStatements(database);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(watched, 0) });
  const reader = createAuditReader(db, temporaryFolder(t));
  const list = async (query: AuditQuery) => {
    const { items, hasMore } = await reader.list('org_1', query);
    return { numbers: items.map(({ at }) => at - NOON), hasMore };
  };
  const found = async (query: Partial<AuditQuery>) => (await list({ limit: 100, ...query })).numbers;
  return { list, found, verify: reader.verify, run, database };
}

function idOf(number: number): string {
  return `audit_log-${String(number).padStart(3, '0')}`;
}

function eventOf(number: number, organizationId: string, actor: Actor): AuditEvent {
  return {
    id: idOf(number),
    organizationId,
    type: 'group.created',
    at: NOON + number,
    actor,
    project: null,
    resourceId: `group_${number}`,
    details: {},
    request: null,
  };
}
