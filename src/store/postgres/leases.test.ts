import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainAsk } from '../contract.test.ts';
import { temporaryPool, WITH_POSTGRES } from './database.test.ts';
import { createLeaseStore } from './leases.ts';

const AMOUNT = 1_000n;
const CALL = 7n;

test(
  'instances that ask at once for the same keys, in any order, are given what there is and no more',
  WITH_POSTGRES,
  async (t) => {
    const pool = await temporaryPool(t);
    const spend = { amount: AMOUNT, period: 'life', sinceDay: null, throughDay: null };
    const wanted = { requests: 0n, tokens: 0n, spend: CALL, leastSpend: CALL };
    const granted = await Promise.all(
      ['worker_1', 'worker_2', 'worker_3', 'worker_4'].map(async (instanceId, worker) => {
        const leases = createLeaseStore({
          pool,
          instanceId,
          catchUp: async () => undefined,
          onFailure: (error) => assert.fail(error as Error),
        });
        const ids = worker % 2 === 0 ? ['budget_1', 'budget_2'] : ['budget_2', 'budget_1'];
        let given = 0n;
        for (let number = 1; number <= 60; number += 1) {
          const asks = ids.map((id) => plainAsk(id, { spend, wanted, hasOpenCalls: true, isLeaving: false }));
          const { isGranted } = await leases.exchange({ number, asks });
          if (isGranted) given += CALL;
        }
        return given;
      }),
    );
    const total = granted.reduce((sum, given) => sum + given, 0n);
    assert.equal(total, AMOUNT - (AMOUNT % CALL));
  },
);
