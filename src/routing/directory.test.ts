import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Model, type Provider, type Served, UNKNOWN_MODEL } from '../core/provider.ts';
import { route } from '../testing/routes.ts';
import { buildDirectory } from './directory.ts';

function provider(id: string): Provider {
  return {
    id,
    label: id.toUpperCase(),
    baseUrl: `http://${id}.invalid`,
    speaks: [{ dialect: 'openai-chat', path: '/chat/completions' }],
    credential: null,
    credentialName: 'default',
    authorization: { header: 'authorization', prefix: 'Bearer ' },
    headers: {},
    quirks: {},
    region: null,
    concurrency: null,
    transport: 'http',
  };
}

function model(id: string): Model {
  return {
    ...UNKNOWN_MODEL,
    id,
    upstreamId: `${id}-upstream`,
    name: id,
    dialects: ['openai-chat'],
  };
}

function served(id: string, ...models: string[]): Served {
  return { provider: provider(id), models: models.map(model) };
}

test('the bare id leads to the first provider that has it, `provider/id` to each', () => {
  const directory = buildDirectory([served('one', 'a', 'b'), served('two', 'b', 'c')]);
  assert.deepEqual(
    directory.entries.map(({ id }) => id),
    ['a', 'b', 'two/b', 'c'],
  );
  const places = ['a', 'b', 'c', 'one/b', 'two/b', 'two/c'].map((name) => directory.find(name)?.provider.id);
  assert.deepEqual(places, ['one', 'one', 'two', 'one', 'two', 'two']);
  for (const name of ['two/a', 'one/', '', '/a', 'A', 'a ']) assert.equal(directory.find(name), undefined, name);
});

test('an alias goes before a provider’s model of that name; a model may have several', () => {
  const aliases = new Map([
    ['a', 'two/c'],
    ['smart', 'b'],
    ['fast', 'b'],
  ]);
  const directory = buildDirectory([served('one', 'a', 'b'), served('two', 'c')], { aliases });
  assert.equal(directory.find('a')?.model.id, 'c');
  assert.equal(directory.find('one/a')?.model.id, 'a');
  assert.equal(directory.find('smart')?.model.id, 'b');
  assert.deepEqual(directory.find('b')?.aliases, ['smart', 'fast']);
});

test('a model whose name an alias has is there under its provider’s, unless the alias leads to it', () => {
  const aliases = new Map([
    ['a', 'two/a'],
    ['b', 'one/b'],
  ]);
  const directory = buildDirectory([served('one', 'a', 'b'), served('two', 'a', 'b')], { aliases });
  assert.deepEqual(
    directory.entries.map((entry) => [entry.id, ...entry.aliases]),
    [['one/a'], ['b'], ['two/a', 'a'], ['two/b']],
  );
});

test('an alias that leads nowhere is as good as none', () => {
  const aliases = new Map([
    ['lost', 'nothing'],
    ['a', 'nothing'],
  ]);
  const directory = buildDirectory([served('one', 'a')], { aliases });
  assert.equal(directory.find('lost'), undefined);
  assert.equal(directory.find('a')?.id, 'a');
});

test('ids with slashes are found bare and qualified; `provider/id` goes before a bare id that looks like it', () => {
  const directory = buildDirectory([served('hub', 'meta/llama', 'one/a'), served('one', 'a')]);
  assert.equal(directory.find('meta/llama')?.provider.id, 'hub');
  assert.equal(directory.find('hub/meta/llama')?.provider.id, 'hub');
  assert.equal(directory.find('one/a')?.provider.id, 'one');
  assert.equal(directory.find('hub/one/a')?.provider.id, 'hub');
});

test('a model whose name a route has is there under its provider’s; no two entries have one id', () => {
  const own = { routes: [route(['one/a'], { id: 'a' })] };
  const directory = buildDirectory([served('one', 'a', 'b'), served('two', 'a')], own);
  assert.deepEqual(
    directory.entries.map(({ id }) => id),
    ['one/a', 'b', 'two/a', 'a'],
  );
  assert.deepEqual([directory.find('a')?.origin, directory.find('one/a')?.origin], ['smart_route', 'vendor']);
});

test('a provider may leave bare ids to others', () => {
  const shy: Served = { ...served('shy', 'a', 'b'), keepsBare: (id) => id === 'b' };
  const directory = buildDirectory([shy, served('two', 'a')]);
  assert.deepEqual(
    directory.entries.map(({ id }) => id),
    ['shy/a', 'b', 'a'],
  );
  assert.equal(directory.find('a')?.provider.id, 'two');
});

test('a model that a provider lists twice is there once', () => {
  assert.equal(buildDirectory([served('one', 'a', 'a')]).entries.length, 1);
});

test('nothing is on: nothing is found, and nothing is near', () => {
  const directory = buildDirectory([]);
  assert.deepEqual([directory.entries, directory.find('a'), directory.nearest('a', () => true)], [[], undefined, []]);
});

test('what is near is told once, also where an alias has the name of a model', () => {
  const directory = buildDirectory([served('one', 'abc', 'abd')], { aliases: new Map([['abc', 'one/abd']]) });
  assert.deepEqual(
    directory.nearest('abc', () => true),
    ['abc', 'abd'],
  );
});
