import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask, errorOf } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

let vendor: FakeProvider;
let spare: FakeProvider;

before(async () => {
  vendor = await startFakeProvider();
  spare = await startFakeProvider();
});
after(() => Promise.all([vendor.close(), spare.close()]));

/** A token of `m1` costs a thousandth of a dollar, of the others a millionth. */
function config(workers: number): string {
  const dear = 'price: { input_per_1m: 1000, output_per_1m: 1000 }';
  const cheap = 'price: { input_per_1m: 1, output_per_1m: 1 }';
  return `
server: { workers: ${workers} }
retries: { attempts: 2 }
providers:
  lab:
    base_url: "${vendor.url}"
    api_key: lab-key
    models: [{ id: m1, ${dear} }, { id: twin, upstream: m1, ${dear} }, { id: m2, ${cheap} }]
  double: { base_url: "${vendor.url}", api_key: lab-key, models: [{ id: m1, ${dear} }] }
  spare: { base_url: "${spare.url}", api_key: spare-key, models: [{ id: other, ${cheap} }] }
aliases: { fast: lab/m1 }
routes:
  only: { targets: [lab/twin] }
  both: { targets: [lab/m1, spare/other] }
  behind: { targets: [spare/other], fallbacks: [lab/m1] }
  secret: { disclose: false, targets: [lab/m1] }
`;
}

/** Names of one model, among them those that no list has. */
const NAMES = [
  ...['lab/m1', 'm1', 'fast', 'lab/twin', 'twin', 'double/m1', 'only', 'secret'],
  ...['lab/m1-latest', 'm1-latest', 'lab/m1-2026-07-18', 'm1-2026-07-18', 'lab/m1@20260718', 'lab/m1-20260718'],
  ...['lab/M1', 'lab/models/m1', 'lab/m1:free', 'lab/m1@preset', 'lab/m1-0718', 'lab/m1:latest', 'double/m1-latest'],
  ...['lab/m1-2026-07', 'lab/m1_2026.07.18', 'lab/m1-2026-07-18-latest', 'lab/m1-18-07-2026:free'],
  ...['lab/us.m1', 'lab/@m1'],
];
/** Names that no vendor has. */
const MALFORMED = [
  ...['lab//m1', 'lab/m1?x', 'lab/m1#x', 'lab/./m1', 'lab/../lab/m1', 'lab/m1/', 'lab/m1 ', ' lab/m1', 'lab/m1%20'],
  ...['lab%2Fm1', 'lab/%6d1', 'lab/m1\u0000', 'lab/m1\n', 'lab/ｍ1', 'lab/m1\u200b', 'lab/m1.', 'lab/m1;x', 'lab/m1\\'],
  'lab/m2,m1',
  `lab/${'m'.repeat(300)}`,
];

for (const workers of [1, 3]) {
  test(`what a project may not use it may not use by any name, with ${workers} of processes`, async () => {
    await using headgate = await startHeadgate({ config: config(workers) });
    for (const banned of ['lab/m1', 'fast', 'm1-latest', 'lab/twin']) {
      const { key } = await projectWith(headgate, { mode: 'deny_list', model_ids: [banned] });
      vendor.forget();
      const before = vendor.requests.length;
      for (const model of NAMES) {
        const { status, json } = await chat(headgate, key, { model });
        assert.deepEqual([status, errorOf({ json }).param], [403, 'model'], `${model}, where ${banned} is banned`);
      }
      for (const model of MALFORMED) {
        const { status, json } = await chat(headgate, key, { model });
        assert.ok([400, 404].includes(status), `${model}: ${status}`);
        assert.equal(errorOf({ json }).param, 'model');
      }
      assert.equal((await chat(headgate, key, { model: 'lab/m2' })).status, 200, 'another model goes to the vendor');
      for (const model of ['both', 'behind']) {
        const { status, headers } = await chat(headgate, key, { model });
        assert.deepEqual([status, headers.get('service-provider')], [200, 'spare'], model);
      }
      const served = vendor.requests.slice(before).map(({ model }) => model);
      assert.deepEqual(served, ['m2'], 'the vendor was asked for nothing that is banned');
    }
  });
}

