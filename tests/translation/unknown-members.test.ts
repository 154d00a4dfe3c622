import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';
import { scripted } from './vendors.ts';

/** Members within messages, parts and tools that no table knows: they pass in their own format, and are told elsewhere. */
const lab = await startTranslationLab();
after(() => lab[Symbol.asyncDispose]());

const odd = { unheard: 1 };
const user = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content, ...more }] });
const input = (content: unknown, more: object = {}) => ({ input: [{ role: 'user', content, ...more }], store: false });
const image = { type: 'input_image', image_url: 'https://a.invalid/a.png' };
const chatTool = { name: 'f', parameters: { type: 'object', properties: {} } };
const called = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };

type Asked = [from: RecordedDialect, body: object, told: string | null];
const ASKED: readonly Asked[] = [
  ['openai-chat', user('Hi', odd), 'messages.unheard'],
  ['openai-chat', user([{ type: 'text', text: 'Hi', ...odd }]), 'messages.content.unheard'],
  [
    'openai-chat',
    { ...user('Hi'), tools: [{ type: 'function', function: { ...chatTool, async: true } }] },
    'tools.function.async',
  ],
  [
    'openai-chat',
    { ...user('Hi'), tools: [{ type: 'function', defer_loading: true, function: chatTool }] },
    'tools.defer_loading',
  ],
  [
    'openai-chat',
    {
      messages: [
        { role: 'assistant', content: null, tool_calls: [{ ...called, ...odd }] },
        { role: 'tool', tool_call_id: 'c1', content: 'r' },
      ],
    },
    'messages.tool_calls.unheard',
  ],
  [
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'Hi', name: null, unheard: null },
        {
          role: 'assistant',
          content: 'a',
          refusal: null,
          tool_calls: null,
          function_call: null,
          audio: null,
          annotations: [],
        },
        { role: 'user', content: 'b' },
      ],
    },
    null,
  ],
  ['openai-responses', input('Hi', odd), 'input.unheard'],
  ['openai-responses', input([{ type: 'input_text', text: 'Hi', ...odd }]), 'input.content.unheard'],
  ['openai-responses', input([{ ...image, compression: 'auto' }]), 'input.content.compression'],
  [
    'openai-responses',
    { ...input('Hi'), tools: [{ type: 'function', ...chatTool, strict: false, async: false, defer_loading: null }] },
    null,
  ],
  ['anthropic-messages', user('Hi', odd), 'messages.unheard'],
  ['anthropic-messages', user([{ type: 'text', text: 'Hi', ...odd }]), 'messages.content.unheard'],
  ['anthropic-messages', { ...user('Hi'), system: [{ type: 'text', text: 'S', ...odd }] }, 'system.unheard'],
  [
    'anthropic-messages',
    { ...user('Hi'), max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024, ...odd } },
    'thinking.unheard',
  ],
  [
    'anthropic-messages',
    { ...user('Hi'), tools: [{ name: 'f', input_schema: { type: 'object', properties: {} }, defer_loading: false }] },
    null,
  ],
];

for (const [from, body, told] of ASKED) {
  test(`${from}: ${JSON.stringify(body)}`, async () => {
    for (const spoken of DIALECTS) {
      lab.vendor.forget();
      lab.vendor.plan(scripted(spoken, [{ text: 'Fine.', usage: { input: 5, output: 2 } }]));
      const asked = { ...(from === 'anthropic-messages' && { max_tokens: 9 }), ...body, model: `${spoken}/m` };
      const response = await fetch(`${lab.headgate.url}${PATHS[from]}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      });
      assert.equal(response.status, 200, await response.text());
      const dropped = response.headers.get('service-dropped')?.split(', ') ?? [];
      const isOwn = spoken === from;
      if (isOwn) assert.partialDeepStrictEqual(lab.vendor.requests.at(-1)?.json, body, 'it passes');
      assert.deepEqual(
        dropped.filter((name) => /unheard|async|defer|compression/.test(name)),
        isOwn || told === null ? [] : [told],
        spoken,
      );
    }
  });
}
