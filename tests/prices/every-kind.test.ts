import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DONE } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, type Reply, streamReply } from '../../src/testing/reply.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

/** A record of each kind of usage, billed by hand (in nano-dollars) and by the gateway over a socket, whole and streamed. */
const vendor = await startFakeProvider();
const PRICE = `
        input_per_1m: 10
        output_per_1m: 20
        cache_read_per_1m: 1
        cache_write_per_1m: 12
        cache_writes_per_1m: { 1h: 16, 12h: 24 }
        reasoning_per_1m: 30
        audio_input_per_1m: 40
        audio_output_per_1m: 50
        tiers: [{ above_prompt_tokens: 1000, input_per_1m: 100, output_per_1m: 200 }]
        services: { flex: { input_per_1m: 5, output_per_1m: 10 } }
        per_call: { web_search: 0.01 }
        regions: { us: 1.1 }
        date: "2026-11-22"
`;
const ONE_LINE = PRICE.trim().split('\n').join(', ');
const provider = (id: string, dialect: string, more = '') =>
  `  ${id}: { base_url: "${vendor.url}", dialects: [${dialect}]${more}, only: [{ id: m, price: {${ONE_LINE}} }] }\n`;
const CONFIG = `providers:\n${DIALECTS.map((id) => provider(id, id)).join('')}${provider('there', 'openai-chat', ', region: us')}${provider('vectors', 'openai-embeddings')}  openai: { base_url: "${vendor.url}", api_key: sk-1, only: [{ id: gpt-9-search-api, price: {${ONE_LINE} } }, { id: gpt-8-search-preview, price: { input_per_1m: 10, output_per_1m: 20 } }] }
  other: { base_url: "${vendor.url}", only: [{ id: gpt-9-search-api, price: {${ONE_LINE} } }] }
  fine: { base_url: "${vendor.url}", only: [{ id: m, price: { input_per_1m: 0.000501, output_per_1m: 0.0005 } }] }
`;
const server = await startHeadgate({ config: CONFIG });
after(async () => {
  await server[Symbol.asyncDispose]();
  await vendor.close();
});

type Kind = {
  called: string;
  provider?: string;
  model?: string;
  dialect: keyof typeof BODIES;
  /** The vendor's usage object, and what else of its answer tells of usage. */
  usage: object;
  beside?: object;
  /** Items or blocks of the answer before its text: of a response, or a message. */
  toolItems?: readonly object[];
  /** Line items: what, how many, nano-dollars. */
  items: readonly (readonly [component: string, quantity: number, nanoDollars: number])[];
  unpriced?: readonly string[];
};

const BODIES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hello' }] },
  'openai-responses': { input: 'Hello' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 },
  'openai-embeddings': { input: 'Hello' },
};

const chat = (more: object = {}) => ({ prompt_tokens: 100, completion_tokens: 10, ...more });
const response = (more: object = {}) => ({ input_tokens: 100, output_tokens: 10, total_tokens: 110, ...more });
const message = (more: object = {}) => ({ input_tokens: 100, output_tokens: 10, ...more });
const PLAIN = [
  ['input', 100, 1_000_000],
  ['output', 10, 200_000],
] as const;
const OUTPUT = ['output', 10, 200_000] as const;

