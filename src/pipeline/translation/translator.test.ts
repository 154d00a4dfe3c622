import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ids } from '../../core/ports.ts';
import { type DialectId, type Target, UNKNOWN_MODEL } from '../../core/provider.ts';
import { DIALECTS } from '../../dialects/built.ts';
import { Translator, type TranslatorParts } from './translator.ts';

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
      ...UNKNOWN_MODEL,
      id: 'small',
      upstreamId: 'small-2026',
      name: 'Small',
      dialects: [dialect],
    },
    dialect,
    path: '/calls',
  };
}

function dialectOf(id: DialectId) {
  return DIALECTS.find((dialect) => dialect.id === id)!;
}

type More = Partial<Pick<TranslatorParts, 'answered' | 'drop'>>;

function translatorOf(from: DialectId, to: DialectId, call: object, more: More = {}) {
  const asked = dialectOf(from);
  const body = Buffer.from(JSON.stringify({ model: 'acme/auto', ...call }));
  return new Translator({
    asked,
    answered: asked,
    spoken: dialectOf(to),
    envelope: asked.inbound.readEnvelope(body, { maxJsonDepth: 512, maxEmbeddingInputs: 1 }),
    forwarded: [],
    target: targetIn(to),
    drop: null,
    followed: more.drop ?? [],
    parameters: null,
    bytePath: true,
    clock: { now: () => 0, monotonic: () => 0 },
    ids: IDS,
    ...more,
  });
}

function translated(from: keyof typeof CALLS, to: DialectId, drop: readonly string[] | null = null) {
  const translator = translatorOf(from, to, { ...CALLS[from], ...STEERED }, { drop });
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

const LONG_NAME = `mcp__plugin_oh-my-claudecode_omc-tools__${'lsp_'.repeat(10)}directory`;
const LONG_NAMED = {
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: LONG_NAME, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
  ],
  tools: [{ name: LONG_NAME, input_schema: { type: 'object', properties: {} } }],
  tool_choice: { type: 'tool', name: LONG_NAME },
};

for (const to of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
  test(`a long name of a tool to ${to}: the vendor gets one that it takes, the caller its own`, () => {
    const translator = translatorOf('anthropic-messages', to, LONG_NAMED);
    const sent = translator.write('as-sent').toString();
    const names = [...sent.matchAll(/mcp__[\w-]*/g)].map(([name]) => name);
    assert.deepEqual([names.length, new Set(names).size], [3, 1]);
    const [name = ''] = names;
    if (to === 'anthropic-messages') assert.equal(name, LONG_NAME);
    else assert.equal(name.length, 64);
    assert.deepEqual(translator.dropped, []);
    assert.deepEqual(namesGiven(translator, answerIn(to, name)), [LONG_NAME, LONG_NAME]);
  });
}

test('a call that strayed to the vendor’s own surface gets its names back too', () => {
  const translator = translatorOf('anthropic-messages', 'openai-chat', LONG_NAMED, {
    answered: dialectOf('openai-chat'),
  });
  const [name = ''] = /mcp__[\w-]*/.exec(translator.write('as-sent').toString()) ?? [];
  assert.equal(name.length, 64);
  assert.deepEqual(namesGiven(translator, answerIn('openai-chat', name)), [LONG_NAME, LONG_NAME]);
});

/** The name of the tool that the caller is told: in a whole answer, and in a stream. */
function namesGiven(translator: Translator, { body, events }: { body: object; events: readonly object[] }) {
  const whole = translator.whole();
  const bytes = Buffer.from(JSON.stringify(body));
  const peek = whole.read(bytes);
  whole.build(bytes);
  const stream = translator.stream();
  const frames = events.map((event) => {
    const data = JSON.stringify(event);
    return stream.convert(data, { event: (event as { type?: string }).type ?? null, data }).bytes;
  });
  return [whole.written(bytes, peek), frames.join('')].map((told) => /mcp__[\w-]*/.exec(told.toString())?.[0]);
}

/** A vendor's answer that calls this tool, whole and as the beginning of a stream. */
function answerIn(dialect: keyof typeof CALLS, name: string): { body: object; events: readonly object[] } {
  switch (dialect) {
    case 'openai-chat': {
      const call = { id: 'c1', type: 'function', function: { name, arguments: '{}' } };
      const head = { id: 'a1', model: 'm', created: 1 };
      return {
        body: { ...head, choices: [{ index: 0, message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] },
        events: [{ ...head, choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] }],
      };
    }
    case 'openai-responses': {
      const item = { type: 'function_call', id: 'f1', call_id: 'c1', name, arguments: '{}', status: 'completed' };
      const response = { id: 'a1', object: 'response', status: 'completed', model: 'm', created_at: 1 };
      return {
        body: { ...response, output: [item] },
        events: [
          { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
          { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
        ],
      };
    }
    case 'anthropic-messages': {
      const block = { type: 'tool_use', id: 'c1', name, input: {} };
      const message = { id: 'a1', type: 'message', role: 'assistant', model: 'm', usage: {} };
      return {
        body: { ...message, content: [block], stop_reason: 'tool_use' },
        events: [
          { type: 'message_start', message: { ...message, content: [] } },
          { type: 'content_block_start', index: 0, content_block: block },
        ],
      };
    }
    default:
      return dialect satisfies never;
  }
}
