import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { ask } from '../http/client.ts';
import { type Lab, startLab } from '../sdk/lab.ts';
import type { Running } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';

const CONFIG = `
providers:
  lab:
    base_url: \${LAB_URL}
    only: [unpriced, { id: priced, price: { input_per_1m: 0.123457, output_per_1m: 2.000001 } }]
routes:
  acme/fast: { targets: [lab/priced] }
retries: { attempts: 1 }
`;

let lab: Lab;
let headgate: Running;
let client: OpenAI;
let usage: OpenAI['admin']['organization']['usage'];
let project: string;
let account: { id: string; key: string };
/** Unix seconds, an hour ago. */
let start: number;

before(async () => {
  lab = await startLab(CONFIG);
  headgate = lab.headgate;
  const documented = await documentedFetch(headgate.url);
  client = new OpenAI({
    adminAPIKey: headgate.key,
    apiKey: null,
    baseURL: `${headgate.url}/v1`,
    maxRetries: 0,
    fetch: documented,
  });
  usage = client.admin.organization.usage;
  start = Math.floor(Date.now() / 1000) - 3_600;
  const { projects } = client.admin.organization;
  project = (await projects.create({ name: 'search' })).id;
  const made = await projects.serviceAccounts.create(project, { name: 'ci' });
  account = { id: made.id, key: made.api_key?.value ?? '' };
  let calls = 0;
  for (const [model, key] of [
    ['priced', account.key],
    ['priced', headgate.key],
    ['unpriced', account.key],
    ['acme/fast', headgate.key],
    ['priced', account.key],
  ] as const) {
    // The last call fails.
    if (calls === 4) lab.vendor.plan('server-error', { times: 1 });
    calls += 1;
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
    await ask(`${headgate.url}/v1/chat/completions`, { key, body });
  }
});
after(() => lab[Symbol.asyncDispose]());

type Buckets = { data: readonly { results: readonly unknown[] }[] };
type Row = Record<string, unknown> & { amount: { value: number; value_decimal: string } };

function rowsOf(page: Buckets): Row[] {
  return page.data.flatMap(({ results }) => results) as Row[];
}

/** In nano-dollars. */
function nano(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole) * 10n ** 9n + BigInt(fraction.padEnd(9, '0'));
}

const GROUPS = ['project_id', 'user_id', 'api_key_id', 'line_item'] as const;

test('costs by day come to what the records say, by whatever they are grouped', async () => {
  const { data: records } = await headgate.usage({ limit: '100' });
  assert.equal(records.length, 5);
  const cost = records.reduce((sum, { cost_usd }) => sum + BigInt(Math.round(Number(cost_usd ?? 0) * 1e9)), 0n);
  assert.ok(cost > 0n);
  for (const group_by of [undefined, ...GROUPS.map((each) => [each]), [...GROUPS]]) {
    const rows = rowsOf(await usage.costs({ start_time: start, ...(group_by && { group_by }) }));
    assert.equal(
      rows.reduce((sum, { amount }) => sum + nano(amount.value_decimal), 0n),
      cost,
      String(group_by),
    );
  }
  const byProject = rowsOf(await usage.costs({ start_time: start, group_by: ['project_id', 'user_id'] }));
  const mine = byProject.find(({ project_id }) => project_id === project);
  assert.equal(mine?.user_id, account.id);
  const only = rowsOf(await usage.costs({ start_time: start, project_ids: [project] }));
  assert.deepEqual(only[0]?.amount, mine?.amount);
  const items = rowsOf(await usage.costs({ start_time: start, line_items: ['priced, output_tokens'] }));
  assert.equal(items.length, 1);
});

