import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, type Plan, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Two vendors: one that keeps threads as Anthropic does, and one that knows none. */
const keeper = await startFakeProvider();
const other = await startFakeProvider();
after(() => Promise.all([keeper.close(), other.close()]));

let serial = 0;
const usage = { input_tokens: 9, output_tokens: 1 };
const message: Plan = (request) => {
  serial += 1;
  const head = { id: `msg_${serial}`, type: 'message', role: 'assistant', model: 'm', content: [], usage };
  if (field(request.json, 'stream') !== true) {
    return jsonReply(200, { ...head, content: [{ type: 'text', text: 'Fine.' }], stop_reason: 'end_turn' });
  }
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage };
  const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Fine.' } };
  return streamReply(
    [
      { type: 'message_start', message: head },
      block,
      { type: 'content_block_stop', index: 0 },
      end,
      { type: 'message_stop' },
    ].map(frame),
  );
};
keeper.plan(message, { path: '/v1/messages' });
other.plan(message, { path: '/v1/messages' });
other.plan(answer({ text: 'Fine.' }), { path: '/v1/chat/completions' });

const CREATE = { type: 'create' };
const continued = (id: string) => ({ type: 'continue', previous_message_id: id });

const config = (workers: number) => `
server: { workers: ${workers} }
providers:
  anthropic:
    base_url: "${keeper.url}"
    api_keys: [{ name: a, key: sk-ant-a-0123456789 }, { name: b, key: sk-ant-b-0123456789 }]
    only: [m, n]
  own: { base_url: "${keeper.url}", dialects: [anthropic-messages], only: [m], shared_ids: allow }
  imitator: { base_url: "${other.url}", dialects: [anthropic-messages], message_threads: false, only: [m] }
  chat: { base_url: "${other.url}", only: [m] }
routes:
  mixed: { targets: [chat/m, anthropic/m, imitator/m], strategy: [weighted] }
  others: { targets: [chat/m, imitator/m], strategy: [priority] }
limits: { requests_per_minute: 1000000 }
`;

