import { randomBytes, randomFillSync } from 'node:crypto';
import type { Ids } from '../core/ports.ts';
import { base32, base32Digits, MAX_ID_LEAD_MS, recordIdBeginning } from '../core/record-id.ts';

/** Random bytes are drawn for this many ids at once: asking the kernel costs more than the bytes. */
const POOLED = 256;
const BYTES = 16;
/** Of a request's id, what tells its time. */
const TIME_BYTES = 6;

/**
 * Names for things. Request ids look like OpenAI's (`req_` and 32 hex digits), and the first 12 digits tell the
 * time, so that a request's record is found without an index (`core/record-id.ts`); record ids sort by time (but for a clock that is set back by more than `MAX_ID_LEAD_MS`), also within one
 * millisecond of one process: 10 characters of time and 16 that start random and are counted up.
 */
export function createIds(now: () => number = Date.now): Ids {
  const pool = Buffer.alloc(POOLED * BYTES);
  let used = POOLED;
  const random = (): Buffer => {
    if (used === POOLED) {
      randomFillSync(pool);
      used = 0;
    }
    used += 1;
    return pool.subarray((used - 1) * BYTES, used * BYTES);
  };

  let lastTime = 0;
  let low = 0;
  /** The time of the last id and the random digits after it, which ids of the same millisecond share. */
  let beginning = '';
  return {
    requestId() {
      const bytes = random();
      bytes.writeUIntBE(now(), 0, TIME_BYTES);
      return `req_${bytes.toString('hex')}`;
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
        beginning = recordIdBeginning(time) + base32Digits(bytes.readUIntBE(0, 5), 8);
        low = bytes.readUIntBE(5, 5) >>> 1;
      } else {
        low += 1;
      }
      return beginning + base32Digits(low, 8);
    },
  };
}
