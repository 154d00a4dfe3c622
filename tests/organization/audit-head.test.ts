import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import OpenAI from 'openai';
import { startHeadgate } from '../support/headgate.ts';

const CHANGES = 60;
/** Changes what the first entry says, and nothing else. */
const BREAK = `update audit_log set event = replace(event, '"at":', '"at":1') where id = (select min(id) from audit_log)`;

test('changes that several processes make at once are all made, and the head of the audit log is its last entry', async () => {
  await using headgate = await startHeadgate({ config: 'server: { workers: 3 }' });
  const { organization } = new OpenAI({
    adminAPIKey: headgate.key,
    baseURL: `${headgate.url}/v1`,
    maxRetries: 0,
    apiKey: null,
  }).admin;
  const made = await Promise.all(
    Array.from({ length: CHANGES }, (_, number) => organization.projects.create({ name: `project ${number}` })),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, CHANGES);
  const { json: verified } = await headgate.command('audit', 'verify', '--json');
  const head = JSON.parse(readFileSync(join(headgate.data, 'audit-head.json'), 'utf8')) as { entries: number };
  assert.deepEqual(verified, { entries: head.entries, fault: null });
  assert.ok(head.entries >= CHANGES);
});

test('an older database is found by a command, and has to be accepted, with or without a gateway that serves', async () => {
  await using headgate = await startHeadgate();
  const file = (name: string) => join(headgate.data, name);
  const verify = async (...args: string[]) => {
    const { code, stdout, stderr } = await headgate.command('audit', 'verify', ...args);
    return { code, text: stdout + stderr };
  };
  for (const [round, serves] of [false, true].entries()) {
    await headgate.createKey();
    await headgate.stop();
    copyFileSync(file('headgate.db'), file('older.db'));
    await headgate.createKey();
    assert.equal((await verify()).code, 0);
    for (const name of ['headgate.db-wal', 'headgate.db-shm']) rmSync(file(name), { force: true });
    copyFileSync(file('older.db'), file('headgate.db'));
    if (serves) await headgate.restart();

    const found = await verify();
    assert.deepEqual([found.code, /The log cannot be trusted/.test(found.text)], [1, true], found.text);
    const accepted = await verify('--accept');
    assert.deepEqual([accepted.code, /all unchanged/.test(accepted.text)], [0, true], accepted.text);
    assert.equal((await verify()).code, 0, 'from now on');
    const { stdout } = await headgate.command('audit', 'list', '--type', 'audit_log.accepted', '--json');
    assert.equal((JSON.parse(stdout) as { data: unknown[] }).data.length, round + 1, 'and the log tells of it');
    if (!serves) await headgate.restart();
  }
});

test('a log whose chain is broken is not accepted', async () => {
  await using headgate = await startHeadgate();
  await headgate.createKey();
  await headgate.stop();
  const database = new DatabaseSync(join(headgate.data, 'headgate.db'));
  database.exec('drop trigger audit_log_is_not_changed');
  assert.equal(database.prepare(BREAK).run().changes, 1);
  database.close();
  for (const args of [[], ['--accept']]) {
    const { code, stdout } = await headgate.command('audit', 'verify', ...args);
    assert.equal(code, 1, stdout);
  }
});
