import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../core/secret.ts';
import { loadCatalog, shippedCatalogText } from './catalog.ts';
import type { ProviderRow } from './model-list.ts';
import { type NamedSecret, servedBy } from './served.ts';
import { EMPTY_VENDOR_LIST } from './vendor-list.ts';

const ROW = {
  ...{ models: [], only: null, unknownModels: 'pass' as const },
  ...{ label: null, dialects: null, headers: {} },
  baseUrl: null,
  region: null,
  concurrency: null,
};

function dialectsAt(row: Partial<ProviderRow> & { id: string }): Map<string, readonly string[]> {
  const [served] = servedBy({
    rows: [{ ...ROW, preset: row.id, ...row }],
    credentials: new Map(),
    catalog: loadCatalog([{ text: shippedCatalogText(), place: 'shipped' }]),
    listed: () => EMPTY_VENDOR_LIST,
    inferPrices: true,
    listPrices: true,
    overrides: new Map(),
  });
  return new Map(served?.models.map(({ id, dialects }) => [id, dialects]));
}

test('a model is served in the dialects that its provider speaks', () => {
  const openai = dialectsAt({ id: 'openai' });
  assert.deepEqual(openai.get('gpt-4o-mini'), ['openai-chat', 'openai-responses']);
  assert.deepEqual(openai.get('text-embedding-3-small'), ['openai-embeddings']);
  for (const dialects of dialectsAt({ id: 'anthropic' }).values()) assert.deepEqual(dialects, ['anthropic-messages']);
  for (const dialects of dialectsAt({ id: 'deepseek' }).values()) assert.deepEqual(dialects, ['openai-chat']);
});

test('what a vendor serves as responses alone is not asked for as chat there, and is elsewhere', () => {
  for (const id of ['gpt-5-codex', 'gpt-5.1-codex-max', 'gpt-5-pro', 'o1-pro', 'o3-deep-research']) {
    assert.deepEqual(dialectsAt({ id: 'openai' }).get(id), ['openai-responses'], id);
  }
  const models = [{ id: 'gpt-5-codex', upstream: 'gpt-5-codex' }];
  const lab = dialectsAt({ id: 'lab', preset: null, baseUrl: 'http://lab.invalid/v1', models });
  assert.ok(lab.get('gpt-5-codex')?.includes('openai-chat'));
});

const LAB: ProviderRow = { ...ROW, id: 'lab', preset: null, baseUrl: 'http://lab.invalid', region: 'eu' };

function servedWith(...keys: [name: string, weight: number][]) {
  const given = keys.map(([name, weight]): NamedSecret => ({ name, weight, secret: new Secret(`${name}-key`) }));
  const [served] = servedBy({
    rows: [LAB],
    credentials: new Map([['lab', given]]),
    catalog: loadCatalog([{ text: shippedCatalogText(), place: 'shipped' }]),
    listed: ({ credentialName }) => ({ ...EMPTY_VENDOR_LIST, models: [`asked-as-${credentialName}`] }),
    inferPrices: true,
    listPrices: true,
    overrides: new Map(),
  });
  return served!;
}

test('a provider is there once for each of its credentials, in their order and with their weights', () => {
  const { accesses, provider } = servedWith(['default', 1], ['second', 3]);
  assert.deepEqual(
    accesses?.map(({ provider: { credentialName, credential, region }, weight }) => [
      ...[credentialName, credential?.reveal(), region, weight],
    ]),
    [
      ['default', 'default-key', 'eu', 1],
      ['second', 'second-key', 'eu', 3],
    ],
  );
  assert.equal(provider, accesses?.[0]?.provider);
});

test('a provider without a credential is there once', () => {
  const { accesses, provider } = servedWith();
  assert.deepEqual(accesses, [{ provider, weight: 1 }]);
  assert.deepEqual([provider.credential, provider.credentialName], [null, 'default']);
});

test('a provider is asked for its models with the first credential that has a share', () => {
  const { provider, listed = [] } = servedWith(['spare', 0], ['main', 1]);
  assert.equal(provider.credentialName, 'main');
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['asked-as-main'],
  );
});
