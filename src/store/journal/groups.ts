import { crc32 } from 'node:zlib';
import { type JournalRecord, readRecords } from './record-json.ts';

/** What was written at once, and where in the journal it ends. */
export type Group = { end: number; records: JournalRecord[] };

/** Eight hexadecimal digits of CRC-32, and a space. */
const HEAD_LENGTH = 9;
const NO_CHECKSUM = '00000000';
const LF = 0x0a;

/**
 * One line for all records of one write, with their checksum. So they are in the journal together or not at all: a
 * write that was cut, by the death of the process or by a full disk, has no line that can be read.
 */
export function writeGroup(records: readonly string[]): Buffer {
  // The text is turned into bytes once, with room for its checksum.
  const line = Buffer.from(`${NO_CHECKSUM} [${records.join(',')}]\n`);
  line.write(checksum(line.subarray(HEAD_LENGTH, -1)), 'latin1');
  return line;
}

/** The groups that stand whole behind the offset `from`, up to the first that does not. `bytes` begin at `from`. */
export function* readGroups(bytes: Buffer, from: number): Generator<Group> {
  let start = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
    const json = bytes.subarray(start + HEAD_LENGTH, end);
    if (bytes.toString('latin1', start, start + HEAD_LENGTH) !== `${checksum(json)} `) return;
    start = end + 1;
    yield { end: from + start, records: readRecords(json.toString('utf8')) };
  }
}

function checksum(data: Buffer): string {
  return crc32(data).toString(16).padStart(8, '0');
}
