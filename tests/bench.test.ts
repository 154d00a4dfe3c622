import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { askAtRate } from '../bench/load/at-rate.ts';
import { WAIT_MS } from '../src/testing/wait.ts';
import { runProcess } from './support/process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONTESTANTS = ['headgate', 'headgate, node layer', 'net proxy', 'http proxy'];

const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the benchmark measures every contestant, and writes table, samples and chart', async () => {
  await bench('--only', 'chat,translated,latency,start', '--rounds', '1', '--seconds', '0.3', '--warm', '0.1');
  const { samples } = JSON.parse(read('latest.json')) as { samples: Record<string, unknown>[] };
  for (const name of CONTESTANTS) {
    const mine = samples.filter(({ contestant }) => contestant === name);
    const measured = new Set(
      mine.map(({ kind, part, pace, way }) => [kind, part, pace, way].filter(Boolean).join(' ')),
    );
    assert.deepEqual([...measured].sort(), [
      'latency first word',
      'latency one caller',
      'latency rate',
      'start',
      'work chat rate',
      'work chat saturation',
      'work translated rate',
      'work translated saturation',
    ]);
    assert.match(read('latest.md'), new RegExp(`^\\| ${name} \\| \\d`, 'm'));
  }
  assert.match(read('latest.svg'), /^<svg .*nginx was not measured.*<\/svg>\n$/s);
});

test('tables and chart are made again from the samples, with ratios and bars where nginx was measured', async () => {
  writeFileSync(join(folder, 'latest.json'), read('latest.json').replaceAll('"net proxy"', '"nginx"'));
  await bench('--again');
  assert.match(read('latest.md'), /^\| nginx \| [\d.]+ \| 1\.00 \|/m);
  assert.match(read('latest.svg'), /class="ours".*1\.00×.*<\/svg>\n$/s);
});

test('requests at a rate are all begun where the process is held up behind a read of the clock', async (t) => {
  const bigint = process.hrtime.bigint;
  const now = performance.now.bind(performance);
  const holdUp = () => {
    for (const until = now() + 20; now() < until; );
  };
  t.mock.method(process.hrtime, 'bigint', () => {
    const read = bigint();
    holdUp();
    return read;
  });
  t.mock.method(
    performance,
    'now',
    () => {
      const read = now();
      holdUp();
      return read;
    },
    { times: 1 },
  );
  let begun = 0;
  const rate = { gapMs: 1, count: 50 };
  const all = askAtRate([1, 2], rate, async () => {
    begun += 1;
  });
  await Promise.race([all, t.waitFor(() => assert.equal(begun, rate.count), { timeout: WAIT_MS })]);
  await all;
  assert.equal(begun, rate.count);
});

async function bench(...args: string[]): Promise<void> {
  const { PATH } = process.env;
  const run = runProcess(['bench/run.ts', '--against', '', '--results', folder, ...args], ROOT, { PATH, HOME: folder });
  assert.equal(await run.ended, 0, run.stderr());
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
