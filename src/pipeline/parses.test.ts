import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { DialectId } from '../core/provider.ts';
import { packSeal } from '../core/seal.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { model, provider, route } from '../testing/routes.ts';
import { answers, completion, Lab, type Reaction, refuses } from './fixtures.test.ts';

const ROUTE = route([]).id;

/** So much of a body that it is all of it. */
const NEARLY_ALL = 0.9;

const text = 'Words that make this the most of the body. '.repeat(50);
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUFB'.repeat(100)}` } };
const turns = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text }, image] },
];
const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
  ...{ content: [{ type: 'text', text: 'Hello' }], usage: { input_tokens: 1, output_tokens: 1 } },
};

/** Bodies with a file, and so with names that are looked for, in each dialect. */
const CALLS = [
  [openAiChat, { messages: turns, tools: [], metadata: { container: 'mine' } }],
  [openAiResponses, { input: [{ role: 'user', content: text }], instructions: 'Be brief.' }],
  [anthropicMessages, { max_tokens: 9, system: 'Be brief.', messages: [{ role: 'user', content: text }] }],
] as const;

/** Each target refuses but the last, so that the call is sent to all. */
const busy = refuses(503);

/** How often a text was parsed that is as long as the body, while `work` ran. */
async function parsesOf(body: object, work: () => Promise<unknown>): Promise<number> {
  const least = JSON.stringify(body).length * NEARLY_ALL;
  const parse = mock.method(JSON, 'parse');
  try {
    await work();
    return parse.mock.calls.filter(({ arguments: [parsed] }) => String(parsed).length >= least).length;
  } finally {
    parse.mock.restore();
  }
}

/** A route to targets that speak these, each at a provider of its own. */
function lab(speaks: readonly DialectId[], reactions: Reaction[]): Lab {
  const made = new Lab({
    served: speaks.map((dialect, at) => ({
      provider: provider(`lab${at}`, { speaks: [{ dialect, path: '/v1/answers' }] }),
      models: [model(`m${at}`, [1, 2], { dialects: [dialect] })],
    })),
    routes: [route(speaks.map((_, at) => `m${at}`))],
  });
  made.reactions = reactions;
  return made;
}

for (const [asked, fields] of CALLS) {
  const body = { model: ROUTE, ...fields };

  test(`${asked.id}: a routed call is parsed once, however many targets it is sent to`, async () => {
    const mixed = lab(['anthropic-messages', 'openai-chat', 'anthropic-messages'], [busy, busy, answers(MESSAGE)]);
    assert.equal(await parsesOf(body, () => mixed.call(body, { asked })), 1);
    assert.equal(mixed.requests.length, 3);
  });
}

test('nor is one more often that another’s proof of its reasoning has to be taken out of', async () => {
  const seal = {
    type: 'reasoning.encrypted',
    data: packSeal({ dialect: 'openai-chat', provider: 'gone', form: 'encrypted', id: null, value: 'x' }),
  };
  const thought = { role: 'assistant', content: 'Hm.', reasoning_details: [seal] };
  const body = { model: ROUTE, messages: [...turns, thought, turns[1]] };
  const mixed = lab(['openai-chat', 'anthropic-messages', 'openai-chat'], [busy, busy, answers(completion())]);
  assert.equal(await parsesOf(body, () => mixed.call(body)), 1);
  assert.ok(!mixed.requests[2]?.body?.includes(seal.data));
});

test('a routed call that passes is not parsed at all', async () => {
  const [asked, fields] = CALLS[0];
  const body = { model: ROUTE, ...fields };
  const same = lab(['openai-chat', 'openai-chat'], [busy, answers(completion())]);
  assert.equal(await parsesOf(body, () => same.call(body, { asked })), 0);
  assert.equal(same.requests.length, 2);
});

test('nor is one whose vendor does not say what was used', async () => {
  const body = { model: ROUTE, messages: turns };
  const silent = lab(['openai-chat'], [answers(completion('Hello', { usage: null }))]);
  assert.equal(await parsesOf(body, () => silent.call(body)), 0);
  assert.equal(silent.settlements[0]?.usageSource, 'estimated');
});
