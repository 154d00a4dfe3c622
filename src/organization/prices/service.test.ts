import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Price } from '../../core/money.ts';
import type { CatalogEntry } from '../../core/provider.ts';
import { NOON } from '../../store/fixtures.test.ts';
import { DAY_MS, organizationOf } from '../fixtures.test.ts';
import {
  createPriceOverride,
  endPriceOverride,
  findPriceOverride,
  listPriceOverrides,
  modelPrices,
  type PriceRules,
  updatePriceOverride,
} from './service.ts';

const TEN_YEARS_MS = 10 * 365 * DAY_MS;
const priceOf = (rate: number): Price => ({ rates: { input: BigInt(rate) }, tiers: [], source: 'a test', date: '' });
/** What a directory serves under a name. */
const entry = (origin: CatalogEntry['origin'], id: string, transport = 'http') =>
  ({
    origin,
    id,
    provider: { id: 'lab', transport },
    model: { id, upstreamId: id, price: priceOf(1) },
  }) as unknown as CatalogEntry;
const ENTRIES = new Map([
  ['small', entry('vendor', 'small')],
  ['fast', entry('smart_route', 'fast')],
  ['echo', entry('vendor', 'echo', 'echo')],
  ['filed', entry('vendor', 'filed')],
]);

async function company(t: Parameters<typeof organizationOf>[0]) {
  const made = await organizationOf(t);
  const billed: { id: string; price: Price }[] = [];
  const rules: PriceRules = {
    organizations: made.storage.organizations,
    pricesOfFile: () => [{ model: 'lab/filed', price: priceOf(5), place: { file: 'a.yaml', line: 3 } }],
    readPrice: (_, { input }) =>
      typeof input === 'number' ? priceOf(input) : { param: 'input', fault: 'is no number' },
    directory: async () => ({ find: (name) => ENTRIES.get(name) }),
    billed: { ofModel: async () => billed } as unknown as PriceRules['billed'],
  };
  const create = (input: number, from?: number, model = 'small') =>
    createPriceOverride(made.admin, rules, { model, definition: { input }, from });
  const states = async () =>
    (await listPriceOverrides(made.admin, rules, 'small')).map(({ state, from, until }) => [state, from, until]);
  return { ...made, rules, billed, create, states };
}

test('a price begins now or within ten years, and not before: what was billed stays as it was', async (t) => {
  const { admin, rules, create } = await company(t);
  const begins = async (from?: number) => (await findPriceOverride(admin, rules, await create(1, from))).from;
  assert.equal(await begins(), NOON);
  assert.equal(await begins(NOON - 60_000), NOON, 'a minute is on its way');
  await assert.rejects(create(1, NOON - 60_001), { param: 'effective_at' });
  assert.equal(await begins(NOON + 5), NOON + 5);
  assert.equal(await begins(NOON + TEN_YEARS_MS), NOON + TEN_YEARS_MS);
  await assert.rejects(create(1, NOON + TEN_YEARS_MS + 1), { param: 'effective_at' });
});

test('a price is set for a model of a vendor, which has none in the file', async (t) => {
  const { admin, rules, create } = await company(t);
  const of = async (model: string) => (await findPriceOverride(admin, rules, await create(1, NOON, model))).model;
  assert.deepEqual([await of('small'), await of('lab/other')], ['lab/small', 'lab/other']);
  for (const model of ['fast', 'echo', 'filed', 'lab/filed', 'nowhere'])
    await assert.rejects(create(1, NOON, model), { kind: 'invalid_request', param: 'model' }, model);
});

test('a price says something, of a size that can be kept, that can be read', async (t) => {
  const { admin, rules, idsOf } = await company(t);
  for (const [param, definition] of [
    ['price', {}],
    ['price', { input: 1, more: 'x'.repeat(16 * 1024) }],
    ['price.input', { input: 'much' }],
  ] as const)
    await assert.rejects(createPriceOverride(admin, rules, { model: 'small', definition }), { param });
  assert.deepEqual(await idsOf('price_override'), []);
});

