import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { AuditEvent } from '../core/audit.ts';
import type { Storage } from '../core/ports.ts';
import { NOON, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';

const KEY = Buffer.alloc(32, 7);
const HEAD = 'audit-head.json';
type Head = { entries: number; link: string; proof?: string };

test('a log that was cut is found, however far it has grown again', async (t) => {
  const { folder, add, verify, edit } = await opened(t);
  await add(1, 6);
  await edit('delete from audit_log where number > 3');
  await add(11, 20);
  assert.match((await verify()).fault?.words ?? '', /is another than audit-head\.json says/);
  assert.equal((await verify()).fault?.number, 6);
  assert.equal(headIn(folder).entries, 6, 'the head stays');
});

test('a head that somebody without the key has written is found, and moves no further', async (t) => {
  const { folder, add, verify, edit } = await opened(t);
  await add(1, 6);
  const { link } = headIn(folder);
  const forgeries: ((cut: { link: string }) => Head | null)[] = [
    (cut) => ({ entries: 3, link: cut.link }),
    (cut) => ({ entries: 3, link: cut.link, proof: createHmac('sha256', 'no key').update(cut.link).digest('hex') }),
    (cut) => ({ entries: 3, link: cut.link, proof: '' }),
    () => ({ entries: 0, link: '' }),
    () => null,
  ];
  const links = await edit('select 1');
  for (const forge of forgeries) {
    const copy = await opened(t, folder);
    await copy.edit('delete from audit_log where number > 3');
    const forged = forge({ link: links[2]! });
    if (forged === null) rmSync(join(copy.folder, HEAD));
    else writeFileSync(join(copy.folder, HEAD), JSON.stringify(forged));
    const name = String(forge);
    assert.notEqual((await copy.verify()).fault, null, name);
    await copy.add(21, 28);
    assert.notEqual((await copy.verify()).fault, null, `${name}, grown again`);
  }
  assert.equal(headIn(folder).link, link);
  assert.equal((await verify()).fault, null);
});

test('a log of an earlier version is whole, and its head is proven from the next change on', async (t) => {
  const { folder, add, verify, edit } = await opened(t);
  await add(1, 3);
  await asOfEarlierVersion(folder, edit);
  assert.deepEqual(await verify(), { entries: 3, fault: null });
  await add(4, 5);
  assert.deepEqual(await verify(), { entries: 5, fault: null });
  assert.notEqual(headIn(folder).proof, undefined);
  const { proof: _, ...unproven } = headIn(folder);
  writeFileSync(join(folder, HEAD), JSON.stringify(unproven));
  assert.match((await verify()).fault?.words ?? '', /that was changed/);
});

test('a backup in the order of the manual is whole, and goes on where it is restored; an older one has to be accepted', async (t) => {
  const { folder, add, verify, accept } = await opened(t);
  await add(1, 4);
  const copy = temporaryFolder(t);
  copyFileSync(join(folder, HEAD), join(copy, HEAD));
  await add(5, 6);
  const source = new DatabaseSync(join(folder, 'headgate.db'), { readOnly: true });
  await backup(source, join(copy, 'headgate.db'));
  source.close();
  await add(7, 8);
  const restored = await opened(t, copy);
  assert.deepEqual(await restored.verify(), { entries: 6, fault: null });
  await restored.add(9, 9);
  assert.equal(headIn(restored.folder).entries, 7);
  assert.deepEqual(await restored.verify(), { entries: 7, fault: null });

  copyFileSync(join(folder, HEAD), join(restored.folder, HEAD));
  assert.match((await restored.verify()).fault?.words ?? '', /an older copy/);
  assert.deepEqual(await restored.accept(), { entries: 7, fault: null });
  await restored.add(10, 10);
  assert.deepEqual(await restored.verify(), { entries: 8, fault: null });
  assert.deepEqual(await accept(), { entries: 8, fault: null });
  assert.deepEqual(await verify(), { entries: 8, fault: null });
});

test('a log whose chain is broken is never accepted', async (t) => {
  const { add, edit, accept } = await opened(t);
  await add(1, 4);
  await edit('delete from audit_log where number = 2');
  assert.match((await accept()).fault?.words ?? '', /is missing/);
});

test('an empty database beside a full head is refused, and neither is touched', async (t) => {
  const { folder, add } = await opened(t);
  await add(1, 4);
  const emptied = temporaryFolder(t);
  copyFileSync(join(folder, HEAD), join(emptied, HEAD));
  await assert.rejects(
    () => storageIn(emptied),
    /it is empty, and audit-head\.json beside it tells of an audit log of 4 entries/,
  );
  assert.deepEqual(headIn(emptied), headIn(folder));
});

test('whatever stands in the place of the head is named, and replaced when the log is accepted', async (t) => {
  const kinds: [name: string, make: (path: string) => Promise<void> | void, words: RegExp][] = [
    ['a folder', (path) => mkdirSync(path), /which is a folder$/],
    ['a link to itself', (path) => symlinkSync(path, path), /which is a link that leads to itself$/],
    ['a link to nothing', (path) => symlinkSync(`${path}.gone`, path), /which is missing$/],
    ['a socket', (path) => listenAt(t, path), /which is not a regular file$/],
    ['a pipe', (path) => void execFileSync('mkfifo', [path]), /which is not a regular file$/],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), /which is not a regular file$/],
    ['a long file', (path) => writeFileSync(path, ' '.repeat(1_001)), /which cannot be read: it is longer than/],
    ['no JSON', (path) => writeFileSync(path, '{'), /which cannot be read: it is not JSON$/],
    ['other JSON', (path) => writeFileSync(path, '[1]'), /which cannot be read: it does not say how far the log goes$/],
    ...(process.getuid?.() === 0
      ? []
      : [
          [
            'unreadable',
            (path: string) => writeFileSync(path, '{}', { mode: 0 }),
            /which cannot be read \(EACCES\)$/,
          ] as const,
        ]
    ).map(([...kind]) => kind as [string, (path: string) => void, RegExp]),
  ];
  for (const [name, make, words] of kinds) {
    const { folder, add, verify, accept } = await opened(t);
    await add(1, 2);
    const path = join(folder, HEAD);
    rmSync(path);
    await make(path);
    assert.match((await verify()).fault?.words ?? '', words, name);
    await add(3, 3);
    const isFolder = name === 'a folder';
    if (isFolder) {
      await assert.rejects(accept, {
        kind: 'invalid_request',
        message: /audit-head\.json in the data folder is a folder\. Move it/,
      });
      rmdirSync(path);
    }
    assert.deepEqual(await accept(), { entries: 3, fault: null }, name);
    assert.deepEqual(await verify(), { entries: 3, fault: null }, name);

    const emptied = temporaryFolder(t);
    await make(join(emptied, HEAD));
    if (name === 'a link to nothing') await (await storageIn(emptied)).close();
    else
      await assert.rejects(() => storageIn(emptied), /it is empty, and audit-head\.json beside it (is|cannot)/, name);
  }
});

