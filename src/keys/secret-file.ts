import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';

/** 32 bytes in hexadecimal digits. */
export const SECRET_SHAPE = /^[0-9a-f]{64}$/;

export function newSecretText(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Creates a file with a new secret that only its owner may read. If several processes start together, all use the first
 * file. Linking a complete draft is exclusive and atomic; a file written in place could be read, or left by a crash, while
 * it is empty.
 */
export function makeSecretFile(path: string): void {
  if (existsSync(path)) return;
  const draft = draftOf(path, [newSecretText()]);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Replaces the secrets of a file atomically, one per line. */
export function replaceSecretFile(path: string, secrets: readonly string[]): void {
  renameSync(draftOf(path, secrets), path);
}

function draftOf(path: string, secrets: readonly string[]): string {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  writeFileSync(draft, secrets.map((secret) => `${secret}\n`).join(''), { mode: 0o600, flag: 'wx', flush: true });
  return draft;
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
