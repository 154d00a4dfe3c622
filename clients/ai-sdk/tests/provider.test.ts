import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createHeadgate, headgate } from '@headgate/ai-sdk';
import { createProviderRegistry, embed, generateText, jsonSchema, streamText, tool } from 'ai';

const PROMPT = { prompt: 'Hello' };

for (const api of ['responses', 'chat'] as const) {
  test(`answers by ${api} say who served them`, async () => {
    const provider = createHeadgate({ api });
    const { text, providerMetadata } = await generateText({ model: provider('acme/fast'), ...PROMPT });
    assert.ok(text.length > 0);
    const info = providerMetadata?.headgate;
    assert.match(String(info?.requestId), /^req_/);
    assert.deepEqual([info?.provider, info?.route, info?.attempts], ['fake', 'acme/fast', 1]);
    assert.ok(Number(info?.costUsd) > 0);
    const stream = streamText({ model: provider('echo'), ...PROMPT });
    assert.equal(await stream.text, 'Hello');
    assert.equal((await stream.providerMetadata)?.headgate?.provider, 'echo');
  });
}

test('tools are called', async () => {
  const inputSchema = jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } });
  const get_weather = tool({
    description: 'Tells the weather.',
    inputSchema,
    execute: async ({ city }) => `Rain in ${city}.`,
  });
  const { toolResults } = await generateText({ model: headgate.chat('fake-tools'), ...PROMPT, tools: { get_weather } });
  assert.equal(toolResults[0]?.output, 'Rain in Paris.');
});

test('embeddings do', async () => {
  const { embedding, providerMetadata } = await embed({
    model: headgate.embedding('text-embedding-3-small'),
    value: 'Hello',
  });
  assert.deepEqual([embedding.length, providerMetadata?.headgate?.provider], [1536, 'fake']);
});

test('it stands in a registry of providers', async () => {
  const registry = createProviderRegistry({ headgate });
  const { text } = await generateText({ model: registry.languageModel('headgate:echo'), ...PROMPT });
  assert.equal(text, 'Hello');
});

test('a model tells its name and its provider', () => {
  const model = headgate('echo');
  assert.equal(model.modelId, 'echo');
  assert.match(model.provider, /^headgate/);
});

test('without a key a call says so, and OpenAI’s key is not sent', async (t) => {
  const saved = { ...process.env };
  t.after(() => {
    process.env = saved;
  });
  process.env = { OPENAI_API_KEY: 'sk-other' };
  const asked: unknown[] = [];
  const fetch = async (...args: unknown[]) => {
    asked.push(args);
    return new Response('{}');
  };
  for (const settings of [{ fetch }, { fetch, apiKey: undefined }, { fetch, apiKey: '' }]) {
    const call = generateText({ model: createHeadgate(settings as object)('echo'), ...PROMPT, maxRetries: 0 });
    await assert.rejects(call, /HEADGATE_API_KEY/);
  }
  assert.deepEqual(asked, []);
});

test('a key that cannot be sent is told without the key', async () => {
  for (const apiKey of ['hg_live_se\ncret', 'hg_live_secret é', () => 'hg_live_se\ncret']) {
    const call = generateText({ model: createHeadgate({ apiKey })('echo'), ...PROMPT, maxRetries: 0 });
    await assert.rejects(call, (error: Error) => {
      return /no key has/.test(error.message) && !/secret|se\ncret/.test(inspect(error, { depth: 10 }));
    });
  }
});
