import assert from 'node:assert/strict';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Served, Target } from '../core/provider.ts';
import type { CallTraits, Route, TargetHealth, Warm } from '../core/route.ts';
import type { Scorer } from '../learning/scorer.ts';
import { health, model, route, served, traits } from '../testing/routes.ts';
import { candidatesOf } from './candidates.ts';
import { type Decided, decide, weigh } from './decide.ts';
import { buildDirectory } from './directory.ts';

/** Decisions of a small gateway, for tests of what decides them. */

const DIALECTS = ['openai-chat'] as const;
const FULL = { tools: true, reasoning: true, structuredOutput: true, attachment: true, temperature: true };

const SERVED = [
  served('lab', [model('small', [1, 2], { contextWindow: 8000 }), model('large', [10, 20])], { default: 1, second: 1 }),
  served('openai', [model('mini', [0.1, 0.4], { capabilities: { ...FULL, tools: false } }), model('free', null)]),
];

export type More = {
  route?: Partial<Route>;
  traits?: Partial<CallTraits>;
  served?: readonly Served[];
  health?: (target: Target) => Partial<TargetHealth>;
  scorer?: Scorer;
  seed?: number;
  warm?: Warm;
};

function inputOf(targets: Parameters<typeof route>[0], more: More) {
  const asked = route(targets, more.route);
  const directory = buildDirectory(more.served ?? SERVED, { routes: [asked] });
  return {
    route: asked,
    candidates: candidatesOf(asked, directory, DIALECTS),
    traits: traits(more.traits),
    health: (place: Target) => health(more.health?.(place)),
    scorer: more.scorer ?? null,
    seed: more.seed ?? 7,
    warm: more.warm ?? null,
  };
}

export function decided(targets: Parameters<typeof route>[0], more: More = {}): Decided {
  return decide(inputOf(targets, more));
}

/** The models in the order in which they are tried, each once. */
export function order(targets: Parameters<typeof route>[0], more: More = {}): string[] {
  return [...new Set(decided(targets, more).targets.map(({ model: { id } }) => id))];
}

export function refused(kind: ErrorKind, targets: Parameters<typeof route>[0], more: More): GatewayError {
  const { refusal } = weigh(inputOf(targets, more));
  assert.ok(refusal instanceof GatewayError);
  assert.equal(refusal.kind, kind, refusal.message);
  return refusal;
}
