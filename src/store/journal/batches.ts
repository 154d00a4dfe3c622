import { readJournal } from './files.ts';
import { type Group, readGroups } from './groups.ts';

/**
 * How many records share a transaction, so that it lasts less than 5 ms, or some 15 where there is time to rest in it. If less than half as many would remain, they are included: a
 * transaction of their own costs as much as fifty records.
 */
const MAX_BATCH = 500;

/** How much of a journal is read at once: a batch of records of 500 bytes; a group that is longer is read whole. */
const READ_BYTES = 256 * 1024;

/** What of a journal a batch is read of, up to `length`. `rest` is called behind each group. */
export type BatchSpan = { from: number; length: number; rest?: (() => void) | undefined };

/** Whole groups from an offset on, enough for a batch. */
export function nextGroups(folder: string, file: string, { from, length, rest }: BatchSpan): Group[] {
  for (let most = READ_BYTES; ; most *= 2) {
    const groups: Group[] = [];
    let records = 0;
    for (const group of readGroups(readJournal(folder, file, from, Math.min(most, length - from)), from)) {
      groups.push(group);
      records += group.records.length;
      if (records >= MAX_BATCH && length - group.end >= (group.end - from) / 2) break;
      rest?.();
    }
    if (groups.length > 0 || from + most >= length) return groups;
  }
}
