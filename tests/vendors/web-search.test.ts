import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { startVendor } from './lab.ts';

/** A search of the web by the vendor, asked for in each format at vendors of each. */
const sent = await startVendor(
  ({ only, url }) => `
  openai: { ${only('gpt-5.5')} }
  own: { base_url: "${url}", dialects: [openai-responses], only: [m] }
  openrouter: { ${only('m')}, dialects: [openai-chat] }
  groq: { ${only('openai/gpt-oss-120b, llama-4')}, dialects: [openai-chat] }
  xai: { ${only('grok-4.3')}, dialects: [openai-responses] }
  perplexity: { ${only('sonar-pro')} }
  alibaba: { ${only('qwen-max')} }
  deepseek: { ${only('m')} }
  zai: { ${only('glm-5')} }
  mistral: { ${only('m')} }
  gemini: { ${only('m')} }
  anthropic: { ${only('claude-sonnet-4-5')} }
`,
);

const PLACE = { city: 'Bern', country: 'CH' };
const OF_MESSAGES = {
  type: 'web_search_20250305',
  name: 'web_search',
  max_uses: 3,
  allowed_domains: ['a.invalid'],
  user_location: { type: 'approximate', ...PLACE },
};
const MESSAGES = { max_tokens: 64, tools: [OF_MESSAGES], messages: [{ role: 'user', content: 'News?' }] };
const told = (...options: string[]) => options.map((option) => `tools.web_search_20250305${option}`).join(', ');

test('a search of messages is asked for in responses, with its options', async () => {
  const { json, dropped } = await sent('anthropic-messages', 'openai-responses', {
    model: 'openai/gpt-5.5',
    ...MESSAGES,
    tool_choice: { type: 'tool', name: 'web_search' },
  });
  assert.deepEqual(field(json, 'tools'), [
    { type: 'web_search', filters: { allowed_domains: ['a.invalid'] }, user_location: OF_MESSAGES.user_location },
  ]);
  assert.deepEqual([field(json, 'max_tool_calls'), field(json, 'tool_choice')], [3, { type: 'web_search' }]);
  assert.equal(dropped, null);
  assert.ok((field(json, 'include') as string[]).includes('web_search_call.action.sources'), 'all pages are told');
  const blocked = { type: 'web_search_20260209', name: 'web_search', blocked_domains: ['b.invalid'] };
  const other = await sent('anthropic-messages', 'openai-responses', {
    model: 'openai/gpt-5.5',
    ...MESSAGES,
    tools: [blocked],
  });
  assert.deepEqual(field(other.json, 'tools'), [{ type: 'web_search', filters: { blocked_domains: ['b.invalid'] } }]);
});

test('options that a vendor does not know are told, and the search is asked for without', async () => {
  const own = await sent('anthropic-messages', 'openai-responses', { model: 'own/m', ...MESSAGES });
  assert.equal(field((field(own.json, 'tools') as object[])[0], 'type'), 'web_search');
  assert.equal(own.dropped, told('.max_uses'));
  const xai = await sent('anthropic-messages', 'openai-responses', { model: 'xai/grok-4.3', ...MESSAGES });
  assert.deepEqual(field(xai.json, 'tools'), [{ type: 'web_search', allowed_domains: ['a.invalid'] }]);
  assert.equal(xai.dropped, told('.max_uses', '.user_location'));
});

test('vendors of chat are asked in their own words', async () => {
  const of = (model: string) => sent('anthropic-messages', 'openai-chat', { model, ...MESSAGES });
  const openrouter = await of('openrouter/m');
  assert.deepEqual(field(openrouter.json, 'tools'), [
    {
      type: 'openrouter:web_search',
      parameters: { allowed_domains: ['a.invalid'], user_location: OF_MESSAGES.user_location },
    },
  ]);
  const groq = await of('groq/openai/gpt-oss-120b');
  assert.deepEqual(field(groq.json, 'tools'), [{ type: 'browser_search' }]);
  const sonar = await of('perplexity/sonar-pro');
  assert.deepEqual(field(sonar.json, 'web_search_options'), { user_location: OF_MESSAGES.user_location });
  const qwen = await of('alibaba/qwen-max');
  assert.equal(field(qwen.json, 'enable_search'), true);
  assert.equal(qwen.dropped, told('.max_uses', '.allowed_domains', '.user_location'));
  const glm = await of('zai/glm-5');
  assert.deepEqual(field(glm.json, 'tools'), [
    { type: 'web_search', web_search: { enable: true, search_engine: 'search_pro_jina', search_result: true } },
  ]);
  for (const model of ['groq/llama-4', 'deepseek/m', 'mistral/m', 'gemini/m']) {
    const none = await of(model);
    assert.deepEqual([field(none.json, 'tools'), none.dropped], [undefined, told('')], model);
  }
});

test('a search of responses and of chat is asked for in messages', async () => {
  const model = 'anthropic/claude-sonnet-4-5';
  const search = { type: 'web_search', filters: { allowed_domains: ['a.invalid'] }, search_context_size: 'low' };
  const responses = await sent('openai-responses', 'anthropic-messages', {
    model,
    store: false,
    input: 'News?',
    tools: [{ ...search, user_location: OF_MESSAGES.user_location }],
    tool_choice: { type: 'web_search' },
  });
  const { max_uses: _, ...asked } = OF_MESSAGES;
  assert.deepEqual(field(responses.json, 'tools'), [asked]);
  assert.partialDeepStrictEqual(field(responses.json, 'tool_choice'), { type: 'tool', name: 'web_search' });
  assert.equal(responses.dropped, 'tools.web_search.search_context_size');
  const chat = await sent('openai-chat', 'anthropic-messages', {
    model,
    messages: MESSAGES.messages,
    web_search_options: { user_location: { type: 'approximate', approximate: PLACE } },
  });
  const { allowed_domains: __, ...placed } = asked;
  assert.deepEqual([field(chat.json, 'tools'), chat.dropped], [[placed], null]);
});

test('a plugin that searches is asked for in messages, and other plugins are told', async () => {
  const plugins = [{ id: 'web', exclude_domains: ['b.invalid'] }];
  const asked = { model: 'anthropic/claude-sonnet-4-5', messages: MESSAGES.messages };
  const { json, dropped } = await sent('openai-chat', 'anthropic-messages', { ...asked, plugins });
  const search = { type: 'web_search_20250305', name: 'web_search', blocked_domains: ['b.invalid'] };
  assert.deepEqual([field(json, 'tools'), dropped], [[search], null]);
  const more = { ...asked, plugins: [...plugins, { id: 'file-parser' }] };
  assert.equal((await sent('openai-chat', 'anthropic-messages', more)).dropped, 'plugins');
});

test('a search that may fetch nothing is asked for nowhere else', async () => {
  const { json, dropped } = await sent('openai-responses', 'anthropic-messages', {
    model: 'anthropic/claude-sonnet-4-5',
    store: false,
    input: 'News?',
    tools: [{ type: 'web_search', external_web_access: false }],
  });
  assert.deepEqual([field(json, 'tools'), dropped], [undefined, 'tools.web_search']);
});
