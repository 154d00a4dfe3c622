import { workerData } from 'node:worker_threads';
import { engine } from '../store/open.ts';
import { endedCallLines, type LineReader } from '../telemetry/call-lines.ts';

/**
 * The table thread, which runs beside the one that answers calls: it updates the tables and logs ended calls, so that neither
 * delays an answer.
 */
export type TableThreadOwn = {
  /** `null`: calls are not logged. */
  reader: LineReader | null;
};

const { reader } = (workerData as { own: TableThreadOwn }).own;
const lines = reader === null ? null : endedCallLines(reader);
await engine.serveTables(lines === null ? undefined : (calls) => lines.add(calls));
