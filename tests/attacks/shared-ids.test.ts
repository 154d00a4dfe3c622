import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

type Surface = keyof typeof PATHS;

// A place is sent alone: a result without its call, which no vendor is to refuse here.
const vendor = await startFakeProvider({ lenient: true });
after(() => vendor.close());

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const message = { id: 'msg_9', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'a' }] };
const output = [{ ...message, content: [{ type: 'output_text', text: 'a', annotations: [] }] }];
vendor.plan(
  () => jsonReply(200, { id: 'resp_9', object: 'response', model: 'm', status: 'completed', output, usage }),
  { path: PATHS['openai-responses'] },
);
vendor.plan(() => jsonReply(200, { ...message, model: 'm', stop_reason: 'end_turn', usage }), {
  path: PATHS['anthropic-messages'],
});

/** A provider that speaks only this, once for strangers and once for an organization of its own. */
const providers = DIALECTS.flatMap((dialect) =>
  ['refuse', 'allow'].map(
    (shared) =>
      `  ${shared}-${dialect}: { base_url: "${vendor.url}", dialects: [${dialect}], only: [m], shared_ids: ${shared} }`,
  ),
);
const CONFIG = `
providers:
${providers.join('\n')}
routes: { mixed: { targets: [refuse-openai-chat/m, allow-openai-chat/m], strategy: [priority] } }
limits: { requests_per_minute: 1000000 }
`;
const headgate = await startHeadgate({ config: CONFIG });
after(() => headgate[Symbol.asyncDispose]());

const say = (part: object) => [{ role: 'user', content: [part] }];
const result = (part: object) => [
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [part] }] },
];
const source = { type: 'file', file_id: 'file_1' };
const file = { type: 'input_file', file_id: 'file_1' };
const image = { type: 'input_image', file_id: 'file_1' };
const interpreter = (container: unknown) => ({ tools: [{ type: 'code_interpreter', container }] });
const shell = (environment: object) => ({ tools: [{ type: 'shell', environment }] });

/** Each place in which a call may name what its vendor keeps, by the field that the refusal names. */
const PLACES: Readonly<Record<Surface, Readonly<Record<string, object>>>> = {
  'openai-chat': {
    'messages[0].content[0].file.file_id': { messages: say({ type: 'file', file: { file_id: 'file_1' } }) },
    'messages[0].content[0].file_id': { messages: say({ type: 'file', file_id: 'file_1' }) },
    'messages[0].audio.id': { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
    'audio.voice.id': { audio: { format: 'wav', voice: { id: 'voice_1' } } },
    store: { store: true },
    preset: { preset: 'mine' },
    'extra_body.google.cached_content': { extra_body: { google: { cached_content: 'cachedContents/1' } } },
    cachedContent: { cachedContent: 'cachedContents/1' },
    previous_response_id: { previous_response_id: 'resp_1' },
    'tools[0].vector_store_ids': { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
  },
  'openai-responses': {
    previous_response_id: { previous_response_id: 'resp_1' },
    conversation: { conversation: 'conv_1' },
    'conversation.id': { conversation: { id: 'conv_1' } },
    'prompt.id': { prompt: { id: 'pmpt_1' } },
    'input[0].content[0].file_id': { input: say(file) },
    'input[0].output[0].file_id': { input: [{ type: 'function_call_output', call_id: 'c', output: [image] }] },
    'input[0].output.file_id': {
      input: [
        { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: 'file_1' } },
      ],
    },
    'input[0].container_id': { input: [{ type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1' }] },
    'input[0].id': {
      input: [{ type: 'image_generation_call', id: 'ig_1' }, ...say({ type: 'input_text', text: 'Go' })],
    },
    'input[1].id': {
      input: [...say({ type: 'input_text', text: 'Go' }), { type: 'reasoning', id: 'rs_1', summary: [] }],
    },
    'tools[0].container': interpreter('cntr_1'),
    'tools[0].container.file_ids': interpreter({ type: 'auto', file_ids: ['file_1'] }),
    'tools[0].vector_store_ids': { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    'tools[0].input_image_mask.file_id': {
      tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file_1' } }],
    },
    'tools[0].connector_id': { tools: [{ type: 'mcp', server_label: 'd', connector_id: 'connector_dropbox' }] },
    'tools[0].environment.container_id': shell({ type: 'container_reference', container_id: 'cntr_1' }),
    'tools[0].environment.file_ids': shell({ type: 'container_auto', file_ids: ['file_1'] }),
    'tools[0].environment.skills[0].skill_id': shell({
      type: 'container_auto',
      skills: [{ type: 'skill_reference', skill_id: 'skill_1' }],
    }),
  },
  'anthropic-messages': {
    container: { container: 'container_1' },
    'container.id': { container: { id: 'container_1' } },
    'container.skills[0].skill_id': { container: { skills: [{ type: 'custom', skill_id: 'skill_1', version: '1' }] } },
    'messages[0].content[0].source.file_id': { messages: say({ type: 'document', source }) },
    'messages[0].content[0].file_id': { messages: say({ type: 'container_upload', file_id: 'file_1' }) },
    'messages[0].content[0].content[0].source.file_id': { messages: result({ type: 'image', source }) },
  },
};

const BASES: Readonly<Record<Surface, object>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 99 },
};

/** The same JSON with one letter of every name, and of what kind of thing each is, written as an escape. */
function escaped(json: string): string {
  return json.replace(/"([a-z_A-Z]+)"(:|(?=[,}]))/g, (_, name: string, colon: string) => {
    const hidden = name.length - 1;
    const code = name.charCodeAt(hidden).toString(16).padStart(4, '0');
    return `"${name.slice(0, hidden)}\\u${code}"${colon}`;
  });
}

async function send(surface: Surface, model: string, fields: object, write = (json: string) => json) {
  const before = vendor.requests.length;
  const body = write(JSON.stringify({ ...BASES[surface], ...fields, model }));
  const answer = await ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body });
  return { ...answer, body, asked: vendor.requests.length - before };
}

