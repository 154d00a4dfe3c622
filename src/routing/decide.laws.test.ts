import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import type { CallTraits, Decision, Route, TargetHealth } from '../core/route.ts';
import type { Scorer } from '../learning/scorer.ts';
import { randomHealth, randomRoute, randomServed, randomTraits, randomWarm } from '../testing/random-routes.ts';
import { seeded } from '../testing/seeded.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import { holds } from './conditions.ts';
import { type Decided, type DecideInput, decide, type Weighed, weigh } from './decide.ts';
import { buildDirectory } from './directory.ts';
import { overLimits } from './refusal.ts';
import { replay } from './replay.ts';

const ROUNDS = 4000;
const DIALECTS = ['openai-chat'] as const;

const SCORER: Scorer = {
  version: 'by-length',
  rank: (_features, options) => {
    const chances = options.map(({ model }) => 1 / model.length);
    const order = options.map((_, at) => at).sort((one, other) => chances[other]! - chances[one]! || one - other);
    return { chances, order };
  },
};

type World = { input: DecideInput; weighed: Weighed; directory: ReturnType<typeof buildDirectory> };

/** Random routes, directories, health states and calls, the same in each run. */
function* worlds(seed: number): Generator<World> {
  const random = seeded(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const route = randomRoute(random);
    const directory = buildDirectory(randomServed(random), { routes: [route] });
    const traits = randomTraits(random);
    const candidates = candidatesOf(route, directory, DIALECTS);
    const known = new Map<string, TargetHealth>();
    const health = (target: Target) => {
      const found = known.get(nameOf(target)) ?? randomHealth(random, traits.at);
      known.set(nameOf(target), found);
      return found;
    };
    const warm = randomWarm(random);
    const input = { route, candidates, traits, health, scorer: SCORER, seed: Math.floor(random() * 2 ** 32), warm };
    yield { input, weighed: weigh(input), directory };
  }
}

test('a plan never contains a target that cannot serve, and no target twice', () => {
  let served = 0;
  let refused = 0;
  for (const { input, weighed } of worlds(1)) {
    const { decided } = weighed;
    if (decided === null) {
      refused += 1;
      continue;
    }
    served += 1;
    for (const list of [decided.targets, decided.contextTargets, decided.policyTargets]) {
      assert.equal(new Set(list.map(nameOf)).size, list.length);
      for (const target of list) assert.equal(whyUnserved(target, input), null, nameOf(target));
    }
  }
  // Else the test would look at nothing.
  assert.ok(served > ROUNDS / 5 && refused > ROUNDS / 20, `${served} served, ${refused} refused`);
});

/** Whether a target can serve a call, said anew and from the world alone. */
function whyUnserved({ provider, model }: Target, { route, traits, health, candidates }: DecideInput): string | null {
  const state = health({ provider, model, dialect: 'openai-chat', path: '' });
  const { capabilities: can, modalities, contextWindow, maxOutputTokens } = model;
  if (!model.dialects.includes('openai-chat')) return 'surface';
  if (state.circuit === 'open' || state.credentialOutUntil !== null) return 'down';
  if (contextWindow !== null && traits.promptTokens + (traits.maxOutputTokens ?? 0) > contextWindow) return 'window';
  if (maxOutputTokens !== null && (traits.maxOutputTokens ?? 0) > maxOutputTokens) return 'output';
  if (modalities !== null) {
    const needs = { image: traits.images, audio: traits.audio, pdf: traits.files };
    for (const [kind, isNeeded] of Object.entries(needs)) {
      if (isNeeded && !modalities.input.includes(kind)) return kind;
    }
  }
  if (can !== null && traits.tools > 0 && !can.tools) return 'tools';
  if (can !== null && traits.structuredOutput && !can.structuredOutput) return 'structured output';
  if (route.regions !== null && !route.regions.includes(provider.region ?? '')) return 'region';
  if (traits.demandsPrice && model.price === null) return 'unpriced';
  const { maxInputRate, maxOutputRate } = route.limits;
  const rates = model.price?.rates;
  if (maxInputRate !== null && (rates?.input ?? 2n ** 60n) > maxInputRate) return 'dear input';
  if (maxOutputRate !== null && (rates?.output ?? 2n ** 60n) > maxOutputRate) return 'dear output';
  const ceiling = traits.steering?.maxPrice?.input ?? null;
  if (ceiling !== null && (rates?.input ?? 2n ** 60n) > BigInt(ceiling)) return 'dearer than the caller says';
  const { only = null, ignore = [] } = traits.steering ?? {};
  if ((only !== null && !only.includes(provider.id)) || ignore.includes(provider.id)) return 'steering';
  return isWeighed({ provider, model }, route, candidates, traits) ? null : 'weight or rule';
}

