import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseWriteOptions } from '../contract/cases.ts';
import { writeCall } from './call-write.ts';

test('metadata goes on within what OpenAI takes, 16 pairs of 64 and 512 characters, and is told as left out beyond', () => {
  const most = Object.fromEntries(
    Array.from({ length: 16 }, (_, at) => [`${at}`.padEnd(64, 'x'), 'v'.repeat(512)] as const),
  );
  assert.deepEqual(written(most), { metadata: most, dropped: [] });
  for (const beyond of [{ ...most, more: '' }, { ['x'.repeat(65)]: '' }, { a: 'v'.repeat(513) }])
    assert.deepEqual(written(beyond), { metadata: undefined, dropped: ['metadata'] });
});

function written(metadata: Record<string, string>) {
  const call = { messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }], tools: [], metadata } as const;
  const { body, dropped } = writeCall(call, caseWriteOptions());
  return { metadata: (JSON.parse(body.toString()) as { metadata?: unknown }).metadata, dropped };
}
