import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Spending } from './spending.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test('what is settled while its period is read is read again: nobody can tell whether the sum has it', async () => {
  const spending = new Spending('key_1');
  const reads: ((spent: bigint) => void)[] = [];
  const store = { spent: () => new Promise<bigint>((resolve) => void reads.push(resolve)) };
  const loading = spending.load('day', NOW, store);
  spending.settle(NOW, 7n, null, 0n);
  reads[0]?.(0n);
  while (reads.length < 2) await Promise.resolve();
  reads[1]?.(7n);
  await loading;
  assert.equal(spending.period?.spent, 7n);
  assert.equal(reads.length, 2);
});

test('what is settled once its period is known is counted, and read no more', async () => {
  const spending = new Spending('key_1');
  let reads = 0;
  const store = {
    async spent() {
      reads += 1;
      return 5n;
    },
  };
  await spending.load('day', NOW, store);
  spending.settle(NOW, 7n, null, 0n);
  spending.settle(NOW - 86_400_000, 100n, null, 0n);
  assert.equal(spending.period?.spent, 12n);
  assert.equal(reads, 1);
});

test('calls of the day before that end while a day is read are not in its sum, and do not begin the read again', async () => {
  const spending = new Spending('key_1');
  const reads: ((spent: bigint) => void)[] = [];
  const store = { spent: () => new Promise<bigint>((resolve) => void reads.push(resolve)) };
  const loading = spending.load('day', NOW, store);
  spending.settle(NOW - 86_400_000, 7n, null, 0n);
  reads[0]?.(5n);
  await loading;
  assert.deepEqual([spending.period?.spent, reads.length], [5n, 1]);
});
