import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { chat, get, served } from './ask.ts';

test('a model that its vendor has shut down is offered no more, is shown with the day, and can be called by its name', async () => {
  await using vendor = await startFakeProvider();
  const config = `providers: { openai: { base_url: "${vendor.url}" } }`;
  await using headgate = await startHeadgate({ config, env: { OPENAI_API_KEY: 'sk-0123456789' } });
  const names = await served(headgate);
  assert.equal(names.includes('openai:gpt-4'), false, 'shut down on 2026-10-23');
  assert.ok(names.includes('openai:gpt-4o-mini') && names.includes('openai:gpt-6-sol'), names.join(' '));
  const { json } = await get(headgate, '/v1/models/catalog?search=gpt-4');
  const shown = (json.data as { id: string; shut_down_at: string | null }[]).find(({ id }) => id === 'gpt-4');
  assert.equal(shown?.shut_down_at, '2026-10-23');
  assert.equal((await chat(headgate, 'gpt-4')).status, 200);
});

test('what a call costs under a tier of service is what its vendor says that it was served under', async () => {
  await using vendor = await startFakeProvider();
  vendor.plan(({ model }) =>
    jsonReply(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      service_tier: model === 'gpt-5.5' ? 'flex' : 'nobody-knows-it',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    }),
  );
  const config = `providers: { openai: { base_url: "${vendor.url}" } }`;
  await using headgate = await startHeadgate({ config, env: { OPENAI_API_KEY: 'sk-0123456789' } });
  for (const model of ['gpt-5.5', 'gpt-4o-mini']) assert.equal((await chat(headgate, model)).status, 200);
  const { data } = await headgate.usage();
  const costs = Object.fromEntries(data.map(({ model, cost_usd }) => [model, cost_usd]));
  // 1,000 at $2.50 and 100 at $15 per million, by hand.
  assert.deepEqual(costs, { 'gpt-5.5': 0.004, 'gpt-4o-mini': null });
});
