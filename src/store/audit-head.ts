import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far the log goes: kept outside the database, so that a log whose end was cut off is found. */
export type AuditHead = { entries: number; link: Uint8Array };

/** `proof`: its HMAC under the key of the log; `null` in the file of an earlier version. */
export type KeptAuditHead = AuditHead & { proof: Uint8Array | null };

const HEAD_FILE = 'audit-head.json';

/** Keeps how far the log goes, whole or not at all. */
export function writeAuditHead(folder: string, head: AuditHead, key: Uint8Array): void {
  const path = join(folder, HEAD_FILE);
  const draft = `${path}.tmp`;
  const [link, proof] = [head.link, proofOf(head, key)].map((bytes) => Buffer.from(bytes).toString('hex'));
  writeFileSync(draft, JSON.stringify({ entries: head.entries, link, proof }), { mode: 0o600 });
  renameSync(draft, path);
}

/** `null` where there is none. Throws a `SyntaxError` where it cannot be read. */
export function readAuditHead(folder: string): KeptAuditHead | null {
  let text: string;
  try {
    text = readFileSync(join(folder, HEAD_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const read = JSON.parse(text) as { entries?: unknown; link?: unknown; proof?: unknown } | null;
  const { entries, link, proof = null } = read ?? {};
  if (!Number.isSafeInteger(entries) || typeof link !== 'string' || (proof !== null && typeof proof !== 'string'))
    throw new SyntaxError('audit-head.json does not say how far the log goes.');
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  return { entries: entries as number, link: bytes(link), proof: proof === null ? null : bytes(proof) };
}

/** Whether somebody with the key has written it. */
export function isProven(head: KeptAuditHead, key: Uint8Array): boolean {
  const wanted = proofOf(head, key);
  return head.proof?.length === wanted.length && timingSafeEqual(head.proof, wanted);
}

function proofOf({ entries, link }: AuditHead, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`audit head ${entries} `).update(link).digest();
}
