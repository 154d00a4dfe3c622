import { picoPerToken } from '../core/money.ts';
import type { Model, Served } from '../core/provider.ts';
import type {
  CallTraits,
  Condition,
  Route,
  RouteTarget,
  Steering,
  Strategy,
  TargetHealth,
  Warm,
} from '../core/route.ts';
import { health, model, route, served, steering, target, traits } from './routes.ts';
import { pick } from './seeded.ts';

type RandomNumber = () => number;

const PROVIDERS = ['one', 'two', 'three'];
const MODELS = ['a', 'b', 'c', 'd'];

export function randomServed(random: RandomNumber): Served[] {
  return PROVIDERS.filter(() => random() < 0.85).map((id) => {
    const models = MODELS.filter(() => random() < 0.7).map((name) => randomModel(random, name));
    const credentials = pick<Record<string, number>>(random, [
      { default: 1 },
      { default: 3, second: 1 },
      { default: 0, second: 2, third: 1 },
    ]);
    const region = pick(random, [null, 'eu', 'us']);
    const made = served(id, models, credentials);
    const accesses = made.accesses!.map((access) => ({ ...access, provider: { ...access.provider, region } }));
    return { ...made, provider: accesses[0]!.provider, accesses };
  });
}

function randomModel(random: RandomNumber, name: string): Model {
  const can = () => random() < 0.75;
  return model(name, random() < 0.85 ? [pick(random, [0.1, 1, 5]), pick(random, [0.4, 4, 25])] : null, {
    contextWindow: pick(random, [null, 4000, 32_000, 200_000]),
    maxOutputTokens: pick(random, [null, 1000, 8000]),
    capabilities:
      random() < 0.3
        ? null
        : { tools: can(), reasoning: can(), structuredOutput: can(), attachment: can(), temperature: true },
    modalities: random() < 0.3 ? null : { input: ['text', 'image', 'audio', 'pdf'].filter(can), output: ['text'] },
    dialects: random() < 0.9 ? ['openai-chat'] : ['openai-embeddings'],
  });
}

export function randomRoute(random: RandomNumber): Route {
  const names = [...MODELS, ...PROVIDERS.flatMap((id) => MODELS.map((name) => `${id}/${name}`))];
  const some = (most: number): RouteTarget[] => {
    const chosen = new Map<string, RouteTarget>();
    for (let left = Math.floor(random() * (most + 1)); left > 0; left -= 1) {
      const name = pick(random, names);
      const credential = random() < 0.2 ? 'second' : null;
      chosen.set(`${name} ${credential}`, { model: name, credential, weight: pick(random, [0, 1, 1, 3, 9]) });
    }
    return [...chosen.values()];
  };
  const targets = [target(pick(random, names)), ...some(6)];
  const limit = <T>(value: T): T | null => (random() < 0.15 ? value : null);
  const strategy = randomStrategies(random, targets);
  return route(targets, {
    strategy,
    fallbacks: some(2),
    contextFallbacks: some(2),
    policyFallbacks: some(2),
    limits: {
      attempts: null,
      total: null,
      firstByte: null,
      maxPromptTokens: limit(50_000),
      maxOutputTokens: limit(5000),
      maxInputRate: limit(picoPerToken(2)),
      maxOutputRate: limit(picoPerToken(5)),
    },
    regions: limit(['eu']),
    affinity: random() < 0.8,
    smart: strategy.some(({ kind }) => kind === 'smart')
      ? { dial: { kind: 'quality', quality: random() }, explore: pick(random, [0, 0.1, 1]) }
      : null,
  });
}

function randomStrategies(random: RandomNumber, targets: readonly RouteTarget[]): Strategy[] {
  const one = (): Strategy =>
    pick<Strategy>(random, [
      { kind: 'priority' },
      { kind: 'weighted', sticky: random() < 0.5 },
      { kind: 'cheapest', within: pick(random, [0, 0.1, 1]) },
      { kind: 'fastest' },
      {
        kind: 'rules',
        rules: [
          { when: randomCondition(random), use: [pick(random, targets).model], only: random() < 0.3 },
          { when: {}, use: [pick(random, targets).model, pick(random, targets).model], only: false },
        ],
      },
      { kind: 'smart' },
    ]);
  return random() < 0.5 ? [one()] : [one(), one()];
}

export function randomCondition(random: RandomNumber): Condition {
  return pick<Condition>(random, [
    { tools: random() < 0.5 },
    { images: true },
    { promptTokens: { above: 2000 } },
    { turns: { below: 4 } },
    { metadata: { tier: ['gold'] } },
    { tag: ['x'] },
    { weekday: [6, 0] },
    { timeOfDay: { from: 1320, to: 360 } },
    { not: { stream: true } },
    { any: [{ source: ['product'] }, { structuredOutput: true }] },
  ]);
}

export function randomTraits(random: RandomNumber): CallTraits {
  const seldom = () => random() < 0.2;
  return traits({
    at: Date.UTC(2026, 10, 21) + Math.floor(random() * 7 * 86_400_000),
    stream: random() < 0.5,
    tools: seldom() ? 3 : 0,
    images: seldom(),
    audio: seldom(),
    files: seldom(),
    structuredOutput: seldom(),
    turns: 1 + Math.floor(random() * 6),
    midTurn: seldom(),
    promptTokens: Math.floor(10 ** (1 + random() * 4.3)),
    maxOutputTokens: pick(random, [null, null, 100, 3000]),
    keyId: `key_${Math.floor(random() * 5)}`,
    source: pick(random, ['api_key', 'product'] as const),
    metadata: seldom() ? { tier: pick(random, ['gold', 'silver']) } : {},
    tags: seldom() ? ['x'] : [],
    user: seldom() ? 'someone' : null,
    demandsPrice: seldom(),
    allowedModels: pick(random, [null, null, ['acme/auto'], ['a', 'one/b']]),
    conversation: seldom() ? null : 'kconversation',
    steering: random() < 0.3 ? randomSteering(random) : null,
  });
}

function randomSteering(random: RandomNumber): Steering {
  const may = <T>(value: T): T | null => (random() < 0.4 ? value : null);
  return steering({
    order: may([pick(random, PROVIDERS), pick(random, PROVIDERS)]),
    only: may([pick(random, PROVIDERS), pick(random, PROVIDERS)]),
    ignore: may([pick(random, PROVIDERS)]) ?? [],
    sort: may(pick(random, ['price', 'latency', 'throughput'] as const)),
    maxPrice: may({ input: 2_000_000, output: null }),
    allowFallbacks: random() < 0.7,
  });
}

export function randomHealth(random: RandomNumber, now: number): TargetHealth {
  const circuit = pick(random, ['closed', 'closed', 'closed', 'half_open', 'open'] as const);
  return health({
    circuit,
    openUntil: circuit === 'open' ? now + Math.floor(random() * 60_000) + 1 : null,
    credentialOutUntil: random() < 0.1 ? now + Math.floor(random() * 60_000) + 1 : null,
    firstTokenMs: pick(random, [null, 100, 400, 400, 2000]),
    wholeMs: pick(random, [null, 900, 2500, 2500, 12_000]),
    inFlight: Math.floor(random() * 4),
  });
}

export function randomWarm(random: RandomNumber): Warm | null {
  if (random() < 0.6) return null;
  return {
    provider: pick(random, PROVIDERS),
    upstreamModel: `${pick(random, MODELS)}-upstream`,
    credential: pick(random, ['default', 'second']),
    cachedTokens: pick(random, [0, 500, 5000]),
  };
}
