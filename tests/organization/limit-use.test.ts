import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { ask } from '../http/client.ts';
import { documentedFetch } from './documented.ts';
import { ACME, type Company, startCompany } from './lab.ts';

const LIMIT = { currency: 'USD', interval: 'month' };

let vendor: FakeProvider;
let company: Company;
let owner: string;
let documented: typeof fetch;

before(async () => {
  vendor = await startFakeProvider();
  company = await startCompany({
    config: `providers: { lab: { base_url: "${vendor.url}", api_key: lab-key, models: [{ id: priced, price: { input_per_1m: 1000, output_per_1m: 1000 } }] } }\naliases: { quick: lab/priced }`,
  });
  documented = await documentedFetch(company.headgate.url);
  owner = (await company.hire('owner', 'owner')).key;
});
after(async () => {
  await company[Symbol.asyncDispose]();
  await vendor.close();
});

type Use = {
  id: string;
  project: { id: string; name: string } | null;
  model: string | null;
  measure: string;
  limit: number;
  used: number;
  resets_at: number | null;
};

async function post(path: string, body: object): Promise<{ id: string; value: string }> {
  const { status, text, json } = await ask(`${company.headgate.url}/v1/organization${path}`, { key: owner, body });
  assert.equal(status, 200, text);
  return json as { id: string; value: string };
}

