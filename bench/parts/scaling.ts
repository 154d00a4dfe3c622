import type { Bench } from '../bench.ts';
import type { Vendor } from '../contestants/contestant.ts';
import { headgateStarter } from '../contestants/headgate.ts';
import { assertRecorded, oneLine, startField } from '../field.ts';
import { compareWork } from './work.ts';

const WORKERS = 2;

/** What more workers bring: none is held to a core, and load and upstream take what they need of the same ones. */
export async function compareScaling(bench: Bench, vendor: Vendor): Promise<void> {
  const starters = [
    headgateStarter('headgate, any core', 'one process, on every core'),
    headgateStarter(`headgate, ${WORKERS} workers`, `\`serve --workers ${WORKERS}\`, on every core`, {
      args: ['--workers', String(WORKERS)],
    }),
  ];
  await using field = await startField(bench, starters, { vendor, pinned: false });
  if (field.entrants.length < starters.length) return;
  await compareWork(bench, 'scaling', 'chat', field.entrants, ['saturation']);
  await assertRecorded(field).catch((error) => bench.note(`Records of the scaling part: ${oneLine(error)}`));
}
