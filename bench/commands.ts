import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startHeadgate } from '../tests/support/headgate.ts';

/**
 * Measures the duration of commands, without npx, beside a gateway that serves their data. Each takes turns with `node
 * -e 0`, whose time is part of both. Prints the median in ms and as a multiple of that of `node -e 0`.
 */

const ROUNDS = 11;
const COMMANDS = [['--version'], ['status'], ['catalog', 'list'], ['keys', 'list'], ['usage', 'list'], ['doctor']];
const BIN = fileURLToPath(new URL('../bin/headgate.js', import.meta.url));

await using gateway = await startHeadgate({ config: '{}\n' });
const folder = mkdtempSync(join(tmpdir(), 'headgate-commands-'));
const env = { PATH: process.env.PATH, HOME: folder, HEADGATE_DATA: gateway.data };

for (const command of COMMANDS) {
  // The first run fills the compile cache for the others.
  timeOf([BIN, ...command]);
  const times: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const nothing = timeOf(['-e', '0']);
    const took = timeOf([BIN, ...command]);
    times.push(took);
    ratios.push(took / nothing);
  }
  console.log(
    `${command.join(' ').padEnd(14)} ${median(times).toFixed(0)} ms, ${median(ratios).toFixed(1)} times node -e 0`,
  );
}
rmSync(folder, { recursive: true });

function timeOf(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
