import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallSummary } from '../../core/route.ts';
import { DIALECTS } from '../built.ts';
import type { Dialect, Envelope } from '../dialect.ts';
import { readRequestBody } from '../request.ts';
import { Dice } from './dice.ts';

/** Of any object, also such as no envelope could be read from. */
function summaryOf(dialect: Dialect, body: string): CallSummary {
  const call: Envelope = {
    model: 'm',
    stream: false,
    maxOutputTokens: null,
    choices: 1,
    wantsUsage: false,
    estimatedInputTokens: 0,
    ...readRequestBody(Buffer.from(body), 512),
  };
  return dialect.inbound.summarize(call);
}

const NAMES = [
  ...['messages', 'input', 'instructions', 'system', 'role', 'content', 'type', 'text', 'tools', 'functions', 'output'],
  ...['response_format', 'format', 'output_config', 'metadata', 'user', 'user_id', 'modalities', 'prompt_cache_key'],
  ...['models', 'provider', 'previous_response_id', '__proto__', 'constructor', 'toString'],
];
const WORDS = [
  ...['user', 'assistant', 'system', 'developer', 'tool', 'text', 'input_text', 'image', 'image_url', 'input_image'],
  ...['message', 'function_call', 'function_call_output', 'tool_result', 'json_schema', 'audio', '__proto__', ''],
];

function anything(dice: Dice, depth: number): unknown {
  switch (dice.below(depth === 0 ? 4 : 8)) {
    case 0:
      return dice.pick([null, true, 0, -1.5, 1e300]);
    case 1:
      return dice.text();
    case 2:
    case 3:
      return dice.pick(WORDS);
    case 4:
    case 5:
      return dice.many(4, () => anything(dice, depth - 1));
    default:
      return Object.fromEntries(dice.many(6, () => [dice.pick(NAMES), anything(dice, depth - 1)]));
  }
}

function assertBounded(summary: CallSummary): void {
  assert.ok(summary.system.length <= 8192);
  assert.ok(summary.lastUser.length <= 12_288);
  assert.ok(summary.opening.length <= 8192);
  assert.ok(Object.keys(summary.metadata).length <= 16);
  for (const word of [summary.user ?? '', summary.cacheKey ?? '', ...Object.entries(summary.metadata).flat()]) {
    assert.ok(typeof word === 'string' && word.length <= 512);
  }
  assert.ok(Number.isInteger(summary.tools) && Number.isInteger(summary.turns));
}

for (const dialect of DIALECTS) {
  test(`${dialect.id}: whatever JSON a body is, it is looked at without a throw, and what is kept has bounds`, () => {
    const dice = new Dice(11);
    for (let round = 0; round < 2000; round += 1) {
      const members = dice.many(6, () => [dice.pick(NAMES), anything(dice, 5)]);
      assertBounded(summaryOf(dialect, JSON.stringify(Object.fromEntries(members))));
    }
  });

  test(`${dialect.id}: a body with a broken text says nothing`, () => {
    const broken = '"models":["a"],"messages":[{"role":"user","content":"\\x"}],"input":"\\x"';
    for (const body of ['{}', `{"model":"m",${broken}}`]) {
      const summary = summaryOf(dialect, body);
      assert.deepEqual(
        [summary.turns, summary.lastUser, summary.models, summary.provider],
        [0, '', undefined, undefined],
      );
    }
  });

  test(`${dialect.id}: steering is told as it was sent`, () => {
    const { models, provider } = summaryOf(dialect, '{"models":["a",1],"provider":{"sort":null}}');
    assert.deepEqual([models, provider], [['a', 1], { sort: null }]);
    const without = summaryOf(dialect, '{}');
    assert.deepEqual([without.models, without.provider], [undefined, undefined]);
  });

  test(`${dialect.id}: pairs and names that are too long, too many or no texts are left out`, () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, `v${index}`]));
    const metadata = { long: 'x'.repeat(513), number: 1, ['n'.repeat(513)]: 'x', ...many };
    const summary = summaryOf(dialect, JSON.stringify({ metadata, user: 'x'.repeat(513), prompt_cache_key: 7 }));
    assert.equal(Object.keys(summary.metadata).length, 16);
    assert.deepEqual(
      [summary.metadata.k0, summary.metadata.long, summary.user, summary.cacheKey],
      ['v0', undefined, null, null],
    );
  });
}

test('long texts are cut: the beginning of the system text, the beginning and the end of the user’s', () => {
  const chat = DIALECTS.find(({ id }) => id === 'openai-chat')!;
  const user = `${'a'.repeat(9000)}${'b'.repeat(9000)}`;
  const messages = [
    { role: 'system', content: 's'.repeat(9000) },
    { role: 'user', content: [{ type: 'text', text: user }] },
  ];
  const summary = summaryOf(chat, JSON.stringify({ messages }));
  assert.equal(summary.system, 's'.repeat(8192));
  assert.equal(summary.lastUser, 'a'.repeat(8192) + 'b'.repeat(4096));
  assert.equal(summary.opening, `${'s'.repeat(4095)}\n${'a'.repeat(2048)}${'b'.repeat(2048)}`);
});
