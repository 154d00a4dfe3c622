import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../core/provider.ts';
import { model, provider } from '../testing/routes.ts';
import { Affinity, type ConversationSigns, conversationKey } from './affinity.ts';

const TARGET: Target = {
  provider: provider('lab', { credentialName: 'second' }),
  model: model('small'),
  dialect: 'openai-chat',
  path: '/x',
};
const WARM = {
  provider: 'lab',
  upstreamModel: 'small-upstream',
  credential: 'second',
  cachedTokens: 900,
};

const signs = (more: Partial<ConversationSigns>): ConversationSigns => ({
  keyId: 'key_1',
  routeId: 'acme/auto',
  cacheKey: null,
  sessionHeader: null,
  previousResponseId: null,
  opening: '',
  ...more,
});

test('the surest sign names a conversation; keys and routes share none', () => {
  const all = { cacheKey: 'c', sessionHeader: 's', previousResponseId: 'r', opening: 'o' };
  const key = conversationKey(signs(all));
  assert.equal(key, conversationKey(signs({ cacheKey: 'c' })));
  assert.equal(conversationKey(signs({ ...all, cacheKey: null })), conversationKey(signs({ sessionHeader: 's' })));
  assert.equal(
    conversationKey(signs({ previousResponseId: 'r', opening: 'o' })),
    conversationKey(signs({ previousResponseId: 'r' })),
  );
  assert.notEqual(key, conversationKey(signs({ ...all, keyId: 'key_2' })));
  assert.notEqual(key, conversationKey(signs({ ...all, routeId: 'other' })));
  assert.notEqual(conversationKey(signs({ cacheKey: 'x' })), conversationKey(signs({ sessionHeader: 'x' })));
  assert.equal(conversationKey(signs({})), null);
  assert.match(key!, /^k[\w-]{20}$/);
});

test('a conversation is found while its cache is warm', () => {
  const affinity = new Affinity({ keep: 1000, max: 10 });
  affinity.note('k1', TARGET, 900, 100);
  const call = { conversation: 'k1', turns: 3 };
  assert.deepEqual(affinity.find(call, 1100), WARM);
  assert.equal(affinity.find(call, 1101), null);
  assert.equal(affinity.find({ ...call, conversation: 'k2' }, 100), null);
  assert.equal(affinity.find({ ...call, conversation: null }, 100), null);
});

test('an opening alone says nothing of a first turn, which all who begin alike share', () => {
  const affinity = new Affinity();
  const opening = conversationKey(signs({ opening: 'Hello' }))!;
  affinity.note(opening, TARGET, 900, 0);
  assert.equal(affinity.find({ conversation: opening, turns: 1 }, 0), null);
  assert.deepEqual(affinity.find({ conversation: opening, turns: 2 }, 0), WARM);
});

test('it is bounded: what was not noted for the longest time goes first', () => {
  const affinity = new Affinity({ keep: 1000, max: 3 });
  for (const key of ['k1', 'k2', 'k3', 'k1', 'k4']) affinity.note(key, TARGET, 0, 0);
  const found = ['k1', 'k2', 'k3', 'k4'].filter((conversation) => affinity.find({ conversation, turns: 1 }, 0));
  assert.deepEqual([found, affinity.size], [['k1', 'k3', 'k4'], 3]);
  affinity.configure({ keep: 1000, max: 1 });
  assert.equal(affinity.size, 1);
});
