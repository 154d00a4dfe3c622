import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Model, type Provider, type Served, UNKNOWN_MODEL } from '../core/provider.ts';
import { buildDirectory } from './directory.ts';

function model(id: string): Model {
  return { ...UNKNOWN_MODEL, id, upstreamId: id, name: id, dialects: ['openai-chat'] };
}

function served(id: string, models: string[], more: Partial<Served> = {}): Served {
  const provider: Provider = {
    ...{ id, label: id, baseUrl: `http://${id}.invalid`, speaks: [], credential: null, credentialName: 'default' },
    ...{ authorization: { header: 'authorization', prefix: 'Bearer ' }, headers: {}, quirks: {}, region: null },
    ...{ concurrency: null, transport: 'http' as const },
  };
  const modelNamed = (name: string): Model => ({ ...model(name), known: 'asked' });
  return { provider, models: models.map(model), modelNamed, ...more };
}

const MALFORMED = [
  'two//a',
  'two/a?x',
  'two/a#x',
  'two/./a',
  'two/../a',
  'two/a/',
  'two/a%20',
  'two/a;x',
  'two/a.',
  'two/a\n',
];

test('`provider/anything` leads to the provider, which gets the name behind its own', () => {
  const directory = buildDirectory([served('one', ['a']), served('two', ['b'])]);
  for (const name of ['two/new', 'two/meta/llama', 'two/one/a']) {
    const entry = directory.find(name);
    assert.deepEqual([entry?.id, entry?.provider.id, entry?.model.id], [name, 'two', name.slice(4)]);
  }
  assert.equal(directory.find('one/a')?.id, 'a', 'what is listed is found as it is');
  for (const name of ['new', 'three/new', 'two/', '/new', 'two/a b', `two/${'x'.repeat(300)}`, 'two/ä', ...MALFORMED]) {
    assert.equal(directory.find(name), undefined, name);
  }
  assert.equal(directory.entries.length, 2);
});

test('a provider that makes no models of names is sent only what is listed', () => {
  const { modelNamed: _, ...strict } = served('one', ['a']);
  assert.equal(buildDirectory([strict]).find('one/new'), undefined);
});

test('a dated name without a place of its own leads to where the bare one does', () => {
  const directory = buildDirectory([served('one', ['a']), served('two', ['a', 'b'])]);
  for (const version of ['-2026-08-05', '-20260805', '@20260805', '-latest']) {
    assert.equal(directory.find(`a${version}`)?.id, `one/a${version}`);
    assert.equal(directory.find(`b${version}`)?.id, `two/b${version}`);
    assert.equal(directory.find(`c${version}`), undefined);
  }
  for (const name of ['a-2026-8-5', 'a-2026', 'a-202608051', 'a-latest-1'])
    assert.equal(directory.find(name), undefined);
});

test('a list moves no bare name, and cannot place one that begins with another provider’s', () => {
  const hub = served('hub', ['own'], { listed: [model('a'), model('one/x'), model('new'), model('meta/llama')] });
  const directory = buildDirectory([hub, served('one', ['a'])]);
  assert.deepEqual(
    directory.entries.map(({ id }) => id),
    ['own', 'hub/a', 'hub/one/x', 'new', 'meta/llama', 'a'],
  );
  assert.equal(directory.find('a')?.provider.id, 'one');
  assert.equal(directory.find('one/x')?.provider.id, 'one', 'it is sent to the one that it names');
});

test('whoever invents names fills no memory: of a thousand each is kept, and with one more the oldest is made again', () => {
  const directory = buildDirectory([served('one', [])]);
  const first = directory.find('one/x-0');
  for (let index = 1; index < 1_000; index += 1) directory.find(`one/x-${index}`);
  assert.equal(directory.find('one/x-0'), first, 'the same name is the same entry');
  directory.find('one/x-1000');
  assert.notEqual(directory.find('one/x-0'), first, 'it was forgotten meanwhile');
  assert.equal(directory.find('one/x-0')?.id, 'one/x-0');
});

test('what an alias leads to is there by the operator’s word, once', () => {
  const aliases = new Map([
    ['best', 'one/new'],
    ['good', 'one/new'],
  ]);
  const directory = buildDirectory([served('one', ['a'])], { aliases });
  const [, entry] = directory.entries;
  assert.equal(directory.entries.length, 2);
  assert.deepEqual([entry?.id, entry?.aliases, entry?.model.known], ['one/new', ['best', 'good'], undefined]);
  for (const name of ['best', 'good', 'one/new']) assert.equal(directory.find(name), entry);
});
