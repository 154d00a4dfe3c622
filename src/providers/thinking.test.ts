import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasoningWish } from '../core/call.ts';
import { Losses } from '../core/losses.ts';
import { thinkingFields } from '../dialects/reasoning-efforts.ts';
import { resolveProvider } from './resolve.ts';

const OFF: ReasoningWish = { effort: 'none' };
const HIGH: ReasoningWish = { effort: 'high' };
const BUDGET: ReasoningWish = { budgetTokens: 6000 };

/** What a vendor's model is sent for a wish, and whether a changed effort is reported. */
const SENT: readonly [vendor: string, model: string, wish: ReasoningWish, fields: object, told: boolean][] = [
  ['deepseek', 'deepseek-v4-pro', OFF, { thinking: { type: 'disabled' } }, false],
  ['deepseek', 'deepseek-v5', OFF, { thinking: { type: 'disabled' } }, false],
  ['deepseek', 'deepseek-v4-pro', HIGH, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }, false],
  ['deepseek', 'deepseek-v4-flash', BUDGET, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }, true],
  [
    'deepseek',
    'deepseek-v4-pro',
    { effort: 'xhigh' },
    { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
    true,
  ],
  [
    'deepseek',
    'deepseek-v4-pro',
    { adaptive: true },
    { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    false,
  ],
  ['moonshot', 'kimi-k2.6', { adaptive: true }, { thinking: { type: 'enabled' } }, false],
  ['openai', 'gpt-5.2', { adaptive: true }, { reasoning_effort: 'medium' }, false],
  ['openai', 'o3', { adaptive: true }, {}, false],
  ['mistral', 'mistral-small-latest', { adaptive: true }, { reasoning_effort: 'high' }, false],
  ['groq', 'qwen/qwen3-32b', { adaptive: true }, {}, false],
  ['together', 'some/model', { adaptive: true }, {}, false],
  ['deepseek', 'deepseek-chat', HIGH, { thinking: { type: 'enabled' } }, true],
  ['deepseek', 'deepseek-reasoner', OFF, {}, true],
  ['moonshot', 'kimi-k2.6', OFF, { thinking: { type: 'disabled' } }, false],
  ['moonshot', 'kimi-k2.5', HIGH, { thinking: { type: 'enabled' } }, true],
  ['moonshot', 'kimi-k2.7-code', OFF, {}, true],
  ['moonshot', 'kimi-k2-thinking', OFF, {}, true],
  ['moonshot', 'kimi-k2-0905-preview', OFF, {}, false],
  ['moonshot', 'kimi-k3', OFF, { reasoning_effort: 'low' }, true],
  ['moonshot', 'kimi-k3.1-pro', { effort: 'medium' }, { reasoning_effort: 'high' }, true],
  ['zai', 'glm-4.7', OFF, { thinking: { type: 'disabled' } }, false],
  ['zai', 'glm-5.2', { effort: 'xhigh' }, { thinking: { type: 'enabled' }, reasoning_effort: 'xhigh' }, false],
  ['zai', 'glm-5.3', OFF, { reasoning_effort: 'low' }, true],
  ['zhipu', 'glm-4.6', HIGH, { thinking: { type: 'enabled' } }, true],
  ['zhipu', 'glm-4-plus', OFF, {}, false],
  ['alibaba', 'qwen3.6-plus', OFF, { enable_thinking: false }, false],
  ['alibaba', 'qwen3.6-plus', BUDGET, { enable_thinking: true, thinking_budget: 6000 }, false],
  ['alibaba', 'qwen-plus', { adaptive: true }, { enable_thinking: true }, false],
  ['alibaba', 'qwen3-32b', BUDGET, { enable_thinking: false }, true],
  ['alibaba', 'qwen3-235b-a22b-thinking-2507', OFF, {}, true],
  ['alibaba', 'qwen3-coder-plus', OFF, {}, false],
  ['xai', 'grok-code-fast-1', BUDGET, {}, true],
  ['xai', 'grok-4-1-fast-non-reasoning', OFF, {}, false],
  ['xai', 'grok-4', HIGH, {}, true],
  ['xai', 'grok-3-mini', { effort: 'medium' }, { reasoning_effort: 'high' }, true],
  ['xai', 'grok-4.3', OFF, { reasoning_effort: 'none' }, false],
  ['xai', 'grok-4.5', OFF, { reasoning_effort: 'low' }, true],
  ['xai', 'grok-4.7', { effort: 'max' }, { reasoning_effort: 'xhigh' }, true],
  ['gemini', 'gemini-2.5-flash', OFF, { reasoning_effort: 'none' }, false],
  ['gemini', 'gemini-3-pro-preview', OFF, { reasoning_effort: 'low' }, true],
  ['gemini', 'gemini-3-pro-preview', { effort: 'medium' }, { reasoning_effort: 'high' }, true],
  ['gemini', 'gemini-3.1-pro-preview', { effort: 'medium' }, { reasoning_effort: 'medium' }, false],
  ['gemini', 'gemini-3-flash-preview', { effort: 'minimal' }, { reasoning_effort: 'low' }, true],
  ['gemini', 'gemini-3-flash-preview', OFF, { reasoning_effort: 'none' }, false],
  ['gemini', 'gemini-4-argon', { effort: 'minimal' }, { reasoning_effort: 'low' }, true],
  ['gemini', 'models/gemini-2.5-pro', { effort: 'max' }, { reasoning_effort: 'high' }, true],
  ['groq', 'qwen/qwen3-32b', OFF, { reasoning_effort: 'none' }, false],
  ['groq', 'qwen/qwen3-32b', HIGH, {}, true],
  ['groq', 'openai/gpt-oss-120b', { effort: 'max' }, { reasoning_effort: 'high' }, true],
  ['groq', 'llama-3.3-70b-versatile', HIGH, {}, true],
  ['cerebras', 'zai-glm-4.7', OFF, { reasoning_effort: 'none' }, false],
  ['mistral', 'magistral-medium-latest', HIGH, {}, true],
  ['mistral', 'mistral-small-latest', { effort: 'low' }, { reasoning_effort: 'high' }, true],
  ['azure', 'gpt-6-astra', { effort: 'max' }, { reasoning_effort: 'xhigh' }, true],
  ['openai', 'gpt-6-astra', OFF, { reasoning_effort: 'low' }, true],
  ['openai', 'gpt-5-chat-latest', HIGH, {}, true],
  ['openrouter', 'openai/gpt-6-sol', OFF, { reasoning_effort: 'none' }, false],
  ['together', 'some/model', HIGH, { reasoning_effort: 'high' }, false],
];

for (const [vendor, upstreamModel, wish, fields, told] of SENT) {
  test(`${vendor}, ${upstreamModel}: ${JSON.stringify(wish)}`, () => {
    const settings = { id: vendor, preset: vendor, label: null, dialects: null, headers: {}, region: null };
    const { quirks } = resolveProvider({ ...settings, baseUrl: 'http://x.test/v1', concurrency: null }, null);
    const losses = new Losses();
    assert.deepEqual(thinkingFields(wish, { upstreamModel, quirks, stream: false }, losses), fields);
    assert.deepEqual(losses.names, told ? ['reasoning_effort'] : []);
  });
}

test('a model that thinks in streams alone does so in one', () => {
  const { quirks } = resolveProvider(
    {
      id: 'a',
      preset: 'alibaba',
      baseUrl: null,
      label: null,
      dialects: null,
      headers: {},
      region: null,
      concurrency: null,
    },
    null,
  );
  const options = { upstreamModel: 'qwen3-32b', quirks, stream: true };
  assert.deepEqual(thinkingFields(BUDGET, options, new Losses()), { enable_thinking: true, thinking_budget: 6000 });
});
