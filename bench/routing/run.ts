import { parseArgs } from 'node:util';
import { featuresOf } from '../../src/learning/features.ts';
import { type Gap, mean } from '../../src/learning/measure.ts';
import { predict } from '../../src/learning/model.ts';
import { writeModel } from '../../src/learning/model-file.ts';
import { train } from '../../src/learning/train.ts';
import { seeded } from '../../src/testing/seeded.ts';
import { byChance, byFeedback, byRules, byTraining, judge, type Learned, pairOf, shuffled } from './judge.ts';
import { type BenchRow, benchRows, callOf, readRows } from './rows.ts';

/**
 * `npm run bench:routing -- FILE [--folds 5] [--labels 1500] [--feedback] [--task-prefix mmlu] [--judge-prefix gsm8k]
 * [--judge FILE]`: measures what part of the quality gap between two targets the smart strategy recovers. Each fold is
 * judged with a model learned from the others; with `--judge` or `--judge-prefix`, other rows are judged with a model
 * learned from all.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: 'string', default: '5' },
    labels: { type: 'string' },
    feedback: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
    explore: { type: 'string', default: '0.15' },
    'strong-share': { type: 'string', default: '0.5' },
    'task-prefix': { type: 'string', default: '' },
    judge: { type: 'string' },
    'judge-prefix': { type: 'string' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'boolean', default: false },
  },
});
const SHARES = [10, 20, 30, 40, 50, 60, 70, 80, 90];
const RANDOM_ORDERS = 50;

const [file] = positionals;
if (file === undefined) throw new Error('Name a file of rows.');
const folds = Number(values.folds);
if (!Number.isInteger(folds) || folds < 2) throw new Error('--folds is a whole number from 2.');
const labels = values.labels === undefined ? null : Number(values.labels);
const seed = Number(values.seed);
const all = benchRows(readRows(file), folds);
const rows = all.filter(({ task }) => task.startsWith(values['task-prefix']));
const pair = pairOf(rows);
console.log(`${rows.length} rows; strong: ${pair.strong}, weak: ${pair.weak}`);

const others = otherRows();
const parts =
  others === null
    ? Array.from({ length: folds }, (_, fold) => ({
        name: `fold ${fold}`,
        learn: rows.filter((row) => row.fold !== fold),
        judged: rows.filter((row) => row.fold === fold),
      }))
    : [{ name: 'other rows', learn: rows, judged: others }];
const gaps = parts.map(({ name, learn, judged }, at) => {
  const random = seeded(seed * 1000 + at);
  const learned = learnFrom(learn, random);
  const gap = judge(judged, pair, learned.gain);
  console.log(line(name, gap, learned.told));
  return { gap, random: randomly(judged, random) };
});
tellMeans(gaps);
if (values.speed) tellSpeed();

function learnFrom(learn: readonly BenchRow[], random: () => number): Learned {
  if (values.rules) return byRules();
  const order = shuffled(learn, random).slice(0, labels ?? learn.length);
  if (!values.feedback) return byTraining(order, pair, null);
  const options = { explore: Number(values.explore), strongShare: Number(values['strong-share']) };
  return byFeedback(order, pair, options, random);
}

/** The rows to judge, if they are not the folds. */
function otherRows(): BenchRow[] | null {
  if (values.judge === undefined && values['judge-prefix'] === undefined) return null;
  const from = values.judge === undefined ? all : benchRows(readRows(values.judge), folds);
  return from.filter(({ task }) => task.startsWith(values['judge-prefix'] ?? values['task-prefix']));
}

/** The mean of many random orders: a single one varies as much as learners differ. */
function randomly(judged: readonly BenchRow[], random: () => number): number {
  return mean(Array.from({ length: RANDOM_ORDERS }, () => judge(judged, pair, byChance(random).gain).apgr));
}

function line(name: string, gap: Gap, told: string): string {
  const recovered = SHARES.map((share) => gap.recovered[share]!.toFixed(2)).join(' ');
  return `${name}: APGR ${gap.apgr.toFixed(3)}, recovered at 10 … 90 % ${recovered} (${gap.pairs} rows${told === '' ? '' : `; ${told}`})`;
}

function tellMeans(measured: readonly { gap: Gap; random: number }[]): void {
  const gapsOnly = measured.map(({ gap }) => gap);
  const recovered = SHARES.map((share) => mean(gapsOnly.map((gap) => gap.recovered[share]!)).toFixed(2)).join(' ');
  console.log(`mean: APGR ${mean(gapsOnly.map(({ apgr }) => apgr)).toFixed(4)}, recovered at 10 … 90 % ${recovered}`);
  console.log(`random: APGR ${mean(measured.map(({ random }) => random)).toFixed(3)}`);
  console.log(`oracle: APGR ${mean(gapsOnly.map(({ oracle }) => oracle)).toFixed(3)}`);
}

/** Prints the cost of training, features and predictions, and the size of a model. */
function tellSpeed(): void {
  const startedAt = performance.now();
  const { model } = train(rows, { heldOut: 0 });
  console.log(`training: ${((performance.now() - startedAt) / 1000).toFixed(1)} s with the choice of settings`);
  console.log(`model: ${(writeModel(model).length / 1000).toFixed(0)} kB`);
  const calls = rows.map(({ prompt }) => callOf(prompt));
  tellMicros(
    'features',
    calls.map((call) => () => featuresOf(call)),
  );
  tellMicros(
    'prediction of one target',
    rows.map(
      ({ features }) =>
        () =>
          predict(model, features, pair.strong),
    ),
  );
  const both = calls.map((call) => () => predict(model, featuresOf(call), pair.strong));
  tellMicros('features and prediction', both);
}

function tellMicros(what: string, runs: readonly (() => unknown)[]): void {
  const micros = runs.map((run) => {
    const from = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - from) / 1000;
  });
  micros.sort((one, other) => one - other);
  const at = (share: number) => micros[Math.min(micros.length - 1, Math.floor(micros.length * share))]!.toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, p99.9 ${at(0.999)} µs, largest ${at(1)} µs`);
}
