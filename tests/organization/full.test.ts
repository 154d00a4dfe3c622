import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Setting, SettingChange, SettingKind } from '../../src/core/settings.ts';
import { MAX_ALIASES } from '../../src/organization/aliases/service.ts';
import { MAX_PRICE_OVERRIDES } from '../../src/organization/prices/service.ts';
import { MAX_PRODUCTS } from '../../src/organization/products/service.ts';
import { answer, modelsReply } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask, errorOf } from '../http/client.ts';
import { ACME, type Company, startCompany } from './lab.ts';

const UNREACHED = 1_000_000_000;
const NOW = Date.now();
const OPERATOR = { type: 'operator' } as const;
const ONE = { input_per_1m: 1, output_per_1m: 1 };

/** What there may be so many of, beside one of the file: how one is kept, and asked for. */
const KINDS = [
  {
    path: '/organization/products',
    most: MAX_PRODUCTS,
    param: 'id',
    fault: '`id` exceeds the limit of 500 products.',
    kept: (number: number) => {
      const value = { name: 'x', routes: ['lab/m'], spendLimit: null, updatedAt: NOW };
      return put({ kind: 'product', id: `product-${number}`, value });
    },
    body: (id: string) => ({ id, routes: ['lab/m'] }),
  },
  {
    path: '/organization/aliases',
    most: MAX_ALIASES,
    param: 'id',
    fault: '`id` exceeds the limit of 1000 aliases.',
    kept: (number: number) => put({ kind: 'alias', id: `alias-${number}`, value: { target: 'lab/m', updatedAt: NOW } }),
    body: (id: string) => ({ id, target: 'lab/m' }),
  },
  {
    path: '/organization/price_overrides',
    most: MAX_PRICE_OVERRIDES,
    param: 'model',
    fault: '`model` exceeds the limit of 10000 prices.',
    // Half of them for one model, each with the next behind it.
    kept: (number: number) => {
      const model = number % 2 === 0 ? 'lab/m' : `lab/m-${number}`;
      const value = { model, definition: ONE, from: NOW, endedAt: null, note: null, by: OPERATOR, updatedAt: NOW };
      return put({ kind: 'price_override', id: `price_${String(number).padStart(26, '0')}`, value });
    },
    body: () => ({ model: 'lab/m', price: { input_per_1m: 3, output_per_1m: 3 } }),
  },
] as const;

let vendor: FakeProvider;
let company: Company;
let key: string;
before(async () => {
  vendor = await startFakeProvider();
  vendor.plan((request) => modelsReply(request.path, ['m']), { path: '/v1/models' });
  vendor.plan(answer(), { path: '/v1/chat/completions' });
  company = await startCompany({
    config: `aliases: { of-file: echo }
products: { of-file: { name: Of the file, routes: [echo] } }
providers:
  lab: { base_url: ${vendor.url}, api_key: sk-lab, models: [{ id: stated, price: { input_per_1m: 1, output_per_1m: 1 } }] }
limits: { requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED} }
`,
  });
  ({ key } = company.headgate);
});
after(async () => {
  await company[Symbol.asyncDispose]();
  await vendor.close();
});

type Made = { id: string; state?: string };
type List = { data: { id: string }[]; has_more: boolean; next: string | null };

const url = (path: string) => `${company.headgate.url}/v1${path}`;
const post = (path: string, body: object) => ask(url(path), { key, body });
/** All ids of a list, page after page. */
async function idsOf(path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const { status, text, json } = await ask(`${url(path)}?limit=100${after}`, { key });
    assert.equal(status, 200, text);
    const { data, has_more: hasMore, next } = json as List;
    ids.push(...data.map(({ id }) => id));
    if (!hasMore) return ids;
    after = `&after=${encodeURIComponent(next!)}`;
  }
}

for (const { path, most, param, fault, kept, body } of KINDS) {
  test(`the last of ${most} under ${path} is made, one more is refused, and pages tell each once`, async () => {
    const changes = Array.from({ length: most - 1 }, (_, number) => kept(number));
    assert.equal(await company.admin().settings.change(ACME, changes, null), 'done');
    const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((name) => post(path, body(`last-${name}`))));
    const [last, ...others] = rivals.toSorted((one, other) => one.status - other.status);
    assert.equal(last?.status, 200, last?.text ?? 'nothing was answered');
    for (const { status, text } of others) assert.ok([400, 409].includes(status), text);
    const { id } = last.json as Made;
    const refused = await post(path, body('more'));
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual([errorOf(refused).param, errorOf(refused).message], [param, fault]);

    const ids = await idsOf(path);
    const ofSettings = changes.map((each) => each.put.id);
    assert.deepEqual(
      new Set(ids),
      new Set([...ofSettings, id, ...ids.filter((each) => /^(file\/|of-file)/.test(each))]),
    );
    assert.equal(ids.length, most + 1);
    assert.equal((await ask(`${url(path)}/${id}`, { key })).status, 200);
  });
}

test('with all of them, calls go by an alias, a product and a price, and the catalog tells the models', async () => {
  const made = await post('/organization/products/product-0/rotate', {});
  const { value: secret } = (made.json as { api_key: { value: string } }).api_key;
  const chat = { model: 'alias-998', messages: [{ role: 'user', content: 'Hi' }] };
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const { status, text, headers } = await ask(url('/chat/completions'), { key: secret, body: chat });
    if (status === 200 && headers.get('service-cost-usd') === '0.000051') break;
    assert.ok(performance.now() < end, `${status} ${headers.get('service-cost-usd')} ${text}`);
    await nextPoll();
  }
  const { status, json } = await ask(url('/models/catalog'), { key });
  assert.equal(status, 200);
  const listed = new Set((json as List).data.map(({ id }) => id));
  for (let number = 1; number < MAX_PRICE_OVERRIDES - 1; number += 2)
    assert.ok(listed.has(`m-${number}`), `m-${number}`);

  const prices = '/organization/price_overrides';
  const first = (await ask(url(`${prices}/price_${'0'.repeat(26)}`), { key })).json as Made;
  assert.equal(first.state, 'replaced');
  const newest = await ask(url(`${prices}?model=lab%2Fm&limit=1&order=desc`), { key });
  assert.equal((newest.json as { data: Made[] }).data[0]?.state, 'in_force');
});

/** What keeps a setting, as it would be after as many requests. */
function put(setting: Pick<Setting<SettingKind>, 'kind' | 'id' | 'value'>) {
  return { put: { parentId: null, version: 1, createdAt: NOW, ...setting } } as SettingChange & {
    put: Setting<SettingKind>;
  };
}
