import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from '../core/settings.ts';
import { model, route, served, target } from '../testing/routes.ts';
import { answers, CALLER, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object', model: 'big' } } };

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
    ];
    for (const [param, more] of ways)
      await assert.rejects(callWith(holder, more), { kind: 'model_not_allowed', param }, JSON.stringify(more));
    const functions = [{ name: 'f', parameters: { model: 'big' } }];
    const schema = { type: 'json_schema', json_schema: { name: 's', schema: { model: 'big' } } };
    const allowed = [
      ...[{}, { tools: [FUNCTION] }, { tools: [{ type: 'search', model: 'small' }, { type: 'search' }] }],
      ...[{ functions }, { response_format: schema }, { metadata: { model: 'big' } }, { draft_model: 'small' }],
      { spare: { fallbacks: [{ model: 'small', messages: [{ role: 'user', name: 'big', content: ['big'] }] }] } },
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
