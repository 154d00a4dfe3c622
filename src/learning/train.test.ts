import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelledPrompts } from '../testing/labelled-prompts.ts';
import { seeded } from '../testing/seeded.ts';
import { featuresOf, readFeatures, writeFeatures } from './features.ts';
import type { Row } from './fit.ts';
import { isNotWorse } from './gate.ts';
import { decidingWords, emptyModel, predict, predictEach } from './model.ts';
import { readModel, writeModel } from './model-file.ts';
import { inOneGo, type Steps } from './steps.ts';
import { evaluate, isHeldOut, train, trainInSteps } from './train.ts';

function callOf(lastUser: string) {
  return { lastUser, system: 'Answer.', turns: 1, tools: 0, images: false, structured: false, promptTokens: 20 };
}

function rowsOf(count: number, seed: number): Row[] {
  return labelledPrompts(count, seeded(seed)).map(({ prompt, scores }) => ({
    features: featuresOf(callOf(prompt)),
    scores,
  }));
}

const SETTINGS = { shared: 0.3, own: 0.15 };
const rows = rowsOf(1500, 1);
const { model, evaluation, trainedRows } = train(rows, { settings: SETTINGS });
const HARD = callOf('the theorem and the lemma of the eigenvalue');
const EASY = callOf('the holiday and the recipe with music');

test('what is learned orders calls far better than chance, and says how well on rows that were held out', () => {
  assert.equal(trainedRows + evaluation.rows, rows.length);
  assert.ok(evaluation.rows > 150 && evaluation.rows < 300);
  const { strong, weak } = evaluation.targets;
  for (const quality of [strong!, weak!]) assert.ok(quality.logLoss < quality.baseLogLoss && quality.auc! > 0.7);
  assert.deepEqual([evaluation.gap?.strongTarget, evaluation.gap?.weakTarget], ['strong', 'weak']);
  assert.ok(evaluation.gap!.apgr > 0.65 && evaluation.gap!.apgr < evaluation.gap!.oracle);
  const [hard, easy] = [HARD, EASY].map((call) => predictEach(model, featuresOf(call), ['strong', 'weak']));
  assert.ok(hard![0]! - hard![1]! > easy![0]! - easy![1]! + 0.2);
});

test('training is the same of the same rows, in one go or in steps', () => {
  const some = rows.slice(0, 300);
  const whole = train(some);
  const steps = trainInSteps(some);
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  assert.ok(count > 20);
  assert.deepEqual(writeModel(step.value.model), writeModel(whole.model));
  assert.deepEqual(step.value.evaluation, whole.evaluation);
});

test('the rows that are held out are the same in every version, whatever is stored beside the text', () => {
  for (const { prompt } of labelledPrompts(50, seeded(5))) {
    const features = featuresOf(callOf(prompt));
    const later = featuresOf({ ...callOf(prompt), turns: 9, tools: 4, promptTokens: 9000 });
    assert.equal(isHeldOut(features), isHeldOut(later));
    assert.equal(isHeldOut(features), isHeldOut(readFeatures(writeFeatures(features))));
  }
});

test('rows may know one target only, scores may lie between, and a target nobody scored is not worse than the others', () => {
  const half = rows.map(({ features, scores }, at): Row => {
    return at % 2 === 0 ? { features, scores: { a: scores.strong! * 0.9 } } : { features, scores: { b: scores.weak! } };
  });
  const trained = train(half, { settings: SETTINGS });
  assert.equal(trained.evaluation.gap, null);
  assert.ok(trained.evaluation.targets.a!.auc! > 0.6);
  const [a, b, unknown] = predictEach(trained.model, featuresOf(HARD), ['a', 'b', 'unknown']);
  assert.ok(unknown! > Math.min(a!, b!) && unknown! < Math.max(a!, b!));
  assert.throws(() => train([]), RangeError);
});

test('a model is written and read again: the same chances, and few bytes', () => {
  const bytes = writeModel(model);
  assert.ok(bytes.length < 1_000_000);
  const again = readModel(bytes);
  assert.deepEqual([again.rows, again.dial], [model.rows, model.dial]);
  for (const { features } of rows.slice(0, 50)) {
    for (const target of ['strong', 'weak', 'unknown']) {
      const chance = predict(model, features, target);
      assert.ok(chance > 0 && chance < 1);
      assert.ok(Math.abs(predict(again, features, target) - chance) < 1e-3);
    }
  }
  assert.deepEqual(writeModel(again), bytes);
  assert.throws(() => readModel(bytes.subarray(0, bytes.length - 1)), RangeError);
  assert.throws(() => readModel(new Uint8Array([9, 9])), RangeError);
});

test('what decided is told by name, and with the text by its words', () => {
  const words = decidingWords(model, HARD, 'weak', 5);
  assert.equal(words.length, 5);
  assert.ok(words.some(({ feature, weight }) => /“(the )?(theorem|lemma|eigenvalue)”/.test(feature) && weight < 0));
});

test('a version goes live only if it is not worse on held-out rows', () => {
  const fresh = rowsOf(600, 2);
  const turned = fresh
    .slice(0, 200)
    .map(({ features, scores }) => ({ features, scores: { weak: scores.strong!, strong: scores.weak! } }));
  const careless = train(turned, { settings: SETTINGS });
  const judged = fresh.slice(200);
  assert.equal(inOneGo(isNotWorse(model, model, judged)).notWorse, true);
  assert.equal(inOneGo(isNotWorse(model, emptyModel(), judged)).notWorse, true);
  const worse = inOneGo(isNotWorse(careless.model, model, judged));
  assert.equal(worse.notWorse, false);
  assert.match(worse.reason, /log loss/);
  assert.ok(worse.figures.logLoss[0] > worse.figures.logLoss[1] && worse.figures.apgr !== null);
  assert.equal(inOneGo(isNotWorse(model, emptyModel(), judged.slice(0, 10))).notWorse, false);
});

test('evaluating rows nobody scored tells nothing', () => {
  assert.deepEqual(inOneGo(evaluate(model, [])), { rows: 0, targets: {}, gap: null });
});

/** The most rows that are looked at between two yields of the work that is made of the rows. */
function mostAtOnce(some: readonly Row[], work: (rows: readonly Row[]) => Steps<unknown>): number {
  let looked = 0;
  let most = 0;
  const counted = some.map(({ features, scores }) => ({
    get features() {
      looked += 1;
      return features;
    },
    scores,
  }));
  const steps = work(counted);
  for (let done = false; !done; most = Math.max(most, looked)) {
    looked = 0;
    done = steps.next().done === true;
  }
  return most;
}

test('however many rows there are, no step of a training looks at more than some hundred', () => {
  const many = rowsOf(4000, 3);
  const settled = { settings: SETTINGS, heldOut: 0.5 };
  assert.ok(mostAtOnce(many, (counted) => trainInSteps(counted, settled)) <= 512);
  assert.ok(mostAtOnce(many, (counted) => trainInSteps(counted)) <= 512);
});

test('nor does a step of judging a model', () => {
  const many = rowsOf(4000, 3);
  assert.ok(mostAtOnce(many, (counted) => evaluate(model, counted)) <= 512);
  assert.ok(mostAtOnce(many, (counted) => isNotWorse(model, emptyModel(), counted)) <= 512);
});
