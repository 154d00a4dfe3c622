import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListState, mergeProviders, mergeTargets, type TargetStatus, UNCALLED } from './target-status.ts';

const NAME = { provider: 'lab', upstreamModel: 'small', credential: 'default' };

function status(more: Partial<TargetStatus>): TargetStatus {
  return { ...UNCALLED, ...NAME, ...more };
}

test('of what several processes see, the worst circuit, sums and the longest times are told', () => {
  const early = { kind: 'upstream_error', status: 502, message: 'early', at: 1 } as const;
  const late = { kind: 'upstream_timeout', status: 504, message: 'late', at: 2 } as const;
  const one = status({
    circuit: 'open',
    openUntil: 7000,
    inFlight: 2,
    p50Ms: 100,
    p95Ms: 900,
    recentCalls: 30,
    errorRate: 0.5,
    lastError: late,
  });
  const other = status({
    circuit: 'half_open',
    credentialOutUntil: 9000,
    inFlight: 1,
    p50Ms: 200,
    p95Ms: 300,
    wholeP50Ms: 50,
    recentCalls: 10,
    errorRate: 0.1,
    lastError: early,
  });
  const expected = status({
    circuit: 'open',
    openUntil: 7000,
    credentialOutUntil: 9000,
    inFlight: 3,
    p50Ms: 200,
    p95Ms: 900,
    wholeP50Ms: 50,
    recentCalls: 40,
    errorRate: 0.4,
    lastError: late,
  });
  assert.deepEqual(mergeTargets([[one], [other]]), [expected]);
  assert.deepEqual(mergeTargets([[other], [one]]), [expected]);
});

test('targets that differ in one of their three names stay apart, and one that was never called is no error', () => {
  const names = [NAME, { ...NAME, credential: 'second' }, { ...NAME, upstreamModel: 'large' }];
  const list = names.map((name) => status(name));
  assert.deepEqual(mergeTargets([list, list]), list);
});

test('of what several processes were told by a provider the worst stands, and each key that it refused', () => {
  const heard = (provider: string, list: ListState, refusedCredentials: string[] = []) => ({
    ...{ provider, list, refusedCredentials },
  });
  const merged = mergeProviders([
    [heard('a', 'listed', ['second']), heard('b', 'failed')],
    [heard('a', 'key_refused', ['first', 'second']), heard('b', 'unheard')],
  ]);
  assert.deepEqual(merged, [heard('a', 'key_refused', ['second', 'first']), heard('b', 'failed')]);
});
