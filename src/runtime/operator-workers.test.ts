import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import { askWorkers } from './operator-workers.ts';

const ASKED: Omit<OperatorRequest, 'method'> = { path: '/v1/organization/projects', body: '', organizationId: null };

test('another worker is asked while there is time, and not after a change', async () => {
  const cases = [
    { method: 'GET', failsAfter: 5_000, given: [25_000, 20_000, 15_000] },
    { method: 'GET', failsAfter: 25_000, given: [25_000] },
    { method: 'GET', failsAfter: 24_999, given: [25_000] },
    { method: 'POST', failsAfter: 0, given: [25_000] },
  ] as const;
  for (const { method, failsAfter, given } of cases) {
    let time = 7;
    const seen: number[] = [];
    const channel = {
      async ask(_: 'operator', _asked: OperatorRequest, timeoutMs: number): Promise<OperatorAnswer> {
        seen.push(timeoutMs);
        time += failsAfter;
        throw new Error('no answer');
      },
    };
    const worker = { isServing: true, channel };
    const asking = askWorkers(
      [{ ...worker, isServing: false }, worker, worker, worker],
      { ...ASKED, method },
      () => time,
    );
    await assert.rejects(asking, /^Error: no answer$/);
    assert.deepEqual(seen, given, `${method} ${failsAfter}`);
  }
});
