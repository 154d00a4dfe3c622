import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scorer } from '../../learning/scorer.ts';
import { traits } from '../../testing/routes.ts';
import { seeded } from '../../testing/seeded.ts';
import { hashed } from '../random.ts';
import { byCost } from './cheapest.ts';
import { byLatency } from './fastest.ts';
import type { Option, OptionGroup } from './option.ts';
import { byPriority } from './priority.ts';
import { byRules } from './rules.ts';
import { bySmart } from './smart.ts';
import { byWeight } from './weighted.ts';

type Given = Partial<Option> & { weight?: number };

function option(name: string, { weight = 1, ...more }: Given = {}): Option {
  const index = name.charCodeAt(0) - 97;
  const place = { index, role: 'target', model: name, weight, hash: hashed(name), members: [] } as const;
  return { place, members: [], expectedCost: null, latencyMs: null, inFlight: 0, chance: null, ...more };
}

/** `ab|c`: a and b are equal, c is behind them. */
function said(groups: readonly OptionGroup[]): string {
  return groups.map((group) => group.map(({ place }) => place.model).join('')).join('|');
}

test('priority: as they stand', () => {
  assert.equal(said(byPriority([option('b'), option('a')])), 'b|a');
});

test('cheapest: within the tolerance of the lowest they are equal and stand as they stood; without a price, last', () => {
  const group = [
    option('a', { expectedCost: null }),
    option('b', { expectedCost: 111 }),
    option('c', { expectedCost: 109 }),
    option('d', { expectedCost: 100 }),
    option('e', { expectedCost: 120 }),
  ];
  assert.equal(said(byCost(group, 0.1)), 'cd|be|a');
  assert.equal(said(byCost(group, 0)), 'd|c|b|e|a');
  assert.equal(said(byCost([option('a', { expectedCost: 0 }), option('b', { expectedCost: 0 })], 0)), 'ab');
});

test('weighted: each comes first with its share, and second with its share of what is left', () => {
  const group = [option('a', { weight: 6 }), option('b', { weight: 3 }), option('c', { weight: 1 })];
  const rounds = 40_000;
  const found = new Map<string, number>();
  for (let seed = 0; seed < rounds; seed += 1) {
    const order = said(byWeight(group, { seed, caller: null }));
    found.set(order, (found.get(order) ?? 0) + 1);
  }
  const parts = {
    'a|b|c': (0.6 * 3) / 4,
    'a|c|b': 0.6 / 4,
    'b|a|c': (0.3 * 6) / 7,
    'b|c|a': 0.3 / 7,
    'c|a|b': (0.1 * 6) / 9,
    'c|b|a': (0.1 * 3) / 9,
  };
  for (const [order, part] of Object.entries(parts)) {
    const deviation = Math.sqrt(rounds * part * (1 - part));
    const count = found.get(order) ?? 0;
    assert.ok(
      Math.abs(count - rounds * part) < 5 * deviation,
      `${order}: ${count}, where ${rounds * part} are expected`,
    );
  }
});

test('weighted and sticky: a caller keeps its target; one that goes away moves its own callers alone', () => {
  const group = ['a', 'b', 'c', 'd'].map((name, at) => option(name, { weight: at + 1 }));
  const without = group.filter(({ place }) => place.model !== 'c');
  const counts: Record<string, number> = { a: 0, b: 0, c: 0, d: 0 };
  const callers = 10_000;
  for (let at = 0; at < callers; at += 1) {
    const caller = hashed(`key_${at}`);
    const first = said(byWeight(group, { seed: at, caller })).split('|')[0]!;
    counts[first]! += 1;
    assert.equal(said(byWeight(group, { seed: at + 1, caller })).split('|')[0], first);
    if (first !== 'c') assert.equal(said(byWeight(without, { seed: 0, caller })).split('|')[0], first);
  }
  for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
    const part = (at + 1) / 10;
    assert.ok(
      Math.abs(counts[name]! - callers * part) < 5 * Math.sqrt(callers * part * (1 - part)),
      JSON.stringify(counts),
    );
  }
});

test('fastest: of two that are drawn the faster goes first, so the slowest never does, and each of the others in its part', () => {
  const group = [option('a', { latencyMs: 300 }), option('b', { latencyMs: 100 }), option('c', { latencyMs: 200 })];
  const firsts: Record<string, number> = { a: 0, b: 0, c: 0 };
  const rounds = 9000;
  for (let seed = 0; seed < rounds; seed += 1) {
    const order = said(byLatency(group, seed));
    firsts[order[0]!]! += 1;
    assert.ok(['b|c|a', 'c|b|a'].includes(order), order);
  }
  assert.equal(firsts.a, 0);
  assert.ok(Math.abs(firsts.b! - (rounds * 2) / 3) < 5 * Math.sqrt((rounds * 2) / 9), JSON.stringify(firsts));
});

test('fastest: what nobody knows is tried by one call, and then waits for what that finds', () => {
  const known = option('a', { latencyMs: 100 });
  for (let seed = 0; seed < 50; seed += 1) {
    assert.equal(said(byLatency([known, option('b')], seed)), 'b|a');
    assert.equal(said(byLatency([known, option('b', { inFlight: 1 })], seed)), 'a|b');
  }
});

test('rules: what the first that holds names goes first, in its order, and is equal', () => {
  const rules = [
    { when: { tools: true }, use: ['c', 'a'], only: false },
    { when: { images: true }, use: ['z'], only: false },
  ];
  const group = ['a', 'b', 'c', 'd'].map((name) => option(name));
  assert.equal(said(byRules(group, rules, traits({ tools: 1 }))), 'ca|bd');
  assert.equal(said(byRules(group, rules, traits())), 'abcd');
  assert.equal(said(byRules(group, rules, traits({ images: true }))), 'abcd');
});

test('smart: as its scorer says, with the chances it gave', () => {
  const scorer: Scorer = {
    version: 'x',
    rank: (features, options, { dial }) => {
      assert.deepEqual([features, dial.kind, options.length], ['f', 'quality', 3]);
      return { chances: [0.1, null, 0.9], order: [2, 0, 1] };
    },
  };
  const group = ['a', 'b', 'c'].map((name) => option(name));
  const settings = { dial: { kind: 'quality', quality: 1 }, explore: 0 } as const;
  const { groups, explored, propensity } = bySmart(group, scorer, settings, {
    features: 'f',
    seed: seeded(1)() * 2 ** 32,
  });
  assert.deepEqual([said(groups), explored, propensity], ['c|a|b', false, 1]);
  assert.deepEqual(
    group.map(({ chance }) => chance),
    [0.1, null, 0.9],
  );
});