test('a ban holds on every surface, for lists of further models, and where a target fails', async () => {
  await using headgate = await startHeadgate({ config: config(1) });
  const { key } = await projectWith(headgate, { mode: 'deny_list', model_ids: ['lab/m1'] });
  const { url } = headgate;
  const messages = [{ role: 'user', content: 'Hi' }];
  for (const [path, body] of [
    ['/v1/responses', { model: 'only', input: 'Hi' }],
    ['/v1/messages', { model: 'lab/m1-latest', max_tokens: 9, messages }],
    ['/v1/messages/count_tokens', { model: 'only', messages }],
    ['/v1/embeddings', { model: 'lab/m1-latest', input: 'Hi' }],
  ] as const) {
    assert.equal((await ask(`${url}${path}`, { key, body })).status, 403, path);
  }
  const more = { models: ['m1'], fallbacks: ['m1'], context_window_fallbacks: [{ other: ['m1'] }] };
  assert.equal((await chat(headgate, key, { model: 'spare/other', ...more })).status, 200);
  const sent = JSON.stringify(spare.requests.at(-1));
  for (const member of Object.keys(more)) assert.ok(!sent.includes(member), `${member} was sent`);
  const before = vendor.requests.length;
  spare.plan('server-error', { times: 2 });
  assert.equal((await chat(headgate, key, { model: 'behind' })).status, 500);
  assert.equal(vendor.requests.length, before);
  const explained = await ask(`${url}/v1/routes/both/explain`, { key, body: { messages } });
  assert.match(explained.text, /key_models.*The project of the API key may not use this model/);
});

test('a ban holds for models that tools of a vendor are to ask, on every surface', async () => {
  await using headgate = await startHeadgate({ config: config(1) });
  const { url } = headgate;
  const messages = [{ role: 'user', content: 'Hi' }];
  const { key } = await projectWith(headgate, { mode: 'deny_list', model_ids: ['lab/m1'] });
  const { key: listed } = await projectWith(headgate, { mode: 'allow_list', model_ids: ['lab/m2'] });
  const own = {
    type: 'function',
    function: { name: 'f', parameters: { type: 'object', properties: {}, model: 'm1' } },
  };
  const calls = (model: string): [path: string, body: object, param: string][] => [
    ['/v1/messages', { max_tokens: 9, messages, tools: [{ type: 'advisor', name: 'a', model }] }, 'tools[0].model'],
    ['/v1/messages/count_tokens', { messages, tools: [{ type: 'advisor', name: 'a', model }] }, 'tools[0].model'],
    [
      '/v1/responses',
      { input: 'Hi', tools: [{ type: 'web_search' }, { type: 'image', Model: model }] },
      'tools[1].Model',
    ],
    ['/v1/chat/completions', { messages, plugins: [{ id: 'fusion', models: ['m2', model] }] }, 'plugins[0].models'],
    [
      '/v1/chat/completions',
      { messages, tools: [own, { type: 'search', parameters: { model } }] },
      'tools[1].parameters.model',
    ],
    ['/v1/chat/completions', { messages, extra_body: { model } }, 'extra_body.model'],
    ['/v1/responses', { input: 'Hi', fallback_models: [model] }, 'fallback_models'],
    ['/v1/embeddings', { input: 'Hi', gateway: { fallbacks: [{ model }] } }, 'gateway.fallbacks[0].model'],
  ];
  for (const model of ['lab/m2', 'm2']) {
    const before = vendor.requests.length;
    for (const named of ['m1', 'lab/m1', 'm1-latest', 'M1', 'makers/m1']) {
      for (const [path, body, param] of calls(named)) {
        for (const by of [key, listed]) {
          if (by === listed && model === 'm2') continue;
          const { status, text } = await ask(`${url}${path}`, { key: by, body: { ...body, model } });
          assert.equal(status, 403, `${path}: ${named}`);
          assert.ok(text.includes(`\`${param}\`: this API key may not use the model \`${named}\``), text);
        }
      }
    }
    assert.equal(vendor.requests.length, before);
  }
  for (const by of [key, listed]) {
    const [[path, body]] = calls('m2') as [[string, object, string]];
    const answer = await ask(`${url}${path}`, { key: by, body: { ...body, model: 'lab/m2' } });
    assert.notEqual(answer.status, 403, answer.text);
  }
  const headers = { authorization: `Bearer ${listed}`, 'content-type': 'application/json' };
  for (const broken of ['"draft_model":"\\q"', '"dra\\qft":1', '"extra_body":{"\\q":1}']) {
    const sent = `{"model":"lab/m2","messages":[],${broken}}`;
    const { status } = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: sent });
    assert.equal(status, 400, broken);
  }
  const schema = await chat(headgate, key, { model: 'lab/m2', tools: [own] });
  assert.equal(schema.status, 200, `a schema names no model: ${schema.text}`);
});

