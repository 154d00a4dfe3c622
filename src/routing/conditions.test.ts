import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallTraits, Condition } from '../core/route.ts';
import { randomCondition, randomTraits } from '../testing/random-routes.ts';
import { traits } from '../testing/routes.ts';
import { seeded } from '../testing/seeded.ts';
import { firstHolding, holds } from './conditions.ts';

/** Saturday, 21 November 2026, 23:30 UTC. */
const NIGHT = Date.UTC(2026, 10, 21, 23, 30);

const CASES: readonly [condition: Condition, call: Partial<CallTraits>, holds: boolean][] = [
  [{}, {}, true],
  [{ tools: true }, { tools: 2 }, true],
  [{ tools: true }, { tools: 0 }, false],
  [{ tools: false }, { tools: 2 }, false],
  [{ images: true, stream: true }, { images: true, stream: false }, false],
  [{ audio: true }, { audio: true }, true],
  [{ files: false }, { files: true }, false],
  [{ structuredOutput: true }, { structuredOutput: true }, true],
  [{ promptTokens: { above: 1000 } }, { promptTokens: 1000 }, false],
  [{ promptTokens: { above: 1000 } }, { promptTokens: 1001 }, true],
  [{ promptTokens: { above: 10, below: 20 } }, { promptTokens: 20 }, false],
  [{ turns: { below: 2 } }, { turns: 1 }, true],
  [{ surface: ['openai-responses', 'openai-chat'] }, {}, true],
  [{ surface: ['openai-responses'] }, {}, false],
  [{ key: ['key_2'] }, {}, false],
  [{ source: ['product'], product: ['helpdesk'] }, { source: 'product', product: 'helpdesk' }, true],
  [{ product: ['helpdesk'] }, { product: null }, false],
  [{ project: ['p1'] }, { project: 'p1' }, true],
  [{ metadata: { tier: ['gold', 'silver'] } }, { metadata: { tier: 'silver', other: 'x' } }, true],
  [{ metadata: { tier: ['gold'], team: ['a'] } }, { metadata: { tier: 'gold' } }, false],
  [{ metadata: { toString: ['x'] } }, {}, false],
  [{ tag: ['a', 'b'] }, { tags: ['c', 'b'] }, true],
  [{ tag: ['a'] }, { tags: [] }, false],
  [{ timeOfDay: { from: 1320, to: 360 } }, { at: NIGHT }, true],
  [{ timeOfDay: { from: 1320, to: 360 } }, { at: NIGHT + 6 * 3_600_000 }, true],
  [{ timeOfDay: { from: 1320, to: 360 } }, { at: NIGHT + 6.5 * 3_600_000 }, false],
  [{ timeOfDay: { from: 1410, to: 1411 } }, { at: NIGHT + 59_999 }, true],
  [{ timeOfDay: { from: 1410, to: 1411 } }, { at: NIGHT + 60_000 }, false],
  [{ weekday: [6] }, { at: NIGHT }, true],
  [{ weekday: [6] }, { at: NIGHT + 3_600_000 }, false],
  [{ weekday: [0] }, { at: NIGHT + 3_600_000 }, true],
  [{ not: { tools: true } }, { tools: 1 }, false],
  [{ any: [{ tools: true }, { images: true }] }, { images: true }, true],
  [{ any: [{ tools: true }, { images: true }] }, {}, false],
  [{ any: [] }, {}, false],
];

test('a condition holds where every member that it has holds', () => {
  for (const [condition, call, expected] of CASES) {
    assert.equal(holds(condition, traits(call)), expected, JSON.stringify([condition, call]));
  }
});

test('what is denied twice holds, and what is of one of two holds of any', () => {
  const random = seeded(20_261_121);
  for (let round = 0; round < 2000; round += 1) {
    const call = randomTraits(random);
    const [one, other] = [randomCondition(random), randomCondition(random)];
    assert.equal(holds({ not: one }, call), !holds(one, call));
    assert.equal(holds({ any: [one, other] }, call), holds(one, call) || holds(other, call));
    assert.equal(holds({ any: [one], not: other }, call), holds(one, call) && !holds(other, call));
  }
});

test('the first rule that holds is the one', () => {
  const rules = [
    { when: { tools: true }, use: ['a'], only: false },
    { when: {}, use: ['b'], only: true },
    { when: {}, use: ['c'], only: false },
  ];
  assert.equal(firstHolding(rules, traits()), rules[1]);
  assert.equal(firstHolding(rules, traits({ tools: 1 })), rules[0]);
  assert.equal(firstHolding(rules.slice(0, 1), traits()), null);
});
