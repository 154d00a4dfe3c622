import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvelope } from './envelope.ts';
import { summarize } from './summary.ts';

function summaryOf(body: Record<string, unknown>) {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', ...body }));
  return summarize(readEnvelope(bytes, { maxJsonDepth: 512, maxEmbeddingInputs: 9 }));
}

test('texts are what is looked at, in no conversation; tokens say nothing', () => {
  const one = summaryOf({ input: 'Hello', user: 'u' });
  assert.deepEqual([one.lastUser, one.opening, one.turns, one.midTurn, one.user], ['Hello', '', 0, false, 'u']);
  assert.equal(summaryOf({ input: ['Hello', 'there'] }).lastUser, 'Hello\nthere');
  assert.equal(summaryOf({ input: [[1, 2], [3]] }).lastUser, '');
});
