import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEAL_MARK } from '../../core/seal.ts';
import { DIALECTS } from '../built.ts';
import type { Dialect, PassOptions } from '../dialect.ts';
import { Dice } from './dice.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };
const DROP = ['models', 'provider'];
const OPTIONS: PassOptions = { upstreamModel: 'v', provider: 'p', streamUsage: 'as-sent', drop: DROP };

/** What a call of each dialect must have, so that nothing but what is dropped is changed. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi', store: false },
  'openai-embeddings': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
};

function passed(dialect: Dialect, body: string, options = OPTIONS): string {
  return dialect.outbound.passCall(dialect.inbound.readEnvelope(Buffer.from(body), LIMITS), options).body.toString();
}

for (const dialect of DIALECTS) {
  const needed = JSON.stringify(NEEDED[dialect.id]).slice(1, -1);

  test(`${dialect.id}: what is for the gateway alone is taken out with one comma, and no other byte changes`, () => {
    for (const [body, expected] of [
      [`{"model":"v",${needed},"models":["a","b"]}`, `{"model":"v",${needed}}`],
      [`{"models":["a"],"provider":{"only":["x"]},"model":"v",${needed}}`, `{"model":"v",${needed}}`],
      [`{ "models" : [ ] ,\n "model" : "r" , ${needed} }`, `{ \n "model" : "v" , ${needed} }`],
      [`{"model":"r" , "provider" : {"sort":"price"} , ${needed}}`, `{"model":"v"  , ${needed}}`],
      [`{ "provider":null, "model":"r","models":[], ${needed}}`, `{  "model":"v", ${needed}}`],
      [`{"model":"r",${needed},"x":{"models":1,"provider":"\\"models\\""}}`, null],
    ] as const) {
      assert.equal(passed(dialect, body), expected ?? body.replace('"r"', '"v"'));
    }
  });

  test(`${dialect.id}: a name in escapes or said twice is taken out too`, () => {
    for (const steering of ['"mod\\u0065ls":[1]', '"models":1,"models":2']) {
      const sent = passed(dialect, `{"model":"r",${steering},${needed}}`);
      assert.deepEqual(JSON.parse(sent), { model: 'v', ...NEEDED[dialect.id] });
    }
  });

  test(`${dialect.id}: without a word of it all members pass, and without such members the bytes are the caller's`, () => {
    const steered = `{"model":"v","models":["a"],"provider":{},${needed}}`;
    const { drop: _, ...direct } = OPTIONS;
    assert.equal(passed(dialect, steered, direct), steered);
    const body = Buffer.from(`{"model":"v",${needed}}`);
    const call = dialect.inbound.readEnvelope(body, LIMITS);
    assert.equal(dialect.outbound.passCall(call, OPTIONS).body, body);
  });

  test(`${dialect.id}: wherever such members stand, what is left is what the others say`, () => {
    const dice = new Dice(6);
    for (let round = 0; round < 200; round += 1) {
      const members = [
        ...Object.entries({ model: 'r', ...NEEDED[dialect.id] }),
        ...['models', 'provider', 'é', 'z'].filter(() => dice.maybe()).map((name) => [name, dice.object()] as const),
      ];
      const space = () => dice.pick(['', '', ' ', '\n\t']);
      const written = shuffled(members, dice).map(
        ([name, value]) => `${space()}${JSON.stringify(name)}${space()}:${space()}${JSON.stringify(value)}${space()}`,
      );
      const left = members.filter(([name]) => !DROP.includes(name));
      const sent = passed(dialect, `${space()}{${written.join(',')}}${space()}`);
      assert.deepEqual(JSON.parse(sent), { ...Object.fromEntries(left), model: 'v' });
    }
  });
}

test('a body that is written anew for another reason is without them too', () => {
  const chat = DIALECTS.find(({ id }) => id === 'openai-chat')!;
  const asked = '{"model":"r","stream":true,"stream_options":{},"models":[],"messages":[{}]}';
  assert.equal(
    passed(chat, asked, { ...OPTIONS, streamUsage: 'never' }),
    '{"model":"v","stream":true,"messages":[{}]}',
  );
  const messages = DIALECTS.find(({ id }) => id === 'anthropic-messages')!;
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: `${SEAL_MARK}x` },
    { type: 'text', text: 'Hi' },
  ];
  const sealed = { model: 'r', max_tokens: 9, provider: {}, messages: [{ role: 'assistant', content }] };
  assert.deepEqual(JSON.parse(passed(messages, JSON.stringify(sealed))), {
    model: 'v',
    max_tokens: 9,
    messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }],
  });
});

function shuffled<Item>(items: readonly Item[], dice: Dice): Item[] {
  const left = [...items];
  return items.map(() => left.splice(dice.below(left.length), 1)[0]!);
}
