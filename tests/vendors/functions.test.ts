import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
after(() => vendor.close());
const usage = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 7,
};
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'find',
  arguments: '{"q":"x"}',
  status: 'completed',
};
vendor.plan(answer());
vendor.plan(
  () =>
    jsonReply(200, {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'm',
      output: [call],
      usage,
    }),
  { path: '/v1/responses' },
);
const MODELS = ['gpt-5.3', 'gpt-5.4', 'gpt-6-sol', 'gpt-6-astra', 'gpt-5.4-search-api'];
const headgate = await startHeadgate({
  config: `
providers:
  openai: { base_url: "${vendor.url}", api_key: key-of-openai, only: [${MODELS.join(', ')}] }
  own: { base_url: "https://api.openai.com/v1", api_key: key-of-openai, only: [gpt-5.4, gpt-5.3, gpt-5.4-pro] }
  aws: { base_url: "https://bedrock-mantle.us-east-1.api.aws/openai/v1", api_key: key, only: [openai.gpt-5.5, openai.gpt-5.4, openai.gpt-5.6-terra, openai.gpt-oss-120b] }
  awschat: { base_url: "https://bedrock-mantle.us-east-1.api.aws/openai/v1", api_key: key, dialects: [openai-chat, openai-responses], only: [openai.gpt-5.5] }
  runtime: { base_url: "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1", api_key: key, only: [openai.gpt-5.5] }
  proxy: { base_url: "${vendor.url}", dialects: [openai-chat, openai-responses], only: [gpt-5.5] }
routes:
  lab/newest: { targets: [openai/gpt-5.4], fallbacks: [openai/gpt-5.3] }
`,
});
after(() => headgate[Symbol.asyncDispose]());

const FIND = { type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } };
const CUSTOM = { type: 'custom', custom: { name: 'patch' } };

async function pathOf(model: string, sent: object): Promise<string | undefined> {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }], ...sent };
  const { status, text, json } = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
  assert.equal(status, 200, text);
  const { path } = vendor.requests.at(-1)!;
  if (path === '/v1/responses')
    assert.partialDeepStrictEqual(json, {
      object: 'chat.completion',
      choices: [
        { finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'call_1', function: { name: 'find' } }] } },
      ],
    });
  return path?.slice('/v1/'.length);
}

test('a model that takes functions only without thinking is called by responses where it is offered them', async () => {
  const tools = [FIND];
  for (const model of ['gpt-5.4', 'gpt-6-sol', 'gpt-6-astra', 'lab/newest'])
    for (const sent of [{ tools }, { tools, reasoning_effort: 'low' }, { tools: [CUSTOM, FIND] }])
      assert.equal(await pathOf(model, sent), 'responses', `${model} ${JSON.stringify(sent)}`);
  assert.equal(await pathOf('gpt-6-astra', { tools, reasoning_effort: 'none' }), 'responses', 'it knows no `none`');
});

test('a search for tools goes to responses, whatever the effort', async () => {
  const tools = [{ type: 'tool_search' }, FIND];
  for (const sent of [{ tools }, { tools, reasoning_effort: 'none' }, { tools: [{ type: 'tool_search' }] }]) {
    assert.equal(await pathOf('gpt-5.4', sent), 'responses');
    assert.deepEqual((vendor.requests.at(-1)!.json as { tools: object[] }).tools[0], { type: 'tool_search' });
  }
  assert.equal(await pathOf('gpt-5.3', { tools }), 'chat/completions');
  assert.equal(await pathOf('gpt-5.4-search-api', { tools }), 'chat/completions');
});

test('every other call passes as it is', async () => {
  const others: [string, object][] = [
    ['gpt-5.4', {}],
    ['gpt-5.4', { tools: [FIND], reasoning_effort: 'none' }],
    ['gpt-6-sol', { tools: [CUSTOM] }],
    ['gpt-5.3', { tools: [FIND] }],
    ['gpt-5.4-search-api', { tools: [FIND] }],
    ['gpt-5.5', { tools: [FIND] }],
  ];
  for (const [model, sent] of others) assert.equal(await pathOf(model, sent), 'chat/completions', model);
});

async function explained(id: string, sent: object): Promise<string[]> {
  const body = { messages: [{ role: 'user', content: 'Hi' }], ...sent };
  const path = `/v1/routes/${encodeURIComponent(id)}/explain`;
  const { status, text, json } = await ask(`${headgate.url}${path}`, { key: headgate.key, body });
  assert.equal(status, 200, text);
  return (json as { order: { dialect: string }[] }).order.map(({ dialect }) => dialect);
}

test('what explains a call tells in which format each target would be called', async () => {
  const tools = [FIND];
  assert.deepEqual(await explained('lab/newest', { tools }), ['openai-responses', 'openai-chat']);
  assert.deepEqual(await explained('lab/newest', {}), ['openai-chat', 'openai-chat']);
  assert.deepEqual(await explained('openai/gpt-5.4', { tools }), ['openai-responses']);
});

test('a provider of one’s own at OpenAI’s or Amazon’s address calls functions by responses, too', async () => {
  const tools = [FIND];
  for (const model of ['own/gpt-5.4', 'runtime/openai.gpt-5.5']) {
    assert.deepEqual(await explained(model, { tools }), ['openai-responses'], model);
    assert.deepEqual(await explained(model, {}), ['openai-chat'], model);
  }
  assert.deepEqual(await explained('own/gpt-5.3', { tools }), ['openai-chat']);
});

test('a model that its vendor serves as responses alone is called so, also by its address', async () => {
  for (const model of ['own/gpt-5.4-pro', 'aws/openai.gpt-5.4', 'aws/openai.gpt-5.5', 'aws/openai.gpt-5.6-terra']) {
    assert.deepEqual(await explained(model, {}), ['openai-responses'], model);
    assert.deepEqual(await explained(model, { tools: [FIND], reasoning_effort: 'none' }), ['openai-responses'], model);
  }
  assert.deepEqual(await explained('aws/openai.gpt-oss-120b', {}), ['openai-chat']);
  assert.deepEqual(await explained('awschat/openai.gpt-5.5', {}), ['openai-chat'], 'the operator’s dialects hold');
});