for (const workers of [1, 4]) {
  describe(`with ${workers} process${workers === 1 ? '' : 'es'}`, async () => {
    const headgate = await startHeadgate({ config: config(workers) });
    after(() => headgate[Symbol.asyncDispose]());

    async function call(model: string, thread: object | undefined, more: object = {}, key = headgate.key) {
      const [kept, sent] = [keeper.requests.length, other.requests.length];
      const response = await fetch(`${headgate.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], thread, ...more }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return {
        status: response.status,
        json: isJson ? JSON.parse(text) : null,
        text,
        id: /"id":"(msg_[^"]*)"/.exec(text)?.[1] ?? '',
        dropped: response.headers.get('service-dropped'),
        kept: keeper.requests.slice(kept),
        sent: other.requests.slice(sent),
      };
    }

    function isNotFound({ status, json, kept, sent }: Awaited<ReturnType<typeof call>>): void {
      assert.equal(status, 404, JSON.stringify(json));
      assert.equal(field(json, 'error', 'type'), 'not_found_error');
      assert.deepEqual(field(json, 'error', 'details'), { error_code: 'thread_not_found' });
      assert.equal(kept.length + sent.length, 0, 'nobody is asked');
    }

    test('a thread is created and continued, whole and streamed, always with the credential that made it', async () => {
      for (const stream of [false, true]) {
        let made = await call('anthropic/m', CREATE, { stream });
        assert.deepEqual([made.status, field(made.kept[0]?.json, 'thread')], [200, CREATE]);
        const by = made.kept[0]?.headers['x-api-key'];
        for (let turn = 0; turn < 8; turn += 1) {
          const thread = continued(made.id);
          made = await call('anthropic/m', thread, { stream });
          assert.deepEqual([made.status, field(made.kept[0]?.json, 'thread')], [200, thread], made.text);
          assert.equal(made.kept[0]?.headers['x-api-key'], by);
        }
      }
    });

    test('a route goes on where the thread is kept, whatever its strategy says', async () => {
      for (let round = 0; round < 6; round += 1) {
        const made = await call('mixed', CREATE);
        assert.equal(made.status, 200);
        const next = await call('mixed', continued(made.id));
        if (made.kept.length === 0) isNotFound(next);
        else {
          assert.equal(next.status, 200);
          assert.equal(next.sent.length, 0);
          assert.equal(next.kept[0]?.headers['x-api-key'], made.kept[0]?.headers['x-api-key']);
        }
      }
    });

    test('vendors that keep no threads answer whole conversations, which is told, and no fragments', async () => {
      for (const model of ['chat/m', 'imitator/m', 'others']) {
        const made = await call(model, CREATE);
        assert.deepEqual([made.status, made.dropped], [200, 'thread'], made.text);
        assert.equal(field(made.sent[0]?.json, 'thread'), undefined);
        isNotFound(await call(model, continued(made.id)));
      }
    });

    test('a thread that the key did not make is not continued, unless the account is its callers’ own', async () => {
      const { key } = await headgate.createKey();
      const made = await call('anthropic/m', CREATE);
      isNotFound(await call('anthropic/m', continued(made.id), {}, key));
      isNotFound(await call('anthropic/m', continued('msg_of_somebody')));
      isNotFound(await call('mixed', continued('msg_of_somebody')));
      const own = await call('own/m', continued('msg_of_somebody'));
      assert.deepEqual([own.status, own.kept.length], [200, 1]);
      const twice = `{"type":"continue","previous_message_id":"${made.id}","previous_message_id":"msg_of_somebody"}`;
      const body = JSON.stringify({ model: 'anthropic/m', max_tokens: 9, messages: [], thread: 0 }).replace(
        ':0}',
        `:${twice}}`,
      );
      const response = await fetch(`${headgate.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': headgate.key, 'content-type': 'application/json' },
        body,
      });
      assert.equal(response.status, 400, 'an id that stands twice');
    });

    test('a thread that is no thread is refused by its field', async () => {
      for (const [thread, param] of [
        ['create', '`thread`'],
        [{ type: 'fork' }, '`thread.type`'],
        [{ type: 'continue' }, '`thread.previous_message_id`'],
        [{ type: 'continue', previous_message_id: 1 }, '`thread.previous_message_id`'],
      ] as const) {
        const { status, text } = await call('anthropic/m', thread as object);
        assert.deepEqual([status, text.includes(param)], [400, true], text);
      }
      assert.equal((await call('chat/m', null as unknown as object)).status, 200);
    });

    test('what is essential goes to a vendor that knows it, or is refused by its name', async () => {
      const safeguards = { safeguards: { type: 'standard' } };
      const passed = await call('anthropic/m', undefined, safeguards);
      assert.deepEqual(field(passed.kept[0]?.json, 'safeguards'), safeguards.safeguards);
      for (const model of ['chat/m', 'imitator/m', 'others']) {
        const { status, text, sent } = await call(model, undefined, safeguards);
        assert.deepEqual([status, text.includes('`safeguards`'), sent.length], [400, true, 0], text);
      }
      const routed = await call('mixed', undefined, safeguards);
      assert.deepEqual([routed.status, routed.kept.length], [200, 1], routed.text);
      for (const [model, status] of [
        ['anthropic/m', 200],
        ['mixed', 200],
        ['chat/m', 400],
        ['imitator/m', 400],
        ['others', 400],
      ] as const) {
        const body = { model, messages: [{ role: 'user', content: 'Hi' }], ...safeguards };
        const counted = await ask(`${headgate.url}/v1/messages/count_tokens`, { key: headgate.key, body });
        assert.deepEqual(
          [counted.status, counted.text.includes('`safeguards`')],
          [status, status === 400],
          counted.text,
        );
      }
    });
  });
}