test('usage by day, hour and minute counts every call once', async () => {
  const { data: records } = await headgate.usage({ limit: '100' });
  const tokens = records.reduce((sum, { input_tokens }) => sum + Number(input_tokens), 0);
  for (const [bucket_width, limit] of [
    ['1d', 31],
    ['1h', 168],
    ['1m', 1440],
  ] as const) {
    const page = await usage.completions({ start_time: start, bucket_width, limit, group_by: ['model', 'batch'] });
    assert.equal(page.has_more, false);
    const rows = rowsOf(page);
    const sum = (member: string) => rows.reduce((all, row) => all + Number(row[member]), 0);
    assert.equal(sum('num_model_requests'), 5);
    assert.equal(sum('input_tokens'), tokens);
    assert.deepEqual(new Set(rows.map(({ batch }) => batch)), new Set([false]));
    assert.deepEqual(rowsOf(await usage.completions({ start_time: start, bucket_width, batch: true })), []);
  }
  assert.deepEqual(rowsOf(await usage.embeddings({ start_time: start })), []);
});

test('pages follow one another, and what a gateway does not do has empty buckets', async () => {
  const days = 200;
  const start_time = start - days * 86_400;
  const starts: number[] = [];
  let rows = 0;
  for (let page: string | null | undefined; page !== null; ) {
    const found = await usage.costs({ start_time, limit: 90, ...(page !== undefined && { page }) });
    starts.push(...found.data.map((bucket) => bucket.start_time));
    rows += rowsOf(found).length;
    assert.equal(found.has_more, found.next_page !== null);
    page = found.next_page;
  }
  assert.ok(starts.length > days && new Set(starts).size === starts.length);
  assert.ok(starts.every((each, index) => index === 0 || each - starts[index - 1]! === 86_400));
  assert.equal(rows, 1);
  for (const empty of [
    usage.audioSpeeches,
    usage.audioTranscriptions,
    usage.codeInterpreterSessions,
    usage.decisions,
    usage.fileSearchCalls,
    usage.images,
    usage.moderations,
    usage.vectorStores,
    usage.webSearchCalls,
  ] as ((query: { start_time: number }) => Promise<Buckets>)[]) {
    const page = await empty.call(usage, { start_time: start });
    assert.ok(page.data.length > 0);
    assert.deepEqual(rowsOf(page), []);
  }
});

test('what cannot be asked is refused by its name', async () => {
  const refused = (query: object, param: string) =>
    assert.rejects(usage.costs(query as never), (error: unknown) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.equal(error.param, param);
      return true;
    });
  await refused({}, 'start_time');
  await assert.rejects(usage.costs({} as never), { status: 400, message: /`start_time` must be given\.$/ });
  await refused({ start_time: start, end_time: start }, 'end_time');
  await refused({ start_time: start, page: 'page_1' }, 'page');
  await refused({ start_time: start, page: 'other' }, 'page');
  await refused({ start_time: start, limit: 181 }, 'limit');
  await refused({ start_time: start, bucket_width: '1h' }, 'bucket_width');
  await refused({ start_time: start, group_by: ['weather'] }, 'group_by.0');
  await assert.rejects(usage.completions({ start_time: start, limit: 32 }), { status: 400, message: /at most 31/ });
  const models = new OpenAI({ adminAPIKey: account.key, apiKey: null, baseURL: `${headgate.url}/v1`, maxRetries: 0 });
  await assert.rejects(models.admin.organization.usage.costs({ start_time: start }), { status: 403 });
});

test('who serves a route is told to the operator alone', async () => {
  const { value } = await client.admin.organization.adminAPIKeys.create({ name: 'billing' });
  const other = new OpenAI({ adminAPIKey: value, apiKey: null, baseURL: `${headgate.url}/v1`, maxRetries: 0 });
  const providers = async (asked: OpenAI) => {
    const query = { start_time: start, group_by: ['provider', 'route'], bucket_width: '1d' } as never;
    const rows = rowsOf(await asked.admin.organization.usage.costs(query));
    return rows.find(({ route }) => route === 'acme/fast')?.provider;
  };
  assert.equal(await providers(client), 'lab');
  assert.equal(await providers(other), null);
});
