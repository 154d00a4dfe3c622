import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorQuestion } from '../core/operator.ts';
import { askWorkers } from './operator-workers.ts';

const PROBES: OperatorQuestion = { operation: 'probes', query: {} };

test('another worker is asked while there is time, and not after a change', async () => {
  const request = { method: 'POST', path: '/v1/organization/projects', body: '{}', organizationId: null } as const;
  const cases = [
    { question: PROBES, failsAfter: 5_000, given: [25_000, 20_000, 15_000] },
    { question: PROBES, failsAfter: 25_000, given: [25_000] },
    {
      question: { ...PROBES, operation: 'api', request: { ...request, method: 'GET' } },
      failsAfter: 24_999,
      given: [25_000],
    },
    { question: { ...PROBES, operation: 'api', request }, failsAfter: 0, given: [25_000] },
  ] as const;
  for (const { question, failsAfter, given } of cases) {
    let time = 7;
    const seen: number[] = [];
    const channel = {
      async ask(_: 'operator', _asked: OperatorQuestion, timeoutMs: number): Promise<unknown> {
        seen.push(timeoutMs);
        time += failsAfter;
        throw new Error('no answer');
      },
    };
    const worker = { isServing: true, channel };
    const asking = askWorkers([{ ...worker, isServing: false }, worker, worker, worker], question, () => time);
    await assert.rejects(asking, /^Error: no answer$/);
    assert.deepEqual(seen, given, `${question.operation} ${failsAfter}`);
  }
});
