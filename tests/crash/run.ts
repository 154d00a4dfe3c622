import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { workersOf } from '../workers/ask.ts';
import { Auditor } from './audit.ts';
import { type Call, MODEL, PRICE, vendorPlan } from './calls.ts';
import { startLoad } from './load.ts';

/**
 * `npm run test:crash -- [--rounds 300] [--seed N] [--workers 2] [--threads]`: kills the gateway under load at a random
 * moment, starts it again on the same data, and checks that no acknowledged call is lost, none is counted twice and none is
 * left open. Where there are workers, it is one of them in every other round, and the gateway starts another by itself.
 *
 * `--threads`: in three rounds of four it is the thread that keeps the tables which is ended, which stands still in the
 * middle of a write, or which is ended a moment before its process is killed. While it is gone no call may fail.
 */
const CALLERS = 50;
const LATEST_KILL_MS = 400;
/** Past it a restart hangs: a busy machine takes some seconds. The slowest is told. */
const MAX_RESTART_MS = 30_000;
const UNREACHED = 1_000_000_000;
const TOLD_EVERY = 25;
/** Faults that are told in full. */
const MAX_TOLD = 20;

const ROUNDS: readonly ((target: Running, afterMs: number) => Promise<string[]>)[] = [
  killRound,
  (target, afterMs) => threadRound(target, afterMs, 'SIGUSR2'),
  (target, afterMs) => threadRound(target, afterMs, 'SIGWINCH'),
  bothRound,
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string' },
    workers: { type: 'string', default: '1' },
    threads: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const workers = Number(values.workers);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const random = seededRandom(seed);
console.log(`${rounds} rounds with the seed ${seed}`);

let seenByVendor: Call[] = [];
await using vendor = await startFakeProvider();
vendor.plan(vendorPlan((call) => seenByVendor.push(call)));
const faults = new URL('../support/thread-faults.ts', import.meta.url);
await using gateway = await startHeadgate({
  config: configuration(vendor.url),
  args: ['--workers', `${workers}`],
  ...(values.threads && { env: { NODE_OPTIONS: `--import ${faults}` } }),
});
const auditor = new Auditor(gateway);
let nextCall = 1;
let slowestRestartMs = 0;
let failed = 0;
let told = 0;

for (let round = 1; round <= rounds; round += 1) {
  const faults = await ROUNDS[values.threads ? Math.floor(random() * ROUNDS.length) : 0]!(gateway, randomMs());
  if (faults.length > 0) failed += 1;
  tell(`round ${round}`, faults);
  if (round % TOLD_EVERY === 0 || round === rounds) {
    const { acknowledged, lost, doubled, interrupted } = auditor;
    console.log(
      `rounds ${round}, acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, interrupted ${interrupted}, ` +
        `slowest restart ${Math.round(slowestRestartMs)} ms`,
    );
  }
}
const faultsAtEnd = await auditor.checkAll();
tell('at the end', faultsAtEnd);
if (faultsAtEnd.length > 0) failed += 1;
console.log(`${rounds + 1 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function randomMs(): number {
  return Math.floor(random() * (LATEST_KILL_MS + 1));
}

/** The thread of a process that answers calls is ended, or stands still; calls go on, until another takes its place. */
async function threadRound(target: Running, afterMs: number, signal: 'SIGUSR2' | 'SIGWINCH'): Promise<string[]> {
  seenByVendor = [];
  const load = startLoad(target, CALLERS, nextCall);
  await delay(afterMs);
  const from = lineCount(target);
  process.kill(workers > 1 ? workersOf(target).at(Math.floor(random() * workers))! : target.pid, signal);
  await target.waitForLine(/The thread that keeps the tables serves again/, from);
  load.finish();
  const { acknowledged, faults } = await load.ended;
  nextCall += load.begun();
  if (acknowledged.length !== load.begun()) faults.push(`${load.begun()} calls, ${acknowledged.length} answers`);
  return [...faults, ...(await auditor.checkRound(acknowledged, seenByVendor))];
}

async function bothRound(target: Running, afterMs: number): Promise<string[]> {
  const ending = setTimeout(() => target.signal('SIGUSR2'), Math.floor(random() * afterMs));
  try {
    return await killRound(target, afterMs);
  } finally {
    clearTimeout(ending);
  }
}

async function killRound(target: Running, killAfterMs: number): Promise<string[]> {
  seenByVendor = [];
  const load = startLoad(target, CALLERS, nextCall);
  await delay(killAfterMs);
  load.stop();
  const victim = workers > 1 && random() < 0.5 ? workersOf(target).at(Math.floor(random() * workers)) : undefined;
  const from = lineCount(target);
  if (victim === undefined) await target.kill9();
  else process.kill(victim, 'SIGKILL');
  const { acknowledged, faults } = await load.ended;
  nextCall += load.begun();

  const startedAt = performance.now();
  if (victim === undefined) await target.restart();
  else await target.waitForLine(/A worker serves in the place/, from);
  const restartMs = performance.now() - startedAt;
  slowestRestartMs = Math.max(slowestRestartMs, restartMs);
  if (victim === undefined && restartMs > MAX_RESTART_MS * workers)
    faults.push(`the restart took ${Math.round(restartMs)} ms`);
  return [...faults, ...(await auditor.checkRound(acknowledged, seenByVendor))];
}

function lineCount(target: Running): number {
  return `${target.stdout()}${target.stderr()}`.split('\n').length - 1;
}

/** Limits that are counted, and refuse nothing. */
function configuration(vendorUrl: string): string {
  return `
providers:
  fake:
    base_url: ${vendorUrl}
    only: [{ id: ${MODEL}, price: { input_per_1m: ${PRICE.input}, output_per_1m: ${PRICE.output} } }]
limits: { requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED} }
server: { worker_timeout: ${workers > 1 ? '6s' : '2s'} }
`;
}

function tell(where: string, faults: readonly string[]): void {
  for (const fault of faults.slice(0, Math.max(0, MAX_TOLD - told))) console.log(`FAULT ${where}: ${fault}`);
  told += faults.length;
}

/** Numbers in [0, 1) that are the same for the same seed (Marsaglia's xorshift32). */
function seededRandom(from: number): () => number {
  let state = from | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
