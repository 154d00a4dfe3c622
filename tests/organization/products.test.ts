import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask as askAny, chat } from '../workers/ask.ts';
import { documentedFetch } from './documented.ts';

const CONFIG = `system: { targets: [lab/cheap] }
providers:
  lab: { base_url: http://127.0.0.1:9, only: [cheap] }
products:
  # a line of its own
  of-file: { name: Of the file, routes: [echo], budget: { usd: 5, per: week } }
limits: { requests_per_minute: 1000000 }
`;
const PRODUCTS = '/organization/products';

type Product = {
  id: string;
  name: string;
  routes: string[];
  unserved: string[];
  spend_limit: { amount_decimal: string; interval: string } | null;
  spent_usd: number;
  api_keys: { id: string; status: string }[];
  origin: string;
  set_in: unknown;
  off: string | null;
  version: number | null;
  api_key: { id: string; value: string };
  earlier_secret_until: number | null;
};

let headgate: Running;
let admin: OpenAI;
before(async () => {
  headgate = await startHeadgate({ config: CONFIG, args: ['--workers', '2'] });
  const fetch = await documentedFetch(headgate.url);
  const keys = { adminAPIKey: headgate.key, apiKey: headgate.key };
  admin = new OpenAI({ ...keys, baseURL: `${headgate.url}/v1`, maxRetries: 0, fetch });
});
after(() => headgate[Symbol.asyncDispose]());

const post = <T = Product>(path: string, body: object) => admin.post<T>(path, { body });
const get = <T = Product>(path: string) => admin.get<T>(path);

/** Asks until all of several calls in a row, each of another process, have this status: settings are in force within a second. */
async function untilAll(status: number, key: string, model: string): Promise<void> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const answers = [];
    for (let each = 0; each < 4; each += 1)
      answers.push(await askAny(headgate, '/v1/chat/completions', chat(model), key));
    if (answers.every((answer) => answer.status === status)) return;
    assert.ok(performance.now() < end, answers.map(({ status: is, text }) => `${is} ${text}`).join('\n'));
    await nextPoll();
  }
}

test('a product is made, called by its key in every process, changed, given another secret, and deleted', async () => {
  const limit = { amount_usd: '12.5', interval: 'day' };
  const made = await post(PRODUCTS, { id: 'desk', name: 'Helpdesk', routes: ['echo'], spend_limit: limit });
  assert.deepEqual(
    [made.origin, made.version, made.spend_limit?.amount_decimal, made.spent_usd],
    ['settings', 1, '12.5', 0],
  );
  assert.deepEqual(
    made.api_keys.map(({ id, status }) => [id, status]),
    [[made.api_key.id, 'active']],
  );
  const secret = made.api_key.value;
  await untilAll(200, secret, 'echo');
  await untilAll(403, secret, 'lab/cheap');
  const { data: calls } = await get<{ data: { product: string; source: string }[] }>('/usage?product=desk&limit=1');
  assert.deepEqual([calls[0]?.product, calls[0]?.source], ['desk', 'product']);

  const changed = await post(`${PRODUCTS}/desk`, { routes: ['lab/cheap', 'gone'], if_version: 1 });
  assert.deepEqual([changed.version, changed.name, changed.spend_limit?.interval], [2, 'Helpdesk', 'day']);
  assert.deepEqual(changed.unserved, ['gone']);
  await untilAll(403, secret, 'echo');
  await assert.rejects(post(`${PRODUCTS}/desk`, { name: 'x', if_version: 1 }), { status: 409 });
  await post(`${PRODUCTS}/desk`, { routes: ['echo'], spend_limit: null });
  await untilAll(200, secret, 'echo');

  const rotated = await post(`${PRODUCTS}/desk/rotate`, { overlap_seconds: 0 });
  assert.equal(rotated.api_key.id, made.api_key.id);
  await untilAll(200, rotated.api_key.value, 'echo');
  await untilAll(401, secret, 'echo');
  await admin.delete(`${PRODUCTS}/desk`);
  await untilAll(401, rotated.api_key.value, 'echo');
  await assert.rejects(get(`${PRODUCTS}/desk`), { status: 404 });

  const { data: log } = await get<{ data: { type: string }[] }>('/organization/audit_logs?limit=100');
  const types = new Set(log.map(({ type }) => type));
  for (const type of ['product.created', 'product.updated', 'api_key.rotated', 'product.deleted']) {
    assert.ok(types.has(type), type);
  }
  const shown = JSON.stringify(log);
  for (const hidden of [secret, rotated.api_key.value]) assert.ok(!shown.includes(hidden));
});

