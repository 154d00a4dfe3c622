import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCost } from './answer-metadata.ts';

const DONE = 'data: [DONE]\n\n';

test('the cost stands in the last usage of the frames, whatever dialect they are of', () => {
  const chunk = 'data: {"choices":[],"usage":{"total_tokens":3}}\n\n';
  assert.equal(withCost(chunk + DONE, 127_500n), `${chunk.replace('3}', '3,"cost":0.0001275}')}${DONE}`);
  const completed = 'event: response.completed\r\ndata: {"response":{"usage":{"total_tokens":3}}}\r\n\r\n';
  assert.equal(withCost(Buffer.from(completed), null), completed.replace('3}', '3,"cost":null}'));
});

test('frames without a usage that can be read, and those that are too long, stay as they are', () => {
  const split = 'data: {"usage":\ndata: {"total_tokens":3}}\n\n';
  const long = `data: {"usage":{"total_tokens":3},"text":"${'x'.repeat(1024 * 1024)}"}\n\n`;
  for (const frames of [DONE, '', split, long, 'data: {"usage":null}\n\n', 'data: "usage"\n\n', Buffer.from(DONE)]) {
    assert.equal(withCost(frames, 1n), frames);
  }
});