const KINDS: readonly Kind[] = [
  { called: 'plain tokens', dialect: 'openai-chat', usage: chat(), items: PLAIN },
  { called: 'plain tokens', dialect: 'openai-responses', usage: response(), items: PLAIN },
  { called: 'plain tokens', dialect: 'anthropic-messages', usage: message(), items: PLAIN },
  {
    called: 'tokens read from a cache',
    dialect: 'openai-chat',
    usage: chat({ prompt_tokens_details: { cached_tokens: 60 } }),
    items: [['input', 40, 400_000], ['cache_read', 60, 60_000], OUTPUT],
  },
  {
    called: 'tokens read from a cache',
    dialect: 'anthropic-messages',
    usage: message({ input_tokens: 40, cache_read_input_tokens: 60 }),
    items: [['input', 40, 400_000], ['cache_read', 60, 60_000], OUTPUT],
  },
  {
    called: 'a cache for 30 minutes, OpenAI’s ordinary time',
    dialect: 'openai-chat',
    usage: chat({
      prompt_tokens_details: { cache_write_tokens: 50, cache_write_tokens_details: { ttl_30m_tokens: 50 } },
    }),
    items: [['input', 50, 500_000], ['cache_write', 50, 600_000], OUTPUT],
  },
  {
    called: 'a cache for 12 hours',
    dialect: 'openai-responses',
    usage: response({
      input_tokens_details: { cache_write_tokens: 50, cache_write_tokens_details: { ttl_12h_tokens: 50 } },
    }),
    items: [['input', 50, 500_000], ['cache_write_12h', 50, 1_200_000], OUTPUT],
  },
  {
    called: 'a cache for 5 minutes, Anthropic’s ordinary time',
    dialect: 'anthropic-messages',
    usage: message({
      input_tokens: 50,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 0 },
    }),
    items: [['input', 50, 500_000], ['cache_write', 50, 600_000], OUTPUT],
  },
  {
    called: 'caches for 5 minutes and an hour',
    dialect: 'anthropic-messages',
    usage: message({
      input_tokens: 50,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
    }),
    items: [['input', 50, 500_000], ['cache_write', 20, 240_000], ['cache_write_1h', 30, 480_000], OUTPUT],
  },
  {
    called: 'audio of prompt and answer',
    dialect: 'openai-chat',
    usage: chat({ prompt_tokens_details: { audio_tokens: 20 }, completion_tokens_details: { audio_tokens: 4 } }),
    items: [
      ['input', 80, 800_000],
      ['output', 6, 120_000],
      ['audio_input', 20, 800_000],
      ['audio_output', 4, 200_000],
    ],
  },
  {
    called: 'reasoning',
    dialect: 'openai-responses',
    usage: response({ output_tokens_details: { reasoning_tokens: 4 } }),
    items: [
      ['input', 100, 1_000_000],
      ['output', 6, 120_000],
      ['reasoning', 4, 120_000],
    ],
  },
  {
    called: 'a tier of service',
    dialect: 'openai-chat',
    usage: chat(),
    beside: { service_tier: 'flex' },
    items: [
      ['input', 100, 500_000],
      ['output', 10, 100_000],
    ],
  },
  {
    called: 'a tier of service that has no price',
    dialect: 'anthropic-messages',
    usage: message({ service_tier: 'standard', speed: 'fast' }),
    items: [],
    unpriced: ['input', 'output'],
  },
  {
    called: 'a long prompt',
    dialect: 'openai-chat',
    usage: chat({ prompt_tokens: 1001 }),
    items: [
      ['input', 1001, 100_100_000],
      ['output', 10, 2_000_000],
    ],
  },
  {
    called: 'calls of a vendor’s own tool',
    dialect: 'openai-responses',
    usage: response(),
    beside: { tool_usage: { image_gen: { total_tokens: 0 }, web_search: { num_requests: 2 } } },
    items: [...PLAIN, ['tool:web_search', 2, 20_000_000]],
  },
  {
    called: 'calls of a vendor’s own tool',
    dialect: 'anthropic-messages',
    usage: message({ server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 } }),
    items: [...PLAIN, ['tool:web_search', 3, 30_000_000]],
  },
  {
    called: 'calls of a tool that has no price',
    dialect: 'anthropic-messages',
    usage: message({ server_tool_use: { web_search_requests: 1, code_execution_requests: 1 } }),
    items: [...PLAIN, ['tool:web_search', 1, 10_000_000]],
    unpriced: ['tool:code_execution'],
  },
  {
    called: 'calls of tools that the usage says nothing of',
    dialect: 'openai-responses',
    usage: response(),
    toolItems: [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'open_page', url: 'u' } },
      { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['q'], results: null },
      { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1', container_id: 'c', outputs: null },
    ],
    items: [...PLAIN, ['tool:web_search', 1, 10_000_000]],
    unpriced: ['tool:file_search', 'tool:code_interpreter'],
  },
  {
    called: 'a model of OpenAI’s that searches with every call, which no usage tells',
    ...{ provider: 'openai', model: 'gpt-9-search-api' },
    dialect: 'openai-chat',
    usage: chat(),
    items: [...PLAIN, ['tool:web_search', 1, 10_000_000]],
  },
  {
    called: 'such a model without a price for it',
    ...{ provider: 'openai', model: 'gpt-8-search-preview' },
    dialect: 'openai-chat',
    usage: chat(),
    items: PLAIN,
    unpriced: ['tool:web_search'],
  },
  {
    called: 'a model of that name of another vendor, of which nothing is known',
    ...{ provider: 'other', model: 'gpt-9-search-api' },
    dialect: 'openai-chat',
    usage: chat(),
    items: PLAIN,
  },
  {
    called: 'runs of code, which no usage tells',
    dialect: 'anthropic-messages',
    usage: message({ server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } }),
    toolItems: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: {} },
      { type: 'server_tool_use', id: 'srvtoolu_2', name: 'bash_code_execution', input: {} },
      { type: 'tool_use', id: 'toolu_1', name: 'code_execution', input: {} },
    ],
    items: PLAIN,
    unpriced: ['tool:code_execution'],
  },
  {
    called: 'runs of code for a search, which cost nothing by themselves',
    dialect: 'anthropic-messages',
    usage: message({ server_tool_use: { web_search_requests: 1 } }),
    toolItems: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: {} }],
    items: [...PLAIN, ['tool:web_search', 1, 10_000_000]],
  },
  {
    called: 'a region that the vendor names',
    dialect: 'anthropic-messages',
    usage: message({ inference_geo: 'us', server_tool_use: { web_search_requests: 1 } }),
    items: [
      ['input', 100, 1_100_000],
      ['output', 10, 220_000],
      ['tool:web_search', 1, 10_000_000],
    ],
  },
  {
    called: 'the region of a provider',
    provider: 'there',
    dialect: 'openai-chat',
    usage: chat(),
    items: [
      ['input', 100, 1_100_000],
      ['output', 10, 220_000],
    ],
  },
  {
    called: 'parts of a nano-dollar',
    provider: 'fine',
    dialect: 'openai-chat',
    usage: chat({ prompt_tokens: 3, completion_tokens: 3 }),
    // 1,503 and 1,500 pico-dollars.
    items: [
      ['input', 3, 2],
      ['output', 3, 2],
    ],
  },
  {
    called: 'embeddings',
    provider: 'vectors',
    dialect: 'openai-embeddings',
    usage: { prompt_tokens: 7, total_tokens: 7 },
    items: [['input', 7, 70_000]],
  },
];