async function uses(query = '', key = owner) {
  const answer = await documented(`${company.headgate.url}/v1/organization/limit_use?${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as { data: Use[]; has_more: boolean; next: string | null };
}

test('what was used of limits is what calls came to, and those near their end are found', async () => {
  const { id: project } = await post('/projects', { name: 'Rockets' });
  const { id: archived } = await post('/projects', { name: 'Gone' });
  await post(`/projects/${archived}/spend_limit`, { ...LIMIT, threshold_amount: 1 });
  await post(`/projects/${archived}/archive`, {});
  const { value: key } = await post(`/projects/${project}/api_keys`, { name: 'bot' });
  const body = { model: 'priced', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] };
  const answer = await ask(`${company.headgate.url}/v1/chat/completions`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  const cost = Number(answer.headers.get('service-cost-usd'));
  const { total_tokens: tokens } = (answer.json as { usage: { total_tokens: number } }).usage;

  await post(`/projects/${project}/spend_limit`, { ...LIMIT, threshold_amount: 1 });
  await post('/spend_limit', { ...LIMIT, threshold_amount: 100_000 });
  await post(`/projects/${project}/rate_limits/rate_limit_priced`, {
    max_requests_per_1_minute: 1,
    max_tokens_per_1_minute: 1_000_000,
  });
  const { data } = await uses();
  const month = new Date();
  const ends = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) / 1000;
  const of = { id: project, name: 'Rockets' };
  const rate = { project: of, model: 'priced', resets_at: null };
  assert.deepEqual(
    data.map(({ id, ...use }) => ({ ...use, object: undefined })),
    [
      { project: null, model: null, measure: 'spend_usd', limit: 1000, used: cost, resets_at: ends },
      { ...rate, measure: 'requests', limit: 1, used: 1 },
      { ...rate, measure: 'tokens', limit: 1_000_000, used: tokens },
      { project: of, model: null, measure: 'spend_usd', limit: 0.01, used: cost, resets_at: ends },
    ].map((use) => ({ ...use, object: undefined })),
  );
  assert.ok(data[0]!.id.startsWith(ACME));
  type Listed = { data: { project: { id: string } | null; measure: string; used: number; resets_at: number }[] };
  const { code, json } = await company.headgate.command('budgets', 'list', '--json');
  assert.equal(code, 0, JSON.stringify(json));
  for (const holder of [null, project]) {
    const { used, resets_at } = (json as Listed).data.find(({ project: of }) => (of?.id ?? null) === holder)!;
    assert.deepEqual([used, resets_at], [cost, ends]);
  }
  const near = await uses('least_percent=80');
  assert.deepEqual(
    near.data.map(({ measure, limit }) => [measure, limit]),
    [
      ['requests', 1],
      ['spend_usd', 0.01],
    ],
  );

  const ids: string[] = [];
  for (let after = ''; ; ) {
    const page = await uses(`limit=1${after}`);
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
    after = `&after=${encodeURIComponent(page.next!)}`;
  }
  assert.deepEqual(
    ids,
    data.map(({ id }) => id),
  );
});

test('a rate that was set for a name is used by the calls that the limiter holds to it', async () => {
  const { project, minute } = await calledInOneMinute();
  const { data } = await uses('limit=100');
  const told = data.filter((use) => use.project?.id === project).map(({ id, model, used }) => ({ id, model, used }));
  assert.deepEqual(
    told.map(({ model, used }) => [model, used]),
    [
      ['lab/priced', 2],
      ['quick', 2],
    ],
    minute,
  );
  const answer = await documented(`${company.headgate.url}/v1/organization/attention?limit=100`, {
    headers: { authorization: `Bearer ${owner}` },
  });
  const concerns = ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  for (const { id } of told) assert.ok(concerns.includes(`rate_limit ${id}`), id);
});

/** A project with two rates of two requests for one model, both used up, and the minute that it was done in. What took two minutes is done again. */
async function calledInOneMinute(): Promise<{ project: string; minute: string }> {
  const minuteNow = () => new Date().toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
  for (;;) {
    const { id: project } = await post('/projects', { name: 'Names' });
    for (const name of ['lab%2Fpriced', 'quick'])
      await post(`/projects/${project}/rate_limits/rate_limit_${name}`, { max_requests_per_1_minute: 2 });
    const { value: key } = await post(`/projects/${project}/api_keys`, { name: 'bot' });
    const minute = minuteNow();
    const statuses: number[] = [];
    for (const model of ['priced', 'priced', 'priced', 'quick', 'quick', 'quick']) {
      const body = { model, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] };
      statuses.push((await ask(`${company.headgate.url}/v1/chat/completions`, { key, body })).status);
    }
    if (minuteNow() !== minute) continue;
    assert.deepEqual(statuses, [200, 200, 429, 429, 429, 429]);
    return { project, minute };
  }
}

test('limits of money are told to those who may read budgets, and rates to those who may read usage', async () => {
  for (const [permission, measures] of [
    ['api.budgets.read', ['spend_usd']],
    ['api.usage.read', ['requests', 'tokens']],
  ] as const) {
    const { id: role } = await post('/roles', { role_name: permission, permissions: ['api.limits.read', permission] });
    const { id, key } = await company.hire(permission.split('.')[1]!);
    await post(`/users/${id}/roles`, { role_id: role });
    const { data } = await uses('', key);
    assert.deepEqual([...new Set(data.map(({ measure }) => measure))].sort(), measures);
  }
});

test('a query that is none is refused, with its name', async () => {
  const { status, text } = await ask(`${company.headgate.url}/v1/organization/limit_use?least_percent=101`, {
    key: owner,
  });
  assert.equal(status, 400);
  assert.match(text, /least_percent/);
});

test('a project’s rate for a model holds for counting tokens, by whatever name the model is asked', async () => {
  const { id: project } = await post('/projects', { name: 'Counters' });
  await post(`/projects/${project}/rate_limits/rate_limit_priced`, { max_requests_per_1_minute: 1 });
  const { value: key } = await post(`/projects/${project}/api_keys`, { name: 'counter' });
  const count = (model: string) =>
    ask(`${company.headgate.url}/v1/messages/count_tokens`, {
      key,
      body: { model, messages: [{ role: 'user', content: 'hi' }] },
    });
  assert.deepEqual([(await count('lab/priced')).status, (await count('priced')).status], [200, 429]);
  assert.equal((await count('lab/priced')).status, 429);
});
