import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { documentedFetch } from './documented.ts';
import { type Company, type Hired, startCompany, UMBRELLA } from './lab.ts';

/** It was shut down on 2026-10-23, as the catalog has it. */
const GONE = 'gpt-3.5-turbo';
const DAY = 86_400;
const price = '{ input_per_1m: 1000, output_per_1m: 1000 }';

let vendor: FakeProvider;
let company: Company;
let documented: typeof fetch;
let owner: Hired;
let project: string;
let key: string;

before(async () => {
  vendor = await startFakeProvider();
  company = await startCompany({
    config: `
providers:
  openai: { base_url: "${vendor.url}", api_key: lab-key, only: [${GONE}] }
  lab: { base_url: "${vendor.url}", api_key: lab-key, models: [{ id: priced, price: ${price} }, { id: broken }, { id: refused }] }
  other: { base_url: "${vendor.url}", api_key: other-key, models: [{ id: refusing }] }
routes: { acme/old: { targets: [${GONE}] }, acme/new: { targets: [priced] } }
breaker: { failures: 3, open: 60s }
`,
  });
  documented = await documentedFetch(company.headgate.url);
  owner = await company.hire('owner', 'owner');
  project = (await post('/projects', { name: 'Rockets' })).id;
  key = (await post(`/projects/${project}/api_keys`, { name: 'bot' })).value;
});
after(async () => {
  await company[Symbol.asyncDispose]();
  await vendor.close();
});

type Item = {
  id: string;
  kind: string;
  severity: string;
  sentence: string;
  subject: { type: string; id: string; name: string };
  project: { id: string; name: string } | null;
  routes: string[];
  credentials: string[];
  unit: string | null;
  used: number | null;
  limit: number | null;
  percent: number | null;
  refused_at: number | null;
  at: number | null;
  last_error: { message: string } | null;
};

async function post(path: string, body: object): Promise<{ id: string; value: string }> {
  const { status, text, json } = await ask(`${company.headgate.url}/v1/organization${path}`, { key: owner.key, body });
  assert.equal(status, 200, text);
  return json as { id: string; value: string };
}

async function call(model: string, more: object = {}): Promise<number> {
  const body = { model, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }], ...more };
  return (await ask(`${company.headgate.url}/v1/chat/completions`, { key, body })).status;
}

