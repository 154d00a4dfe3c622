import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { InstanceLockError } from '../errors.ts';
import { NOON, temporaryFolder } from '../fixtures.test.ts';
import { acquireInstanceLock, awaitNoWorkers } from './instance-lock.ts';

test('a second holder is refused and told who the first is', (t) => {
  const folder = join(temporaryFolder(t), 'data');
  const lock = acquireInstanceLock(folder, { pid: 1234, startedAt: NOON });
  assert.throws(
    () => acquireInstanceLock(folder, { pid: 5678, startedAt: NOON }),
    (error) => {
      assert.ok(error instanceof InstanceLockError);
      assert.equal(
        error.message,
        'Another headgate (process 1234, since 2026-11-21T12:00:00.000Z) serves this data. ' +
          'Stop that one first, or name another data folder with --data or HEADGATE_DATA.',
      );
      return true;
    },
  );
  lock.release();
  lock.release();
  assert.equal(existsSync(join(folder, 'serve.json')), false);
  const next = acquireInstanceLock(folder, { pid: 5678, startedAt: NOON });
  for (const name of ['serve.lock', 'serve.json']) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  next.release();
});

test('a process that is killed gives the lock back', async (t) => {
  const folder = temporaryFolder(t);
  const module = new URL('./instance-lock.ts', import.meta.url);
  const code = `
    const { acquireInstanceLock } = await import('${module}');
    acquireInstanceLock(process.argv[1], { pid: process.pid, startedAt: 0 });
    globalThis.gc();
    console.log('held');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const mine = { pid: process.pid, startedAt: NOON };
  assert.throws(() => acquireInstanceLock(folder, mine), new RegExp(`process ${child.pid}, since 1970`));
  child.kill('SIGKILL');
  await once(child, 'exit');
  acquireInstanceLock(folder, mine).release();
});

test('a start waits for the workers of a gateway that has died', async (t) => {
  const folder = temporaryFolder(t);
  await awaitNoWorkers(folder, 0);
  const module = new URL('./instance-lock.ts', import.meta.url);
  const code = `
    const { joinWorkers } = await import('${module}');
    joinWorkers(process.argv[1]);
    globalThis.gc();
    console.log('held');
    setInterval(() => {}, 1_000);`;
  const workers = ['one', 'two'].map(() =>
    spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  t.after(() => workers.map((worker) => worker.kill('SIGKILL')));
  await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')));
  await assert.rejects(awaitNoWorkers(folder, 0), InstanceLockError);
  const waiting = awaitNoWorkers(folder, 60_000);
  for (const worker of workers) worker.kill('SIGKILL');
  await waiting;
});
