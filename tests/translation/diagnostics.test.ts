import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from './vendors.ts';

/** Claude Code asks with each call what of its prompt differs from that of the answer before. No call may fail for that. */
const vendor = await startFakeProvider();
after(() => vendor.close());
vendor.plan((request) => scripted('anthropic-messages', [{ text: 'Fine.', usage: { input: 9, output: 1 } }])(request), {
  path: '/v1/messages',
});
vendor.plan((request) => scripted('openai-chat', [{ text: 'Fine.', usage: { input: 9, output: 1 } }])(request), {
  path: '/v1/chat/completions',
});
const NAMED = 'diagnostics.previous_message_id';

const config = (workers: number) => `
server: { workers: ${workers} }
providers:
  vendor: { base_url: "${vendor.url}", dialects: [anthropic-messages], only: [m], api_key: one }
  second: { base_url: "${vendor.url}", dialects: [anthropic-messages], only: [m] }
  own: { base_url: "${vendor.url}", dialects: [anthropic-messages], only: [m], shared_ids: allow }
  imitator: { base_url: "${vendor.url}", dialects: [anthropic-messages], message_threads: false, only: [m] }
  chat: { base_url: "${vendor.url}", dialects: [openai-chat], only: [m] }
limits: { requests_per_minute: 1000000 }
`;

for (const workers of [1, 4]) {
  describe(`with ${workers} process${workers === 1 ? '' : 'es'}`, async () => {
    const headgate = await startHeadgate({ config: config(workers) });
    after(() => headgate[Symbol.asyncDispose]());

    async function call(
      model: string,
      diagnostics: object | string | undefined,
      more: object = {},
      key = headgate.key,
    ) {
      const fields = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...more };
      const json = JSON.stringify(fields);
      const body = typeof diagnostics === 'string' ? json.replace(/}$/, `,"diagnostics":${diagnostics}}`) : json;
      const { status, headers, text } = await ask(`${headgate.url}/v1/messages`, {
        key,
        body: typeof diagnostics === 'string' ? body : JSON.stringify({ ...fields, diagnostics }),
      });
      return {
        status,
        text,
        id: /"id":"(msg_[^"]*)"/.exec(text)?.[1] ?? '',
        dropped: headers.get('service-dropped'),
        sent: field(vendor.requests.at(-1)?.json, 'diagnostics'),
      };
    }

    for (const stream of [false, true]) {
      test(`a ${stream ? 'stream' : 'whole answer'} of one's own is named to its maker, turn by turn`, async () => {
        let before: string | null = null;
        for (let turn = 0; turn < 8; turn += 1) {
          const asked: object = { previous_message_id: before };
          const { status, text, id, dropped, sent } = await call('vendor/m', asked, { stream });
          assert.deepEqual([status, dropped, sent], [200, null, asked], text);
          before = id;
        }
      });
    }

    test('another answer is not named: its id is left out, which is told', async () => {
      const none = { previous_message_id: null };
      const { id } = await call('vendor/m', none);
      const { key } = await headgate.createKey();
      const plain = await call('vendor/m', undefined);
      for (const [model, previous, by] of [
        ['vendor/m', 'msg_of_somebody', headgate.key],
        ['vendor/m', id, key],
        ['vendor/m', plain.id, headgate.key],
        ['second/m', id, headgate.key],
        ['own/m', id, headgate.key],
        ['vendor/m', 'x'.repeat(300), headgate.key],
        ['vendor/m', '', headgate.key],
      ] as const) {
        const asked = { previous_message_id: previous };
        const { status, text, dropped, sent } = await call(model, asked, { metadata: { user_id: 'u' } }, by);
        assert.deepEqual([status, dropped, sent], [200, NAMED, none], text);
      }
    });

    test('what else stands beside the id stays, however it is written', async () => {
      const { status, dropped, sent, text } = await call(
        'vendor/m',
        '{"previous\\u005fmessage_id":"msg_of_somebody","more":[1.50]}',
      );
      assert.deepEqual([status, dropped, sent], [200, NAMED, { previous_message_id: null, more: [1.5] }], text);
      const twice = await call('vendor/m', '{"previous_message_id":null,"previous_message_id":"msg_of_somebody"}');
      const other = await call('vendor/m', '{"Previous_Message_Id":"msg_of_somebody"}');
      assert.deepEqual([twice.status, other.status], [400, 400], 'an id that two readers may read differently');
    });

    test('an account of the callers’ own is asked for any answer that the gateway does not know', async () => {
      const asked = { previous_message_id: 'msg_of_before' };
      const { status, dropped, sent } = await call('own/m', asked);
      assert.deepEqual([status, dropped, sent], [200, null, asked]);
    });

    test('vendors that compare nothing are not asked to', async () => {
      for (const model of ['imitator/m', 'chat/m']) {
        for (const previous of [null, 'msg_1']) {
          const { status, dropped, sent, text } = await call(model, { previous_message_id: previous });
          assert.deepEqual([status, dropped, sent], [200, 'diagnostics', undefined], text);
        }
      }
    });

    test('it is left out beside proofs of reasoning of another vendor', async () => {
      vendor.plan(
        (request) =>
          request.body.includes('"signature"')
            ? jsonReply(400, {
                type: 'error',
                error: { type: 'invalid_request_error', message: 'Invalid `signature` in `thinking` block' },
              })
            : scripted('anthropic-messages', [{ text: 'Fine.', usage: { input: 9, output: 1 } }])(request),
        { times: 2 },
      );
      const content = [
        { type: 'thinking', thinking: 'Hm.', signature: 'foreign' },
        { type: 'text', text: 'Yes.' },
      ];
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content },
        { role: 'user', content: 'So?' },
      ];
      const { status, dropped, sent, text } = await call(
        'vendor/m',
        { previous_message_id: 'msg_of_somebody' },
        { messages },
      );
      assert.equal(status, 200, text);
      assert.deepEqual(sent, { previous_message_id: null });
      assert.deepEqual(dropped?.split(', ').sort(), [NAMED, 'reasoning', 'seal']);
    });
  });
}
