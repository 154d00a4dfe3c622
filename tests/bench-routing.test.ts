import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { byChance, byFeedback, byRules, byTraining, judge, pairOf } from '../bench/routing/judge.ts';
import { learnerOf, update } from '../bench/routing/learn-call-by-call.ts';
import { benchRows, foldOf, readRows } from '../bench/routing/rows.ts';
import { emptyModel, predict } from '../src/learning/model.ts';
import { labelledPrompts } from '../src/testing/labelled-prompts.ts';
import { seeded } from '../src/testing/seeded.ts';

const labelled = labelledPrompts(2000, seeded(42)).map((row) => ({ ...row, task: 'made-up' }));
const rows = benchRows(labelled, 5);
const pair = pairOf(rows);
const learn = rows.filter(({ fold }) => fold !== 0);
const judged = rows.filter(({ fold }) => fold === 0);
const SETTINGS = { shared: 0.3, own: 0.15 };

test('random is a half, the oracle is what the rows themselves say', () => {
  const random = seeded(1);
  const apgr = Array.from({ length: 50 }, () => judge(rows, pair, byChance(random).gain).apgr);
  assert.ok(Math.abs(apgr.reduce((sum, each) => sum + each, 0) / apgr.length - 0.5) < 0.01);

  // The share of rows that gain comes first, then those where nothing changes, then those that lose.
  const count = (difference: number) =>
    rows.filter(({ scores }) => scores.strong! - scores.weak! === difference).length;
  const [gain, loss] = [count(1), count(-1)];
  // Of the 101 places that a mean is taken of, the first and the last count as much as those between.
  const expected = (rows.length * gain - gain ** 2 / 2 - loss ** 2 / 2) / (rows.length * (gain - loss));
  assert.ok(Math.abs(judge(rows, pair, byChance(random).gain).oracle - (expected * 100 + 0.5) / 101) < 0.001);
});

test('learning from labels, from few, and from feedback on the served target alone beats chance and rules', () => {
  const random = seeded(2);
  const ofAll = judge(judged, pair, byTraining(learn, pair, SETTINGS).gain).apgr;
  const ofFew = judge(judged, pair, byTraining(learn.slice(0, 300), pair, SETTINGS).gain).apgr;
  const feedback = byFeedback(learn, pair, { explore: 0.15, strongShare: 0.5 }, random);
  assert.ok(ofAll > 0.7, `${ofAll}`);
  assert.ok(ofFew > 0.6 && ofFew <= ofAll + 0.05, `${ofFew}`);
  assert.ok(judge(judged, pair, feedback.gain).apgr > 0.65);
  assert.match(feedback.told, /^strong served (4|5)\d %/);
  assert.ok(judge(judged, pair, byRules().gain).apgr < ofAll);
});

test('folds are those of the SHA-256 of the prompt', () => {
  // sha256('') begins e3b0c442 98fc1c14.
  assert.equal(foldOf('', 5), 0x98fc1c14 % 5);
});

test('rows of both shapes are read, gzipped or not; what is no row is told by its line', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-rows-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const text = '{"prompt":"a","scores":{"x":0.5,"y":1}}\n\n{"task":"t","prompt":"b","strong":true,"weak":false}\n';
  // Of the 101 places that a mean is taken of, the first and the last count as much as those between.
  const expected = [
    { task: '', prompt: 'a', scores: { x: 0.5, y: 1 } },
    { task: 't', prompt: 'b', scores: { strong: 1, weak: 0 } },
  ];
  assert.deepEqual(readRows(write('rows.jsonl', text)), expected);
  assert.deepEqual(readRows(write('rows.jsonl.gz', gzipSync(text))), expected);
  for (const line of ['{"prompt":"a"}', '{"prompt":1,"strong":true,"weak":true}', '{"prompt":"a","scores":{"x":2}}']) {
    assert.throws(() => readRows(write('bad.jsonl', `${text}${line}`)), /Line 4 is no row/);
  }
});

test('each score moves its target’s chance toward it', () => {
  const { features } = rows[0]!;
  for (const score of [0, 1]) {
    const learner = learnerOf(emptyModel());
    const chance = () => predict(learner.model, features, 'weak');
    const before = chance();
    update(learner, features, { target: 'weak', score });
    const first = chance();
    assert.ok(Math.abs(score - first) < Math.abs(score - before));
    for (let times = 0; times < 30; times += 1) update(learner, features, { target: 'weak', score, propensity: 0.5 });
    assert.ok(Math.abs(score - chance()) < Math.abs(score - first));
  }
});
