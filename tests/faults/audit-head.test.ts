import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';

const HEAD = 'audit-head.json';
const DATABASE = ['headgate.db', 'headgate.db-wal', 'headgate.db-shm'];
const RECORDS = 20;

/** What `audit verify` ends with, and says. */
async function verified(headgate: Pick<Running, 'command'>): Promise<{ code: number | null; text: string }> {
  const { code, stdout, stderr } = await headgate.command('audit', 'verify');
  return { code, text: stdout + stderr };
}

test('an empty database beside the head of a full log is refused, and the head of another state is told of', async () => {
  await using headgate = await startHeadgate();
  await using other = await startHeadgate();
  for (let entry = 0; entry < 3; entry += 1) await other.createKey();
  await headgate.createKey();
  const file = (name: string) => join(headgate.data, name);
  const older = readFileSync(file(HEAD));
  await headgate.createKey();
  await headgate.stop();
  const newest = readFileSync(file(HEAD));
  const kept = DATABASE.flatMap((name) => (readdirSync(headgate.data).includes(name) ? [name] : []));
  for (const name of kept) copyFileSync(file(name), file(`${name}.kept`));

  for (const empty of [() => undefined, () => writeFileSync(file('headgate.db'), '')]) {
    for (const name of DATABASE) rmSync(file(name), { force: true });
    empty();
    await assert.rejects(headgate.restart(), /audit-head\.json beside it tells of an audit log of/);
    assert.deepEqual(readFileSync(file(HEAD)), newest);
  }
  for (const name of DATABASE) rmSync(file(name), { force: true });
  for (const name of kept) copyFileSync(file(`${name}.kept`), file(name));

  const heads: readonly [string, string | Buffer, RegExp | null][] = [
    ['of this log, older', older, null],
    ['of another folder', readFileSync(join(other.data, HEAD)), /cannot be trusted/],
    ['no JSON', 'not JSON', /audit-head\.json, which cannot be read/],
    ['other JSON', '{"entries": -1.5}', /audit-head\.json, which cannot be read/],
    ['empty', '', /audit-head\.json, which cannot be read/],
    ['a folder', 'folder', /audit-head\.json, which is a folder/],
    ['newest', newest, null],
  ];
  for (const [name, head, told] of heads) {
    await headgate.stop();
    rmSync(file(HEAD), { recursive: true });
    if (head === 'folder') mkdirSync(file(HEAD));
    else writeFileSync(file(HEAD), head);
    await headgate.restart();
    const { code, text } = await verified(headgate);
    assert.equal(code === 0, told === null, `${name}: ${text} ${headgate.stderr()}`);
    if (told !== null) assert.match(text, told, `${name}: ${text}`);
    assert.doesNotMatch(text, /\n\s+at /, `${name}: no stack`);
  }
});

test('a backup that is taken while calls are answered is whole, and verified in the order of the manual', async (t) => {
  await using headgate = await startHeadgate({ args: ['--workers', '2'] });
  await headgate.createKey();
  let isOver = false;
  let answered = 0;
  const calling = Array.from({ length: 4 }, async () => {
    for (; !isOver; answered += 1) {
      const { status, text } = await ask(headgate, '/v1/chat/completions', chat('echo'));
      assert.equal(status, 200, text);
    }
  });
  const copying = async () => {
    try {
      await t.waitFor(() => assert.ok(answered > RECORDS), { timeout: WAIT_MS });
      const inOrder = await copyOf(t, headgate, ['head', 'journals', 'change', 'database']);
      return { inOrder, databaseFirst: await copyOf(t, headgate, ['database', 'journals', 'change', 'head']) };
    } finally {
      isOver = true;
    }
  };
  // The calls end before the gateway does, whatever became of the copies.
  const copied = copying();
  await Promise.allSettled([copied, ...calling]);
  await Promise.all(calling);
  const { inOrder, databaseFirst } = await copied;

  await using restored = await startHeadgate({ data: inOrder });
  assert.deepEqual((await verified(restored)).code, 0);
  const { data } = await usageOf(restored);
  assert.ok(data.length > RECORDS && new Set(data.map(({ id }) => id)).size === data.length);
  await using late = await startHeadgate({ data: databaseFirst });
  const found = await verified(late);
  assert.deepEqual([found.code, /older copy/.test(found.text)], [1, true], found.text);
  assert.equal((await late.command('audit', 'verify', '--accept')).code, 0);
  assert.equal((await verified(late)).code, 0);
});

async function usageOf(headgate: Running): Promise<{ data: { id: string }[] }> {
  const { code, stdout, stderr } = await headgate.command('usage', 'list', '--limit', '100', '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as { data: { id: string }[] };
}

/** Copies the folder of a gateway that runs, in an order. `change`: something happens in between. */
async function copyOf(t: TestContext, headgate: Running, order: readonly string[]): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'headgate-backup-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  copyFileSync(join(headgate.data, 'pepper'), join(copy, 'pepper'));
  for (const step of order) {
    if (step === 'head') copyFileSync(join(headgate.data, HEAD), join(copy, HEAD));
    if (step === 'change') await headgate.createKey();
    if (step === 'journals') {
      const journals = readdirSync(headgate.data).filter((name) => name.startsWith('journal.'));
      for (const name of journals) copyIfThere(join(headgate.data, name), join(copy, name));
    }
    if (step === 'database') {
      const source = new DatabaseSync(join(headgate.data, 'headgate.db'), { readOnly: true });
      await backup(source, join(copy, 'headgate.db'));
      source.close();
    }
  }
  return copy;
}

/** A journal whose records are all in the tables goes at any time. */
function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
