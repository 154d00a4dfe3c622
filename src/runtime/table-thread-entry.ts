import { workerData } from 'node:worker_threads';
import type { ThreadData } from '../store/thread/messages.ts';
import { serveTables } from '../store/thread/serve-tables.ts';
import { endedCallLines, type LineReader } from '../telemetry/call-lines.ts';

/**
 * The thread beside the one that answers calls: it keeps the tables, and tells of each call that is over in a line, which so
 * costs nobody's answer anything.
 */
export type TableThreadOwn = {
  /** `null`: nobody is told. */
  reader: LineReader | null;
};

const { reader } = (workerData as ThreadData).own as TableThreadOwn;
const lines = reader === null ? null : endedCallLines(reader);
await serveTables(lines === null ? undefined : (calls) => lines.add(calls));
