import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareModels } from './bare-models.ts';
import type { ProviderConfig } from './config.ts';

/** Restricted to these models; `null`: it is a preset's, and may have any. */
function provider(id: string, only: readonly string[] | null, off: string | null = null): ProviderConfig {
  return {
    id,
    preset: only === null ? id : null,
    baseUrl: `http://${id}`,
    label: null,
    dialects: null,
    models: [],
    only: only?.map((model) => ({ id: model, upstream: model })) ?? null,
    unknownModels: 'pass',
    headers: {},
    credentials: [],
    region: null,
    sharedIds: 'refuse',
    concurrency: null,
    off,
  };
}

const known = (...providers: ProviderConfig[]) => Object.fromEntries(bareModels(providers, new Map()));

test('a bare name leads to the first provider that lists it', () => {
  assert.deepEqual(known(provider('x', ['a', 'b']), provider('y', ['b', 'c'])), { a: 'x/a', b: 'x/b', c: 'y/c' });
});

test('nothing is known of names that a provider may have whose list is its own, or that is off', () => {
  const y = provider('y', ['a', 'b']);
  assert.deepEqual(known(provider('x', null), y), {});
  assert.deepEqual(known(y, provider('x', null)), { a: 'y/a', b: 'y/b' });
  assert.deepEqual(known(provider('x', ['a'], 'its key is not set'), y), { b: 'y/b' });
});

test('a bare name that looks like another’s full one is that one', () => {
  assert.deepEqual(known(provider('hub', ['one/a', 'b']), provider('one', ['a'])), { b: 'hub/b', a: 'one/a' });
  assert.deepEqual(known(provider('hub', ['one/a', 'b']), provider('one', null)), { b: 'hub/b' });
});

test('what is added to a provider is known to be there, by its list or by facts', () => {
  const open = { ...provider('x', null), preset: null, models: [{ id: 'a', upstream: 'a' }] };
  const facts = new Map([['x/b', {}]]);
  assert.deepEqual(Object.fromEntries(bareModels([open, provider('y', ['a', 'b', 'c'])], facts)), {
    ...{ a: 'x/a', b: 'x/b', c: 'y/c' },
  });
  assert.deepEqual(Object.fromEntries(bareModels([provider('x', null), open], facts)), { b: 'x/b' });
});
