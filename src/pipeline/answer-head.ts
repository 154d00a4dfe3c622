import type { UpstreamHeaders } from '../core/ports.ts';

/** Bytes of a vendor's error that are read; the words that matter stand at its beginning. */
export const MAX_ERROR_BODY = 1024 * 1024;

/** Whether the vendor answered, and with a status of 2xx. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether an answer says it is of this kind. One that says nothing is taken at its bytes. */
export function isType(headers: UpstreamHeaders, wanted: 'json' | 'event-stream'): boolean {
  const type = headers['content-type'];
  return type === undefined || String(type).toLowerCase().includes(wanted);
}
