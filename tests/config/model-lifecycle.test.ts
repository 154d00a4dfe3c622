import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { get } from './ask.ts';

test('Anthropic’s clients are told when a model was released and when it ends, and get those that ended where they ask', async () => {
  await using vendor = await startFakeProvider();
  const config = `providers: { openai: { base_url: "${vendor.url}" } }`;
  await using headgate = await startHeadgate({ config, env: { OPENAI_API_KEY: 'sk-0123456789' } });
  const { models } = new Anthropic({ baseURL: headgate.url, apiKey: headgate.key, maxRetries: 0 });
  const { json } = await get(headgate, '/v1/models/catalog');
  const endOf = new Map((json.data as { id: string; shut_down_at: string | null }[]).map((each) => [each.id, each]));
  const today = new Date().toISOString().slice(0, 10);
  const stages = ['active', 'deprecated', 'retired'] as const;
  const { data: all } = await models.list({ limit: 1000, lifecycle: [...stages] });
  assert.deepEqual(new Set(all.map(({ lifecycle }) => lifecycle)), new Set(stages));
  for (const { id, lifecycle, retires_at } of all) {
    const end = endOf.get(id)?.shut_down_at ?? null;
    const stage = end === null ? 'active' : end <= today ? 'retired' : 'deprecated';
    assert.deepEqual([lifecycle, retires_at], [stage, end === null ? null : `${end}T00:00:00Z`], id);
  }
  for (const stage of stages) {
    const { data } = await models.list({ limit: 1000, lifecycle: [stage] });
    assert.deepEqual(
      data,
      all.filter(({ lifecycle }) => lifecycle === stage),
    );
  }
  const { data } = await models.list({ limit: 1000 });
  assert.deepEqual(
    data,
    all.filter(({ lifecycle }) => lifecycle !== 'retired'),
  );
  const old = await models.retrieve('gpt-4');
  assert.deepEqual(
    [old.display_name, old.created_at, old.lifecycle, old.retires_at],
    ['GPT-4', '2023-11-06T00:00:00Z', 'retired', '2026-10-23T00:00:00Z'],
  );
});
