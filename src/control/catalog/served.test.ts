import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog, shippedCatalogText } from '../../providers/catalog.ts';
import { type ProviderRow, servedBy } from './served.ts';

const ROW = { label: null, dialects: null, headers: {}, models: null, baseUrl: null };

function dialectsAt(row: Partial<ProviderRow> & { id: string }): Map<string, readonly string[]> {
  const [served] = servedBy({
    rows: [{ ...ROW, preset: row.id, ...row }],
    credentials: new Map(),
    catalog: loadCatalog([{ text: shippedCatalogText(), place: 'shipped' }]),
    discovered: () => [],
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
