import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ids } from '../../core/ports.ts';
import type { DialectId, Target } from '../../core/provider.ts';
import { DIALECTS } from '../../dialects/built.ts';
import { Translator } from './translator.ts';

const CALLS = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi', store: false },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
} as const;
const STEERED = { models: ['a', 'b'], provider: { order: ['lab'] }, invented: 1 };
const DROP = ['models', 'provider'];

const IDS: Ids = {
  requestId: () => 'req',
  token: () => 'token',
  recordId: () => 'rec',
  keyId: () => 'key',
  organizationId: () => 'org',
};

function targetIn(dialect: DialectId): Target {
  return {
    provider: {
      id: 'lab',
      label: 'Lab',
      baseUrl: 'http://lab.invalid',
      speaks: [{ dialect, path: '/calls' }],
      credential: null,
      credentialName: 'default',
      authorization: { header: 'authorization', prefix: 'Bearer ' },
      headers: {},
      quirks: {},
      region: null,
      concurrency: null,
      transport: 'http',
    },
    model: {
      id: 'small',
      upstreamId: 'small-2026',
      name: 'Small',
      brand: null,
      contextWindow: null,
      maxOutputTokens: null,
      dimensions: null,
      capabilities: null,
      modalities: null,
      price: null,
      releasedAt: null,
      dialects: [dialect],
    },
    dialect,
    path: '/calls',
  };
}

function translated(from: keyof typeof CALLS, to: DialectId, drop: readonly string[] | null = null) {
  const dialectOf = (id: DialectId) => DIALECTS.find((dialect) => dialect.id === id)!;
  const asked = dialectOf(from);
  const body = Buffer.from(JSON.stringify({ model: 'acme/auto', ...CALLS[from], ...STEERED }));
  const translator = new Translator({
    asked,
    answered: asked,
    spoken: dialectOf(to),
    envelope: asked.inbound.readEnvelope(body, { maxJsonDepth: 512, maxEmbeddingInputs: 1 }),
    target: targetIn(to),
    drop,
    bytePath: true,
    clock: { now: () => 0, monotonic: () => 0 },
    ids: IDS,
  });
  const sent = JSON.parse(translator.write('as-sent').toString()) as Record<string, unknown>;
  return { sent, dropped: translator.dropped };
}

for (const from of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
  for (const to of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
    test(`${from} to ${to}: what steers a route is for no vendor, and no loss`, () => {
      const { sent, dropped } = translated(from, to, DROP);
      assert.deepEqual([sent.model, sent.models, sent.provider], ['small-2026', undefined, undefined]);
      assert.deepEqual(dropped, from === to ? [] : ['invented']);
      assert.equal(sent.invented, from === to ? 1 : undefined);
    });

    test(`${from} to ${to}: without a route it passes, or is named as lost`, () => {
      const { sent, dropped } = translated(from, to);
      if (from === to) assert.deepEqual([sent.models, sent.provider], [STEERED.models, STEERED.provider]);
      else assert.deepEqual([...dropped].sort(), ['invented', 'models', 'provider']);
    });
  }
}
