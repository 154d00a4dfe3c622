import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far the log goes: kept outside the database, so that a log whose end was cut off is found. */
export type AuditHead = { entries: number; link: Uint8Array };

/** `proof`: its HMAC under the key of the log; `null` in the file of an earlier version. */
export type KeptAuditHead = AuditHead & { proof: Uint8Array | null };

const HEAD_FILE = 'audit-head.json';
/** No head is longer, in bytes. */
const MAX_LENGTH = 1_000;

/** What stands in the place of the head is none. The message goes on from the name of the file: `is a folder`. */
export class DamagedHeadError extends Error {
  override readonly name = 'DamagedHeadError';
}

/** Keeps how far the log goes, whole or not at all. */
export function writeAuditHead(folder: string, head: AuditHead, key: Uint8Array): void {
  const path = join(folder, HEAD_FILE);
  const draft = `${path}.tmp`;
  const [link, proof] = [head.link, proofOf(head, key)].map((bytes) => Buffer.from(bytes).toString('hex'));
  writeFileSync(draft, JSON.stringify({ entries: head.entries, link, proof }), { mode: 0o600 });
  renameSync(draft, path);
}

/** `null` where there is none. Throws a `DamagedHeadError` where it cannot be read. */
export function readAuditHead(folder: string): KeptAuditHead | null {
  const text = readText(join(folder, HEAD_FILE));
  if (text === null) return null;
  const { entries, link, proof = null } = membersIn(text);
  if (!Number.isSafeInteger(entries) || typeof link !== 'string' || (proof !== null && typeof proof !== 'string'))
    throw new DamagedHeadError('cannot be read: it does not say how far the log goes');
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  return { entries: entries as number, link: bytes(link), proof: proof === null ? null : bytes(proof) };
}

/** Only a regular file is opened: a pipe would wait for whoever writes to it, and a device may have no end. */
function readText(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isDirectory()) throw new DamagedHeadError('is a folder');
    if (!found.isFile()) throw new DamagedHeadError('is not a regular file');
    if (found.size > MAX_LENGTH) throw new DamagedHeadError(`cannot be read: it is longer than ${MAX_LENGTH} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof DamagedHeadError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new DamagedHeadError(code === 'ELOOP' ? 'is a link that leads to itself' : `cannot be read (${code})`);
  }
}

function membersIn(text: string): { entries?: unknown; link?: unknown; proof?: unknown } {
  try {
    return (JSON.parse(text) as ReturnType<typeof membersIn> | null) ?? {};
  } catch {
    throw new DamagedHeadError('cannot be read: it is not JSON');
  }
}

/** Whether somebody with the key has written it. */
export function isProven(head: KeptAuditHead, key: Uint8Array): boolean {
  const wanted = proofOf(head, key);
  return head.proof?.length === wanted.length && timingSafeEqual(head.proof, wanted);
}

function proofOf({ entries, link }: AuditHead, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`audit head ${entries} `).update(link).digest();
}