test('a list of what may be used admits what its routes choose, and no other model', async () => {
  await using headgate = await startHeadgate({ config: config(1) });
  const { key } = await projectWith(headgate, { mode: 'allow_list', model_ids: ['both', 'lab/twin'] });
  for (const [model, expected] of [
    ['both', 200],
    ['lab/twin', 200],
    ['twin', 200],
    ...['lab/m1', 'm1', 'fast', 'lab/twin-latest', 'lab/twin:free', 'only'].map((name) => [name, 403] as const),
  ] as const) {
    assert.equal((await chat(headgate, key, { model })).status, expected, model);
  }
});

for (const workers of [1, 2]) {
  test(`a model’s rate holds for the one that serves, with ${workers} of processes`, async () => {
    await using headgate = await startHeadgate({ config: config(workers) });
    const { id, key, organization } = await projectWith(headgate, null);
    await organization.projects.rateLimits.updateRateLimit('rate_limit_lab/m1', {
      project_id: id,
      max_requests_per_1_minute: 1,
    });
    await until(async () => (await chat(headgate, key, { model: 'lab/m1' })).status === 429);
    for (const model of ['m1', 'fast', 'twin', 'only', 'double/m1', 'lab/m1-latest']) {
      const { status, json } = await chat(headgate, key, { model });
      assert.equal(status, 429, model);
      assert.match(String(errorOf({ json }).message), /^In this project, for the model `lab\/m1`: /);
    }
    const { headers, status } = await chat(headgate, key, { model: 'both' });
    assert.deepEqual([status, headers.get('service-provider')], [200, 'spare']);
    const before = vendor.requests.length;
    spare.plan('server-error', { times: 1 });
    assert.equal((await chat(headgate, key, { model: 'behind' })).status, 500);
    assert.equal(vendor.requests.length, before, 'a failure elsewhere leads to no model whose rate is used up');
  });

  test(`a model’s budget holds for the one that serves, with ${workers} of processes`, async () => {
    await using headgate = await startHeadgate({ config: config(workers) });
    const { id, key } = await projectWith(headgate, null);
    const budget = {
      name: 'm1',
      amount_usd: 0.05,
      interval: 'life',
      holders: [{ type: 'project', id }],
      models: ['lab/m1'],
    };
    const made = await ask(`${headgate.url}/v1/organization/budgets`, { key: headgate.key, body: budget });
    assert.equal(made.status, 200, made.text);
    await until(async () => (await chat(headgate, key, { model: 'only', max_tokens: 10 })).status === 429);
    for (const model of ['m1', 'fast', 'twin', 'only', 'secret', 'double/m1', 'lab/m1-latest']) {
      const { status, json } = await chat(headgate, key, { model, max_tokens: 10 });
      assert.deepEqual([status, errorOf({ json }).code], [429, 'insufficient_quota'], model);
    }
    const { headers, status } = await chat(headgate, key, { model: 'both', max_tokens: 10 });
    assert.deepEqual([status, headers.get('service-provider')], [200, 'spare']);
    const { id: budgetId } = made.json as { id: string };
    const spent = async () => {
      const shown = await ask(`${headgate.url}/v1/organization/budgets/${budgetId}`, {
        method: 'GET',
        key: headgate.key,
      });
      return shown.json as { spent_usd: string; reserved_usd: string };
    };
    await until(async () => (await spent()).reserved_usd === '0');
    const { spent_usd: before } = await spent();
    for (let count = 0; count < 3; count += 1)
      assert.equal((await chat(headgate, key, { model: 'behind', max_tokens: 10 })).status, 200);
    await until(async () => (await spent()).reserved_usd === '0');
    assert.equal((await spent()).spent_usd, before, 'what another model serves does not count');
  });
}

function chat(headgate: Running, key: string, more: object) {
  const body = { messages: [{ role: 'user', content: 'Hi' }], ...more };
  return ask(`${headgate.url}/v1/chat/completions`, { key, body });
}

type Permissions = { mode: 'allow_list' | 'deny_list'; model_ids: string[] } | null;

/** A new project with a key. */
async function projectWith(headgate: Running, permissions: Permissions) {
  const options = { baseURL: `${headgate.url}/v1`, adminAPIKey: headgate.key, apiKey: null, maxRetries: 0 };
  const { organization } = new OpenAI(options).admin;
  const { id } = await organization.projects.create({ name: `project ${Math.random()}` });
  const account = await organization.projects.serviceAccounts.create(id, { name: 'a' });
  if (permissions !== null) {
    const path = `/v1/organization/projects/${id}/model_permissions`;
    const set = await ask(`${headgate.url}${path}`, { key: headgate.key, body: permissions });
    assert.equal(set.status, 200, set.text);
  }
  return { id, organization, key: account.api_key?.value ?? '' };
}

/** A change of settings reaches each process within seconds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < end, 'it does not come to hold');
    await nextPoll();
  }
}
