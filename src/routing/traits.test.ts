import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { CallSummary } from '../core/route.ts';
import { conversationKey } from './affinity.ts';
import { type TraitsInput, traitsOf } from './traits.ts';

const LOOK: CallSummary = {
  tools: 2,
  images: true,
  audio: false,
  files: false,
  structuredOutput: false,
  turns: 3,
  midTurn: true,
  system: 'S',
  lastUser: 'U',
  opening: 'O',
  user: 'someone',
  metadata: { tier: 'gold' },
  cacheKey: null,
  previousResponseId: null,
  models: undefined,
  provider: undefined,
};

function seen(more: Partial<TraitsInput> = {}, headers: Record<string, string> = {}): TraitsInput {
  return {
    summary: LOOK,
    surface: 'openai-chat',
    stream: true,
    promptTokens: 120,
    maxOutputTokens: null,
    key: { id: 'key_1', source: 'product', product: 'helpdesk', allowedModels: ['a'], spendLimit: null },
    hasBudget: false,
    routeId: 'acme/auto',
    headerPrefix: 'service',
    header: (name) => headers[name],
    now: 5,
    features: null,
    ...more,
  };
}

const CONVERSATION = { keyId: 'key_1', routeId: 'acme/auto', cacheKey: null, previousResponseId: null, opening: 'O' };

test('what a route decides on comes from the body, the key and the headers, and has none of the prompt’s text', () => {
  assert.deepEqual(
    traitsOf(seen({}, { 'openai-project': 'p1', 'service-tags': 'web, beta,web,', 'session-id': 's1' })),
    {
      at: 5,
      surface: 'openai-chat',
      stream: true,
      tools: 2,
      images: true,
      audio: false,
      files: false,
      structuredOutput: false,
      turns: 3,
      midTurn: true,
      promptTokens: 120,
      maxOutputTokens: null,
      keyId: 'key_1',
      source: 'product',
      product: 'helpdesk',
      project: 'p1',
      metadata: { tier: 'gold' },
      tags: ['web', 'beta'],
      user: 'someone',
      demandsPrice: false,
      allowedModels: ['a'],
      conversation: conversationKey({ ...CONVERSATION, sessionHeader: 's1' }),
      features: null,
      steering: null,
    },
  );
});

test('a spend limit of the key, or a budget above it, demands a price', () => {
  const key = { ...seen().key, spendLimit: { amount: 1n, per: 'day' } } as const;
  assert.equal(traitsOf(seen({ key })).demandsPrice, true);
  assert.equal(traitsOf(seen({ hasBudget: true })).demandsPrice, true);
});

test('whatever a caller sends, what is kept of it is bounded', () => {
  const long = 'x'.repeat(100_000);
  const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}${long}`, long]));
  const tags = Array.from({ length: 1000 }, (_, at) => `t${at}`).join(',');
  const summary = { ...LOOK, metadata, user: long, cacheKey: long };
  const made = traitsOf(seen({ summary }, { 'openai-project': long, 'service-tags': tags }));
  assert.ok(JSON.stringify(made).length < 16 * (64 + 512 + 8) + 4000, `${JSON.stringify(made).length}`);
  assert.deepEqual([Object.keys(made.metadata).length, made.tags.length, made.user!.length], [16, 16, 128]);
});

test('steering that is not known is refused', () => {
  const summary = { ...LOOK, provider: { zdr: true } };
  assert.throws(() => traitsOf(seen({ summary })), GatewayError);
});

test('of a long name, tag or project the first 64 characters are kept', () => {
  const long = 'x'.repeat(65);
  const summary = { ...LOOK, metadata: { [long]: 'v'.repeat(513) } };
  const made = traitsOf(seen({ summary }, { 'openai-project': long, 'service-tags': `${long},short` }));
  const kept = 'x'.repeat(64);
  assert.deepEqual([made.metadata, made.project, made.tags], [{ [kept]: 'v'.repeat(512) }, kept, [kept, 'short']]);
});
