import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { checkWriting, cutShort, type WriteBytes } from '../disk-state.ts';
import type { Journal, JournalPosition } from '../journal-port.ts';
import { journalFile } from './files.ts';
import { writeGroup } from './groups.ts';

/** A journal longer than this is left for a new one. */
const MAX_LENGTH = 8 * 1024 * 1024;

export type JournalOptions = {
  folder: string;
  instanceId: string;
  /** Whether each write goes down to the disk, and not only to the kernel. */
  sync: boolean;
  maxLength?: number;
  /** Node's `writeSync`, unless a test makes the disk full. */
  write?: WriteBytes;
};

type OpenFile = { file: string; descriptor: number; length: number };

/**
 * The append-only file that an instance writes its records to. What was appended is in the kernel's hands, which the
 * death of the process cannot undo.
 */
export class FileJournal implements Journal {
  readonly #options: JournalOptions;
  readonly #write: WriteBytes;
  #number = 0;
  #open: OpenFile | null = null;
  #place: JournalPosition | null = null;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#write = options.write ?? writeSync;
  }

  append(records: readonly string[]): JournalPosition {
    const line = writeGroup(records);
    if (this.#open !== null && this.#open.length > (this.#options.maxLength ?? MAX_LENGTH)) this.close();
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
    this.#place = { file, end: this.#open.length };
    return this.#place;
  }

  get place(): JournalPosition | null {
    return this.#place;
  }

  check(): void {
    checkWriting(this.#options.folder, this.#write);
  }

  /** Whoever has taken over a file that is followed by another may remove it. */
  close(): void {
    if (this.#open !== null) this.#leave(null);
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
    const { descriptor } = this.#open!;
    this.#open = null;
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