async function attention(by: { key?: string; cookie?: string } = owner, query = '') {
  const answer = await documented(`${company.headgate.url}/v1/organization/attention?${query}`, {
    headers: by.cookie === undefined ? { authorization: `Bearer ${by.key}` } : { cookie: by.cookie },
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as { data: Item[]; has_more: boolean; next: string | null };
}

const told = async (...args: Parameters<typeof attention>) =>
  (await attention(...args)).data.map(({ severity, sentence }) => `${severity}: ${sentence}`);

/** What is told of one subject. */
async function of(subject: string): Promise<Item | undefined> {
  return (await attention()).data.find(({ id }) => id.includes(subject));
}

test('what a route leads to is told of though nobody called it, and nothing else where nothing needs attention', async () => {
  for (const model of ['priced', 'acme/new']) assert.equal(await call(model), 200);
  // A model that is gone is told of already: a route leads to it.
  assert.deepEqual(
    (await attention()).data.map(({ kind, routes }) => [kind, routes]),
    [['model_shutdown', ['acme/old']]],
  );
});

test('a key that is refused, and a model that failed too often', async () => {
  vendor.plan('unauthorized', { model: 'refusing', times: 1 });
  assert.notEqual(await call('refusing'), 200);
  vendor.plan('server-error', { model: 'broken' });
  for (let each = 0; each < 3; each += 1) assert.notEqual(await call('broken'), 200);
  const [refused, broken] = (await attention()).data;
  assert.deepEqual(
    [refused!.kind, refused!.severity, refused!.sentence, refused!.subject],
    ['credential_refused', 'critical', 'other refuses its key.', { type: 'provider', id: 'other', name: 'other' }],
  );
  assert.deepEqual(refused!.credentials.length, 1);
  assert.deepEqual(
    [broken!.kind, broken!.severity, broken!.sentence],
    ['circuit', 'critical', 'broken of lab gets no calls because it failed too often.'],
  );
  assert.notEqual(broken!.last_error, null);
});

test('budgets and limits that are used to four fifths, with what the ledger says', async () => {
  const holders = [{ type: 'project', id: project }];
  const soft = await post('/budgets', { name: 'soft', holders, amount_usd: '0.000001', hard: false });
  await post('/budgets', { name: 'wide', holders, amount_usd: 1_000 });
  const limited = { currency: 'USD', interval: 'month', threshold_amount: 1 };
  await post(`/projects/${project}/spend_limit`, limited);
  await post(`/projects/${project}/rate_limits/rate_limit_priced`, { max_requests_per_1_minute: 1 });
  const budget = await of(`budget ${soft.id}`);
  const { data } = (await ask(`${company.headgate.url}/v1/organization/budgets`, { key: owner.key })).json as {
    data: { name: string; spent_usd: string; resets_at: number }[];
  };
  const listed = data.find(({ name }) => name === 'soft')!;
  assert.deepEqual(
    [budget!.severity, budget!.sentence, budget!.unit, budget!.used, budget!.limit, budget!.at, budget!.refused_at],
    ['critical', 'The budget soft is used up.', 'usd', Number(listed.spent_usd), 0.000001, listed.resets_at, null],
  );
  assert.equal(budget!.percent, Math.floor((Number(listed.spent_usd) / 0.000001) * 100));
  const spend = await of(`spend_limit ${project}`);
  assert.deepEqual(
    [spend!.severity, spend!.sentence, spend!.limit, spend!.subject, spend!.project],
    [
      'critical',
      'The monthly limit of Rockets is used up.',
      0.01,
      { type: 'project', id: project, name: 'Rockets' },
      { id: project, name: 'Rockets' },
    ],
  );
  const rate = await of('rate_limit ');
  assert.deepEqual(
    [rate!.sentence, rate!.unit, rate!.limit],
    ['priced: the requests a minute of Rockets are used up.', 'requests', 1],
  );
  assert.equal(await of('wide'), undefined);
});

test('a hard budget that refuses calls long before its end', async () => {
  const other = await post('/projects', { name: 'Small' });
  const holders = [{ type: 'project', id: other.id }];
  const hard = await post('/budgets', { name: 'tight', holders, amount_usd: '0.001' });
  assert.equal(await of(hard.id), undefined);
  const { value } = await post(`/projects/${other.id}/api_keys`, { name: 'small' });
  const body = { model: 'priced', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }] };
  const { status } = await ask(`${company.headgate.url}/v1/chat/completions`, { key: value, body });
  assert.equal(status, 429);
  // The note of it is kept a moment later.
  let item = await of(hard.id);
  while (item === undefined) {
    await nextPoll();
    item = await of(hard.id);
  }
  assert.deepEqual(
    [item.severity, item.percent, item.sentence],
    ['critical', 0, 'The budget tight refuses calls: 0 % of it is used, and the rest is too little for them.'],
  );
  assert.ok(item.refused_at! <= Date.now() / 1000);
});

test('models that their vendor shuts down, once they were called, with the routes that lead there', async () => {
  const { data } = await attention();
  const item = data.find(({ kind }) => kind === 'model_shutdown')!;
  assert.deepEqual(
    [item.subject, item.severity, item.sentence, item.routes, item.at],
    [
      { type: 'model', id: GONE, name: GONE },
      'critical',
      `${GONE} was shut down by its vendor on 2026-10-23.`,
      ['acme/old'],
      Date.parse('2026-10-23') / 1000,
    ],
  );
});

