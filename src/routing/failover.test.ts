import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import { Failover, type FailoverPlan, type NextStep } from './failover.ts';

const HOUR = 3_600_000;
const LIMITS = { attempts: 3, maxWait: 10_000 };

function target(
  provider: string,
  model = 'small',
  credential = 'default',
  contextWindow: number | null = null,
): Target {
  return {
    provider: { id: provider, credentialName: credential },
    model: { id: model, upstreamId: model, contextWindow },
  } as Target;
}

const [A, B, C] = [target('a'), target('b'), target('c')];

function walkOf(targets: readonly Target[], more: Partial<FailoverPlan> = {}, limits = LIMITS): Failover {
  return new Failover({ targets, contextTargets: [], policyTargets: [], ...more }, limits);
}

/** Walks until the end, failing each attempt as it is told; tells where it went. */
function walked(walk: Failover, fail: (target: Target, attempt: number) => GatewayError, timeLeft = HOUR): string[] {
  const visits: string[] = [];
  let step: NextStep = { kind: 'next' };
  let target: Target | undefined;
  while (step.kind !== 'end') {
    if (step.kind === 'next') target = walk.rest[0];
    if (target === undefined) throw new Error('told to go on, with nowhere to go');
    if (step.kind === 'next') walk.take(target);
    walk.begin();
    visits.push(step.kind === 'repeat' ? `${nameOf(target)} after ${Math.round(step.waitMs)}` : nameOf(target));
    step = walk.after(target, fail(target, visits.length), timeLeft, 0.5);
  }
  return visits;
}

function nameOf({ provider, model }: Target): string {
  return model.id === 'small' ? provider.id : `${provider.id}/${model.id}`;
}

function failure(kind: ErrorKind, details: { status?: number; code?: string; retryAfterMs?: number } = {}) {
  return () => new GatewayError(kind, 'It failed.', details);
}

test('a target that was never reached is left for the next, each once, and the last is asked again', () => {
  assert.deepEqual(walked(walkOf([A, B, C]), failure('upstream_unreachable')), ['a', 'b', 'c']);
  assert.deepEqual(walked(walkOf([A, B]), failure('upstream_unreachable')), ['a', 'b', 'b after 250']);
  assert.deepEqual(walked(walkOf([A]), failure('upstream_unreachable')), ['a', 'a after 250', 'a after 500']);
});

test('there are never more attempts than there may be', () => {
  const many = Array.from({ length: 9 }, (_, index) => target(`p${index}`));
  assert.equal(walked(walkOf(many), failure('upstream_unreachable')).length, 3);
  assert.equal(walked(walkOf(many, {}, { ...LIMITS, attempts: 1 }), failure('upstream_unreachable')).length, 1);
  assert.equal(walked(walkOf(many, {}, { ...LIMITS, attempts: 10 }), failure('upstream_unreachable')).length, 10);
});

test('a refusal for want of room goes to the next at once; the last one is waited for as long as it says', () => {
  for (const status of [503, 529]) {
    assert.deepEqual(walked(walkOf([A, B, C]), failure('upstream_error', { status })), ['a', 'b', 'c']);
  }
  const limited = failure('upstream_rate_limited', { retryAfterMs: 4000 });
  assert.deepEqual(walked(walkOf([A, B]), limited), ['a', 'b', 'b after 4000']);
  assert.deepEqual(walked(walkOf([A]), limited), ['a', 'a after 4000', 'a after 4000']);
});

test('a wait that is too long, or longer than the call may take, is not begun', () => {
  const limited = failure('upstream_rate_limited', { retryAfterMs: 10_001 });
  assert.deepEqual(walked(walkOf([A]), limited), ['a']);
  assert.deepEqual(walked(walkOf([A]), failure('upstream_rate_limited', { retryAfterMs: 4000 }), 4000), ['a']);
  assert.deepEqual(walked(walkOf([A]), failure('upstream_unreachable'), 250), ['a']);
});

test('behind an attempt that may be charged for there is one more, wherever', () => {
  for (const kind of [
    'upstream_disconnected',
    'upstream_timeout',
    'upstream_invalid_answer',
    'upstream_error',
  ] as const) {
    assert.deepEqual(walked(walkOf([A, B, C]), failure(kind)), ['a', 'b'], kind);
    assert.deepEqual(walked(walkOf([A]), failure(kind)), ['a', 'a after 250'], kind);
  }
  const onlyFirst = (_: Target, attempt: number) =>
    new GatewayError(attempt === 1 ? 'upstream_disconnected' : 'upstream_unreachable', 'It failed.');
  assert.deepEqual(walked(walkOf([A, B, C]), onlyFirst), ['a', 'b', 'c']);
});

