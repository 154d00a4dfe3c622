import { randomBytes, randomFillSync } from 'node:crypto';
import type { Ids } from '../core/ports.ts';
import { base32, base32Digits, MAX_ID_LEAD_MS, recordIdBeginning, writeBase32Digits } from '../core/record-id.ts';

/** Random bytes are drawn for this many ids at once: asking the kernel costs more than the bytes. */
const POOLED = 256;
const BYTES = 16;
/** Bytes of a request id that encode its time. */
const TIME_BYTES = 6;
/** Digits of a record id that distinguish records of one millisecond. */
const COUNTED_DIGITS = 8;

const HEX_DIGITS = Buffer.from('0123456789abcdef');

/** Writes the digits of `BYTES` bytes, from `at` on, behind what a request's id begins with. */
function writeIdDigits(bytes: Buffer, at: number, id: Buffer): void {
  let digit = 'req_'.length;
  for (let index = at; index < at + BYTES; index += 1, digit += 2) {
    const byte = bytes[index]!;
    id[digit] = HEX_DIGITS[byte >> 4]!;
    id[digit + 1] = HEX_DIGITS[byte & 15]!;
  }
}

/**
 * Names for things. Request ids look like OpenAI's (`req_` and 32 hex digits), and the first 12 digits tell the
 * time, so that a request's record is found without an index (`core/record-id.ts`); record ids sort by time (but for a
 * clock that is set back by more than `MAX_ID_LEAD_MS`), also within one millisecond of one process: 10 characters of time
 * and 16 that start random and are counted up.
 *
 * /!\ Hot path: the ids of calls are read from bytes. V8 keeps a text that was put together of others as its parts, and whoever
 * reads it pays for that: `JSON.stringify` takes half as long for an id that is in one piece.
 */
export function createIds(now: () => number = Date.now): Ids {
  const pool = Buffer.alloc(POOLED * BYTES);
  let used = POOLED;
  /** Where in the pool random bytes begin that nobody had yet. */
  const randomAt = (): number => {
    if (used === POOLED) {
      randomFillSync(pool);
      used = 0;
    }
    used += 1;
    return (used - 1) * BYTES;
  };
  const random = (): Buffer => {
    const at = randomAt();
    return pool.subarray(at, at + BYTES);
  };

  const requestId = Buffer.from(`req_${'0'.repeat(2 * BYTES)}`);
  let lastTime = Number.NEGATIVE_INFINITY;
  let low = 0;
  /** Of the last record: its time and the random digits after it, which ids of the same millisecond share, and its count. */
  let recordId = Buffer.alloc(0);
  let counted = recordId;
  return {
    requestId() {
      const at = randomAt();
      pool.writeUIntBE(now(), at, TIME_BYTES);
      writeIdDigits(pool, at, requestId);
      return requestId.toString('latin1');
    },
    token: () => random().toString('hex'),
    keyId: () => `key_${base32(randomBytes(BYTES))}`,
    organizationId: () => `org_${base32(randomBytes(BYTES))}`,
    recordId: (at) => {
      // A clock that steps back a little must not make an id that sorts before one already given out.
      const time = at < lastTime - MAX_ID_LEAD_MS ? at : Math.max(at, lastTime);
      if (time !== lastTime) {
        lastTime = time;
        const bytes = random();
        const beginning = recordIdBeginning(time) + base32Digits(bytes.readUIntBE(0, 5), 8);
        recordId = Buffer.from(beginning + '0'.repeat(COUNTED_DIGITS));
        counted = recordId.subarray(-COUNTED_DIGITS);
        low = bytes.readUIntBE(5, 5) >>> 1;
      } else {
        low += 1;
      }
      writeBase32Digits(low, counted);
      return recordId.toString('latin1');
    },
  };
}