/** Some place of the route has it, with a weight, and no rule leaves that out. */
function isWeighed(
  { provider, model }: Pick<Target, 'provider' | 'model'>,
  route: Route,
  candidates: Candidates,
  traits: CallTraits,
) {
  const all = [...route.targets, ...route.fallbacks, ...route.contextFallbacks, ...route.policyFallbacks];
  return candidates.all.some((candidate) => {
    if (candidate.target?.provider !== provider || candidate.target.model !== model || candidate.share <= 0)
      return false;
    const isRuled = route.strategy.every((strategy) => {
      if (strategy.kind !== 'rules') return true;
      const rule = strategy.rules.find(({ when }) => holds(when, traits));
      return rule?.only !== true || rule.use.includes(candidate.model);
    });
    return isRuled && all.some(({ model: name, weight }) => name === candidate.model && weight > 0);
  });
}

test('a decision replays to itself from what is kept of it', () => {
  for (const { input, weighed, directory } of worlds(2)) {
    const kept: Decision = JSON.parse(JSON.stringify(weighed.decision));
    assert.deepEqual(kept, weighed.decision, 'JSON keeps it whole');
    const again = replay(kept, { route: input.route, directory, dialects: DIALECTS, scorer: SCORER });
    assert.deepEqual(again.decision, kept);
    assert.equal(again.refusal?.message, weighed.refusal?.message);
  }
});

test('every candidate is in the order or says why not; targets go before fallbacks, credentials of one model together', () => {
  for (const { input, weighed } of worlds(3)) {
    const { order, contextOrder, policyOrder, candidates } = weighed.decision;
    const listed = new Set([...order, ...contextOrder, ...policyOrder]);
    const alone = input.traits.steering?.allowFallbacks === false;
    for (const [index, { leftOut, role }] of candidates.entries()) {
      if (alone && role !== 'target' && role !== 'fallback') continue;
      assert.equal(leftOut === null, listed.has(index), `${index} of ${candidates.length}`);
    }
    const places = order.map((index) => input.candidates.all[index]!.place);
    const runs = places.filter((place, at) => place !== places[at - 1]);
    assert.equal(new Set(runs).size, runs.length);
    if (input.traits.steering !== null || input.warm !== null) continue;
    const roles = order.map((index) => candidates[index]!.role);
    assert.ok(roles.indexOf('fallback') < 0 || roles.lastIndexOf('target') < roles.indexOf('fallback'));
  }
});

test('where nobody can serve, the error says why of each, and when to come back', () => {
  for (const { input, weighed } of worlds(4)) {
    const { refusal, decision } = weighed;
    if (refusal === null) continue;
    assert.throws(
      () => decide(input),
      (error) => error instanceof GatewayError && error.message === refusal.message,
    );
    assert.ok(refusal.status === 400 || refusal.status === 403 || refusal.status === 503);
    assert.ok(refusal.message.length < 2000);
    const reasons = decision.candidates.flatMap(({ role, leftOut }) =>
      role === 'target' || role === 'fallback' ? (leftOut?.reason ?? []) : [],
    );
    const isDown = reasons.includes('circuit_open') || reasons.includes('credential_out');
    if (overLimits(input.route, input.traits) === null && isDown) {
      assert.equal(refusal.kind, 'no_target_available');
      assert.ok(refusal.retryAfterMs! > 0 && refusal.retryAfterMs! <= 60_000);
    }
  }
});

test('what a caller steers to goes first, and never past what the route allows', () => {
  for (const { input, weighed } of worlds(5)) {
    const plain = weigh({ ...input, traits: { ...input.traits, steering: null } });
    if (weighed.decided === null || input.traits.steering === null) continue;
    const allowed = new Set((plain.decided as Decided).targets.map(nameOf));
    for (const target of weighed.decided.targets) {
      if (plain.decision.contextOrder !== plain.decision.order) assert.ok(allowed.has(nameOf(target)));
    }
    const { order } = input.traits.steering;
    if (order === null) continue;
    const ranks = weighed.decided.targets.map(({ provider }) => (order.indexOf(provider.id) + 99) % 99);
    assert.deepEqual(
      ranks,
      [...ranks].sort((one, other) => one - other),
    );
  }
});

function nameOf({ provider, model }: Target): string {
  return `${provider.id}/${model.upstreamId}#${provider.credentialName}`;
}
