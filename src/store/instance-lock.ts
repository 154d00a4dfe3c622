import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile, makePrivateFolder } from './folder.ts';
import { isBusy } from './sqlite/errors.ts';

/** Who serves: the process id, and since when (Unix milliseconds). */
export type InstanceHolder = { pid: number; startedAt: number };

export type InstanceLock = { release(): void };

/** Another process serves this data; the message is a sentence for the operator. */
export class InstanceLockError extends Error {
  override readonly name = 'InstanceLockError';
}

/** Keeps each lock's database from being collected, and so the lock from being lost, while nobody holds its object. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock that lets one process serve a data folder, or throws an `InstanceLockError`. The lock is an open
 * transaction on an SQLite file of its own: the kernel frees it when the process dies, however it dies.
 */
export function acquireInstanceLock(folder: string, holder: InstanceHolder): InstanceLock {
  makePrivateFolder(folder);
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

/** The note is for people only; whether the lock is held, the lock alone says. */
function leaveNote(folder: string, { pid, startedAt }: InstanceHolder): void {
  const draft = `${notePath(folder)}.draft`;
  const note = JSON.stringify({ pid, since: new Date(startedAt).toISOString() });
  writeFileSync(draft, `${note}\n`, { mode: 0o600 });
  renameSync(draft, notePath(folder));
}

function refusal(folder: string): string {
  let note: { pid: number; since: string };
  try {
    note = JSON.parse(readFileSync(notePath(folder), 'utf8'));
  } catch {
    return 'Another headgate serves this data.'; // It took the lock a moment ago and has left no note yet.
  }
  return `Another headgate (process ${note.pid}, since ${note.since}) serves this data.`;
}

function notePath(folder: string): string {
  return join(folder, 'serve.json');
}
