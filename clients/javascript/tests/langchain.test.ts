import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';

/** As docs/connect.md has it. */
const configuration = { baseURL: `${process.env.HEADGATE_BASE_URL}/v1` };
const apiKey = process.env.HEADGATE_API_KEY ?? '';

test('LangChain asks through the gateway, whole, streamed and by responses', async () => {
  const model = new ChatOpenAI({ model: 'echo', apiKey, configuration });
  assert.equal((await model.invoke('Hello')).text, 'Hello');
  let said = '';
  for await (const chunk of await model.stream('Hello')) said += chunk.text;
  assert.equal(said, 'Hello');
  const responses = new ChatOpenAI({ model: 'echo', apiKey, configuration, useResponsesApi: true });
  assert.equal((await responses.invoke('Hello')).text, 'Hello');
});

test('LangChain’s embeddings come through it', async () => {
  const embeddings = new OpenAIEmbeddings({ model: 'text-embedding-3-small', apiKey, configuration });
  assert.equal((await embeddings.embedQuery('Hello')).length, 1536);
});
