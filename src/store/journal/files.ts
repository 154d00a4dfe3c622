import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A journal's file: who wrote it, and its place among the journals of that instance. No two ever have one name. */
export type JournalName = { file: string; instanceId: string };

const NAME = /^journal\.(\w+)\.\d{6}\.[0-9a-f]{8}$/;

/** The name of an instance's journal of this number. `random` (8 hexadecimal digits) tells apart what must not be confused. */
export function journalFile(instanceId: string, number: number, random: string): string {
  return `journal.${instanceId}.${String(number).padStart(6, '0')}.${random}`;
}

/** The journals in a folder; those of one instance in the order in which they were written. */
export function listJournals(folder: string): JournalName[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => {
      const instanceId = instanceOf(file);
      return instanceId === null ? [] : [{ file, instanceId }];
    });
}

/** Who writes or wrote the journal of this name; `null` for the name of another file. */
export function instanceOf(file: string): string | null {
  return NAME.exec(file)?.[1] ?? null;
}

/** How long a journal is; 0 for one that is gone: it was taken over whole. */
export function journalLength(folder: string, file: string): number {
  return statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * What stands in a journal from an offset on, up to `most` bytes of it; nothing of one that is gone, as it may be at any
 * moment.
 */
export function readJournal(folder: string, file: string, from: number, most = Number.MAX_SAFE_INTEGER): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(join(folder, file), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(most, Math.max(0, fstatSync(descriptor).size - from)));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    closeSync(descriptor);
  }
}

export function removeJournal(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true });
}
