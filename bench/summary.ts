import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startHeadgate } from '../tests/support/headgate.ts';
import { fillStore, manyCallers } from './store/fill.ts';

/**
 * `node bench/summary.ts [--records 1000000] [--data FOLDER]`: measures `GET /v1/usage/summary` by one dimension and by
 * several, of 30 days beside the previous 30, with 200 keys and 800 combinations per day. A named folder is kept, and
 * filled only if it has no records.
 */
const { values } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, data: { type: 'string' } },
});
const ROUNDS = 9;
const DAYS = 60;
const ASKED = [
  'day',
  'key',
  'model',
  'key,model',
  'day,key',
  'day,model',
  'day,key,model',
  'key,model,product,tool,source',
];

const home = values.data === undefined ? mkdtempSync(join(tmpdir(), 'headgate-summary-')) : null;
const data = values.data ?? join(home!, 'data');
await using gateway = await startHeadgate({ config: '{}\n', data });
const { key } = await gateway.createKey();
await gateway.stop();
await fillStore(data, Number(values.records), manyCallers, { days: DAYS });
await gateway.restart();

for (const by of ASKED) {
  const took: number[] = [];
  let rows = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const answer = await fetch(`${gateway.url}/v1/usage/summary?by=${by}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data: told, rest } = (await answer.json()) as { data: unknown[]; rest?: { rows: number } | null };
    took.push(performance.now() - startedAt);
    rows = told.length + (rest?.rows ?? 0);
  }
  took.sort((one, other) => one - other);
  const [median, worst] = [took[ROUNDS >> 1]!, took.at(-1)!];
  console.log(`by ${by.padEnd(30)} median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms; ${rows} rows`);
}
await gateway.stop();
if (home !== null) rmSync(home, { recursive: true });
