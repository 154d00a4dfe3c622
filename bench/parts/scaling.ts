import type { Bench } from '../bench.ts';
import type { Vendor } from '../contestants/contestant.ts';
import { headgateStarter } from '../contestants/headgate.ts';
import { assertRecorded, startField } from '../entrants.ts';
import { compareWork } from './work.ts';

const WORKERS = 2;

/** Measures the gain of more workers. None is pinned to a core, and load and upstream use the same cores. */
export async function compareScaling(bench: Bench, vendor: Vendor): Promise<void> {
  const one = headgateStarter('headgate, any core', 'one process, on every core');
  const more = headgateStarter(`headgate, ${WORKERS} workers`, `\`serve --workers ${WORKERS}\`, on every core`, {
    args: ['--workers', String(WORKERS)],
  });
  // A version without workers refuses to start with them.
  const starters = [one, { ...more, optional: true }];
  await using field = await startField(bench, starters, { vendor, pinned: false });
  if (field.entrants.length < starters.length) return;
  await compareWork(bench, { part: 'scaling', workload: 'chat', paces: ['saturation'] }, field.entrants);
  await assertRecorded(field);
}
