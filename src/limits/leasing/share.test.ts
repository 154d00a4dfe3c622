import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createShare,
  leftOfShare,
  renewShare,
  reportShare,
  settleShare,
  takeFromShare,
  withdrawReport,
} from './share.ts';

const share = () => ({ ...createShare(), leased: 100n, used: 30n });

test('until a report is answered, a share has what it keeps', () => {
  const mine = share();
  assert.deepEqual(reportShare(mine, 0n, 50n), { used: 30n, back: 0n, left: 70n, keeps: 50n });
  assert.equal(leftOfShare(mine), 50n);
});

test('a share that an exchange wants more of than it has keeps nothing', () => {
  const mine = share();
  assert.equal(reportShare(mine, 71n, 50n).keeps, 0n);
  assert.equal(leftOfShare(mine), 0n);
});

test('what is used while a report is under way is taken from what comes of it', () => {
  const mine = share();
  const report = reportShare(mine, 0n, 50n);
  takeFromShare(mine, 20n);
  renewShare(mine, report, 60n);
  assert.deepEqual(mine, { leased: 60n, used: 20n, back: 0n });
});

test('a share whose report is withdrawn has what it had, less what was used meanwhile', () => {
  const mine = share();
  const report = reportShare(mine, 1n, 50n);
  takeFromShare(mine, 20n);
  withdrawReport(mine, report);
  assert.deepEqual(mine, { leased: 100n, used: 50n, back: 0n });
});

test('what comes back of a report that is under way is reported next', () => {
  const mine = share();
  const report = reportShare(mine, 0n, 50n);
  settleShare(mine, 30n, 10n);
  assert.equal(leftOfShare(mine), 70n, 'it is told as used, so it may be used again');
  renewShare(mine, report, 50n);
  assert.deepEqual(mine, { leased: 50n, used: 0n, back: 20n });
  assert.equal(leftOfShare(mine), 50n);
});
