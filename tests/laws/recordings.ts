import {
  answersIn,
  loadRecordings,
  type RecordedDialect,
  type Recording,
  SAMPLES,
} from '../../src/testing/recordings.ts';
import { RECORDINGS } from '../support/recordings.ts';

export type Answers = {
  samples: readonly Recording[];
  all: readonly Recording[];
  /** Which were found. */
  told: string;
};

/** Answers in a dialect, one by one: our own samples and, if they are there, the recordings of real vendors. */
export async function answersOf(dialect: RecordedDialect): Promise<Answers> {
  const [own, further] = await Promise.all([loadRecordings(SAMPLES, dialect), loadRecordings(RECORDINGS, dialect)]);
  const samples = own.recordings.flatMap(answersIn);
  const answers = further.recordings.filter((recording) => isAnswer(recording, dialect));
  const real = answers.flatMap(answersIn);
  const told = further.absent
    ? `${dialect}: ${samples.length} samples; there are no recordings of real vendors in ${RECORDINGS}`
    : `${dialect}: ${samples.length} samples and ${real.length} answers of real vendors (${further.recordings.length - answers.length} recordings left out: not of this dialect)`;
  return { samples, all: [...samples, ...real], told };
}

/** Vendors' answers to other questions, such as transcriptions, lie among the recordings. */
export function isAnswer({ payloads }: Recording, dialect: RecordedDialect): boolean {
  const member = { 'openai-chat': 'choices', 'openai-responses': 'object', 'anthropic-messages': 'role' }[dialect];
  const isPart = (payload: object) => dialect !== 'openai-chat' && 'type' in payload;
  return payloads.every(
    (payload) =>
      typeof payload === 'object' && payload !== null && (member in payload || 'error' in payload || isPart(payload)),
  );
}
