import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogEntry } from '../../core/provider.ts';
import { intent, NOON, settlement } from '../../store/fixtures.test.ts';
import { keyIn, organizationOf, project } from '../fixtures.test.ts';
import {
  createProduct,
  deleteProduct,
  findProduct,
  listProducts,
  type NewProduct,
  type ProductRules,
  productFacts,
  rotateProductKey,
  updateProduct,
} from './service.ts';

const BILLION = 10n ** 18n;
const ofFile = { id: 'filed', name: 'Filed', routes: ['small'], spendLimit: null, place: { file: 'a.yaml', line: 3 } };

async function company(t: Parameters<typeof organizationOf>[0]) {
  const made = await organizationOf(t);
  await made.keep(project('proj_1'), project('proj_old', { archivedAt: NOON }));
  const file = [ofFile];
  const rules: ProductRules = {
    organizations: made.storage.organizations,
    productsOfFile: () => file,
    directory: async () => ({ find: (name) => (name === 'small' ? ({} as CatalogEntry) : undefined) }),
  };
  return { ...made, rules, file };
}

const FAULTS: readonly [param: string, edit: Partial<NewProduct>][] = [
  ['name', { name: '' }],
  ['name', { name: ' search' }],
  ['name', { name: 'x'.repeat(129) }],
  ['name', { name: 'a\u0007b' }],
  ['routes', { routes: [] }],
  ['routes', { routes: Array.from({ length: 101 }, (_, number) => `route-${number}`) }],
  ['routes.0', { routes: ['a b'] }],
  ['routes.1', { routes: ['small', 'small'] }],
  ['spend_limit.amount_usd', { spendLimit: { amount: 0n, per: 'day' } }],
  ['spend_limit.amount_usd', { spendLimit: { amount: BILLION + 1n, per: 'day' } }],
];
for (const [param, edit] of FAULTS) {
  test(`a product is refused at \`${param}\`: ${Object.keys(edit)[0]} of ${String(Object.values(edit)[0]).slice(0, 20)}`, async (t) => {
    const { admin, rules, idsOf } = await company(t);
    const refused = { kind: 'invalid_request', param };
    await assert.rejects(createProduct(admin, rules, { id: 'search', ...edit }), refused);
    await createProduct(admin, rules, {
      id: 'other',
      spendLimit: { amount: BILLION, per: 'life' },
      name: 'x'.repeat(128),
    });
    await assert.rejects(updateProduct(admin, rules, { id: 'other', edit }), refused);
    assert.deepEqual(await idsOf('product'), ['other']);
  });
}

test('the first key of a product has its name, as far as a key may have it', async (t) => {
  const { admin, rules } = await company(t);
  const named = async (id: string, name: string) => (await createProduct(admin, rules, { id, name })).made.key.name;
  assert.equal(await named('short', 'Search'), 'Search');
  assert.equal(await named('long', 'x'.repeat(128)), 'x'.repeat(100));
  assert.equal(await named('cut', `${'x'.repeat(99)}\u{1f600}${'x'.repeat(20)}`), `${'x'.repeat(99)}\ufffd`);
});

test('a product has an id that no other has, here or in the file, and its first key is in a project in use', async (t) => {
  const { admin, rules, keysLeft } = await company(t);
  const { made } = await createProduct(admin, rules, { id: 'search', projectId: 'proj_1' });
  assert.deepEqual([made.key.product, made.key.projectId], ['search', 'proj_1']);
  for (const id of ['search', 'filed', 'a b'])
    await assert.rejects(createProduct(admin, rules, { id }), { param: 'id' });
  await assert.rejects(createProduct(admin, rules, { id: 'new', projectId: 'proj_old' }), { kind: 'conflict' });
  assert.deepEqual(await keysLeft(), [made.key.id]);
});

test('a product is changed as it was read, what is left out stays, and one of the file is changed there', async (t) => {
  const { admin, rules } = await company(t);
  const spendLimit = { amount: 7n, per: 'month' } as const;
  await createProduct(admin, rules, { id: 'search', spendLimit });
  const changed = await updateProduct(admin, rules, { id: 'search', edit: { name: 'Search' }, ifVersion: 1 });
  assert.deepEqual([changed.name, changed.spendLimit], ['Search', spendLimit]);
  await assert.rejects(updateProduct(admin, rules, { id: 'search', edit: {}, ifVersion: 1 }), { kind: 'conflict' });
  await assert.rejects(updateProduct(admin, rules, { id: 'filed', edit: {} }), { param: 'product_id' });
  await assert.rejects(deleteProduct(admin, rules, 'filed'), { param: 'product_id' });
  assert.equal((await findProduct(admin, rules, 'filed')).name, 'Filed');
});

