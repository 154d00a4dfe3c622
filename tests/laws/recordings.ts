import { loadRecordings, type Recording, SAMPLES } from '../../src/testing/recordings.ts';
import { RECORDINGS } from '../support/recordings.ts';

/** Our own samples and, if they are there, the recordings of real vendors; and a line that tells which. */
export async function chatRecordings(): Promise<{
  samples: readonly Recording[];
  all: readonly Recording[];
  told: string;
}> {
  const [{ recordings: samples }, further] = await Promise.all([
    loadRecordings(SAMPLES, 'openai-chat'),
    loadRecordings(RECORDINGS, 'openai-chat'),
  ]);
  const real = further.recordings.filter(isChat);
  const told = further.absent
    ? `${samples.length} samples; there are no recordings of real vendors in ${RECORDINGS}`
    : `${samples.length} samples and ${real.length} recordings of real vendors (${further.recordings.length - real.length} left out: not of this dialect)`;
  return { samples, all: [...samples, ...real], told };
}

/** Vendors' answers to other questions, such as transcriptions, lie among the recordings. */
function isChat({ payloads }: Recording): boolean {
  return payloads.every(
    (payload) => typeof payload === 'object' && payload !== null && ('choices' in payload || 'error' in payload),
  );
}
