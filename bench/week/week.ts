import { parseArgs } from 'node:util';
import type { Route } from '../../src/core/route.ts';
import type { Scorer } from '../../src/learning/scorer.ts';
import { route, target } from '../../src/testing/routes.ts';
import { chanceOf, simulate } from './simulate.ts';
import { MODELS } from './vendors.ts';

/**
 * `node bench/week/week.ts [--calls 1000000] [--seed 1]`: simulates a week with four fake vendors (`vendors.ts`: an
 * outage, a brownout, daily rate limits, a refused credential, drifting latency, price changes) with each strategy:
 * real decisions and health, an injected clock, the same callers.
 */

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const calls = Number(values.calls);
const seed = Number(values.seed);

/** Knows the true probabilities, and chooses the cheapest target within a fraction of the best. */
const SCORER: Scorer = {
  version: 'week',
  rank: (features, options, { dial }) => {
    const slack = dial.kind === 'quality' ? 1 - dial.quality : 0;
    const chances = options.map(({ model }) => chanceOf(model, Number(features)));
    const best = Math.max(...chances);
    const isGood = (at: number) => chances[at]! >= best - slack;
    const order = options.map((_, at) => at);
    order.sort(
      (one, other) =>
        Number(isGood(other)) - Number(isGood(one)) ||
        (options[one]!.expectedCost ?? 0) - (options[other]!.expectedCost ?? 0) ||
        one - other,
    );
    return { chances, order };
  },
};

const smart = { dial: { kind: 'quality', quality: 0.8 }, explore: 0.05 } as const;
const ROUTES: readonly [name: string, made: Route, survives?: boolean][] = [
  ['one vendor, asked once', route(['large-a']), false],
  ['priority', route(MODELS)],
  ['priority, no affinity', route(MODELS, { affinity: false })],
  ['weighted 4:3:2:1', route(weighted(), { strategy: [{ kind: 'weighted', sticky: false }] })],
  ['weighted, sticky', route(weighted(), { strategy: [{ kind: 'weighted', sticky: true }] })],
  ['cheapest', route(MODELS, { strategy: [{ kind: 'cheapest', within: 0 }] })],
  ['fastest', route(MODELS, { strategy: [{ kind: 'fastest' }] })],
  [
    'rules (long: large), fastest',
    route(MODELS, {
      strategy: [
        {
          kind: 'rules',
          rules: [{ when: { promptTokens: { above: 1000 } }, use: ['large-a', 'large-b'], only: false }],
        },
        { kind: 'fastest' },
      ],
    }),
  ],
  ['smart, quality 0.8', route(MODELS, { strategy: [{ kind: 'smart' }], smart })],
];

const HEAD = ['strategy', 'answered', '$/1000', 'p50 ms', 'p95 ms', 'p99 ms', 'attempts', 'quality', 'took s'];
console.log(`${calls} calls a strategy, seed ${seed}\n`);
print(HEAD);
for (const [name, made, survives = true] of ROUTES) {
  const week = simulate({ route: made, scorer: SCORER, calls, seed, survives });
  print([
    name,
    `${(week.answered * 100).toFixed(3)} %`,
    week.cost.toFixed(3),
    week.p50.toFixed(0),
    week.p95.toFixed(0),
    week.p99.toFixed(0),
    week.attempts.toFixed(3),
    week.quality.toFixed(3),
    week.seconds.toFixed(1),
  ]);
}

function weighted() {
  return MODELS.map((name, at) => target(name, { weight: MODELS.length - at }));
}

function print(cells: readonly string[]): void {
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(10))).join(' '));
}
