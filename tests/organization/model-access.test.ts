import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Anthropic, { NotFoundError } from '@anthropic-ai/sdk';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { rejection } from '../sdk/lab.ts';
import type { Running } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';
import { type Company, startCompany, UMBRELLA } from './lab.ts';

/** Keys of one project, each of its own kind, by what their names say of the model `echo`. */
const KEYS = {
  'may all': {},
  'names the model': { allowed_models: ['echo'] },
  'names its provider too': { allowed_models: ['echo/echo'] },
  'names an alias of it': { allowed_models: ['parrot'] },
  'names another': { allowed_models: ['other'] },
};

let company: Company;
let headgate: Running;
let owner: string;
let documented: typeof fetch;

before(async () => {
  company = await startCompany({ config: 'echo: true\naliases: { parrot: echo }\n' });
  headgate = company.headgate;
  owner = (await company.hire('owner', 'owner')).key;
  documented = await documentedFetch(headgate.url);
});
after(() => company[Symbol.asyncDispose]());

type Access = {
  id: string;
  name: string;
  permitted: boolean;
  api_keys: { total: number; permitted: number; refused: { id: string; name: string }[] } | null;
};
type Listed = { data: Access[]; has_more: boolean; next: string | null };

async function post(path: string, body: object): Promise<{ id: string; value: string }> {
  const { status, text, json } = await ask(`${headgate.url}/v1/organization${path}`, { key: owner, body });
  assert.equal(status, 200, text);
  return json as { id: string; value: string };
}

async function accessTo(model: string, query = '', key = owner): Promise<Listed> {
  const answer = await documented(`${headgate.url}/v1/organization/models/${model}/access${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Listed;
}

async function callStatus(key: string, model: string): Promise<number> {
  const body = { model, messages: [{ role: 'user', content: 'hi' }] };
  return (await ask(`${headgate.url}/v1/chat/completions`, { key, body })).status;
}

test('who may use a model is told as calls are judged: by the project, by each key, and by the name that calls give', async (t) => {
  const { id: project } = await post('/projects', { name: 'Open' });
  const keys = new Map<string, string>();
  for (const [name, limits] of Object.entries(KEYS))
    keys.set(name, (await post(`/projects/${project}/api_keys`, { name, ...limits })).value);
  const { id: off } = await post(`/projects/${project}/api_keys`, { name: 'off' });
  await post(`/projects/${project}/api_keys/${off}`, { enabled: false });
  for (const model of ['echo', 'parrot', 'echo%2Fecho']) {
    const access = (await accessTo(model)).data.find(({ id }) => id === project)!;
    const refused: string[] = [];
    for (const [name, key] of keys) {
      const status = await callStatus(key, decodeURIComponent(model));
      if (status !== 200) refused.push(name);
    }
    assert.deepEqual(
      access.api_keys!.refused.map(({ name }) => name),
      refused,
      model,
    );
    assert.deepEqual([access.permitted, access.api_keys!.total], [true, 5]);
    assert.equal(access.api_keys!.permitted, 5 - refused.length);
  }

  await post(`/projects/${project}/model_permissions`, { mode: 'deny_list', model_ids: ['echo'] });
  const closed = (await accessTo('echo')).data.find(({ id }) => id === project)!;
  assert.deepEqual([closed.permitted, closed.api_keys], [false, { total: 5, permitted: 0, refused: [] }]);
  const key = keys.get('may all')!;
  await t.waitFor(async () => assert.equal(await callStatus(key, 'echo'), 403), { timeout: WAIT_MS });
});

test('Anthropic’s clients are shown what their own project may use, in each organization', async (t) => {
  const { id: project } = await post('/projects', { name: 'No parrots' });
  const { value: key } = await post(`/projects/${project}/api_keys`, { name: 'own' });
  await post(`/projects/${project}/model_permissions`, { mode: 'deny_list', model_ids: ['parrot'] });
  const other = await company.keyOf({ userId: null, organizationId: UMBRELLA, access: 'models' });
  const modelsFor = (apiKey: string) => new Anthropic({ baseURL: headgate.url, apiKey, maxRetries: 0 }).models;
  const seen = async (apiKey: string) => (await modelsFor(apiKey).list({ limit: 1000 })).data.map(({ id }) => id);
  const isSeen = async (apiKey: string) => (await seen(apiKey)).includes('parrot');
  await t.waitFor(async () => assert.equal(await isSeen(key), false), { timeout: WAIT_MS });
  assert.ok(!(await seen(key)).includes('echo'), 'the model that the alias leads to');
  assert.ok((await seen(key)).length > 0);
  await rejection(modelsFor(key).retrieve('parrot'), NotFoundError);
  await rejection(modelsFor(key).list({ after_id: 'parrot' }), Anthropic.BadRequestError);
  assert.equal(await isSeen(other), true);
});

test('projects are listed page by page, without those that were archived; a model that is not there is none', async () => {
  const { id: gone } = await post('/projects', { name: 'Gone' });
  await post(`/projects/${gone}/archive`, {});
  const names: string[] = [];
  for (let query = '?limit=1'; ; ) {
    const page = await accessTo('echo', query);
    names.push(...page.data.map(({ name }) => name));
    if (!page.has_more) break;
    query = `?limit=1&after=${page.next}`;
  }
  assert.equal(names.includes('Gone'), false);
  assert.ok(names.includes('Default project') && new Set(names).size === names.length);
  const nowhere = await ask(`${headgate.url}/v1/organization/models/none/access`, { key: owner });
  assert.equal(nowhere.status, 404);
  assert.match(nowhere.text, /There is no model `none`/);
});

test('who may not read keys is told of none', async () => {
  const { id: role } = await post('/roles', { role_name: 'Limits', permissions: ['api.limits.read'] });
  const { id, key } = await company.hire('limiter');
  await post(`/users/${id}/roles`, { role_id: role });
  const { data } = await accessTo('echo', '', key);
  assert.ok(data.length > 0);
  assert.deepEqual([...new Set(data.map(({ api_keys }) => api_keys))], [null]);
});