test('what a product has spent is stopped at its limit, with its name', async () => {
  const price = {
    id: 'priced',
    base_url: 'https://10.0.0.1/v1',
    models: [{ id: 'm', price: { input_per_1m: 1, output_per_1m: 1 } }],
  };
  await post('/organization/providers', { ...price, credentials: [{ key: 'sk-lab' }] });
  const end = performance.now() + WAIT_MS;
  const terms = { id: 'poor', routes: ['priced/m'], spend_limit: { amount_usd: 0.000001 } };
  const made = await post(PRODUCTS, terms);
  for (;;) {
    const { status, text } = await askAny(headgate, '/v1/chat/completions', chat('priced/m'), made.api_key.value);
    if (status === 429 && /The budget of the product `poor`/.test(text)) break;
    assert.ok(performance.now() < end, text);
  }
});

test('products of the file are shown with their line, and changed there; their keys may be made here', async () => {
  const ofFile = await get(`${PRODUCTS}/of-file`);
  assert.deepEqual([ofFile.origin, ofFile.set_in, ofFile.version], ['file', { file: 'headgate.yaml', line: 6 }, null]);
  assert.deepEqual([ofFile.spend_limit?.amount_decimal, ofFile.spend_limit?.interval], ['5', 'week']);
  const where = /set in headgate.yaml, line 6/;
  await assert.rejects(post(PRODUCTS, { id: 'of-file', routes: ['echo'] }), {
    status: 400,
    param: 'id',
    message: where,
  });
  await assert.rejects(post(`${PRODUCTS}/of-file`, { name: 'x' }), { status: 400, message: where });
  await assert.rejects(admin.delete(`${PRODUCTS}/of-file`), { status: 400, message: where });
  const first = await post(`${PRODUCTS}/of-file/rotate`, {});
  assert.equal(first.earlier_secret_until, null);
  await untilAll(200, first.api_key.value, 'echo');
  await headgate.createKey('--product', 'of-file');
  await assert.rejects(post(`${PRODUCTS}/of-file/rotate`, {}), { status: 400, param: 'api_key_id' });
  const again = await post(`${PRODUCTS}/of-file/rotate`, { api_key_id: first.api_key.id });
  assert.equal(again.api_key.id, first.api_key.id);
});

test('what cannot be is refused with the member’s name', async () => {
  await post(PRODUCTS, { id: 'there', routes: ['echo'] });
  const cases: readonly [object, string][] = [
    [{ id: 'a b' }, 'id'],
    [{ id: 'x'.repeat(65) }, 'id'],
    [{ id: 'there' }, 'id'],
    [{ id: 'x', name: '' }, 'name'],
    [{ id: 'x', name: 'n'.repeat(129) }, 'name'],
    [{ id: 'x', routes: [] }, 'routes'],
    [{ id: 'x', routes: Array.from({ length: 101 }, (_, index) => `echo-${index}`) }, 'routes'],
    [{ id: 'x', routes: ['echo', 'a model'] }, 'routes.1'],
    [{ id: 'x', routes: ['echo', 'echo'] }, 'routes.1'],
    [{ id: 'x', routes: ['echo'], spend_limit: { amount_usd: 0 } }, 'spend_limit.amount_usd'],
    [{ id: 'x', routes: ['echo'], spend_limit: { amount_usd: 1_000_000_001 } }, 'spend_limit.amount_usd'],
    [{ id: 'x', routes: ['echo'], spend_limit: { amount_usd: 1, interval: 'year' } }, 'spend_limit.interval'],
    [{ id: 'x', routes: ['echo'], expires_in_seconds: 0 }, 'expires_in_seconds'],
    [{ id: 'x', routes: ['echo'], rout: 1 }, 'rout'],
  ];
  for (const [body, param] of cases) {
    await assert.rejects(post(PRODUCTS, body), { status: 400, param }, JSON.stringify(body));
  }
  await assert.rejects(post(`${PRODUCTS}/there/rotate`, { overlap_seconds: 90 * 86_400 + 1 }), {
    param: 'overlap_seconds',
  });
  await assert.rejects(post(`${PRODUCTS}/there/rotate`, { api_key_id: 'key_none' }), { param: 'api_key_id' });
  await assert.rejects(post(PRODUCTS, { id: 'x', project_id: 'proj_none', routes: ['echo'] }), { status: 404 });
});

