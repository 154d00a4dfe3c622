import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadRecordings, type Recording, SAMPLES } from '../../src/testing/recordings.ts';

/** Recordings of real vendors are no part of the repository. They are found where this says, or beside it. */
const FURTHER =
  process.env.HEADGATE_RECORDINGS ?? join(fileURLToPath(new URL('../../..', import.meta.url)), 'shared', 'recordings');

/** Our own samples and, if they are there, the recordings of real vendors; and a line that tells which. */
export async function chatRecordings(): Promise<{
  samples: readonly Recording[];
  all: readonly Recording[];
  told: string;
}> {
  const [{ recordings: samples }, further] = await Promise.all([
    loadRecordings(SAMPLES, 'openai-chat'),
    loadRecordings(FURTHER, 'openai-chat'),
  ]);
  const real = further.recordings.filter(isChat);
  const told = further.absent
    ? `${samples.length} samples; no recordings of real vendors are there`
    : `${samples.length} samples and ${real.length} recordings of real vendors (${further.recordings.length - real.length} left out: not of this dialect)`;
  return { samples, all: [...samples, ...real], told };
}

/** Vendors' answers to other questions, such as transcriptions, lie among the recordings. */
function isChat({ payloads }: Recording): boolean {
  return payloads.every(
    (payload) => typeof payload === 'object' && payload !== null && ('choices' in payload || 'error' in payload),
  );
}
