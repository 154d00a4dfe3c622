import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandOf, dialectsOf, dimensionsOf } from './known-models.ts';

test('a model’s maker is read from its own name', () => {
  const makers: readonly (readonly [string, string | null])[] = [
    ['gpt-4o-mini', 'OpenAI'],
    ['o3', 'OpenAI'],
    ['openai/gpt-oss-120b', 'OpenAI'],
    ['claude-opus-4-8', 'Anthropic'],
    ['gemma-4-31b-it', 'Google'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'Meta'],
    ['deepseek-ai/DeepSeek-R1-Distill-Llama-70B', 'DeepSeek'],
    ['nvidia/llama-3.1-nemotron-70b-instruct', 'NVIDIA'],
    ['Qwen/Qwen3-Embedding-8B', 'Alibaba'],
    ['codestral-latest', 'Mistral'],
    ['grok-4.3', 'xAI'],
    ['moonshotai/Kimi-K2.6', 'Moonshot'],
    ['zai-org/GLM-5.1', 'Zhipu'],
    ['MiniMax-M3', 'MiniMax'],
    ['command-a-03-2025', 'Cohere'],
    ['microsoft/phi-4-mini-instruct', 'Microsoft'],
    ['sao10K/l31-70b-euryale-v2.2', null],
    ['olmo', null],
  ];
  for (const [id, maker] of makers) assert.equal(brandOf(id), maker, id);
});

test('a family speaks where the name does not, but not for a model that somebody else made from it', () => {
  assert.equal(brandOf('my-deployment', 'gpt-mini'), 'OpenAI');
  assert.equal(brandOf('abacusai/dracarys-llama-3_1-70b-instruct', 'llama'), null);
});

test('text is conversation, vectors are embeddings', () => {
  const conversation = ['openai-chat', 'openai-responses', 'anthropic-messages'];
  assert.deepEqual(dialectsOf({ id: 'gpt-4o' }), conversation);
  const modalities = { input: ['text', 'image'], output: ['text', 'audio'] };
  assert.deepEqual(dialectsOf({ id: 'x', modalities }), conversation);
  for (const id of ['text-embedding-3-small', 'baai/bge-m3', 'intfloat/e5-large', 'nomic-embed-text', 'all-minilm']) {
    assert.deepEqual(dialectsOf({ id }), ['openai-embeddings'], id);
  }
  assert.deepEqual(dialectsOf({ id: 'x', family: 'text-embedding' }), ['openai-embeddings']);
});

test('what writes no text, reads no text or lives on another endpoint is not served', () => {
  assert.deepEqual(dialectsOf({ id: 'x', modalities: { input: ['text'], output: ['image'] } }), []);
  assert.deepEqual(dialectsOf({ id: 'x', modalities: { input: ['text'], output: ['audio'] } }), []);
  assert.deepEqual(dialectsOf({ id: 'x', modalities: { input: ['audio'], output: ['text'] } }), []);
  assert.deepEqual(dialectsOf({ id: 'x', limit: { context: 0 } }), []);
  for (const id of [
    'gpt-image-1.5',
    'whisper-large-v3',
    'gpt-4o-transcribe',
    'tts-1',
    'nv-rerank-qa',
    'gpt-realtime',
  ]) {
    assert.deepEqual(dialectsOf({ id }), [], id);
  }
});

test('well-known vectors have a known length', () => {
  assert.equal(dimensionsOf('text-embedding-3-large'), 3072);
  assert.equal(dimensionsOf('Qwen/Qwen3-Embedding-8B'), 4096);
  assert.equal(dimensionsOf('constructor'), null);
});
