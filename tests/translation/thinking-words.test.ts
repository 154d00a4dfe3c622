import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { ask } from '../http/client.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

/** How a call asks for thinking, in whatever words, and what each vendor is sent. */
const vendor = await startFakeProvider();
after(() => vendor.close());
const at = (preset: string) => `preset: ${preset}, base_url: "${vendor.url}", api_key: k`;
const headgate = await startHeadgate({
  config: `providers:
  claude: { base_url: "${vendor.url}", dialects: [anthropic-messages], only: [claude-opus-4-8, claude-sonnet-4-5] }
  responses: { base_url: "${vendor.url}", dialects: [openai-responses], only: [gpt-5.2] }
  qwen: { ${at('alibaba')}, only: [qwen3.6-plus] }
  deepseek: { ${at('deepseek')}, only: [deepseek-v4-pro] }
  chat: { base_url: "${vendor.url}", dialects: [openai-chat], only: [m] }
limits: { max_loop_lag: 0, requests_per_minute: 100000 }
`,
});
after(() => headgate[Symbol.asyncDispose]());

const BASES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 64_000 },
};

/** What the vendor was sent, without what does not concern thinking, and what the caller was told of. */
async function sent(surface: keyof typeof BASES, model: string, more: object, stream = false) {
  const body = { model, ...BASES[surface], stream, ...more };
  const { headers } = await ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body });
  const { json } = vendor.requests.at(-1)!;
  const names = ['thinking', 'output_config', 'reasoning', 'reasoning_effort', 'enable_thinking', 'thinking_budget'];
  const told = Object.entries(json as object).filter(([name]) => [...names, 'chat_template_kwargs'].includes(name));
  return { ...Object.fromEntries(told), dropped: headers.get('service-dropped') };
}

const NONE = { dropped: null };

for (const [words, off, on] of [
  ['thinking', { thinking: { type: 'disabled' } }, { thinking: { type: 'enabled' } }],
  ['enable_thinking', { enable_thinking: false }, { enable_thinking: true }],
  [
    'chat_template_kwargs',
    { chat_template_kwargs: { enable_thinking: false } },
    { chat_template_kwargs: { thinking: true } },
  ],
  ['reasoning', { reasoning: { enabled: false } }, { reasoning: { enabled: true } }],
  ['thinking_budget', { thinking_budget: 0 }, { thinking_budget: -1 }],
] as const) {
  test(`${words} of a chat caller turns thinking off and on at vendors of other formats`, async () => {
    assert.deepEqual(await sent('openai-chat', 'claude/claude-opus-4-8', on), {
      ...NONE,
      thinking: { type: 'adaptive' },
    });
    assert.deepEqual(await sent('openai-chat', 'responses/gpt-5.2', off), { ...NONE, reasoning: { effort: 'none' } });
    assert.deepEqual(await sent('openai-chat', 'responses/gpt-5.2', on), { ...NONE, reasoning: { effort: 'medium' } });
    assert.deepEqual(await sent('openai-chat', 'chat/m', on), { ...NONE, ...on }, 'as it is within its own format');
  });
}

test('efforts and budgets of chat callers are read in each vendor’s words', async () => {
  const high = { ...NONE, reasoning: { effort: 'high' } };
  const model = 'responses/gpt-5.2';
  assert.deepEqual(await sent('openai-chat', model, { reasoning: { effort: 'high' } }), high);
  assert.deepEqual(await sent('openai-chat', model, { chat_template_kwargs: { reasoning_effort: 'high' } }), high);
  assert.deepEqual(await sent('openai-chat', model, { thinking: { type: 'enabled', budget_tokens: 20_000 } }), high);
  assert.deepEqual(await sent('openai-chat', model, { enable_thinking: true, thinking_budget: 20_000 }), high);
  assert.deepEqual(await sent('openai-chat', model, { reasoning_effort: 'high', enable_thinking: false }), high);
  const budget = { ...NONE, thinking: { type: 'enabled', budget_tokens: 3000 } };
  for (const said of [{ reasoning: { max_tokens: 3000 } }, { enable_thinking: true, thinking_budget: 3000 }])
    assert.deepEqual(await sent('openai-chat', 'claude/claude-sonnet-4-5', { ...said, max_tokens: 9000 }), budget);
  const odd = await sent('openai-chat', model, { chat_template_kwargs: { enable_thinking: true, tools_in_user: 1 } });
  assert.equal(odd.dropped, 'chat_template_kwargs');
  assert.equal((await sent('openai-chat', model, { thinking: 7 })).dropped, 'thinking');
});

test('adaptive thinking is switched on where a model does not think unasked', async () => {
  const thinking = { type: 'adaptive' };
  assert.deepEqual(await sent('anthropic-messages', 'responses/gpt-5.2', { thinking }), {
    ...NONE,
    reasoning: { effort: 'medium' },
  });
  assert.deepEqual(await sent('anthropic-messages', 'deepseek/deepseek-v4-pro', { thinking }), {
    ...NONE,
    thinking: { type: 'enabled' },
    reasoning_effort: 'high',
  });
});

test('a budget of 0 is off at Alibaba, and one of -1 automatic', async () => {
  const asked = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } });
  const off = { ...NONE, enable_thinking: false };
  const on = { ...NONE, enable_thinking: true };
  assert.deepEqual(await sent('anthropic-messages', 'qwen/qwen3.6-plus', asked(0)), off);
  assert.deepEqual(await sent('anthropic-messages', 'qwen/qwen3.6-plus', asked(-1)), on);
  assert.deepEqual(await sent('anthropic-messages', 'qwen/qwen3.6-plus', asked(3000)), {
    ...on,
    thinking_budget: 3000,
  });
});

test('several texts of one turn go to chat with a break between them, but not where citations cut them', async () => {
  const cited = { type: 'text', text: 'is green', citations: [{ type: 'char_location', cited_text: 'g' }] };
  for (const [content, joined] of [
    [
      [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
      'One.\nTwo.',
    ],
    [
      [
        { type: 'text', text: 'One.\n' },
        { type: 'text', text: 'Two.' },
      ],
      'One.\nTwo.',
    ],
    [[{ type: 'text', text: 'Grass ' }, cited, { type: 'text', text: '.' }], 'Grass is green.'],
  ] as const) {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
      { role: 'user', content: 'Go on' },
    ];
    await ask(`${headgate.url}/v1/messages`, { key: headgate.key, body: { model: 'chat/m', max_tokens: 9, messages } });
    assert.partialDeepStrictEqual(vendor.requests.at(-1)!.json, { messages: [{}, { content: joined }, {}] });
  }
  const input = ['One.', 'Two.'].map((text) => ({ role: 'assistant', content: [{ type: 'output_text', text }] }));
  await ask(`${headgate.url}/v1/responses`, { key: headgate.key, body: { model: 'chat/m', input } });
  assert.partialDeepStrictEqual(vendor.requests.at(-1)!.json, { messages: [{ content: 'One.\nTwo.' }] });
});
