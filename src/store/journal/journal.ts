import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cutShort, type Write } from '../writes.ts';
import { journalFile } from './files.ts';
import { writeGroup } from './groups.ts';

/** A journal longer than this is left, once it was taken over, for a new one. */
const MAX_LENGTH = 8 * 1024 * 1024;

export type JournalOptions = {
  folder: string;
  instanceId: string;
  /** Whether each write goes down to the disk, and not only to the kernel. */
  sync: boolean;
  maxLength?: number;
  /** Node's `writeSync`, unless a test makes the disk full. */
  write?: Write;
};

/** Where a group stands. */
export type Place = { file: string; end: number };

type OpenFile = { file: string; descriptor: number; length: number };

/**
 * The append-only file that an instance writes its records to. What was appended is in the kernel's hands, which the
 * death of the process cannot undo.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #write: Write;
  #number = 0;
  #open: OpenFile | null = null;
  /** Files that nothing is added to any more. */
  #left: string[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#write = options.write ?? writeSync;
  }

  /** Appends records, all of them or none. Throws where they could not be written. */
  append(records: readonly string[]): Place {
    const line = writeGroup(records);
    this.#open ??= this.#begin();
    const { file, descriptor, length } = this.#open;
    try {
      const written = this.#write(descriptor, line);
      if (written !== line.length) throw cutShort(written, line.length, file);
      if (this.#options.sync) fdatasyncSync(descriptor);
    } catch (error) {
      this.#leave(length);
      throw error;
    }
    this.#open.length += line.length;
    return { file, end: this.#open.length };
  }

  /**
   * To be called when all that was appended has been taken over: gives the files that may go. The present one stays
   * while it is short, unless this is the `last` time.
   */
  release(last = false): string[] {
    if (this.#open !== null && (last || this.#open.length > (this.#options.maxLength ?? MAX_LENGTH))) this.#leave(null);
    const released = this.#left;
    this.#left = [];
    return released;
  }

  #begin(): OpenFile {
    const { folder, instanceId, sync } = this.#options;
    this.#number += 1;
    const file = journalFile(instanceId, this.#number, randomBytes(4).toString('hex'));
    const descriptor = openSync(join(folder, file), 'ax', 0o600);
    if (sync) syncFolder(folder);
    return { file, descriptor, length: 0 };
  }

  /**
   * After a write that failed the file is cut to what it held before, and not used again: another process may have read
   * it meanwhile, and has noted how far.
   */
  #leave(cutTo: number | null): void {
    const { file, descriptor } = this.#open!;
    this.#open = null;
    this.#left.push(file);
    try {
      if (cutTo !== null) ftruncateSync(descriptor, cutTo);
    } catch {
      // What is behind the cut cannot be read as a group, unless only the flush to the disk failed.
    } finally {
      closeSync(descriptor);
    }
  }
}

/** A file is found after a loss of power only if its folder knows it. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
