import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageReason, StorageTrouble } from '../core/ports.ts';

/** Where nothing was written for this long (ms), a look at the store writes a little itself: so a disk that became full is noticed. */
export const WRITE_CHECK_MS = 10_000;

/** How much such a check writes, in bytes: room for less is as good as none. */
export const WRITE_CHECK_BYTES = 64 * 1024;

/** It stays, and is empty between checks. */
export const WRITE_CHECK_FILE = 'write-check';

/** Writes to a file, and tells how many bytes it took. Node's `writeSync`, unless a test makes the disk full. */
export type WriteBytes = (descriptor: number, bytes: Buffer) => number;

/** What an error says of the disk; `null`: nothing. */
export type ReasonOf = (error: unknown) => StorageReason | null;

/** What is written to: the journal's files, or the database. */
type Part = 'journal' | 'tables';

/**
 * What is known of the disk by the store's own writes. An append is done before anything else runs, so none is ever
 * pending: a disk that does not answer stops the whole process.
 */
export class DiskState {
  readonly #now: () => number;
  readonly #reasonOf: ReasonOf;
  readonly #trouble: Record<Part, StorageTrouble | null> = { journal: null, tables: null };
  #wroteAt = Number.NEGATIVE_INFINITY;
  #listener: () => void = () => undefined;

  /**
   * @param now - monotonic ms
   * @param reasonOf - what an error of the engine says of the disk
   */
  constructor(now: () => number, reasonOf: ReasonOf) {
    this.#now = now;
    this.#reasonOf = reasonOf;
  }

  /** `null` where the last writes succeeded. */
  get trouble(): StorageTrouble | null {
    return this.#trouble.journal ?? this.#trouble.tables;
  }

  get isCheckDue(): boolean {
    return this.#now() - this.#wroteAt >= WRITE_CHECK_MS;
  }

  /** Called at every write that fails. One listener. */
  onTrouble(listener: () => void): void {
    this.#listener = listener;
  }

  succeeded(part: Part): void {
    this.#trouble[part] = null;
    if (part === 'journal') this.#wroteAt = this.#now();
  }

  failed(part: Part, cause: unknown): void {
    this.#trouble[part] = { reason: fileReason(cause) ?? this.#reasonOf(cause) ?? 'failing', cause };
    this.#listener();
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const READ_ONLY: ReadonlySet<unknown> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** What an error of the file system says of the disk; `null`: nothing. */
function fileReason(error: unknown): StorageReason | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (FULL.has(code)) return 'full';
  return READ_ONLY.has(code) ? 'read_only' : null;
}

/** A file took a part only of what was written to it, which is how a disk begins to be full. */
export function cutShort(written: number, wanted: number, file: string): Error {
  return Object.assign(new Error(`${written} of ${wanted} bytes could be written to ${file}`), { code: 'ENOSPC' });
}

const FILLER = Buffer.alloc(WRITE_CHECK_BYTES);

/** Writes to a file of the data folder and empties it again, so that it asks for room anew each time. Throws where it cannot. */
export function checkWriting(folder: string, write: WriteBytes): void {
  const descriptor = openSync(join(folder, WRITE_CHECK_FILE), 'w', 0o600);
  try {
    const written = write(descriptor, FILLER);
    if (written !== FILLER.length) throw cutShort(written, FILLER.length, WRITE_CHECK_FILE);
  } finally {
    ftruncateSync(descriptor);
    closeSync(descriptor);
  }
}
