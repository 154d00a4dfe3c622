import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { PATHS, startTranslationLab } from '../support/dialects.ts';
import { ANSWERS, STREAMS, TEXT, type Wire } from './search-answers.ts';

/** Pages that Anthropic found, encrypted for itself, in a conversation that moves to another vendor of messages, and back. */
const lab = await startTranslationLab(
  '',
  (id) => `${id}-b: { base_url: "URL", api_key: of-another-account, dialects: [${id}], only: [m] }`,
);
after(() => lab[Symbol.asyncDispose]());

const DIALECT = 'anthropic-messages';
const SEARCHED = ANSWERS[DIALECT];
const RAN: Wire = {
  ...SEARCHED,
  content: [
    { type: 'server_tool_use', id: 'srvtoolu_2', name: 'code_execution', input: { code: 'print(1)' } },
    {
      type: 'code_execution_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: {
        type: 'encrypted_code_execution_result',
        encrypted_stdout: 'EqQB',
        stderr: '',
        return_code: 0,
        content: [],
      },
    },
    { type: 'text', text: TEXT },
  ],
};
const QUESTION = { role: 'user', content: 'Does it rain?' };
const NEXT = { role: 'user', content: 'And tomorrow?' };
/** A name that is shortened, so that the answer is read and written anew. */
const RENAMED = { tools: [{ name: 'look.up', input_schema: { type: 'object', properties: {} } }] };

async function ask(provider: string, body: object, answer: Wire = SEARCHED) {
  const from = lab.vendor.requests.length;
  lab.vendor.forget();
  lab.vendor.plan((request) =>
    request.stream ? streamReply(STREAMS[DIALECT](answer).map(frame)) : jsonReply(200, answer),
  );
  const response = await fetch(`${lab.headgate.url}${PATHS[DIALECT]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${provider}/m`, messages: [QUESTION], max_tokens: 99, ...body }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const dropped = (response.headers.get('service-dropped') ?? '').split(', ').filter((name) => name !== '');
  return { text, dropped, sent: lab.vendor.requests.slice(from).map((request) => request.body.toString()) };
}

const sealsIn = (text: string) => text.match(/"encrypted_(?:content|index|stdout)":"[^"]*"/g) ?? [];
const isMarked = (seal: string) => /:"headgate-seal-1\.~[A-Za-z0-9_-]+\.(?:EqQB|Eo8B)"$/.test(seal);

for (const [how, more] of [
  ['that pass', {}],
  ['that are written anew', RENAMED],
] as const) {
  describe(`in answers ${how}`, () => {
    for (const [what, answer, count] of [
      ['pages and places in them', SEARCHED, 2],
      ['what code has printed', RAN, 1],
    ] as const) {
      test(`${what} bear a mark of their maker, whole and streamed`, async () => {
        const whole = await ask(DIALECT, more, answer);
        const streamed = await ask(DIALECT, { ...more, stream: true }, answer);
        for (const { text } of [whole, streamed]) {
          const seals = sealsIn(text);
          assert.equal(seals.length, count, text);
          assert.ok(seals.every(isMarked), seals.join());
        }
        assert.deepEqual(sealsIn(whole.text), sealsIn(streamed.text));
      });

      test(`${what} go back to their maker as they were, and to nobody else`, async () => {
        const { content } = JSON.parse((await ask(DIALECT, more, answer)).text) as { content: object[] };
        const messages = [QUESTION, { role: 'assistant', content }, NEXT];
        const back = await ask(DIALECT, { ...more, messages });
        const [asked] = back.sent;
        assert.deepEqual((JSON.parse(asked!) as { messages: Wire[] }).messages[1]?.content, answer.content);
        assert.deepEqual(back.dropped, []);
        const moved = await ask(`${DIALECT}-b`, { ...more, messages });
        assert.deepEqual((JSON.parse(moved.sent[0]!) as { messages: Wire[] }).messages[1]?.content, [
          { type: 'text', text: TEXT },
        ]);
        assert.ok(
          ['seal', 'vendor_tool_calls'].every((name) => moved.dropped.includes(name)),
          moved.dropped.join(),
        );
        assert.equal(moved.dropped.includes('citations'), answer === SEARCHED);
      });
    }
  });
}

test('a vendor that refuses what bears no mark is asked once more without it', async () => {
  const messages = [QUESTION, { role: 'assistant', content: SEARCHED.content }, NEXT];
  const from = lab.vendor.requests.length;
  lab.vendor.forget();
  lab.vendor.plan(({ body }) => {
    const message = 'messages.1.content.1: Invalid `encrypted_content` in `web_search_result` block';
    const isRefused = body.includes('"EqQB"') || body.includes('"Eo8B"');
    const error = { type: 'error', error: { type: 'invalid_request_error', message } };
    return isRefused ? jsonReply(400, error) : jsonReply(200, SEARCHED);
  });
  const response = await fetch(`${lab.headgate.url}${PATHS[DIALECT]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${DIALECT}/m`, messages, max_tokens: 99 }),
  });
  assert.equal(response.status, 200, await response.text());
  assert.equal(lab.vendor.requests.length - from, 2);
  assert.match(response.headers.get('service-dropped') ?? '', /seal/);
});

test('what a caller says in such members is nobody’s seal', async () => {
  const given = { encrypted_content: 'headgate-seal-1.mine' };
  const messages = [
    QUESTION,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: given }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: JSON.stringify(given) }] },
  ];
  const { sent } = await ask(DIALECT, { messages });
  assert.deepEqual((JSON.parse(sent[0]!) as { messages: object[] }).messages, messages);
});
