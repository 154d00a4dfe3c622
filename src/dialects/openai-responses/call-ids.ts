import { createHash } from 'node:crypto';

const MAX_CALL_ID = 64;

/** A call id that OpenAI accepts. The same id always gives the same result. */
export function legalCallId(id: string): string {
  if (id !== '' && id.length <= MAX_CALL_ID) return id;
  return `call_${createHash('sha256').update(id).digest('base64url')}`;
}
