import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { ask, chat } from '../workers/ask.ts';

const CALLS = 4;

/** What is done to a `limits.db`, by what it is then. `whole`: the bytes that it had. */
type Damage = (path: string, whole: Buffer, data: string) => void;
const withBytes = (whole: Buffer, from: number, to: number, byte: (at: number) => number): Buffer => {
  const damaged = Buffer.from(whole);
  for (let at = from; at < Math.min(to, damaged.length); at += 1) damaged[at] = byte(at);
  return damaged;
};
const noise = (at: number) => (at * 167 + 13) % 256;
const sql = (path: string, text: string): void => {
  using database = new DatabaseSync(path);
  database.exec(text);
};

const MENDED: Readonly<Record<string, Damage>> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path, 0),
  'cut within its header': (path) => truncateSync(path, 50),
  'cut behind its first page': (path) => truncateSync(path, 4_096),
  'cut within a page': (path) => truncateSync(path, 5_000),
  'zeros throughout': (path, whole) => writeFileSync(path, Buffer.alloc(whole.length)),
  'zeros in its header': (path, whole) =>
    writeFileSync(
      path,
      withBytes(whole, 0, 100, () => 0),
    ),
  'noise in its header': (path, whole) => writeFileSync(path, withBytes(whole, 16, 100, noise)),
  'noise in its schema': (path, whole) => writeFileSync(path, withBytes(whole, 100, 4_096, noise)),
  'noise in its tables': (path, whole) => writeFileSync(path, withBytes(whole, 4_096, whole.length, noise)),
  text: (path) => writeFileSync(path, 'no database, but some text'.repeat(1_000)),
  'the database of another program': (path) => {
    rmSync(path);
    sql(path, 'create table notes (text); insert into notes values (1); create table shared_limits (other text)');
  },
  'with a view for a table': (path) => {
    rmSync(path);
    sql(path, 'create table limit_leases (key_id, instance_id); create view shared_limits as select 1 as key_id');
  },
  'without a table': (path) => sql(path, 'drop table limit_leases'),
  'with other columns': (path) => sql(path, 'drop table shared_limits; create table shared_limits (key_id, at)'),
  'with a trigger that refuses': (path) =>
    sql(path, "create trigger no before insert on shared_limits begin select raise(abort, 'no'); end"),
  'beside the log of another database': (path, _, data) => copyFileSync(join(data, 'other.db-wal'), `${path}-wal`),
  'beside a log of noise': (path) => writeFileSync(`${path}-wal`, Buffer.alloc(40_000, 7)),
  'beside an index of noise': (path) => writeFileSync(`${path}-shm`, Buffer.alloc(32_768, 9)),
  'a link that leads nowhere': (path) => {
    rmSync(path);
    symlinkSync('/nowhere/limits.db', path);
  },
  'read-only': (path) => chmodSync(path, 0o400),
  'a copy of the database of records': (path, _, data) => copyFileSync(join(data, 'headgate.db'), path),
};

/** Enough of them for a day, and where several processes share the file: a start is the same for all. */
const SHARED = ['noise in its tables', 'with a trigger that refuses', 'beside the log of another database'];

for (const workers of [1, 4]) {
  test(`a damaged limits.db is made anew or named at a start, and limits hold, with ${workers} processes`, async () => {
    await using headgate = await startHeadgate({ args: ['--workers', `${workers}`], config: 'limits: {}' });
    const { key } = await headgate.createKey('--requests-per-minute', `${CALLS}`);
    await limitsHold(headgate, key);
    const path = join(headgate.data, 'limits.db');
    keepLogOfAnother(headgate.data);
    for (const [name, damage] of Object.entries(MENDED)) {
      if ((workers > 1 || !IS_NIGHTLY) && !SHARED.includes(name)) continue;
      await headgate.stop();
      damageFile(headgate.data, path, damage);
      await headgate.restart().catch((error: unknown) => assert.fail(`${name}: ${error}`));
      await limitsHold(headgate, key, name);
    }
    await headgate.stop();
    damageFile(headgate.data, path, () => {
      rmSync(path);
      mkdirSync(path);
    });
    await assert.rejects(headgate.restart(), /limits\.db cannot be used/);
    rmSync(path, { recursive: true });
    await headgate.restart();
    await limitsHold(headgate, key);
  });
}

function damageFile(data: string, path: string, damage: Damage): void {
  const whole = readFileSync(path);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  damage(path, whole, data);
}

/** A log with changes in it, as a database that is open has. */
function keepLogOfAnother(data: string): void {
  const other = new DatabaseSync(join(data, 'source.db'));
  other.exec('pragma journal_mode = wal; create table notes (text); insert into notes values (1)');
  copyFileSync(join(data, 'source.db-wal'), join(data, 'other.db-wal'));
  other.close();
}

/** So many calls a minute are answered, and no more, whichever process they reach. */
async function limitsHold(headgate: Running, key: string, name = 'whole'): Promise<void> {
  const statuses: number[] = [];
  for (let number = 0; number < 2 * CALLS; number += 1)
    statuses.push((await ask(headgate, '/v1/chat/completions', chat('echo'), key)).status);
  const count = (status: number) => statuses.filter((each) => each === status).length;
  assert.deepEqual([count(200), count(429)], [CALLS, CALLS], `${name}: ${statuses}`);
}
