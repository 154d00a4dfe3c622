import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import { rewriteBody } from '../../src/pipeline/rewrite.ts';
import { usageIn } from '../../src/testing/recordings.ts';
import { chatRecordings } from './recordings.ts';

const { all, told } = await chatRecordings();
const whole = all.filter(({ stream }) => !stream);

test('there is something to hold the laws to', (context) => {
  context.diagnostic(told);
  assert.ok(whole.length > 2);
});

for (const recording of whole) {
  test(`${recording.name}: what is read of it is what it says, with the byte path on and off`, () => {
    const body = Buffer.concat(recording.frames);
    const rewritten = rewriteBody(body);
    assert.deepEqual(JSON.parse(rewritten.toString()), recording.payloads[0]);
    for (const bytes of [body, rewritten]) {
      const { usage, error } = openAiChat.outbound.peekAnswer(bytes);
      const { serviceTier: _, ...counts } = usage ?? { serviceTier: undefined };
      assert.deepEqual(usage === null ? null : counts, usageIn(recording));
      assert.equal(error !== null, recording.status !== 200);
    }
  });

  test(`${recording.name}: cut anywhere, it is no answer`, () => {
    const bytes = Buffer.from(Buffer.concat(recording.frames).toString().trimEnd());
    for (let at = 0; at < bytes.length; at += 1) {
      assert.throws(
        () => openAiChat.outbound.peekAnswer(bytes.subarray(0, at)),
        /is cut, or is not JSON/,
        `cut at ${at}`,
      );
    }
  });
}
