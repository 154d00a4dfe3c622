import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCount, writeCount } from './count.ts';
import { promptText, readCountEnvelope, readEnvelope } from './envelope.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };

function read(body: object) {
  return readEnvelope(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 64, ...body })), LIMITS);
}

test('the outside of a call is read', () => {
  const { body: _, index: __, ...call } = read({ stream: true, messages: [{ role: 'user', content: 'Hi' }] });
  assert.deepEqual(call, {
    model: 'm',
    stream: true,
    maxOutputTokens: 64,
    choices: 1,
    wantsUsage: true,
    estimatedInputTokens: 22,
  });
});

test('the bytes of a file are a flat number of tokens, and plain text is words', () => {
  const data = 'A'.repeat(400_000);
  const image = (source: object) => read({ messages: [{ role: 'user', content: [{ type: 'image', source }] }] });
  const inline = image({ type: 'base64', media_type: 'image/png', data }).estimatedInputTokens;
  assert.ok(inline > 1000 && inline < 1100, String(inline));
  assert.equal(image({ data, type: 'base64', media_type: 'image/png' }).estimatedInputTokens, inline);
  const words = image({ type: 'text', media_type: 'text/plain', data: 'some words '.repeat(40_000) });
  assert.ok(words.estimatedInputTokens > 100_000);
});

test('a question for tokens needs no max_tokens', () => {
  const body = Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hi"}]}');
  assert.equal(readCountEnvelope(body, LIMITS).maxOutputTokens, null);
  assert.throws(() => readCountEnvelope(Buffer.from('{"model":"m"}'), LIMITS), { param: 'messages' });
  assert.equal(writeCount(7), '{"input_tokens":7}');
  assert.equal(readCount('{"input_tokens":7}'), 7);
  for (const other of ['', '[]', '{}', '{"input_tokens":"7"}', '{"input_tokens":-1}', '{"input_tokens":1.5}']) {
    assert.equal(readCount(other), null, other);
  }
});

test('the words of a prompt are all of its texts, and none of its bytes', () => {
  const call = read({
    system: [{ type: 'text', text: 'system', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'question' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BYTES' } },
          { type: 'document', title: 'title', source: { type: 'text', media_type: 'text/plain', data: 'document' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'thought', signature: 'SIGNATURE' },
          { type: 'redacted_thinking', data: 'REDACTED' },
          { type: 'tool_use', id: 'toolu_1', name: 'tool', input: { city: 'Rome' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'result' }] },
    ],
    tools: [{ name: 'tool', input_schema: { type: 'object' } }],
  });
  const text = promptText(call);
  for (const word of ['system', 'question', 'title', 'document', 'thought', 'Rome', 'result', 'input_schema']) {
    assert.ok(text.includes(word), word);
  }
  for (const word of ['BYTES', 'SIGNATURE', 'REDACTED', 'toolu_1', 'image/png', 'ephemeral']) {
    assert.ok(!text.includes(word), word);
  }
});
