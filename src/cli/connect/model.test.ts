import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogEntry, Model, Provider, VendorEntry } from '../../core/provider.ts';
import type { Route } from '../../core/route.ts';
import { chooseModel, chooseSmallModel } from './model.ts';

function provider(id: string): Provider {
  return {
    id,
    label: id,
    baseUrl: `http://${id}.invalid`,
    speaks: [],
    credential: null,
    credentialName: 'default',
    authorization: { header: 'authorization', prefix: 'Bearer ' },
    headers: {},
    quirks: {},
    region: null,
    concurrency: null,
    transport: id === 'echo' ? 'echo' : 'http',
  };
}

function entry(id: string, releasedAt: string | null, more: Partial<Model> = {}): VendorEntry {
  const vendor = provider(id === 'echo' ? 'echo' : id.startsWith('claude') ? 'anthropic' : 'lab');
  return {
    id,
    origin: 'vendor',
    provider: vendor,
    accesses: [],
    aliases: [],
    model: {
      id,
      upstreamId: id,
      name: id,
      brand: null,
      contextWindow: null,
      maxOutputTokens: null,
      dimensions: null,
      capabilities: null,
      modalities: null,
      price: null,
      releasedAt,
      dialects: ['openai-chat'],
      ...more,
    },
  };
}

const NO_TOOLS = { tools: false, reasoning: false, structuredOutput: false, attachment: false, temperature: true };
const ENTRIES: readonly CatalogEntry[] = [
  entry('echo', null),
  entry('lab-1', '2026-01-01'),
  entry('lab-2-pro', '2026-03-01'),
  entry('lab-2', '2026-03-01'),
  entry('lab-mini', '2026-02-01'),
  entry('lab-embed', '2026-09-01', { dimensions: 8, dialects: ['openai-embeddings'] }),
  entry('lab-image', '2026-09-01', { capabilities: NO_TOOLS }),
  entry('claude-sonnet-4', '2025-05-01'),
  entry('claude-haiku-4', '2025-06-01'),
];

test('it is the newest that the tool is made for, of one day the one with the shorter name', () => {
  assert.equal(chooseModel(ENTRIES, [/^claude-sonnet-/, /^lab/], null), 'claude-sonnet-4');
  assert.equal(chooseModel(ENTRIES, [/^gpt-/, /^lab/], null), 'lab-2');
  assert.equal(chooseModel(ENTRIES, [/^gpt-/], null), 'lab-2');
});

test('the operator’s own word comes first: the alias, then a route', () => {
  const named: CatalogEntry = { ...entry('lab-9', null), aliases: ['default'] };
  const route: CatalogEntry = { ...entry('acme/auto', null), origin: 'smart_route', route: {} as Route };
  const system: CatalogEntry = { ...entry('system', '2026-12-01'), origin: 'system_route', route: {} as Route };
  assert.equal(chooseModel([...ENTRIES, system, route, named], [/^claude/], null), 'default');
  assert.equal(chooseModel([...ENTRIES, system, route], [/^claude/], null), 'acme/auto');
  assert.equal(chooseModel([...ENTRIES, system], [/^gpt/], null), 'lab-2');
  assert.equal(chooseModel([...ENTRIES, named], [/^claude/], ['lab-1']), 'lab-1');
});

test('only what the key may use is chosen', () => {
  assert.equal(chooseModel(ENTRIES, [/^claude/], ['lab-1', 'lab-mini']), 'lab-mini');
  assert.equal(chooseModel(ENTRIES, [], ['elsewhere']), 'elsewhere');
});

test('where nothing is known, it is the echo, else the alias that an operator would write', () => {
  assert.equal(chooseModel(ENTRIES.slice(0, 1), [], null), 'echo');
  assert.equal(chooseModel([], [], null), 'default');
});

test('the small one is of the same maker, and else the same', () => {
  assert.equal(chooseSmallModel(ENTRIES, 'claude-sonnet-4', null), 'claude-haiku-4');
  assert.equal(chooseSmallModel(ENTRIES, 'lab-2', null), 'lab-mini');
  assert.equal(chooseSmallModel(ENTRIES, 'claude-haiku-4', null), 'claude-haiku-4');
  assert.equal(chooseSmallModel(ENTRIES, 'claude-sonnet-4', ['claude-sonnet-4']), 'claude-sonnet-4');
  assert.equal(chooseSmallModel(ENTRIES, 'elsewhere', null), 'elsewhere');
});