test('products are the gateway’s own, and administered in its first organization alone', async (t) => {
  const { admin, rules, storage } = await company(t);
  await storage.organizations.create({ id: 'org_2', name: 'Second', createdAt: NOON + 1 });
  const other = { ...admin, by: { ...admin.by, organizationId: 'org_2' } };
  const tries = [
    () => listProducts(other, rules),
    () => findProduct(other, rules, 'filed'),
    () => createProduct(other, rules, { id: 'search' }),
    () => updateProduct(other, rules, { id: 'search', edit: {} }),
    () => deleteProduct(other, rules, 'search'),
  ];
  for (const attempt of tries) await assert.rejects(attempt, { kind: 'forbidden' }, String(attempt));
});

test('the keys of a product end with it, and live on where the file has one of its id', async (t) => {
  const { admin, rules, file, keysLeft } = await company(t);
  const { made } = await createProduct(admin, rules, { id: 'search' });
  const other = await createProduct(admin, rules, { id: 'other' });
  await deleteProduct(admin, rules, 'search');
  assert.deepEqual(await keysLeft(), [other.made.key.id]);
  file.push({ ...ofFile, id: 'other' });
  const shown = (await listProducts(admin, rules)).map(({ id, off, setting }) => [id, off, setting !== null]);
  assert.deepEqual(shown, [
    ['filed', null, false],
    ['other', null, false],
    ['other', 'a product of this id is set in a.yaml, line 3', true],
  ]);
  await deleteProduct(admin, rules, 'other');
  assert.deepEqual([await keysLeft(), made.key.product], [[other.made.key.id], 'search']);
});

test('the one key of a product is rotated; of several it is named; where there is none, one is made', async (t) => {
  const { admin, rules, keep } = await company(t);
  const { made } = await createProduct(admin, rules, { id: 'search' });
  const rotate = (keyId?: string, id = 'search') => rotateProductKey(admin, rules, { id, keyId, overlapMs: 1_000 });
  const rotated = await rotate();
  assert.deepEqual([rotated.key.id, rotated.earlierUntil], [made.key.id, NOON + 1_000]);
  await keep(keyIn('proj_1', null, { id: 'second', product: 'search' }), keyIn('proj_1', null, { id: 'stranger' }));
  await assert.rejects(rotate(), { param: 'api_key_id', message: /several keys/ });
  assert.equal((await rotate('second')).key.id, 'second');
  await assert.rejects(rotate('stranger'), { param: 'api_key_id' });
  await keep({ revokeKeys: { of: 'id', id: 'second', at: NOON } });
  await assert.rejects(rotate('second'), { param: 'api_key_id' });
  const first = await rotate(undefined, 'filed');
  assert.deepEqual([first.key.product, first.earlierUntil], ['filed', null]);
});

test('what calls see of products: names that lead nowhere, and what was spent in the period of their limit', async (t) => {
  const { admin, rules, storage } = await company(t);
  const spendLimit = { amount: 7n, per: 'day' } as const;
  const { product, made } = await createProduct(admin, rules, { id: 'search', routes: ['small', 'none'], spendLimit });
  for (const [number, day] of [0, -1].entries()) {
    const call = intent(number, { keyId: made.key.id, createdAt: NOON + day * 86_400_000 });
    await storage.ledger.intend(call);
    await storage.ledger.settle(settlement(call, { counted: 10n ** BigInt(number) }));
  }
  const [facts, inLife] = await productFacts(admin, rules, storage.thresholds, [
    product,
    { ...product, spendLimit: null },
  ]);
  assert.deepEqual([facts!.unserved, facts!.spent, facts!.spentUntil], [['none'], 1n, Date.UTC(2026, 10, 22)]);
  assert.deepEqual([inLife!.spent, inLife!.spentUntil], [11n, null]);
});
