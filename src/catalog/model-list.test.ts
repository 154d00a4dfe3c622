import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picoPerToken } from '../core/money.ts';
import { resolveProvider } from '../providers/resolve.ts';
import { loadCatalog } from './catalog.ts';
import { type ListSources, ModelList, type ProviderRow } from './model-list.ts';
import { EMPTY_VENDOR_LIST } from './vendor-list.ts';

const SOURCE = { source: 'a test', date: '2026-11-22' };

const CATALOG = loadCatalog([
  {
    place: 'test',
    text: JSON.stringify({
      vendors: {
        openai: {
          sol: {
            name: 'Sol',
            limit: { context: 1000 },
            cost: { input: 2, output: 8 },
            shut_down: '2027-01-01',
            ...SOURCE,
          },
          'sol-2026-01-01': { name: 'Sol of January', cost: { input: 9, output: 9 }, ...SOURCE },
          drawer: { name: 'Drawer', modalities: { input: ['text'], output: ['image'] }, ...SOURCE },
        },
      },
    }),
  },
]);

const ROW: ProviderRow = {
  ...{ id: 'openai', preset: 'openai', baseUrl: null, label: null, dialects: null, headers: {}, region: null },
  ...{ concurrency: null, models: [], only: null, unknownModels: 'pass' },
};

function listOf(row: Partial<ProviderRow> = {}, sources: Partial<ListSources> = {}): ModelList {
  const provider = resolveProvider({ ...ROW, ...row }, null);
  const known = {
    catalog: CATALOG,
    listed: () => EMPTY_VENDOR_LIST,
    overrides: new Map(),
    inferPrices: true,
    listPrices: true,
  };
  return new ModelList({ ...ROW, ...row }, provider, { ...known, ...sources });
}

const ids = (models: readonly { id: string }[]) => models.map(({ id }) => id);
const hearing = (...models: string[]) => ({
  listed: () => ({ models, gone: new Map([['gone', '2026-11-01']]), facts: new Map() }),
});

test('the catalog, what is added to it, and facts under `models` are there together, and the vendor’s list beside', () => {
  const list = listOf(
    {
      models: [
        { id: 'mine', upstream: 'sol', name: 'Mine' },
        { id: 'sol', upstream: 'sol', contextWindow: 5 },
      ],
    },
    { overrides: new Map([['openai/by-facts', { name: 'By facts' }]]), ...hearing('sol', 'moon', 'drawer', 'mine') },
  );
  assert.deepEqual(ids(list.stated), ['sol', 'sol-2026-01-01', 'mine', 'by-facts']);
  assert.deepEqual(ids(list.listed), ['moon', 'gone'], 'what draws is not served here');
  assert.deepEqual(
    list.stated.map(({ name, contextWindow }) => [name, contextWindow]),
    [
      ['Sol', 5],
      ['Sol of January', null],
      ['Mine', 1000],
      ['By facts', null],
    ],
  );
  assert.deepEqual(
    list.listed.map(({ known, unlistedSince }) => [known, unlistedSince]),
    [
      ['listed', undefined],
      ['listed', '2026-11-01'],
    ],
  );
});

test('a restricted provider has nothing else', () => {
  const list = listOf({ only: [{ id: 'sol', upstream: 'sol' }] }, hearing('moon'));
  assert.deepEqual([ids(list.stated), list.listed], [['sol'], []]);
});

test('a dated name has the facts and the price of its base, and says so; its day of shutting down is not known', () => {
  for (const version of ['-2026-08-05', '-20260805', '@20260805', '-latest']) {
    const model = listOf().asked(`sol${version}`);
    assert.deepEqual(
      [model?.id, model?.upstreamId, model?.contextWindow, model?.inferredFrom, model?.shutDownAt, model?.known],
      [`sol${version}`, `sol${version}`, 1000, 'sol', undefined, 'asked'],
    );
    assert.deepEqual([model?.price?.rates.input, model?.price?.inferredFrom], [picoPerToken(2), 'sol']);
  }
});

test('a row of its own goes before its base, and facts of the operator before both', () => {
  const own = listOf().stated.find(({ id }) => id === 'sol-2026-01-01');
  assert.deepEqual([own?.price?.rates.input, own?.inferredFrom], [picoPerToken(9), undefined]);
  const price = { rates: { input: 1n }, tiers: [], source: 'headgate.yaml', date: '' };
  const overrides = new Map([['openai/sol-latest', { price }]]);
  const stated = listOf({}, { overrides }).stated.find(({ id }) => id === 'sol-latest');
  assert.deepEqual([stated?.price, stated?.contextWindow], [price, 1000]);
  const base = listOf({ models: [{ id: 'sol', upstream: 'sol', price }] }).asked('sol-latest');
  assert.deepEqual(base?.price, { ...price, inferredFrom: 'sol' });
});

test('prices are not inferred where that is turned off; facts are', () => {
  const model = listOf({}, { inferPrices: false }).asked('sol-latest');
  assert.deepEqual([model?.price, model?.contextWindow, model?.inferredFrom], [null, 1000, 'sol']);
});

test('of what nobody has heard nothing is known, and it goes out in whatever its provider speaks', () => {
  const model = listOf().asked('nobody-knows');
  assert.deepEqual([model?.price, model?.contextWindow, model?.capabilities], [null, null, null]);
  assert.deepEqual(model?.dialects, ['openai-chat', 'openai-responses', 'openai-embeddings']);
  assert.ok(listOf().asked('whisper-9')?.dialects.includes('openai-chat'), 'its vendor knows better than its name');
  assert.deepEqual(listOf().asked('sol-9-codex')?.dialects, ['openai-responses']);
});
