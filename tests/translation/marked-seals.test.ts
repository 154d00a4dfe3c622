import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { DIALECTS, PATHS, startTranslationLab, type TranslationLab } from '../support/dialects.ts';
import { scripted } from './vendors.ts';

/** A conversation whose answers pass, and that moves from one vendor to another of the same format, and back. */
const PROOF = 'EqQB+proof/of=its/maker==';
const MARKED = /headgate-seal-1\.~[A-Za-z0-9_-]+\.EqQB\+proof\/of=its\/maker==/;
const TURN = { reasoning: { id: 'rs_1', text: 'Hm.', seal: PROOF }, text: 'Rain.', usage: { input: 5, output: 2 } };
const QUESTION = { role: 'user', content: 'Weather?' };
const NEXT = { role: 'user', content: 'And now?' };

const FIRST: Record<RecordedDialect, object> = {
  'openai-chat': { messages: [QUESTION] },
  'openai-responses': { input: [QUESTION], store: false },
  'anthropic-messages': { messages: [QUESTION], max_tokens: 99 },
};
type Answered = { choices: [{ message: object }]; output: object[]; content: object[] };
const SECOND: Record<RecordedDialect, (answer: Answered) => object> = {
  'openai-chat': ({ choices: [{ message }] }) => ({ messages: [QUESTION, message, NEXT] }),
  'openai-responses': ({ output }) => ({ input: [QUESTION, ...output, NEXT], store: false }),
  'anthropic-messages': ({ content }) => ({
    messages: [QUESTION, { role: 'assistant', content }, NEXT],
    max_tokens: 99,
  }),
};

describe('seals of answers that pass', () => {
  let lab: TranslationLab;
  before(async () => {
    lab = await startTranslationLab(
      '',
      (id) => `${id}-b: { base_url: "URL", api_key: of-another-account, dialects: [${id}], only: [m] }`,
    );
  });
  after(() => lab[Symbol.asyncDispose]());

  async function ask(dialect: RecordedDialect, provider: string, body: object, stream = false) {
    lab.vendor.forget();
    lab.vendor.plan(scripted(dialect, [TURN]));
    const response = await fetch(`${lab.headgate.url}${PATHS[dialect]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: `${provider}/m`, stream, ...body }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const sent = lab.vendor.requests.at(-1)!.body.toString();
    return {
      text,
      sent,
      dropped: response.headers.get('service-dropped'),
      attempts: response.headers.get('service-attempts'),
    };
  }

  for (const dialect of DIALECTS) {
    test(`${dialect}: bear a mark of their maker, whole and streamed`, async () => {
      const whole = await ask(dialect, dialect, FIRST[dialect]);
      const streamed = await ask(dialect, dialect, FIRST[dialect], true);
      for (const { text } of [whole, streamed]) {
        assert.match(text, MARKED);
        assert.doesNotMatch(text, /"EqQB/);
      }
      assert.equal(MARKED.exec(whole.text)?.[0], MARKED.exec(streamed.text)?.[0]);
    });

    test(`${dialect}: go back to their maker byte for byte, and to nobody else`, async () => {
      const { text } = await ask(dialect, dialect, FIRST[dialect]);
      const body = SECOND[dialect](JSON.parse(text) as Answered);
      const back = await ask(dialect, dialect, body);
      assert.ok(back.sent.includes(`"${PROOF}"`), back.sent);
      assert.doesNotMatch(back.sent, /headgate-seal/);
      assert.equal(back.dropped, null);
      const moved = await ask(dialect, `${dialect}-b`, body);
      assert.doesNotMatch(moved.sent, /EqQB|headgate-seal/);
      assert.match(moved.dropped ?? '', /\bseal\b/);
      assert.equal(moved.attempts, '1');
      assert.match(moved.sent, /Rain\./);
    });

    test(`${dialect}: of two makers, each gets its own`, async () => {
      const one = JSON.parse((await ask(dialect, dialect, FIRST[dialect])).text) as Answered;
      const other = JSON.parse((await ask(dialect, `${dialect}-b`, FIRST[dialect])).text) as Answered;
      const [first, second] = [SECOND[dialect](one), SECOND[dialect](other)] as Record<string, object[]>[];
      const list = dialect === 'openai-responses' ? 'input' : 'messages';
      const body = { ...first, [list]: [...first![list]!, ...second![list]!.slice(1)] };
      for (const provider of [dialect, `${dialect}-b`]) {
        const { sent, dropped } = await ask(dialect, provider, body);
        assert.deepEqual([sent.split(PROOF).length - 1, /headgate-seal/.test(sent)], [1, false], sent);
        assert.match(dropped ?? '', /\bseal\b/);
      }
    });
  }

  test('the signature of a call in chat goes back with its call, and to its maker alone', async () => {
    const extra_content = { google: { thought_signature: PROOF } };
    const call = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' }, extra_content };
    const asked = async (provider: string, messages: object[], stream = false) => {
      lab.vendor.forget();
      lab.vendor.plan(
        scripted('openai-chat', [{ calls: [{ id: 'call_1', name: 'find', input: {} }], usage: TURN.usage }]),
      );
      lab.vendor.plan((request) => {
        const reply = scripted('openai-chat', [
          { calls: [{ id: 'call_1', name: 'find', input: {} }], usage: TURN.usage },
        ])(request);
        const acts = [...reply.acts].map((act) =>
          Buffer.isBuffer(act)
            ? Buffer.from(
                act.toString().replace(/("id":"call_1")/, `$1,"extra_content":${JSON.stringify(extra_content)}`),
              )
            : act,
        );
        const { 'content-length': _, ...headers } = reply.headers;
        return { ...reply, headers, acts };
      });
      const response = await fetch(`${lab.headgate.url}${PATHS['openai-chat']}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: `${provider}/m`, messages, stream }),
      });
      return { text: await response.text(), sent: lab.vendor.requests.at(-1)!.body.toString() };
    };
    for (const stream of [false, true]) {
      const { text } = await asked('openai-chat', [QUESTION], stream);
      const marked = MARKED.exec(text)?.[0];
      assert.ok(marked !== undefined, text);
      const said = {
        role: 'assistant',
        content: null,
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: marked } } }],
      };
      const messages = [QUESTION, said, { role: 'tool', tool_call_id: 'call_1', content: 'Found.' }];
      const back = await asked('openai-chat', messages);
      assert.ok(back.sent.includes(`"thought_signature":"${PROOF}"`), back.sent);
      const moved = await asked('openai-chat-b', messages);
      assert.doesNotMatch(moved.sent, /EqQB|headgate-seal|extra_content/);
      assert.match(moved.sent, /"call_1"/);
    }
  });
});
