import { GatewayError } from '../src/core/errors.ts';
import type { Route, Strategy } from '../src/core/route.ts';
import { Health } from '../src/health/health.ts';
import { HEALTH_DEFAULTS } from '../src/health/settings.ts';
import type { Scorer } from '../src/learning/scorer.ts';
import { candidatesOf } from '../src/routing/candidates.ts';
import { decide } from '../src/routing/decide.ts';
import { buildDirectory } from '../src/routing/directory.ts';
import { model, route, served, traits } from '../src/testing/routes.ts';

/**
 * Measures a routing decision: 20 targets at four providers, including look-ups of their health. Prints CPU
 * microseconds of each strategy (median and slowest round), and of admitting a call (`admit`).
 */

const TARGETS = 20;
const PROVIDERS = ['one', 'two', 'three', 'four'];
const ROUNDS = 15;
const CALLS = 20_000;
const DIALECTS = ['openai-chat'] as const;

const SCORER: Scorer = {
  version: 'bench',
  rank: (_features, options) => ({
    chances: options.map((_, at) => at / options.length),
    order: options.map((_, at) => options.length - 1 - at),
  }),
};

const STRATEGIES: Readonly<Record<string, readonly Strategy[]>> = {
  priority: [{ kind: 'priority' }],
  weighted: [{ kind: 'weighted', sticky: false }],
  'weighted, sticky': [{ kind: 'weighted', sticky: true }],
  cheapest: [{ kind: 'cheapest', within: 0.1 }],
  fastest: [{ kind: 'fastest' }],
  rules: [
    {
      kind: 'rules',
      rules: [
        { when: { images: true }, use: ['model-3'], only: false },
        { when: { promptTokens: { above: 500 }, tag: ['batch'] }, use: ['model-5', 'model-6'], only: false },
        { when: { metadata: { tier: ['gold'] } }, use: ['model-7', 'model-8'], only: false },
      ],
    },
  ],
  'smart (without its model)': [{ kind: 'smart' }],
  'rules, cheapest, fastest': [
    { kind: 'rules', rules: [{ when: { tools: true }, use: ['model-1', 'model-2', 'model-3'], only: false }] },
    { kind: 'cheapest', within: 0.5 },
    { kind: 'fastest' },
  ],
};

const models = Array.from({ length: TARGETS / PROVIDERS.length }, (_, at) => at);
const directory = buildDirectory(
  PROVIDERS.map((id, place) =>
    served(
      id,
      models.map((at) =>
        model(`model-${place * models.length + at}`, [1 + at, 2 + at], {
          contextWindow: 200_000,
          maxOutputTokens: 8000,
          capabilities: { tools: true, reasoning: true, structuredOutput: true, attachment: true, temperature: true },
          modalities: { input: ['text', 'image'], output: ['text'] },
        }),
      ),
    ),
  ),
);
const names = Array.from({ length: TARGETS }, (_, at) => `model-${at}`);
/** The key of the calls. */
const KEY_ID = 'key_1';
const health = new Health({ now: () => Date.now(), monotonic: () => performance.now() }, Math.random, HEALTH_DEFAULTS);
const call = traits({
  tools: 2,
  metadata: { tier: 'gold' },
  tags: ['web'],
  maxOutputTokens: 1000,
  conversation: 'kconversation',
});

for (const [name, strategy] of Object.entries(STRATEGIES)) {
  const asked: Route = route(names, {
    strategy,
    smart: { dial: { kind: 'quality', quality: 0.7 }, explore: 0.05 },
  });
  const candidates = candidatesOf(asked, directory, DIALECTS);
  for (const { target } of candidates.all) {
    const attempt = health.admit(target!, KEY_ID)!;
    attempt.succeeded({ firstTokenMs: 200 + 10 * candidates.all.length });
  }
  let seed = 1;
  print(name, () => {
    seed = (seed + 1) >>> 0;
    decide({
      route: asked,
      candidates: candidatesOf(asked, directory, DIALECTS),
      traits: call,
      health: (target) => health.of(target, KEY_ID),
      scorer: SCORER,
      seed,
      warm: null,
    });
  });
}

const place = candidatesOf(route(names), directory, DIALECTS).all[0]!.target!;
print('admit, and a success', () => health.admit(place, KEY_ID)!.succeeded({ firstTokenMs: 200 }));
print('admit, and its caller leaves', () => health.admit(place, KEY_ID)!.left());
const dead = served('dead', [model('gone')]);
const lost = candidatesOf(route(['gone']), buildDirectory([dead]), DIALECTS).all[0]!.target!;
for (let failure = 0; failure < HEALTH_DEFAULTS.failures; failure += 1) {
  health.admit(lost, KEY_ID)?.failed(new GatewayError('upstream_unreachable', 'No.'), KEY_ID);
}
print('admit, refused by an open circuit', () => health.admit(lost, KEY_ID));

function print(name: string, run: () => unknown): void {
  const micros: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < CALLS; at += 1) run();
    const { user, system } = process.cpuUsage(before);
    micros.push((user + system) / CALLS);
  }
  // Code is compiled during the first rounds.
  const settled = micros.slice(3).sort((one, other) => one - other);
  const median = settled[Math.floor(settled.length / 2)]!;
  console.log(`${name.padEnd(36)} ${median.toFixed(2).padStart(8)} µs   (slowest round ${settled.at(-1)!.toFixed(2)})`);
}
