import { createHash } from 'node:crypto';

const MAX_CALL_ID = 64;

/** The id of a call as OpenAI takes it; the same one always becomes the same. */
export function legalCallId(id: string): string {
  if (id !== '' && id.length <= MAX_CALL_ID) return id;
  return `call_${createHash('sha256').update(id).digest('base64url')}`;
}
