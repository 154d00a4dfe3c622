import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from '../core/settings.ts';
import { model, route, served, target } from '../testing/routes.ts';
import { answers, CALLER, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object', model: 'big' } } };

const SCHEMA = { type: 'object', properties: { model: { enum: ['phone'], type: ['string'] } } };
/** What names no model for a vendor. */
const OWN_WORDS: readonly object[] = [
  ...[{ guided_json: SCHEMA }, { structured_outputs: { json: SCHEMA } }, { response_schema: SCHEMA }],
  { response_format: { type: 'json_schema', json_schema: SCHEMA } },
  { tools: [{ type: 'function', function: { name: 'f', parameters: {}, output_schema: SCHEMA } }] },
  { tools: [{ type: 'function', name: 'f', parameters: { model: 'phone' } }, { parameters: { model: 'phone' } }] },
  { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] }] },
  { tools: [{ type: 'mcp', server_label: 'x', server_url: 'u', headers: { model: 'T' } }] },
  ...[{ documents: [{ title: 't', model: 'T-1000' }] }, { chat_template_kwargs: { model: 'abc' } }],
  ...[{ prompt: { variables: { model: 'phone' } } }, { variables: { model: 'x' } }, { inputs: { model: 'x' } }],
  { prediction: { type: 'content', content: [{ type: 'text', text: 'x', model: 'z' }] } },
  ...[{ threat_model: 'insider' }, { safety_model: 'default' }, { audio: { voice_model: 'v2' } }],
  ...[{ fallback: 'auto' }, { draft_model: '' }, { engine: ' , ' }, { plugins: [{ id: 'web', engine: 'exa' }] }],
];

function callWith(holder: { models?: Project['models']; allowedModels?: string[] }, more: object, name = 'small') {
  const models = ['big', 'small'].map((id) => model(id));
  const routes = [route(['small'], { id: 'behind', fallbacks: [target('other')] })];
  const lab = new Lab({ served: [served('lab', models), served('spare', [model('other')])], routes });
  lab.reactions = [answers(completion())];
  const inForce = { models: holder.models ?? null, rates: new Map(), spendLimits: [], budgets: [] };
  const key = { ...CALLER.key, inForce, allowedModels: holder.allowedModels ?? null };
  return lab.call({ ...SMALL_CHAT, model: name, ...more }, { caller: { ...CALLER, key } });
}

const BANNED = { models: { mode: 'deny_list', ids: ['lab/big'] } } as const;
const LISTED = { models: { mode: 'allow_list', ids: ['small', 'lab/small'] } } as const;
const OF_KEY = { allowedModels: ['small', 'lab/small'] };

for (const [what, holder] of Object.entries({ BANNED, LISTED, OF_KEY })) {
  test(`nothing in a call asks a model that the key may not use: ${what}`, async () => {
    const ways: [param: string, more: object][] = [
      ['tools[1].model', { tools: [FUNCTION, { type: 'search', model: 'big' }] }],
      ['tools[0].Model', { tools: [{ type: 'search', Model: 'BIG-latest' }] }],
      ['tools[0].parameters.model', { tools: [{ type: 'search', parameters: { model: 'lab/big' } }] }],
      ['plugins[0].models', { plugins: [{ id: 'x', models: ['small', 'big'] }] }],
      ['orq.fallbacks[0].model', { orq: { fallbacks: [{ model: 'makers/big' }] } }],
      ['extra_body.model', { extra_body: { model: 'big' } }],
      ['fallback_models', { fallback_models: ['big'] }],
      ['default_fallbacks', { default_fallbacks: [{ small: ['big'] }] }],
      ['options.draftModel', { options: { draftModel: 'big' } }],
      ['modelId', { modelId: 'big' }],
      ['judge_model', { judge_model: { name: 'big' } }],
      ['deployment_name', { deployment_name: 'big' }],
      ['engine', { engine: 'big' }],
      ['draft_model', { draft_model: 'small, big' }],
      ['plugins[0].parameters.model', { plugins: [{ id: 'x', parameters: { model: 'big' } }] }],
      ['extra_body.models', { extra_body: { models: { small: 1, big: 1 } } }],
      ['extra_body.tools[0].model', { extra_body: { tools: [{ type: 'search', model: 'big' }] } }],
      ['providerOptions.gateway.models', { providerOptions: { gateway: { models: ['big'] } } }],
    ];
    for (const [param, more] of ways)
      await assert.rejects(callWith(holder, more), { kind: 'model_not_allowed', param }, JSON.stringify(more));
    const functions = [{ name: 'f', parameters: { model: 'big' } }];
    const schema = { type: 'json_schema', json_schema: { name: 's', schema: { model: 'big' } } };
    const allowed = [
      ...[{}, { tools: [FUNCTION] }, { tools: [{ type: 'search', model: 'small' }, { type: 'search' }] }],
      ...[{ functions }, { response_format: schema }, { metadata: { model: 'big' } }, { draft_model: 'small' }],
      { spare: { fallbacks: [{ model: 'small', messages: [{ role: 'user', name: 'big', content: ['big'] }] }] } },
      ...OWN_WORDS,
      // Withheld from the vendor.
      { models: ['big'], fallbacks: ['big'] },
    ];
    for (const more of allowed) assert.equal((await callWith(holder, more)).status, 200, JSON.stringify(more));
  });
}

test('a call may name what it likes where nothing is said of models', async () => {
  assert.equal((await callWith({}, { tools: [{ type: 'search', model: 'big' }] })).status, 200);
});

test('a ban at a vendor holds where that vendor is asked after another', async () => {
  const models = { mode: 'deny_list', ids: ['spare/big'] } as const;
  const tools = [{ type: 'search', model: 'big' }];
  await assert.rejects(callWith({ models }, { tools }, 'behind'), { kind: 'model_not_allowed' });
  assert.equal((await callWith({ models }, { tools })).status, 200);
});

test('each name of a call is asked once, and there may be 256', async () => {
  const models = { mode: 'deny_list', ids: ['big'] } as const;
  const names = Array.from({ length: 256 }, (_, index) => `x${index}`);
  assert.equal((await callWith({ models }, { fallback_models: [...names, ...names] })).status, 200);
  const refused = { kind: 'invalid_request', param: 'fallback_models' };
  await assert.rejects(callWith({ models }, { fallback_models: [...names, 'y'] }), refused);
  const long = { kind: 'model_not_allowed', param: 'draft_model' };
  await assert.rejects(callWith({ models }, { draft_model: 'x'.repeat(257) }), long);
});
