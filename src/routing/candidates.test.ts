import assert from 'node:assert/strict';
import { test } from 'node:test';
import { model, provider, route, served, target } from '../testing/routes.ts';
import { candidatesOf } from './candidates.ts';
import { buildDirectory } from './directory.ts';

const CHAT = ['openai-chat'] as const;
const DIRECTORY = buildDirectory([
  served('lab', [model('small'), model('vectors', [1, 0], { dialects: ['openai-embeddings'] })], {
    default: 1,
    second: 2,
  }),
]);

test('each target with each of its credentials, in the route’s order', () => {
  const asked = route(['small', 'vectors', 'gone'], { fallbacks: [target('lab/small', { weight: 0 })] });
  const { all, places } = candidatesOf(asked, DIRECTORY, CHAT);
  assert.deepEqual(
    all.map(({ index, model: name, credential, share, role, missing }) => [
      index,
      name,
      credential,
      share,
      role,
      missing?.reason,
    ]),
    [
      [0, 'small', 'default', 1, 'target', undefined],
      [1, 'small', 'second', 2, 'target', undefined],
      [2, 'vectors', 'default', 1, 'target', 'surface'],
      [3, 'vectors', 'second', 2, 'target', 'surface'],
      [4, 'gone', '', 0, 'target', 'unknown_model'],
      [5, 'lab/small', 'default', 1, 'fallback', 'weight_zero'],
      [6, 'lab/small', 'second', 2, 'fallback', 'weight_zero'],
    ],
  );
  assert.deepEqual(
    places.map(({ members }) => members.length),
    [2, 2, 1, 2],
  );
});

test('what is there twice is there at its first place only, but once more for long prompts and for content', () => {
  const asked = route([target('small', { credential: 'second' }), 'lab/small'], {
    fallbacks: [target('small')],
    contextFallbacks: [target('small')],
  });
  const { all } = candidatesOf(asked, DIRECTORY, CHAT);
  assert.deepEqual(
    all.map(({ credential, role }) => [credential, role]),
    [
      ['second', 'target'],
      ['default', 'target'],
      ['default', 'context_fallback'],
      ['second', 'context_fallback'],
    ],
  );
});

test('the first dialect is spoken that both know; the same three objects make one picture', () => {
  const speaks = [
    { dialect: 'openai-chat', path: '/chat' },
    { dialect: 'anthropic-messages', path: '/messages' },
  ] as const;
  const both = {
    provider: provider('lab', { speaks }),
    models: [model('m', [1, 2], { dialects: ['openai-chat', 'anthropic-messages'] })],
  };
  const directory = buildDirectory([both]);
  const asked = route(['m']);
  const dialects = ['anthropic-messages', 'openai-chat'] as const;
  const picture = candidatesOf(asked, directory, dialects);
  assert.equal(picture.all[0]!.target!.path, '/messages');
  assert.equal(candidatesOf(asked, directory, dialects), picture);
  assert.notEqual(candidatesOf(asked, buildDirectory([both]), dialects), picture);
  assert.equal(candidatesOf(asked, directory, CHAT).all[0]!.target!.path, '/chat');
});
