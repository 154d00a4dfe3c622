import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../testing/seeded.ts';
import { type Choice, choose, thresholdFor } from './choose.ts';
import { featuresOf, writeFeatures } from './features.ts';
import { emptyModel } from './model.ts';
import { scorerOf } from './scorer.ts';
import { priorOf } from './unlabelled.ts';

function callOf(lastUser: string) {
  return { lastUser, system: '', turns: 1, tools: 0, images: false, structured: false, promptTokens: 0 };
}

test('quality is a dial: up it goes, and neither chance nor cost of the first falls; its ends are cheapest and best', () => {
  const random = seeded(11);
  for (let round = 0; round < 300; round += 1) {
    const choices = Array.from({ length: 1 + Math.floor(random() * 6) }, (): Choice => {
      const cost = Math.floor(random() * 5) * 1000;
      return { chance: Math.round(random() * 8) / 8, expectedCost: random() < 0.5 ? cost : BigInt(cost) };
    });
    let before: Choice | null = null;
    for (let step = 0; step <= 20; step += 1) {
      const order = choose(choices, { kind: 'quality', quality: step / 20 }, null);
      assert.deepEqual(
        order.toSorted(),
        choices.map((_, place) => place),
      );
      const first = choices[order[0]!]!;
      if (before !== null) {
        assert.ok(first.chance >= before.chance);
        assert.ok(Number(first.expectedCost) >= Number(before.expectedCost));
      } else
        assert.equal(Number(first.expectedCost), Math.min(...choices.map(({ expectedCost }) => Number(expectedCost))));
      before = first;
    }
    assert.equal(before!.chance, Math.max(...choices.map(({ chance }) => chance)));
  }
});

test('a cost that is not known is taken for the highest', () => {
  const choices: Choice[] = [
    { chance: 0.8, expectedCost: null },
    { chance: 0.8, expectedCost: 500n },
    { chance: 0.7, expectedCost: 10n },
  ];
  assert.equal(choose(choices, { kind: 'quality', quality: 0 }, null)[0], 2);
  assert.deepEqual(choose(choices, { kind: 'max_cost', perCall: 100n }, null), [2, 0, 1]);
});

test('under a ceiling the best chance comes first, and what costs more behind', () => {
  const choices: Choice[] = [
    { chance: 0.9, expectedCost: 900n },
    { chance: 0.6, expectedCost: 10n },
    { chance: 0.7, expectedCost: 100n },
  ];
  assert.deepEqual(choose(choices, { kind: 'max_cost', perCall: 100n }, null), [2, 1, 0]);
  assert.deepEqual(choose(choices, { kind: 'max_cost', perCall: 900n }, null), [0, 2, 1]);
  assert.deepEqual(choose(choices, { kind: 'max_cost', perCall: 1n }, null), [1, 2, 0]);
});

test('a wanted share of calls goes to the strong target', () => {
  const gains = Array.from({ length: 101 }, (_, at) => at / 100);
  const choices: Choice[] = [
    { chance: 0.5, expectedCost: 1 },
    { chance: 0.9, expectedCost: 2 },
  ];
  const random = seeded(17);
  for (const share of [0, 0.1, 0.35, 0.8, 1]) {
    let strong = 0;
    for (let calls = 0; calls < 4000; calls += 1) {
      const chosen = { place: 1, gain: random(), threshold: thresholdFor(gains, share) };
      if (choose(choices, { kind: 'strong_share', share }, chosen)[0] === 1) strong += 1;
    }
    assert.ok(Math.abs(strong / 4000 - share) < 0.03, `${share}: ${strong}`);
  }
  assert.equal(thresholdFor([], 0.5), Number.POSITIVE_INFINITY);
});

test('before any label rules stand in: each has a name, and the dearer target is never thought worse', () => {
  const hard = priorOf(featuresOf(callOf('Prove that the integral of x = 2 * y converges.')));
  const easy = priorOf(featuresOf(callOf('Hello! Please summarize: it rained.')));
  assert.ok(hard.dearer - hard.cheaper > easy.dearer - easy.cheaper);
  assert.deepEqual(hard.rules.map(({ name }) => name).includes('a proof'), true);
  for (const { cheaper, dearer } of [hard, easy]) assert.ok(cheaper > 0 && cheaper <= dearer && dearer < 1);
});

test('a scorer orders by model and dial, by rules without a model, and not at all without features', () => {
  const options = [
    { model: 'large', expectedCost: 1000 },
    { model: 'small', expectedCost: 10 },
  ];
  const features = writeFeatures(featuresOf(callOf('Prove the theorem.')));
  const settings = (quality: number) => ({ dial: { kind: 'quality', quality } as const, explore: 0 });
  const unlabelled = scorerOf(null, 'rules');
  assert.deepEqual(unlabelled.rank(features, options, settings(1)).order, [0, 1]);
  assert.deepEqual(unlabelled.rank(features, options, settings(0)).order, [1, 0]);
  assert.deepEqual(unlabelled.rank(null, options, settings(0)), { chances: [null, null], order: [0, 1] });
  assert.deepEqual(unlabelled.rank('AA==', options, settings(0)).order, [0, 1]);

  const model = emptyModel();
  model.targets.set('large', { bias: 2, weights: model.shared.weights });
  model.dial = { strong: 'large', weak: 'small', gains: Array.from({ length: 101 }, (_, at) => at / 100) };
  const share = (wanted: number) => ({ dial: { kind: 'strong_share', share: wanted } as const, explore: 0 });
  const learned = scorerOf(model, '1');
  // The gain is 0.38 for every call: the strong target is chosen from a share of 0.62 on.
  assert.deepEqual(learned.rank(features, options, share(0.7)).order, [0, 1]);
  assert.deepEqual(learned.rank(features, options, share(0.5)).order, [1, 0]);
  assert.deepEqual(
    learned.rank(features, options, share(0.5)).chances.map((chance) => chance?.toFixed(2)),
    ['0.88', '0.50'],
  );
});
