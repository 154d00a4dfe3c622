import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few megabytes that can really become full. */
export type SmallDisk = Disposable & {
  readonly path: string;
  /** Uses all free space. */
  fill(): void;
  /** Frees it again. */
  free(): void;
  /** Requires that no process has a file of it open for writing. */
  makeReadOnly(): void;
};

/** Why this user cannot mount one; `false` for root, whose tests fail if it is impossible. */
export const NO_SMALL_DISK = process.getuid?.() === 0 ? false : 'only root may mount a small disk';

/** Mounts a new disk. Throws if that is impossible. */
export function mountSmallDisk(megabytes = 8): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'headgate-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'headgate-test', path]);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      const descriptor = openSync(ballast, 'a');
      // In smaller and smaller pieces: a free page would be enough for a record.
      for (let size = 1024 ** 2; size >= 1; ) {
        try {
          if (writeSync(descriptor, Buffer.alloc(size)) < size) size = Math.floor(size / 4);
        } catch {
          size = Math.floor(size / 4);
        }
      }
      closeSync(descriptor);
    },
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', path]),
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      // Lazily, since a process that has just been killed may still have a file open.
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true });
    },
  };
}