/** Whether it may move now, and whether it may if it hears nothing. */
function mayMove(walk: Failover): boolean[] {
  return [walk.mayMove, walk.mayMoveIfUnanswered];
}

test('it may move while there are targets and attempts left, and from one that does not answer only once', () => {
  const walk = walkOf([A, B, C], {}, { ...LIMITS, attempts: 9 });
  const ask = (target: Target) => {
    walk.take(target);
    walk.begin();
  };
  ask(A);
  assert.deepEqual(mayMove(walk), [true, true]);
  walk.after(A, failure('upstream_timeout')(), HOUR, 0.5);
  ask(B);
  assert.deepEqual(mayMove(walk), [true, false]);
  walk.after(B, failure('upstream_unreachable')(), HOUR, 0.5);
  ask(C);
  assert.deepEqual(mayMove(walk), [false, false]);
});

test('with the last attempt it may not move, whoever is left', () => {
  const walk = walkOf([A, B, C], {}, { ...LIMITS, attempts: 2 });
  walk.take(A);
  walk.begin();
  assert.deepEqual(mayMove(walk), [true, true]);
  walk.after(A, failure('upstream_unreachable')(), HOUR, 0.5);
  walk.take(B);
  walk.begin();
  assert.deepEqual([walk.rest, ...mayMove(walk)], [[C], false, false]);
});

test('it may move among the targets for a refusal once it has gone over to them, not before', () => {
  const walk = walkOf([A], { policyTargets: [B, C] });
  walk.take(A);
  walk.begin();
  assert.deepEqual(mayMove(walk), [false, false]);
  walk.after(A, failure('upstream_rejected', { status: 400, code: 'content_filter' })(), HOUR, 0.5);
  walk.take(B);
  walk.begin();
  assert.deepEqual(mayMove(walk), [true, true]);
});

test('a refused credential is left for another, and never asked again', () => {
  const second = target('a', 'small', 'second');
  assert.equal(walked(walkOf([A, second, B]), failure('upstream_unauthorized')).length, 3);
  assert.deepEqual(walked(walkOf([A]), failure('upstream_unauthorized')), ['a']);
});

test('a refusal of the call itself goes to another model, and never to the same with another credential', () => {
  const second = target('a', 'small', 'second');
  assert.deepEqual(walked(walkOf([A, second, B]), failure('upstream_rejected', { status: 400 })), ['a', 'b']);
  assert.deepEqual(walked(walkOf([A]), failure('upstream_rejected', { status: 404 })), ['a']);
});

test('what is wrong with a vendor’s machines puts its other models and credentials behind the other vendors', () => {
  const targets = [A, target('a', 'small', 'second'), target('a', 'large'), B];
  assert.deepEqual(walked(walkOf(targets), failure('upstream_unreachable')), ['a', 'b', 'a']);
});

test('a prompt that is too long goes where more fits, or to the targets that are there for it', () => {
  const small = target('a', 'small', 'default', 8_000);
  const same = target('b', 'same', 'default', 8_000);
  const large = target('c', 'large', 'default', 200_000);
  const tooLong = failure('upstream_rejected', { status: 400, code: 'context_length_exceeded' });
  assert.deepEqual(walked(walkOf([small, same, large]), tooLong), ['a', 'c/large']);
  assert.deepEqual(walked(walkOf([small, same]), tooLong), ['a']);
  assert.deepEqual(walked(walkOf([small, same], { contextTargets: [large] }), tooLong), ['a', 'c/large']);
});

test('refused content goes to the targets that are there for it, once', () => {
  const refused = failure('upstream_rejected', { status: 400, code: 'content_filter' });
  assert.deepEqual(walked(walkOf([A, B], { policyTargets: [C] }), refused), ['a', 'c']);
  assert.deepEqual(walked(walkOf([A, B]), refused), ['a', 'b']);
});

test('where the targets for a refusal were tried before, the remaining ones that fit are asked', () => {
  const small = target('a', 'small', 'default', 8_000);
  const large = target('c', 'large', 'default', 200_000);
  const tooLong = failure('upstream_rejected', { status: 400, code: 'context_length_exceeded' });
  assert.deepEqual(walked(walkOf([small, large], { contextTargets: [small] }), tooLong), ['a', 'c/large']);
  const refused = failure('upstream_rejected', { status: 400, code: 'content_filter' });
  assert.deepEqual(walked(walkOf([A, B], { policyTargets: [A] }), refused), ['a', 'b']);
});

test('a fault that is not a vendor’s ends the walk', () => {
  for (const kind of ['internal', 'storage_unavailable', 'shutting_down'] as const) {
    assert.deepEqual(walked(walkOf([A, B]), failure(kind)), ['a'], kind);
  }
});
