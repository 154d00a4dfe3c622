const PREFIX = 'usage_';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
/** The largest time that the digits can encode. */
const MAX_TIME = 32 ** TIME_DIGITS - 1;

/**
 * The most ms that a record id may be ahead of its record's time. If the clock is set back by less, ids keep their
 * order. If it is set back by more, ids encode the new time: searches by time look no further ahead.
 */
export const MAX_ID_LEAD_MS = 60_000;

/** The common prefix of record ids of a time (Unix ms). Ids sort by it. */
export function recordIdBeginning(time: number): string {
  return `${PREFIX}${base32Digits(Math.min(time, MAX_TIME), TIME_DIGITS)}`;
}

/** The range of times (Unix ms) that request ids encode. A value outside is from an older, random id. */
const [FIRST_TOLD, LAST_TOLD] = [1_790_000_000_000, 2 ** 41];

/**
 * The time (Unix ms) at which a request got its id, from the id's first digits; `null` for the random ids of earlier
 * versions.
 */
export function requestTime(id: string): number | null {
  const [, digits = ''] = /^req_([0-9a-f]{12})[0-9a-f]{20}$/.exec(id) ?? [];
  const time = Number.parseInt(digits, 16);
  return time >= FIRST_TOLD && time < LAST_TOLD ? time : null;
}

/** `value` in base 32, most significant digit first. */
export function base32Digits(value: number, length: number): string {
  const digits = Buffer.alloc(length);
  writeBase32Digits(value, digits);
  return digits.toString('latin1');
}

/** Fills `digits` with those of `value` in base 32, as ASCII. */
export function writeBase32Digits(value: number, digits: Uint8Array): void {
  let rest = value;
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    digits[index] = CROCKFORD.charCodeAt(rest % 32);
    rest = Math.floor(rest / 32);
  }
}

/** One digit for each byte. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += CROCKFORD[byte % 32];
  return text;
}

/** The unique part of a record id that sorts by time. Other ids have it after their own prefix. */
export function sortingPart(recordId: string): string {
  return recordId.startsWith(PREFIX) ? recordId.slice(PREFIX.length) : recordId;
}
