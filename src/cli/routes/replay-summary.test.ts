import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { type ReplayedCall, type ReplayResult, ReplaySums, replayJson } from '../../core/replay.ts';
import { replayText as textOf } from './replay-summary.ts';

const replayText = (summary: ReplayResult) => textOf(replayJson(summary));

function outcome(upstreamModel: string, expectedCost: number | null, chance: number | null = null) {
  return { model: upstreamModel, provider: 'lab', upstreamModel, expectedCost, chance };
}

function summaryOf(changes: readonly ReplayedCall[]): ReplayResult {
  const summary = new ReplaySums();
  for (const change of changes) summary.add(change);
  return summary.result();
}

test('costs and quality are compared over the calls of which both are known alone', () => {
  const summary = summaryOf([
    { before: outcome('large', 2e9, 0.9), after: outcome('small', 1e9, 0.7), moved: true, refusal: null },
    { before: outcome('large', 4e9, null), after: outcome('small', null, 0.7), moved: true, refusal: null },
    { before: outcome('small', 1e9), after: outcome('small', 1e9), moved: false, refusal: null },
  ]);
  const { moves, ...sums } = replayJson(summary);
  assert.deepEqual(sums, {
    calls: 3,
    complete: true,
    moved: 2,
    expected_cost: { calls: 2, before_usd: 3, after_usd: 2 },
    expected_quality: { calls: 1, before: 0.9, after: 0.7 },
    unserved: { calls: 0, errors: {} },
  });
  const [large, small] = ['large', 'small'].map((model) => ({ provider: 'lab', model }));
  assert.deepEqual(moves, [
    { from: large, to: small, calls: 2 },
    { from: small, to: small, calls: 1 },
  ]);
  assert.equal(
    replayText(summary),
    [
      'FROM          TO            CALLS',
      'large of lab  small of lab      2',
      'small of lab  the same          1',
      '',
      '2 of 3 would go to another target (67 %).',
      'Expected cost of 2: $3.00 before, $2.00 after (-33 %).',
      'Expected quality of 1: 0.900 before, 0.700 after.',
    ].join('\n'),
  );
});

test('calls that nobody would serve are told by their errors', () => {
  const refusal = new GatewayError('context_length_exceeded', 'Too long.');
  const summary = summaryOf([{ before: outcome('large', null), after: null, moved: true, refusal }]);
  assert.partialDeepStrictEqual(replayJson(summary), {
    expected_cost: null,
    expected_quality: null,
    unserved: { calls: 1, errors: { context_length_exceeded: 1 } },
  });
  assert.match(replayText(summary), /^large of lab +nobody +1$/m);
  assert.match(replayText(summary), /^No call has a price both before and after\.$/m);
  assert.match(replayText(summary), /^Nobody would serve some calls: context_length_exceeded \(1\)\.$/m);
});