test('keys that end within two weeks, those that end first, of people and of administrators', async () => {
  const add = (name: string, days: number, path = `/projects/${project}/api_keys`) =>
    post(path, { name, expires_in_seconds: days * DAY });
  const later = await add('later', 13);
  const soon = await add('soon', 2);
  await add('far', 15);
  const off = await add('off', 3);
  await post(`/projects/${project}/api_keys/${off.id}`, { enabled: false });
  await add('deploy', 5, '/admin_api_keys');
  const { data } = await attention();
  const keys = data.filter(({ kind }) => kind.endsWith('_expiry'));
  assert.deepEqual(
    keys.map(({ kind, subject, project: in_ }) => [kind, subject.name, in_?.name ?? null]),
    [
      ['api_key_expiry', 'soon', 'Rockets'],
      ['api_key_expiry', 'later', 'Rockets'],
      ['admin_api_key_expiry', 'deploy', null],
    ],
  );
  const day = new Date(keys[0]!.at! * 1000).toISOString().slice(0, 10);
  assert.equal(keys[0]!.sentence, `The key soon expires on ${day}.`);
  assert.deepEqual([keys[0]!.id, keys[1]!.id], [`api_key_expiry ${soon.id}`, `api_key_expiry ${later.id}`]);
});

test('what is worst comes first, and pages are the list in parts', async () => {
  const { data } = await attention();
  const severities = data.map(({ severity }) => severity);
  assert.deepEqual(severities, [...severities].sort());
  assert.ok(severities.includes('warning') && severities.includes('critical'));
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const page = await attention(owner, `limit=2${after}`);
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
    after = `&after=${encodeURIComponent(page.next!)}`;
  }
  assert.deepEqual(
    ids,
    data.map(({ id }) => id),
  );
  const { status, text } = await ask(`${company.headgate.url}/v1/organization/attention?after=mended`, {
    key: owner.key,
  });
  assert.equal(status, 400);
  assert.match(text, /`after`/);
});

test('each kind is listed to those alone who may read what it is about', async () => {
  const needs: [string[], string[]][] = [
    [
      ['api.usage.read', 'api.settings.read'],
      ['credential_refused', 'circuit'],
    ],
    [['api.usage.read'], []],
    [['api.budgets.read'], ['budget']],
    [
      ['api.limits.read', 'api.budgets.read'],
      ['budget', 'spend_limit'],
    ],
    [['api.limits.read', 'api.usage.read'], ['rate_limit']],
    [['api.projects.read'], []],
    [['api.projects.read', 'api.routes.read'], ['model_shutdown']],
    [['api.keys.read'], ['api_key_expiry']],
    [['api.admin_keys.read'], ['admin_api_key_expiry']],
  ];
  for (const [index, [permissions, kinds]] of needs.entries()) {
    const role = await post('/roles', { role_name: `role ${index}`, permissions });
    const { id, key: theirs } = await company.hire(`person-${index}`);
    await post(`/users/${id}/roles`, { role_id: role.id });
    const { data } = await attention({ key: theirs });
    assert.deepEqual([...new Set(data.map(({ kind }) => kind))].sort(), kinds.toSorted(), permissions.join());
  }
  assert.deepEqual(await told(await company.hire('nobody')), []);
  const stranger = await company.hire('stranger', 'owner', UMBRELLA);
  // How vendors do is the operator's to know.
  const foreign = (await attention(stranger)).data.map(({ kind }) => kind);
  assert.deepEqual(new Set(foreign), new Set(['model_shutdown']));
});

test('who is in some projects alone is told of keys there, by key and signed in', async () => {
  const mine = await post('/projects', { name: 'Garage' });
  await post(`/projects/${mine.id}/api_keys`, { name: 'wrench', expires_in_seconds: DAY });
  const hired = await company.hire('mechanic');
  await post(`/projects/${mine.id}/users`, { user_id: hired.id, role: 'member' });
  for (const by of [hired, { cookie: await company.cookieOf(hired) }]) {
    const { data } = await attention(by);
    assert.deepEqual(
      data.map(({ subject, project: where }) => [subject.name, where?.name]),
      [['wrench', 'Garage']],
    );
  }
});
