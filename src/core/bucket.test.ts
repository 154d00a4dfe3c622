import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bucket, createBucket, msUntilFull, refill, remaining, take, waitFor } from './bucket.ts';

const CASES: readonly {
  name: string;
  steps: (bucket: Bucket) => void;
  remaining: number;
  untilFull: number;
  /** For 7 of the limit of 10. */
  wait: number;
}[] = [
  { name: 'full', steps: () => {}, remaining: 10, untilFull: 0, wait: 0 },
  { name: 'just enough', steps: (bucket) => take(bucket, 3), remaining: 7, untilFull: 18_000, wait: 0 },
  { name: 'empty', steps: (bucket) => take(bucket, 10), remaining: 0, untilFull: 60_000, wait: 42_000 },
  { name: 'in debt', steps: (bucket) => take(bucket, 19), remaining: 0, untilFull: 114_000, wait: 96_000 },
  { name: 'in debt by a minute', steps: (bucket) => take(bucket, 20), remaining: 0, untilFull: 120_000, wait: 102_000 },
  {
    name: 'never deeper in debt',
    steps: (bucket) => take(bucket, 1e15),
    remaining: 0,
    untilFull: 120_000,
    wait: 102_000,
  },
  {
    name: 'in debt at a limit that was far higher',
    steps: (bucket) => {
      refill(bucket, 1_000_000, 0);
      take(bucket, 2_000_000);
      refill(bucket, 10, 0);
    },
    remaining: 0,
    untilFull: 120_000,
    wait: 102_000,
  },
  { name: 'given more than was taken', steps: (bucket) => take(bucket, -3), remaining: 10, untilFull: 0, wait: 0 },
  {
    name: 'a part of one back',
    steps: (bucket) => {
      take(bucket, 4);
      refill(bucket, 10, 5_999.9);
    },
    remaining: 6,
    untilFull: 18_001,
    wait: 1,
  },
  {
    name: 'a long time later',
    steps: (bucket) => {
      take(bucket, 10);
      refill(bucket, 10, 1e9);
    },
    remaining: 10,
    untilFull: 0,
    wait: 0,
  },
  {
    name: 'a new limit, after a time at the old one',
    steps: (bucket) => {
      refill(bucket, 20, 0);
      take(bucket, 20);
      refill(bucket, 10, 30_000);
    },
    remaining: 0,
    untilFull: 60_000,
    wait: 42_000,
  },
];

for (const { name, steps, ...expected } of CASES) {
  test(`a bucket: ${name}`, () => {
    const bucket = createBucket(10, 0.5);
    steps(bucket);
    const found = { remaining: remaining(bucket), untilFull: msUntilFull(bucket), wait: waitFor(bucket, 7) };
    assert.deepEqual(found, expected);
  });
}

test('more than the limit is never there', () => {
  assert.equal(waitFor(createBucket(10, 0), 10), 0);
  assert.equal(waitFor(createBucket(10, 0), 11), Number.POSITIVE_INFINITY);
});