/** The vendor's answer with this usage, in its own dialect. */
function reply({ dialect, usage, beside, toolItems = [] }: Kind, stream: boolean): Reply {
  const head = { id: 'answer_1', model: 'm', ...beside };
  switch (dialect) {
    case 'openai-embeddings':
      return jsonReply(200, {
        ...head,
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
        usage,
      });
    case 'openai-chat': {
      const said = { index: 0, finish_reason: 'stop' };
      const text = { role: 'assistant', content: 'Hello' };
      if (!stream) return jsonReply(200, { ...head, choices: [{ ...said, message: text }], usage });
      const chunks = [
        { ...head, choices: [{ ...said, delta: text }] },
        { ...head, choices: [], usage },
      ];
      return streamReply([...chunks.map(frame), DONE]);
    }
    case 'openai-responses': {
      const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];
      const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
      const whole = { ...head, object: 'response', status: 'completed', output: [...toolItems, item], usage };
      if (!stream) return jsonReply(200, whole);
      const events = [
        { type: 'response.created', response: { ...head, object: 'response', status: 'in_progress', output: [] } },
        { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hello' },
        { type: 'response.completed', response: whole },
      ];
      return streamReply(events.map(frame));
    }
    case 'anthropic-messages': {
      const whole = { ...head, type: 'message', role: 'assistant', content: [], stop_reason: null };
      const text = { type: 'text', text: 'Hello' };
      if (!stream) return jsonReply(200, { ...whole, content: [...toolItems, text], stop_reason: 'end_turn', usage });
      const index = toolItems.length;
      const events = [
        { type: 'message_start', message: { ...whole, usage: { ...usage, output_tokens: 1 } } },
        ...toolItems.flatMap((block, at) => [
          { type: 'content_block_start', index: at, content_block: block },
          { type: 'content_block_stop', index: at },
        ]),
        { type: 'content_block_start', index, content_block: { ...text, text: '' } },
        { type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_stop', index },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
        { type: 'message_stop' },
      ];
      return streamReply(events.map(frame));
    }
  }
}

async function get(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.key}` } });
  return (await answer.json()) as Record<string, unknown>;
}

for (const kind of KINDS) {
  for (const stream of kind.dialect === 'openai-embeddings' ? [false] : [false, true]) {
    test(`${kind.called}, as ${kind.dialect} tells them, ${stream ? 'streamed' : 'whole'}`, async () => {
      vendor.plan(() => reply(kind, stream), { times: 1 });
      const path = kind.dialect === 'openai-embeddings' ? '/v1/embeddings' : PATHS[kind.dialect];
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...BODIES[kind.dialect],
          model: `${kind.provider ?? kind.dialect}/${kind.model ?? 'm'}`,
          ...(stream && { stream }),
        }),
      });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      const record = await get(`/v1/usage/${answer.headers.get('x-request-id')}`);
      const items = kind.items.map(([component, quantity, nano]) => ({ component, quantity, amount_usd: nano / 1e9 }));
      assert.deepEqual(record.line_items, items);
      assert.deepEqual(record.unpriced, kind.unpriced ?? []);
      const sum = kind.items.reduce((total, [, , nano]) => total + nano, 0);
      assert.equal(record.cost_usd, kind.unpriced === undefined ? sum / 1e9 : null);
    });
  }
}
