import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { PATHS, startTranslationLab } from '../support/dialects.ts';
import { scripted } from './vendors.ts';

/** Conversations that a vendor has made shorter, at other vendors. */
const lab = await startTranslationLab(
  '',
  (id) => `${id}-b: { base_url: "URL", api_key: of-another-account, dialects: [${id}], only: [m] }`,
);
after(() => lab[Symbol.asyncDispose]());

const BLOCK = { type: 'compaction', content: 'Ann plans a trip.', encrypted_content: 'EqQB', signature: 'Sig=' };
const SEEN = 'Summary of the conversation so far:\n\nAnn plans a trip.';
const BEFORE = { role: 'user', content: 'A very long beginning.' };
const NEXT = { role: 'user', content: 'Where to?' };
const USAGE = { input: 5, output: 2 };

async function sent(surface: keyof typeof PATHS, provider: string, body: object) {
  const spoken = provider.replace(/-b$/, '') as keyof typeof PATHS;
  lab.vendor.forget();
  lab.vendor.plan(scripted(spoken, [{ text: 'Fine.', usage: USAGE }]));
  const { text, dropped } = await asked(surface, { model: `${provider}/m`, ...body });
  return { text, dropped, body: lab.vendor.requests.at(-1)!.json as Record<string, unknown> };
}

async function asked(surface: keyof typeof PATHS, body: object) {
  const response = await fetch(`${lab.headgate.url}${PATHS[surface]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return { text, dropped: response.headers.get('service-dropped') };
}

function messagesWith(...blocks: object[]) {
  const words = { type: 'text', text: 'Gladly.' };
  return { max_tokens: 99, messages: [BEFORE, { role: 'assistant', content: [...blocks, words] }, NEXT] };
}

describe('a summary of messages', () => {
  test('is told to chat in words, in the place of what it sums up', async () => {
    const { body, dropped } = await sent('anthropic-messages', 'openai-chat', messagesWith(BLOCK));
    const expected = [
      { role: 'user', content: SEEN },
      { role: 'assistant', content: 'Gladly.' },
      { role: 'user', content: 'Where to?' },
    ];
    assert.deepEqual([body.messages, dropped], [expected, null]);
  });

  test('is told to responses in words', async () => {
    const { body } = await sent('anthropic-messages', 'openai-responses', messagesWith(BLOCK));
    assert.deepEqual(field((body.input as object[])[0], 'content'), [{ type: 'input_text', text: SEEN }]);
    assert.equal(JSON.stringify(body).includes('very long'), false);
  });

  test('that failed says nothing, and one that is sealed alone is told', async () => {
    const failed = messagesWith({ type: 'compaction', content: null, encrypted_content: null });
    const none = await sent('anthropic-messages', 'openai-chat', failed);
    assert.equal(field((none.body.messages as object[])[0], 'content'), BEFORE.content);
    assert.equal(none.dropped, null);
    const sealed = messagesWith({ type: 'compaction', content: null, encrypted_content: 'EqQB' });
    assert.equal((await sent('anthropic-messages', 'openai-chat', sealed)).dropped, 'seal');
  });

  test('bears marks of its maker, whole and streamed, and goes back to it byte for byte', async () => {
    const head = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const { content, encrypted_content } = BLOCK;
    const events = [
      { type: 'message_start', message: { ...head, content: [] } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'compaction', content: null, encrypted_content: null },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content, encrypted_content } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'compaction' }, usage: head.usage },
      { type: 'message_stop' },
    ];
    lab.vendor.forget();
    lab.vendor.plan(({ stream }) =>
      stream
        ? streamReply(events.map(frame))
        : jsonReply(200, { ...head, content: [BLOCK], stop_reason: 'compaction' }),
    );
    const question = { model: 'anthropic-messages/m', max_tokens: 9, messages: [NEXT] };
    const streamed = await asked('anthropic-messages', { ...question, stream: true });
    assert.match(streamed.text, /"encrypted_content":"headgate-seal-1\.~[^"]*EqQB"/);
    const whole = await asked('anthropic-messages', question);
    const [marked] = (JSON.parse(whole.text) as { content: [typeof BLOCK] }).content;
    assert.match(marked.encrypted_content, /^headgate-seal-1\.~.*EqQB$/);
    assert.match(marked.signature, /^headgate-seal-1\.~.*Sig=$/);
    const back = await sent('anthropic-messages', 'anthropic-messages', messagesWith(marked));
    assert.deepEqual(field((back.body.messages as object[])[1], 'content'), [BLOCK, { type: 'text', text: 'Gladly.' }]);
    assert.equal(back.dropped, null);
    const moved = await sent('anthropic-messages', 'anthropic-messages-b', messagesWith(marked));
    assert.deepEqual(moved.body.messages, [
      { role: 'user', content: [{ type: 'text', text: SEEN }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Gladly.' }] },
      NEXT,
    ]);
    assert.equal(moved.dropped, 'seal');
  });
});

describe('a compaction of responses', () => {
  const sealed = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' };

  for (const spoken of ['openai-chat', 'anthropic-messages'] as const) {
    test(`that is sealed is left out for ${spoken} and told, and one that can be read is told in words`, async () => {
      const hidden = await sent('openai-responses', spoken, { input: [BEFORE, sealed, NEXT], store: false });
      assert.deepEqual([hidden.dropped, JSON.stringify(hidden.body).includes('gAAA')], ['seal', false]);
      const read = {
        type: 'compaction',
        summary: [{ type: 'summary_text', text: BLOCK.content }],
        encrypted_content: 'gAAA',
      };
      const { body } = await sent('openai-responses', spoken, { input: [BEFORE, read, NEXT], store: false });
      assert.equal(JSON.stringify(body).includes(JSON.stringify(SEEN).slice(1, -1)), true);
      assert.equal(JSON.stringify(body).includes(BEFORE.content), true, 'its vendor keeps what stands before it');
    });
  }
});