async function listenAt(t: TestContext, path: string): Promise<void> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  t.after(() => server.close());
}

function headIn(folder: string): Head {
  return JSON.parse(readFileSync(join(folder, HEAD), 'utf8')) as Head;
}

function storageIn(folder: string): Promise<Storage> {
  return openStorage({ folder, instanceId: 'instance_1', durability: 'normal' });
}

/** A log, opened anew for each step, as by commands; or the copy of one. */
async function opened(t: TestContext, source?: string) {
  const folder = temporaryFolder(t);
  if (source !== undefined) cpSync(source, folder, { recursive: true });
  const within = async <Result>(work: (storage: Storage) => Promise<Result>): Promise<Result> => {
    const storage = await storageIn(folder);
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };
  if (source === undefined)
    await within((storage) => storage.organizations.create({ id: 'org_1', name: 'org_1', createdAt: NOON }));
  return {
    folder,
    add: (from: number, to: number) =>
      within(async ({ settings }) => {
        for (let number = from; number <= to; number += 1)
          assert.equal(await settings.change('org_1', [], { event: eventOf(number), key: KEY }), 'done');
      }),
    verify: () => within(({ audit }) => audit.verify(KEY)),
    accept: () => within(({ audit }) => audit.accept(KEY)),
    /** Of somebody who can write the database alone. Returns the links as they are then, in hex. */
    async edit(sql: string): Promise<string[]> {
      using database = new DatabaseSync(join(folder, 'headgate.db'));
      const triggers = ['audit_log_is_not_changed', 'audit_log_is_not_cut'];
      for (const name of triggers) database.exec(`drop trigger if exists ${name}`);
      database.exec(sql);
      const rows = database.prepare('select hex(link) as link from audit_log order by number').all();
      return rows.map(({ link }) => String(link).toLowerCase());
    },
  };
}

function eventOf(number: number): AuditEvent {
  return {
    id: `audit_log-${String(number).padStart(4, '0')}`,
    organizationId: 'org_1',
    type: 'project.created',
    at: NOON + number,
    actor: { type: 'operator' },
    project: null,
    resourceId: `proj_${number}`,
    details: {},
    request: null,
  };
}

/** Links and head as the version before this one wrote them. */
async function asOfEarlierVersion(folder: string, edit: (sql: string) => Promise<string[]>): Promise<void> {
  await edit('select 1');
  using database = new DatabaseSync(join(folder, 'headgate.db'));
  let link: Buffer = Buffer.alloc(0);
  for (const row of database.prepare('select * from audit_log order by number').all()) {
    const names = [
      'number',
      'id',
      'organization_id',
      'type',
      'at',
      'actor_id',
      'actor_email',
      'project_id',
      'resource_id',
      'event',
    ];
    link = createHmac('sha256', KEY)
      .update(link)
      .update(JSON.stringify(names.map((name) => row[name])))
      .digest();
    database.prepare('update audit_log set link = ? where number = ?').run(link, row.number as number);
  }
  writeFileSync(join(folder, HEAD), JSON.stringify({ entries: 3, link: link.toString('hex') }));
}
