import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { DONE } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { eventsIn } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Arguments that a vendor says again, or as `null`. */
const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
type Id = (typeof DIALECTS)[number];
const PATHS: Record<Id, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:\n${DIALECTS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], models: [m] }`).join('\n')}`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});
beforeEach(() => vendor.forget());

async function ask(from: Id, to: Id, stream: boolean): Promise<string> {
  const input = from === 'openai-responses' ? { input: 'Hi' } : { messages: [{ role: 'user', content: 'Hi' }] };
  const answer = await fetch(`${headgate.url}${PATHS[from]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: `${to}/m`,
      stream,
      ...(from === 'anthropic-messages' && { max_tokens: 50 }),
      ...input,
    }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}

const event = (data: { type: string } & Record<string, unknown>) =>
  Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const FUNCTION_CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'find', status: 'completed' };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };

/** The streams of vendors that say the arguments in these pieces. */
const STREAMS: Record<Id, (pieces: readonly string[]) => Buffer[]> = {
  'openai-chat': (pieces) => [
    ...pieces.map((args, at) => {
      const call = { index: 0, ...(at === 0 && { id: 'call_1', type: 'function' }) };
      const delta = { tool_calls: [{ ...call, function: { ...(at === 0 && { name: 'find' }), arguments: args } }] };
      return frame({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] });
    }),
    frame({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage: USAGE }),
    DONE,
  ],
  'openai-responses': (pieces) => {
    const item = { ...FUNCTION_CALL, arguments: pieces.length > 2 ? pieces.at(-1) : pieces.join('') };
    const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [item] };
    return [
      event({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }),
      event({ type: 'response.output_item.added', output_index: 0, item: { ...FUNCTION_CALL, arguments: '' } }),
      ...pieces.map((delta) =>
        event({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta }),
      ),
      event({ type: 'response.output_item.done', output_index: 0, item }),
      event({ type: 'response.completed', response }),
    ];
  },
  'anthropic-messages': (pieces) => [
    event({
      type: 'message_start',
      message: { ...MESSAGE, content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    }),
    event({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} },
    }),
    ...pieces.map((partial_json) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }),
    ),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } }),
    event({ type: 'message_stop' }),
  ],
};

/** What the caller's stream says as arguments. */
function told(from: Id, text: string): string {
  const events = eventsIn(text).map((data) => (data === '[DONE]' ? {} : JSON.parse(data)));
  const pieces = {
    'openai-chat': (each: unknown) => field(each, 'choices', '0', 'delta', 'tool_calls', '0', 'function', 'arguments'),
    'openai-responses': (each: unknown) =>
      field(each, 'type') === 'response.function_call_arguments.delta' ? field(each, 'delta') : '',
    'anthropic-messages': (each: unknown) => field(each, 'delta', 'partial_json'),
  }[from];
  return events.map((each) => pieces(each) ?? '').join('');
}

const WHOLE = '{"q":"x"}';
const CASES: readonly (readonly [readonly string[], string])[] = [
  [['{"q":', '"x"}', WHOLE], WHOLE],
  [[WHOLE, '{"q":', '"x"}', WHOLE], WHOLE],
  [['{}', '{"q":', '"x"}', WHOLE], WHOLE],
  [['null'], '{}'],
  [['nu', 'll'], '{}'],
  [[''], '{}'],
];

for (const from of DIALECTS) {
  for (const to of DIALECTS.filter((each) => each !== from)) {
    test(`arguments are told once, streamed from ${to} to ${from}`, async () => {
      for (const [pieces, expected] of CASES) {
        vendor.plan(() => streamReply(STREAMS[to](pieces)), { times: 1 });
        const said = told(from, await ask(from, to, true));
        assert.equal(said || '{}', expected, JSON.stringify(pieces));
      }
    });
  }
}

const ANSWERS: Record<Id, (args: unknown) => object> = {
  'openai-chat': (args) => ({
    id: 'c',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: args } }],
        },
      },
    ],
    usage: USAGE,
  }),
  'openai-responses': (args) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [{ ...FUNCTION_CALL, arguments: args }],
  }),
  'anthropic-messages': (args) => ({
    ...MESSAGE,
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'find', input: args }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};

for (const from of DIALECTS) {
  for (const to of DIALECTS.filter((each) => each !== from)) {
    test(`no arguments are an empty object, in a whole answer from ${to} to ${from}`, async () => {
      for (const args of ['null', '', null, {}, '{}']) {
        vendor.plan(() => jsonReply(200, ANSWERS[to](args)), { times: 1 });
        const answer = JSON.parse(await ask(from, to, false));
        const read = {
          'openai-chat': () => field(answer, 'choices', '0', 'message', 'tool_calls', '0', 'function', 'arguments'),
          'openai-responses': () => field(answer, 'output', '0', 'arguments'),
          'anthropic-messages': () => JSON.stringify(field(answer, 'content', '0', 'input')),
        }[from];
        assert.equal(read(), '{}', JSON.stringify(args));
      }
    });
  }
}

test('a whole message behind the pieces of a stream is not told again', async () => {
  const words = { role: 'assistant', content: 'Fine.' };
  vendor.plan(
    () =>
      streamReply([
        frame({ id: 'c', choices: [{ index: 0, delta: words, finish_reason: null }] }),
        frame({ id: 'c', choices: [{ index: 0, message: words, finish_reason: 'stop' }], usage: USAGE }),
        DONE,
      ]),
    { times: 1 },
  );
  const events = eventsIn(await ask('anthropic-messages', 'openai-chat', true));
  const text = events.map((data) => field(JSON.parse(data), 'delta', 'text') ?? '').join('');
  assert.equal(text, 'Fine.');
});

test('null as arguments of an earlier call is an empty object to every vendor', async () => {
  for (const to of ['openai-responses', 'anthropic-messages'] as const) {
    vendor.plan(() => jsonReply(200, ANSWERS[to]({})), { times: 1 });
    const answer = await fetch(`${headgate.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: `${to}/m`,
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            // Models put white space beside a call, and clients send it back.
            content: '\n\n',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: 'null' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: ' \n' },
        ],
      }),
    });
    assert.equal(answer.status, 200, await answer.text());
    const sent = JSON.stringify(vendor.requests.at(-1)?.json);
    assert.match(sent, to === 'openai-responses' ? /"arguments":"\{\}"/ : /"input":\{\}/);
    if (to === 'anthropic-messages') assert.doesNotMatch(sent, /\\n/);
  }
});
