import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { startVendor } from './lab.ts';

/** Options of searches of the web that not every vendor has: carried, or told by their names. */
const sent = await startVendor(
  ({ only }) => `
  openai: { ${only('gpt-5.5')} }
  xai: { ${only('grok-4.3')}, dialects: [openai-responses] }
  openrouter: { ${only('m')}, dialects: [openai-chat] }
  anthropic: { ${only('claude-sonnet-4-5')} }
`,
);

const CLAUDE = 'anthropic/claude-sonnet-4-5';
const BODIES: Record<RecordedDialect, object> = {
  'openai-chat': { messages: [{ role: 'user', content: 'News?' }] },
  'openai-responses': { input: 'News?', store: false },
  'anthropic-messages': { messages: [{ role: 'user', content: 'News?' }], max_tokens: 64 },
};
const ofResponses = (more: object) => ({ type: 'web_search', ...more });
const ofMessages = (more: object) => ({ type: 'web_search_20250305', name: 'web_search', ...more });
const ofZai = (more: object) => ({ type: 'web_search', web_search: { enable: true, ...more } });
const both = { allowed_domains: ['a.invalid'], blocked_domains: ['b.invalid'] };

type Asked = [from: RecordedDialect, model: string, tool: object, told: string | null];
/** `told`: names of options, behind the tool's type. */
const ASKED: readonly Asked[] = [
  ['openai-responses', CLAUDE, ofResponses({ search_content_types: ['image'] }), 'search_content_types'],
  ['openai-responses', CLAUDE, ofResponses({ unheard: 1 }), 'unheard'],
  ['openai-responses', CLAUDE, ofResponses({ filters: { unheard: 1 } }), 'unheard'],
  ['openai-responses', CLAUDE, ofResponses({ filters: null, user_location: null, unheard: null }), null],
  ['openai-responses', CLAUDE, ofResponses({ filters: { allowed_domains: [] }, external_web_access: true }), null],
  ['openai-responses', CLAUDE, ofResponses({ filters: { allowed_domains: 'a.invalid' } }), 'allowed_domains'],
  ['openai-responses', CLAUDE, ofResponses({ user_location: { type: 'exact', latitude: 1 } }), 'user_location'],
  ['openai-responses', CLAUDE, ofResponses({ user_location: { type: 'approximate' } }), null],
  ['openai-responses', CLAUDE, ofResponses({ filters: both }), 'blocked_domains'],
  ['anthropic-messages', 'openai/gpt-5.5', ofMessages(both), null],
  ['anthropic-messages', 'openai/gpt-5.5', ofMessages({ response_inclusion: 'full' }), 'response_inclusion'],
  ['anthropic-messages', 'openai/gpt-5.5', ofMessages({ defer_loading: true, strict: false }), 'defer_loading'],
  ['anthropic-messages', 'xai/grok-4.3', ofMessages(both), 'blocked_domains'],
  ['openai-chat', CLAUDE, { type: 'openrouter:web_search', parameters: { engine: 'exa' } }, 'engine'],
  ['openai-chat', CLAUDE, ofZai({ search_recency_filter: 'day' }), 'search_recency_filter'],
];

for (const [from, model, tool, told] of ASKED) {
  test(`${JSON.stringify(tool)} to ${model}`, async () => {
    const spoken = model === CLAUDE ? 'anthropic-messages' : 'openai-responses';
    const { json, dropped } = await sent(from, spoken, { model, ...BODIES[from], tools: [tool] });
    assert.equal(dropped, told === null ? null : `tools.${field(tool, 'type')}.${told}`);
    assert.match(JSON.stringify(field(json, 'tools')), /"web_search/, 'it is asked for all the same');
  });
}

test('allowed domains are kept where a vendor takes one list', async () => {
  const asked = { ...BODIES['openai-responses'], model: CLAUDE, tools: [ofResponses({ filters: both })] };
  const { json } = await sent('openai-responses', 'anthropic-messages', asked);
  assert.deepEqual(field(json, 'tools'), [ofMessages({ allowed_domains: ['a.invalid'] })]);
});

test('a domain that is allowed and blocked is searched at no vendor', async () => {
  const lists = (allowed: readonly string[], ...blocked: string[]) => ({
    allowed_domains: allowed,
    blocked_domains: blocked,
  });
  const some = lists(
    ['a.invalid', 'https://News.b.invalid/', 'c.invalid/blog/x'],
    'A.invalid',
    'b.invalid',
    'c.invalid/blog',
  );
  const all = lists(['a.invalid'], 'a.invalid');
  for (const [model, spoken] of [
    ['openai/gpt-5.5', 'openai-responses'],
    ['xai/grok-4.3', 'openai-responses'],
    ['openrouter/m', 'openai-chat'],
  ] as const) {
    const ask = (more: object) =>
      sent('anthropic-messages', spoken, { ...BODIES['anthropic-messages'], model, tools: [ofMessages(more)] });
    const { allowed_domains: kept, ...rest } = some;
    const { json } = await ask({ allowed_domains: [...kept, 'c.invalid/blogs'], ...rest });
    assert.match(JSON.stringify(field(json, 'tools')), /"allowed_domains":\["c\.invalid\/blogs"\]/, model);
    for (const nothing of [some, all]) {
      const { json: without, dropped } = await ask(nothing);
      assert.deepEqual([field(without, 'tools'), dropped], [undefined, 'tools.web_search_20250305'], model);
    }
  }
});

test('of more domains than a vendor takes the first are kept, and it is told', async () => {
  const domains = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.invalid`);
  for (const list of ['allowed_domains', 'blocked_domains']) {
    const tools = [ofMessages({ [list]: domains })];
    const asked = { ...BODIES['anthropic-messages'], model: 'xai/grok-4.3', tools };
    const { json, dropped } = await sent('anthropic-messages', 'openai-responses', asked);
    assert.equal(dropped, `tools.web_search_20250305.${list}`);
    const own = list === 'allowed_domains' ? list : 'excluded_domains';
    assert.deepEqual(field(json, 'tools', '0', own), domains.slice(0, 5));
  }
});

test('a cache mark on a search is told as one', async () => {
  const tools = [ofMessages({ cache_control: { type: 'ephemeral' } })];
  const asked = { ...BODIES['anthropic-messages'], model: 'openrouter/m', tools };
  assert.equal((await sent('anthropic-messages', 'openai-chat', asked)).dropped, 'cache_control');
});

test('a search that is turned off is asked for nowhere', async () => {
  const asked = { ...BODIES['openai-chat'], model: CLAUDE, tools: [ofZai({ enable: false })] };
  const { json, dropped } = await sent('openai-chat', 'anthropic-messages', asked);
  assert.deepEqual([field(json, 'tools'), dropped], [undefined, 'tools.web_search']);
});