test('a price is changed until it begins, as it was read', async (t) => {
  const { admin, rules, clock, create } = await company(t);
  const id = await create(1, NOON + 10);
  const edit = (ifVersion?: number) => updatePriceOverride(admin, rules, { id, edit: { from: NOON + 20 }, ifVersion });
  await edit(1);
  await assert.rejects(edit(1), { kind: 'conflict' });
  await assert.rejects(updatePriceOverride(admin, rules, { id, edit: { from: NOON - 60_001 } }), {
    param: 'effective_at',
  });
  await assert.rejects(updatePriceOverride(admin, rules, { id, edit: { definition: {} } }), { param: 'price' });
  clock.time = NOON + 19;
  await edit();
  clock.time = NOON + 20;
  await assert.rejects(edit(), { param: 'price_override_id' });
  const ended = await create(1, NOON + 30);
  await endPriceOverride(admin, rules, ended);
  await assert.rejects(updatePriceOverride(admin, rules, { id: ended, edit: {} }), { param: 'price_override_id' });
});

test('a price is ended once, before it begins or while it bills, and not when another has taken its place', async (t) => {
  const { admin, rules, clock, create, states } = await company(t);
  const [first, second, third] = [await create(1), await create(2, NOON + 10), await create(3, NOON + 20)];
  assert.deepEqual(await states(), [
    ['in_force', NOON, NOON + 10],
    ['scheduled', NOON + 10, NOON + 20],
    ['scheduled', NOON + 20, null],
  ]);
  await endPriceOverride(admin, rules, third);
  const over = { param: 'price_override_id', message: /already ended/ };
  await assert.rejects(endPriceOverride(admin, rules, third), over);
  clock.time = NOON + 10;
  await assert.rejects(endPriceOverride(admin, rules, first), over);
  clock.time = NOON + 15;
  await endPriceOverride(admin, rules, second);
  await assert.rejects(endPriceOverride(admin, rules, second), over);
  assert.deepEqual(await states(), [
    ['replaced', NOON, NOON + 10],
    ['ended', NOON + 10, NOON + 15],
    ['cancelled', NOON + 20, NOON],
  ]);
});

test('the prices of a model are told with what billed, and only the one in force as that', async (t) => {
  const { admin, rules, billed, create } = await company(t);
  billed.push({ id: 'price_a', price: priceOf(9) }, { id: 'price_b', price: priceOf(1) });
  const told = async (name = 'small') =>
    (await modelPrices(admin, rules, name)).map(({ origin, price, isInForce }) => [
      origin,
      price.rates.input,
      isInForce,
    ]);
  assert.deepEqual((await told()).toSorted(), [
    ['billed', 9n, false],
    ['catalog', 1n, true],
  ]);
  await create(7);
  await endPriceOverride(admin, rules, await create(8, NOON + 1));
  assert.deepEqual((await told()).toSorted(), [
    ['billed', 1n, false],
    ['billed', 9n, false],
    ['settings', 7n, true],
  ]);
  assert.equal((await told('filed')).find(([, , isInForce]) => isInForce)?.[0], 'file');
  await assert.rejects(modelPrices(admin, rules, 'nowhere'), { kind: 'not_found' });
});

test('prices are the gateway’s own, and set in its first organization alone', async (t) => {
  const { admin, rules, storage, create } = await company(t);
  const id = await create(1);
  await storage.organizations.create({ id: 'org_2', name: 'Second', createdAt: NOON + 1 });
  const other = { ...admin, by: { ...admin.by, organizationId: 'org_2' } };
  const tries = [
    () => createPriceOverride(other, rules, { model: 'small', definition: { input: 1 } }),
    () => updatePriceOverride(other, rules, { id, edit: {} }),
    () => endPriceOverride(other, rules, id),
    () => findPriceOverride(other, rules, id),
    () => listPriceOverrides(other, rules),
    () => modelPrices(other, rules, 'small'),
  ];
  for (const attempt of tries) await assert.rejects(attempt, { kind: 'forbidden' }, String(attempt));
});