test('what has a longer name than a key may have has keys with the beginning of it', async () => {
  // The hundredth is the first half of a pair.
  const long = `${'x'.repeat(99)}𝒳${'y'.repeat(27)}`;
  const made = await post<Product & { api_key: { name: string } }>(PRODUCTS, { id: 'long', name: long });
  assert.deepEqual([made.name, made.api_key.name], [long, `${'x'.repeat(99)}\ufffd`]);
  const project = await admin.admin.organization.projects.create({ name: 'of accounts' });
  const accounts = admin.admin.organization.projects.serviceAccounts;
  const account = await accounts.create(project.id, { name: 'z'.repeat(200) });
  assert.deepEqual([account.name, account.api_key?.name], ['z'.repeat(200), 'z'.repeat(100)]);
});

test('lists are paged by a cursor that survives what is deleted', async () => {
  for (const id of ['page-1', 'page-2', 'page-3']) await post(PRODUCTS, { id, routes: ['echo'] });
  type Page = { data: Product[]; has_more: boolean; next: string | null };
  const first = await get<Page>(`${PRODUCTS}?limit=2&after=page-`);
  assert.deepEqual([first.data.map(({ id }) => id), first.has_more], [['page-1', 'page-2'], true]);
  await admin.delete(`${PRODUCTS}/page-2`);
  const second = await get<Page>(`${PRODUCTS}?limit=1&after=${first.next}`);
  assert.deepEqual(
    second.data.map(({ id }) => id),
    ['page-3'],
  );
});

test('commands make, show, change, rotate and delete products, beside a gateway and without one', async () => {
  const done = async (...args: string[]) => {
    const { code, stdout, stderr, json } = await headgate.command('products', ...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return { stdout, json: json as { api_key: { id: string; value: string } } };
  };
  const { json: made } = await done('create', 'shop', '--routes', 'echo', '--spend-limit', '20/week', '--json');
  await untilAll(200, made.api_key.value, 'echo');
  assert.match((await done('list')).stdout, /shop +shop +echo +\$0\.00 of \$20\.00\/week .*settings/);
  assert.match((await done('list')).stdout, /of-file .*headgate\.yaml, line 6/);
  await headgate.stop();
  await done('edit', 'shop', '--name', 'The shop', '--spend-limit', 'none');
  const { stdout: kept } = await done('rotate', 'shop', '--overlap', '7d');
  assert.match(
    kept,
    /^Key key_\w+ of the product shop has a new secret, shown only once\. The old one stays valid until \S+ \S+ UTC\.\n\nhg_live_\w+\n/,
  );
  const { stdout: replaced } = await done('rotate', 'shop', '--overlap', '0s');
  assert.match(replaced, /The old one is refused within a second\.\n\nhg_live_/);
  const { json: rotated } = await done('rotate', 'shop', '--overlap', '0s', '--json');
  assert.equal(rotated.api_key.id, made.api_key.id);
  const refused = await headgate.command('products', 'create', 'other', '--routes', 'a b');
  assert.deepEqual([refused.code, /^--routes must be a name/.test(refused.stderr)], [2, true], refused.stderr);
  await headgate.restart();
  await untilAll(200, rotated.api_key.value, 'echo');
  await untilAll(401, made.api_key.value, 'echo');
  await done('delete', 'shop');
  await untilAll(401, rotated.api_key.value, 'echo');
  const { json } = await ask(`${headgate.url}/v1/usage?product=shop`, { key: headgate.key });
  assert.ok((json as { data: unknown[] }).data.length > 0);
});
