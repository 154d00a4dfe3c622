import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { REMOVALS } from '../../src/dialects/anthropic-messages/versions.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { holdTable } from './documents.ts';
import { answering } from './vendors.ts';

const vendor = await startFakeProvider();
vendor.plan(answering({ text: 'Fine.', usage: { input: 5, output: 2 } }));
vendor.plan(() => jsonReply(200, { input_tokens: 7 }), { path: '/v1/messages/count_tokens' });

const own = {
  defaults: { temperature: 0.25, max_output_tokens: 77, body: { top_k: 5, vendor_knob: 1 } },
  force: { top_p: 0.5 },
};
const models = [
  { id: 'plain', upstream: 'claude-sonnet-4-5' },
  { id: 'usual', upstream: 'claude-sonnet-4-5', ...own },
  { id: 'forced', upstream: 'claude-sonnet-4-5', force: { temperature: 0.5, body: { top_k: 6 } } },
  { id: 'thinking', upstream: 'claude-sonnet-4-5', force: { reasoning_effort: 'high' } },
];
const providerOf = (dialect: string) => ({ base_url: vendor.url, dialects: [dialect], models });
const headgate = await startHeadgate({
  config: JSON.stringify({
    providers: {
      chat: providerOf('openai-chat'),
      responses: providerOf('openai-responses'),
      messages: providerOf('anthropic-messages'),
    },
  }),
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const NEW = '2026-10-21';
const OLD = '2023-06-01';
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const HI = { role: 'user', content: [text('Hi')] };
const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Rain' } };
const cited = { type: 'page_location', document_index: 0, cited_text: 'r', start_page_number: 1, end_page_number: 2 };

/** Bodies that the version refuses, with the place that the error begins with. */
const REFUSED: readonly [string, Record<string, unknown>][] = [
  ['temperature', { temperature: 1 }],
  ['top_p', { top_p: 1 }],
  ['top_k', { top_k: 0 }],
  ['messages.1.content.1', { messages: [HI, { role: 'assistant', content: [text('A'), document] }, HI] }],
  [
    'messages.0.content.1.citations',
    { messages: [{ role: 'user', content: [text('A'), text('B', { citations: [cited] })] }] },
  ],
];

type Asked = { stream?: boolean; version?: string | null; path?: string };

async function ask(model: string, body: object, { stream = false, version = NEW, path = '/v1/messages' }: Asked = {}) {
  const before = vendor.requests.length;
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${headgate.key}`,
      'content-type': 'application/json',
      ...(version !== null && { 'anthropic-version': version }),
    },
    body: JSON.stringify({ model, max_tokens: 50, stream, messages: [HI], ...body }),
  });
  const answered = await response.text();
  return {
    status: response.status,
    answered,
    dropped: response.headers.get('service-dropped'),
    sent: vendor.requests.slice(before),
  };
}

for (const stream of [false, true]) {
  const how = stream ? 'streamed' : 'whole';

  test(`a ${how} call that is translated is served, whatever its version refuses`, async () => {
    for (const target of ['chat/plain', 'responses/plain']) {
      for (const [place, body] of REFUSED) {
        const { status, answered, dropped, sent } = await ask(target, body, { stream });
        assert.equal(status, 200, `${target} ${place} ${answered}`);
        const isCarried = ['temperature', 'top_p'].includes(place);
        if (isCarried) assert.equal(field(sent.at(-1)?.json, place), 1);
        if (place === 'top_k') assert.equal(dropped, 'top_k');
      }
    }
  });

  test(`a ${how} call that passes goes to the vendor with its version, and the vendor decides`, async () => {
    for (const [place, body] of REFUSED) {
      const { status, answered, sent } = await ask('messages/plain', body, { stream });
      assert.equal(sent.at(-1)?.headers['anthropic-version'], NEW);
      assert.equal(status, 400, answered);
      assert.ok(answered.includes(`${place}: `), answered);
      assert.equal((await ask('messages/plain', body, { stream, version: OLD })).status, 200);
    }
  });

  test(`no parameter of the operator’s puts a removed member into a ${how} call that passes`, async () => {
    const usual = await ask('messages/usual', {}, { stream });
    assert.equal(usual.status, 200, usual.answered);
    const json = usual.sent.at(-1)?.json;
    for (const name of ['temperature', 'top_p', 'top_k']) assert.equal(field(json, name), undefined, name);
    assert.equal(field(json, 'vendor_knob'), 1);
    assert.equal(usual.dropped, 'temperature, top_p, top_k');
    const forced = await ask('messages/forced', {}, { stream });
    assert.equal(forced.status, 200, forced.answered);
    assert.equal(forced.dropped, 'temperature, top_k');
    assert.equal((await ask('messages/thinking', {}, { stream })).status, 200);

    const old = await ask('messages/usual', {}, { stream, version: OLD });
    assert.equal(field(old.sent.at(-1)?.json, 'temperature'), 0.25);
    assert.equal(field(old.sent.at(-1)?.json, 'top_k'), 5);
    // This model takes one of `temperature` and `top_p`.
    assert.equal(old.dropped, 'top_p');
  });

  test(`an operator’s parameters are written into a ${how} call that is translated, whatever its version`, async () => {
    for (const target of ['chat/usual', 'responses/usual']) {
      const { status, answered, sent } = await ask(target, {}, { stream });
      assert.equal(status, 200, answered);
      assert.equal(field(sent.at(-1)?.json, 'temperature'), 0.25);
    }
  });
}

test('a removed member that the caller sends is left as it is, and the vendor refuses it', async () => {
  for (const model of ['forced', 'thinking']) {
    const { status, sent } = await ask(`messages/${model}`, { temperature: 1 });
    assert.equal(status, 400);
    assert.equal(field(sent.at(-1)?.json, 'temperature'), 1, model);
  }
});

test('a call of another format has the pinned version', async () => {
  const chat = await ask('messages/usual', {}, { path: '/v1/chat/completions' });
  assert.equal(chat.status, 200, chat.answered);
  assert.equal(chat.sent.at(-1)?.headers['anthropic-version'], OLD);
  assert.equal(field(chat.sent.at(-1)?.json, 'temperature'), 0.25);
});

test('docs/translation.md says what each version refuses', () => {
  const rows = [...REMOVALS].flatMap(([version, removals]) =>
    removals.map(({ role, block, member, source }) => {
      const what =
        block === undefined
          ? `\`${member}\``
          : `${member ? `\`${member}\` of ` : ''}\`${block}\` in turns of the ${role}`;
      return [`\`${version}\``, what, source];
    }),
  );
  holdTable('Versions of Anthropic’s API', ['Version', 'Refused', 'Source'], rows);
});
