import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { picoPerToken } from '../core/money.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { model, provider } from '../testing/routes.ts';
import { caller, fails, Lab, type Reaction, SMALL_CHAT, streams } from './fixtures.test.ts';

/** What a stream's start says of its prompt is billed where the stream ends before its usage is told. */

const CLASSES = { input_tokens: 3, cache_read_input_tokens: 100_000, cache_creation_input_tokens: 500 };
const HELLO = frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '12345678' } });
const RESET = fails(new GatewayError('upstream_disconnected', 'The connection broke.'));
const RATES = { input: 10, cache_read: 1, cache_write: 20, output: 100 };
const PRICE = {
  rates: Object.fromEntries(Object.entries(RATES).map(([name, dollars]) => [name, picoPerToken(dollars)])),
  tiers: [],
  source: 'test',
  date: '2026-01-01',
};

function frame(event: { type: string; [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function start(usage: object): string {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage };
  return frame({ type: 'message_start', message: { ...message, stop_reason: null } });
}

/** What comes of a stream of a vendor of messages that starts with this usage, and after these frames does that. */
async function settled(usage: object, frames: readonly string[], asked = anthropicMessages, then?: Reaction) {
  const speaks = [{ dialect: 'anthropic-messages', path: '/messages' }] as const;
  const dialects = ['anthropic-messages'] as const;
  const small = model('small', null, { price: PRICE, dialects, contextWindow: 200_000 });
  const lab = new Lab({ served: [{ provider: provider('lab', { speaks }), models: [small] }] });
  const seen = caller();
  lab.reactions = [streams([start(usage), ...frames], then ?? (() => seen.leave()))];
  const request = lab.request({ ...SMALL_CHAT, max_tokens: 100, stream: true }, seen, { asked, answered: asked });
  await lab.ended(lab.pipeline.handle(request).catch(() => {}));
  return { ...lab.settlements[0]!, counted: lab.held[0]!.settled };
}

for (const asked of [anthropicMessages, openAiChat]) {
  test(`a stream that is left or breaks is billed by the classes of its start, for a caller of ${asked.id}`, async () => {
    const usage = { ...CLASSES, output_tokens: 1 };
    const left = await settled(usage, [HELLO], asked);
    assert.deepEqual([left.status, left.usageSource, left.reported], ['cancelled', 'estimated', null]);
    // In thousandths of millionths of dollars: 3 at 10, 100,000 at 1, 500 at 20, and 2 of the output at 100.
    const cost = (3n * 10n + 100_000n + 500n * 20n + 2n * 100n) * 1000n;
    assert.deepEqual([left.usage.outputTokens, left.cost], [2, cost]);
    assert.deepEqual(left.counted, [{ tokens: 100_505, cost }], 'limits count the same');
    const broken = await settled(usage, [HELLO], asked, RESET);
    assert.deepEqual([broken.status, broken.usage, broken.cost], ['failed', left.usage, cost]);
    const unbegun = await settled(usage, [], asked, RESET);
    assert.deepEqual([unbegun.status, unbegun.usage], ['failed', { ...left.usage, outputTokens: 0 }]);
  });
}

test('a start that says nothing of its prompt, or more than can be, leaves the prompt to be counted', async () => {
  for (const usage of [{ input_tokens: 0, output_tokens: 0 }, { ...CLASSES, input_tokens: 700_000 }, {}]) {
    for (const asked of [anthropicMessages, openAiChat]) {
      const left = await settled(usage, [HELLO], asked);
      const { inputTokens, cacheReadTokens, outputTokens } = left.usage;
      assert.ok(inputTokens > 0 && inputTokens < 100, `${inputTokens}`);
      assert.deepEqual([left.usageSource, cacheReadTokens, outputTokens], ['estimated', 0, 2]);
    }
  }
});
