import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPENAI } from './quirks.ts';
import { resolveProvider } from './resolve.ts';

const OWN = { id: 'mine', preset: null, label: null, dialects: null, headers: {}, region: null, concurrency: null };
const at = (baseUrl: string) => {
  const { quirks, speaks } = resolveProvider({ ...OWN, baseUrl }, null);
  return { models: quirks.thinksOrCalls?.models, speaks: speaks.map(({ dialect }) => dialect) };
};
const ALL = ['openai-chat', 'openai-embeddings', 'openai-responses'];

test('a provider of one’s own at a known vendor’s address is held to that vendor’s rules', () => {
  const { models } = OPENAI.thinksOrCalls!;
  for (const address of [
    'https://api.openai.com/v1',
    'https://api.openai.com',
    'https://lab.openai.azure.com/openai/v1',
    'https://lab.services.ai.azure.com/openai/v1',
    'https://bedrock-mantle.us-east-1.api.aws/openai/v1',
    'https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1',
  ]) {
    assert.deepEqual(at(address), { models, speaks: ALL }, address);
  }
});

test('one at any other address is not', () => {
  for (const address of [
    'https://api.openai.com.example.com/v1',
    'https://openai.azure.com.example.com/v1',
    'https://bedrock-mantle.us-east-1.api.aws.example.com/v1',
    'http://127.0.0.1:8000/v1',
  ]) {
    assert.deepEqual(at(address), { models: undefined, speaks: ['openai-chat', 'openai-embeddings'] }, address);
  }
});

test('dialects that the operator chooses hold', () => {
  const own = resolveProvider({ ...OWN, baseUrl: 'https://api.openai.com/v1', dialects: ['openai-chat'] }, null);
  assert.deepEqual(
    own.speaks.map(({ dialect }) => dialect),
    ['openai-chat'],
  );
});
