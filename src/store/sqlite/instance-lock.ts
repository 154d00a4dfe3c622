import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceHolder, InstanceLock } from '../engine.ts';
import { InstanceLockError } from '../errors.ts';
import { makePrivateFile, requireDataFolder } from '../folder.ts';
import { isBusy } from './errors.ts';

/** Keeps each lock's database from being collected, and so the lock from being lost, while nobody holds its object. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock that lets one process serve a data folder, or throws an `InstanceLockError`. The lock is an open
 * transaction on an SQLite file of its own: the kernel frees it when the process dies, however it dies.
 */
export function acquireInstanceLock(folder: string, holder: InstanceHolder): InstanceLock {
  requireDataFolder(folder);
  const path = join(folder, 'serve.lock');
  makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
    leaveNote(folder, holder);
  } catch (error) {
    database.close();
    throw isBusy(error) ? new InstanceLockError(refusal(folder), { cause: error }) : error;
  }
  held.add(database);
  return {
    release() {
      if (!held.delete(database)) return;
      rmSync(notePath(folder), { force: true });
      database.close();
    },
  };
}

/** How long a start waits for the workers of a gateway that was killed. They end by themselves, at once. */
const WORKERS_WAIT_MS = 5_000;
const LOOK_MS = 20;
/** How long a worker waits while a start is looking. */
const JOIN_WAIT_MS = 1_000;

/**
 * Resolves when no worker of an earlier gateway runs any more; to be called with the lock held. Rejects with an
 * `InstanceLockError` where one goes on for `waitMs`.
 */
export async function awaitNoWorkers(folder: string, waitMs = WORKERS_WAIT_MS): Promise<void> {
  using database = openWorkersLock(folder, 0);
  for (let looks = Math.ceil(waitMs / LOOK_MS); ; looks -= 1) {
    try {
      return database.exec('begin exclusive; rollback');
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (looks <= 0) throw new InstanceLockError('Workers of a headgate that has died still run.', { cause: error });
    }
    await delay(LOOK_MS);
  }
}

/** Shows, for as long as this process lives, that a worker runs. Their lock is shared: all of them hold it. */
export function joinWorkers(folder: string): void {
  const database = openWorkersLock(folder, JOIN_WAIT_MS);
  database.exec('begin; select count(*) from sqlite_schema');
  held.add(database);
}

function openWorkersLock(folder: string, timeout: number): DatabaseSync {
  const path = join(folder, 'workers.lock');
  makePrivateFile(path);
  return new DatabaseSync(path, { timeout });
}

/** The note is for people only; whether the lock is held, the lock alone says. */
function leaveNote(folder: string, { pid, startedAt }: InstanceHolder): void {
  const draft = `${notePath(folder)}.draft`;
  const note = JSON.stringify({ pid, since: new Date(startedAt).toISOString() });
  writeFileSync(draft, `${note}\n`, { mode: 0o600 });
  renameSync(draft, notePath(folder));
}

const WHAT_TO_DO = 'Stop that one first, or name another data folder with --data or HEADGATE_DATA.';

function refusal(folder: string): string {
  let note: { pid: number; since: string };
  try {
    note = JSON.parse(readFileSync(notePath(folder), 'utf8'));
  } catch {
    return `Another headgate serves this data. ${WHAT_TO_DO}`; // It took the lock a moment ago and has left no note yet.
  }
  return `Another headgate (process ${note.pid}, since ${note.since}) serves this data. ${WHAT_TO_DO}`;
}

function notePath(folder: string): string {
  return join(folder, 'serve.json');
}