for (const surface of DIALECTS) {
  for (const [param, fields] of Object.entries(PLACES[surface])) {
    const told = (json: unknown) => JSON.stringify(json).includes(`\`${param}\``);

    test(`${surface}: ${param} is refused by its name, in the clear and escaped, whatever the vendor speaks`, async () => {
      for (const spoken of DIALECTS) {
        for (const write of [undefined, escaped]) {
          const { status, json, asked } = await send(surface, `refuse-${spoken}/m`, fields, write);
          assert.deepEqual([status, asked], [400, 0], JSON.stringify(json));
          assert.ok(told(json), JSON.stringify(json));
        }
      }
    });

    test(`${surface}: ${param} is refused in another case, since some vendors read any`, async () => {
      const name =
        param
          .split('.')
          .at(-1)
          ?.replace(/\[\d+\]$/, '') ?? '';
      const write = (json: string) => json.replaceAll(`"${name}":`, `"${name[0]?.toUpperCase()}${name.slice(1)}":`);
      const { status, json, asked } = await send(surface, `refuse-${surface}/m`, fields, write);
      assert.deepEqual([status, asked], [400, 0], JSON.stringify(json));
    });

    test(`${surface}: ${param} passes where the account is its callers’ own`, async () => {
      const { status, json, asked } = await send(surface, `allow-${surface}/m`, fields);
      assert.deepEqual([status, asked], [200, 1], JSON.stringify(json));
      const sent = JSON.parse(vendor.requests.at(-1)?.body.toString() ?? '') as object;
      const { model: _, ...rest } = sent as Record<string, unknown>;
      for (const [name, value] of Object.entries(fields)) assert.deepEqual(rest[name], value);
    });
  }
}

test('an item that is nothing but an id is looked up here, however it is written, and never sent on', async () => {
  for (const [item, code] of [
    ['{"type":"item\\u005freference","id":"msg_1"}', 'item_not_found'],
    ['{"\\u0069d":"msg_1"}', 'item_not_found'],
    ['{"id":"msg_1","status":"completed"}', 'unsupported_parameter'],
  ]) {
    const body = `{"model":"refuse-openai-responses/m","input":[${item}]}`;
    const { status, json, asked } = await send('openai-responses', '', {}, () => body);
    assert.deepEqual([status, asked, field(json, 'error', 'code')], [400, 0, code]);
  }
});

test('a name that stands twice hides nothing', async () => {
  const bodies = [
    '{"model":"refuse-openai-chat/m","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file_1","file_id":null}}]}]}',
    '{"model":"refuse-openai-chat/m","messages":[{"role":"user","content":"Hi"}],"store":true,"store":false,"n":{"file_id":null,"file_id":""}}',
  ];
  for (const body of bodies) {
    const { status, asked } = await send('openai-chat', '', {}, () => body);
    assert.deepEqual([status, asked], [400, 0]);
  }
});

test('the tokens of what is kept are not told either', async () => {
  const body = {
    ...PLACES['anthropic-messages']['messages[0].content[0].source.file_id'],
    model: 'refuse-anthropic-messages/m',
  };
  const { status } = await ask(`${headgate.url}/v1/messages/count_tokens`, { key: headgate.key, body });
  assert.equal(status, 400);
});

test('a route goes on to a target whose account is its callers’ own', async () => {
  const { status, asked } = await send('openai-chat', 'mixed', { store: true });
  assert.deepEqual([status, asked], [200, 1]);
});

const named = { file_id: 'mine', container: 'mine', store: true, audio: { id: 'mine' } };
const schema = { type: 'object', properties: { file_id: { type: 'string' }, container: { type: 'string' } } };
const HARMLESS: Readonly<Record<Surface, object>> = {
  'openai-chat': {
    messages: [
      { role: 'user', content: 'Read {"file_id":"file_1","container":"cntr_1"}, \\u005f and so on.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(named) } }],
      },
      { role: 'tool', tool_call_id: 'c', content: JSON.stringify(named) },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
    metadata: { file_id: 'mine' },
    store: false,
  },
  'openai-responses': {
    input: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'a',
            annotations: [{ type: 'file_citation', file_id: 'file_1', index: 0, filename: 'a' }],
          },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: JSON.stringify(named) },
      { type: 'function_call_output', call_id: 'c', output: JSON.stringify(named) },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', file_id: null }] },
    ],
    tools: [
      { type: 'function', name: 'f', parameters: schema },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
    previous_response_id: null,
  },
  'anthropic-messages': {
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'code_execution', input: { code: 'x' } },
          {
            type: 'code_execution_tool_result',
            tool_use_id: 's',
            content: { type: 'code_execution_result', content: [{ type: 'code_execution_output', file_id: 'file_1' }] },
          },
          { type: 'tool_use', id: 't', name: 'f', input: named },
        ],
      },
      ...result({ type: 'text', text: 'x' }),
    ],
    tools: [{ name: 'f', input_schema: schema }],
    container: { skills: [{ type: 'anthropic', skill_id: 'pptx', version: 'latest' }] },
  },
};

for (const surface of DIALECTS) {
  test(`${surface}: a caller’s own words and schemas may have any names`, async () => {
    const { status, json } = await send(surface, `refuse-${surface}/m`, HARMLESS[surface]);
    assert.equal(status, 200, JSON.stringify(json));
  });
}
