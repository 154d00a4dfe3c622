import assert from 'node:assert/strict';
import { test } from 'node:test';
import { model, route, served } from '../testing/routes.ts';
import { answers, CHAT_USAGE, caller, completion, Lab, type Reaction, SMALL_CHAT } from './fixtures.test.ts';
import { LARGE } from './turns.ts';

test('a caller who leaves while its whole answer is read has used what the vendor reports, however long the answer', async () => {
  for (const length of [0, LARGE]) {
    const lab = new Lab({ served: [served('lab', [model('small')])] });
    const seen = caller();
    lab.reactions = [
      (listener, request) => {
        answers({ ...completion(), own: 'x'.repeat(length) })(listener, request, lab);
        seen.leave();
      },
    ];
    await lab.ended(lab.pipeline.handle(lab.request(SMALL_CHAT, seen)));
    const { usage, usageSource } = lab.settlements[0]!;
    assert.equal(usageSource, 'provider');
    assert.deepEqual([usage.inputTokens, usage.outputTokens], [CHAT_USAGE.prompt_tokens, CHAT_USAGE.completion_tokens]);
  }
});

test('a whole call that a stream answers with an error goes on to the next target', async () => {
  const lab = new Lab({
    served: [served('lab', [model('first'), model('second')])],
    routes: [route(['first', 'second'])],
  });
  const failing: Reaction = (listener) => {
    listener.onStart(200, { 'content-type': 'text/event-stream' });
    listener.onData(Buffer.from('data: {"error":{"message":"Overloaded","code":"overloaded"}}\n\n'));
    listener.onEnd();
  };
  lab.reactions = [failing, answers(completion('fine'))];
  const { body } = await lab.call({ ...SMALL_CHAT, model: 'acme/auto' });
  assert.ok(body.includes('fine'), body);
  assert.deepEqual(
    lab.settlements[0]!.attempts.map(({ status }) => status),
    ['failed', 'succeeded'],
  );
});
