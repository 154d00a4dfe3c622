import type { EndedCall } from '../core/records.ts';
import type { JournalRecord } from './journal/record-json.ts';

/** What a take-over tells of records. */
export type TakeOverNews = {
  /** A record that the tables refuse for its values. */
  onRefused(error: Error, record: JournalRecord): void;
  /** Calls that are settled in the tables from now on. */
  onEnded?: ((calls: readonly EndedCall[]) => void) | undefined;
};
