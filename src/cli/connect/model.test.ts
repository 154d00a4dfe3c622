import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfferedModel } from '../../core/operator.ts';
import { chooseModel, chooseSmallModel } from './model.ts';

function entry(id: string, releasedAt: string | null, more: Partial<OfferedModel> = {}): OfferedModel {
  return {
    id,
    origin: 'vendor',
    provider: id === 'echo' ? 'echo' : id.startsWith('claude') ? 'anthropic' : 'lab',
    aliases: [],
    context_window: null,
    dimensions: null,
    capabilities: null,
    released_at: releasedAt,
    dialects: ['openai-chat'],
    pricing: { input_per_1m: null, output_per_1m: null },
    ...more,
  };
}

const ENTRIES: readonly OfferedModel[] = [
  entry('echo', null),
  entry('lab-1', '2026-01-01'),
  entry('lab-2-pro', '2026-03-01'),
  entry('lab-2', '2026-03-01'),
  entry('lab-mini', '2026-02-01'),
  entry('lab-embed', '2026-09-01', { dimensions: 8, dialects: ['openai-embeddings'] }),
  entry('lab-image', '2026-09-01', { capabilities: { tools: false } }),
  entry('claude-sonnet-4', '2025-05-01'),
  entry('claude-haiku-4', '2025-06-01'),
];

test('it is the newest that the tool is made for, of one day the one with the shorter name', () => {
  assert.equal(chooseModel(ENTRIES, [/^claude-sonnet-/, /^lab/], null), 'claude-sonnet-4');
  assert.equal(chooseModel(ENTRIES, [/^gpt-/, /^lab/], null), 'lab-2');
  assert.equal(chooseModel(ENTRIES, [/^gpt-/], null), 'lab-2');
});

test('the operator’s own word comes first: the alias, then a route', () => {
  const named = entry('lab-9', null, { aliases: ['default'] });
  const route = entry('acme/auto', null, { origin: 'smart_route', provider: 'headgate' });
  const system = entry('system', '2026-12-01', { origin: 'system_route', provider: 'headgate' });
  assert.equal(chooseModel([...ENTRIES, system, route, named], [/^claude/], null), 'default');
  assert.equal(chooseModel([...ENTRIES, system, route], [/^claude/], null), 'acme/auto');
  assert.equal(chooseModel([...ENTRIES, system], [/^gpt/], null), 'lab-2');
  assert.equal(chooseModel([...ENTRIES, named], [/^claude/], ['lab-1']), 'lab-1');
});

test('only what the key may use is chosen', () => {
  assert.equal(chooseModel(ENTRIES, [/^claude/], ['lab-1', 'lab-mini']), 'lab-mini');
  assert.equal(chooseModel(ENTRIES, [], ['elsewhere']), 'elsewhere');
});

test('the echo is taken where there is nothing else, by whatever name it has', () => {
  assert.equal(chooseModel(ENTRIES.slice(0, 1), [], null), 'echo');
  assert.equal(chooseModel([], [], null), null);
  const named = entry('echo', null, { aliases: ['default'] });
  assert.equal(chooseModel([named, entry('lab-1', null)], [], null), 'lab-1');
});

test('a model that is called by its provider’s name too is known by its own', () => {
  const models = [entry('lab-9', '2026-12-01'), entry('openai/gpt-5', '2026-01-01', { provider: 'openai' })];
  assert.equal(chooseModel(models, [/^gpt-\d+$/], null), 'openai/gpt-5');
});

test('the small one is of the same maker, and else the same', () => {
  assert.equal(chooseSmallModel(ENTRIES, 'claude-sonnet-4', null), 'claude-haiku-4');
  assert.equal(chooseSmallModel(ENTRIES, 'lab-2', null), 'lab-mini');
  assert.equal(chooseSmallModel(ENTRIES, 'claude-haiku-4', null), 'claude-haiku-4');
  assert.equal(chooseSmallModel(ENTRIES, 'claude-sonnet-4', ['claude-sonnet-4']), 'claude-sonnet-4');
  assert.equal(chooseSmallModel(ENTRIES, 'elsewhere', null), 'elsewhere');
});
