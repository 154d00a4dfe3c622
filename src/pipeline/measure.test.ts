import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenCounter } from '../core/ports.ts';
import type { Dialect, Envelope, ProducedText } from '../dialects/dialect.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { measure } from './measure.ts';

const BODY = Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hello there"}]}');
const CALL: Envelope = openAiChat.inbound.readEnvelope(BODY, { maxJsonDepth: 64, maxEmbeddingInputs: 1 });
const words: TokenCounter = { count: async (text) => (text === '' ? 0 : text.split(' ').length) };
const broken: TokenCounter = { count: () => Promise.reject(new Error('no tokenizer')) };

function reading(promptText: Dialect['inbound']['promptText']): Dialect {
  return { ...openAiChat, inbound: { ...openAiChat.inbound, promptText } };
}

function throws(): never {
  throw new Error('cannot be read');
}

const CASES: readonly [name: string, asked: Dialect, output: () => ProducedText, TokenCounter, input: number][] = [
  ['all can be read', openAiChat, () => ({ text: 'one two three', unseen: 0 }), words, 2],
  ['the prompt cannot be read', reading(throws), () => ({ text: 'one two three', unseen: 0 }), words, 17],
  ['the text cannot be counted', openAiChat, () => ({ text: 'ten signs.', unseen: 0 }), broken, 3],
];

for (const [name, asked, output, tokens, input] of CASES) {
  test(`a call that nobody reported the usage of is measured where ${name}`, async () => {
    const { usage, usageSource } = await measure(asked, CALL, { usage: null, output }, tokens);
    assert.deepEqual([usage.inputTokens, usage.outputTokens, usageSource], [input, 3, 'estimated']);
  });
}

test('an output that cannot be read leaves the prompt to be billed', async () => {
  const { usage } = await measure(openAiChat, CALL, { usage: null, output: throws }, words);
  assert.deepEqual([usage.inputTokens, usage.outputTokens], [2, 0]);
});

test('files of a prompt are billed by their size beside its words', async () => {
  const url = `data:image/png;base64,${'A'.repeat(40_000)}`;
  const content = [{ type: 'text', text: 'one two' }, ...[1, 2].map(() => ({ type: 'image_url', image_url: { url } }))];
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
  const call = openAiChat.inbound.readEnvelope(body, { maxJsonDepth: 64, maxEmbeddingInputs: 1 });
  const { usage } = await measure(openAiChat, call, { usage: null, output: throws }, words);
  assert.equal(usage.inputTokens, 2002);
});

test('the calls of a vendor’s own tools that an answer without usage shows are counted, unless there are implausibly many', async () => {
  const output = () => ({ text: '', unseen: 0 });
  const countedOf = async (searches: number) => {
    const seen = { usage: null, output, shownCalls: () => ({ web_search: searches }) };
    return (await measure(openAiChat, CALL, seen, words)).usage.toolCalls;
  };
  assert.deepEqual(await countedOf(3), { web_search: 3 });
  assert.deepEqual(await countedOf(10_000), { web_search: 10_000 });
  assert.equal(await countedOf(10_001), undefined);
});
