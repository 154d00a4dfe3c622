import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DONE } from '../../src/testing/answers.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { DIALECTS, startTranslationLab } from '../support/dialects.ts';
import { clientsAt } from './clients.ts';

/** What vendors say more than once, in every way that is known: each caller's own client understands it once. */
const lab = await startTranslationLab('limits: { max_loop_lag: 0, requests_per_minute: 100000 }\n');
const { vendor, headgate } = lab;
after(() => lab[Symbol.asyncDispose]());
const clients = clientsAt(headgate.url, headgate.key);

type Expected = { text?: string; reasoning?: string; inputs?: readonly unknown[] };
type Row = readonly [name: string, pieces: readonly object[], expected: Expected];

const WHOLE = '{"q":"x"}';
const ONE = { inputs: [{ q: 'x' }] };
const HELLO = { text: 'Hello you' };
const USAGE = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };

const said = (choice: object, usage?: object) => ({
  id: 'c',
  choices: [{ index: 0, finish_reason: null, ...choice }],
  usage,
});
const piece = (delta: object) => said({ delta });
const text = (content: string) => piece({ content });
const message = (words: object, finish_reason: string | null = null) => said({ message: words, finish_reason });
const end = (word = 'stop', delta: object = {}) => said({ delta, finish_reason: word }, USAGE);
const called = (args: unknown, more: object = {}, index: unknown = 0) => ({
  ...{ index, id: 'call_1', type: 'function', function: { name: 'find', arguments: args } },
  ...more,
});
const calls = (...tool_calls: object[]) => piece({ tool_calls });
const rest = (args: string, index: unknown = 0) => calls({ index, function: { arguments: args } });
const ENDS = end('tool_calls');

const CHAT: readonly Row[] = [
  ['id, name and type in each piece', [calls(called('{"q":')), calls(called('"x"}')), ENDS], ONE],
  ['messages with the text so far', [message({ content: 'Hello' }), message({ content: 'Hello you' }, 'stop')], HELLO],
  ['messages with pieces', [message({ content: 'Hello' }), message({ content: ' you' }, 'stop')], HELLO],
  [
    'a message that has more than the pieces',
    [text('Hello you'), message({ content: 'Hello you', tool_calls: [called(WHOLE)] }, 'tool_calls')],
    { ...HELLO, ...ONE },
  ],
  [
    'a message with the calls again, and a text',
    [calls(called(WHOLE)), message({ content: 'Hello you', tool_calls: [called(WHOLE)] }, 'tool_calls')],
    { ...HELLO, ...ONE },
  ],
  [
    'a message with the reasoning again',
    [piece({ reasoning_content: 'Hm.' }), message({ reasoning_content: 'Hm.', content: 'Hello you' }, 'stop')],
    { ...HELLO, reasoning: 'Hm.' },
  ],
  ['all of the text in the last piece', [text('Hello'), text(' you'), end('stop', { content: 'Hello you' })], HELLO],
  [
    'all of the reasoning behind the text',
    [
      ...['H', 'm.'].map((reasoning_content) => piece({ reasoning_content })),
      text('Hello you'),
      end('stop', { content: '', reasoning_content: 'Hm.' }),
    ],
    { ...HELLO, reasoning: 'Hm.' },
  ],
  ['a word that ends like it begins', [text('ha'), end('stop', { content: 'ha' })], { text: 'haha' }],
  ['the end twice', [text('Hello you'), said({ delta: {}, finish_reason: 'stop' }), end()], HELLO],
  ['no end yet as a word', [said({ delta: { content: 'Hello' }, finish_reason: 'null' }), text(' you'), end()], HELLO],
  [
    'indexes as text',
    [
      calls(called('{"q":', {}, '0')),
      calls(called('{"q":', { id: 'call_2' }, '1')),
      rest('1}', '0'),
      rest('2}', '1'),
      ENDS,
    ],
    { inputs: [{ q: 1 }, { q: 2 }] },
  ],
  [
    'one index for two calls',
    [calls(called('{"q":1}')), calls(called('{"q":2}', { id: 'call_2' })), ENDS],
    { inputs: [{ q: 1 }, { q: 2 }] },
  ],
  ['no index', [calls(called('{"q":', {}, undefined)), rest('"x"}', undefined), ENDS], ONE],
  ['a call again at another index', [calls(called(WHOLE)), calls(called(WHOLE, {}, 1)), ENDS], ONE],
  [
    'all calls again in the last piece',
    [calls(called(WHOLE)), end('tool_calls', { tool_calls: [called(WHOLE)] })],
    ONE,
  ],
  [
    'the call in the words of old clients, too',
    [
      piece({ tool_calls: [called('{"q":')], function_call: { name: 'find', arguments: '{"q":' } }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '"x"}' } }], function_call: { arguments: '"x"}' } }),
      ENDS,
    ],
    ONE,
  ],
  [
    'the arguments so far in each piece',
    [...['{', '{"q"', '{"q":"x', WHOLE].map((args) => calls(called(args))), ENDS],
    ONE,
  ],
  [
    'arguments that hold what they begin with',
    [calls(called('{"q":')), rest('{"q":1}'), rest('}'), ENDS],
    { inputs: [{ q: { q: 1 } }] },
  ],
  ['arguments as an object', [calls(called({ q: 'x' })), ENDS], ONE],
  ['arguments within a text', [calls(called(JSON.stringify(WHOLE))), ENDS], ONE],
  ...['[]', 'None', 'undefined', '"{}"', ' '].map(
    (none): Row => [`no arguments as ${none}`, [calls(called(none)), ENDS], { inputs: [{}] }],
  ),
];

const event = (type: string, members: object) => ({ type, ...members });
const FIRST = { output_index: 0, content_index: 0 };
const item = (content: string, id = 'msg_1') => ({
  ...{ id, type: 'message', role: 'assistant', status: 'completed' },
  content: content === '' ? [] : [{ type: 'output_text', text: content, annotations: [] }],
});
const call = (args: string, id = 'fc_1') => ({
  id,
  type: 'function_call',
  call_id: 'call_1',
  name: 'find',
  arguments: args,
});
const response = (...output: object[]) => ({
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm', output },
  usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
});
/** An item with this between its end and that of the response. */
const behind = (begun: object, delta: object, ended: object, ...more: object[]) => [
  event('response.created', { response: { ...response(), status: 'in_progress' } }),
  event('response.output_item.added', { output_index: 0, item: begun }),
  delta,
  event('response.output_item.done', { output_index: 0, item: ended }),
  ...more,
  event('response.completed', { response: response(ended) }),
];
const textBehind = (...more: object[]) =>
  behind(
    item(''),
    event('response.output_text.delta', { ...FIRST, item_id: 'msg_1', delta: 'Hello you' }),
    item('Hello you'),
    ...more,
  );
const ARGUMENTS = 'response.function_call_arguments';
const callBehind = (...more: object[]) =>
  behind(
    call(''),
    event(`${ARGUMENTS}.delta`, { output_index: 0, item_id: 'fc_1', delta: WHOLE }),
    call(WHOLE),
    ...more,
  );

const RESPONSES: readonly Row[] = [
  [
    'the text behind its item, without a place',
    textBehind(event('response.output_text.done', { text: 'Hello you' })),
    HELLO,
  ],
  [
    'the text behind its item, by its index',
    textBehind(event('response.output_text.done', { ...FIRST, text: 'Hello you' })),
    HELLO,
  ],
  [
    'the part behind its item, by its index',
    textBehind(event('response.content_part.done', { ...FIRST, part: { type: 'output_text', text: 'Hello you' } })),
    HELLO,
  ],
  [
    'the item again under another id',
    textBehind(event('response.output_item.done', { output_index: 0, item: item('Hello you', 'msg_2') })),
    HELLO,
  ],
  [
    'the call again under another id',
    callBehind(event('response.output_item.done', { output_index: 0, item: call(WHOLE, 'fc_2') })),
    ONE,
  ],
  ['the arguments behind their call', callBehind(event(`${ARGUMENTS}.done`, { name: 'find', arguments: WHOLE })), ONE],
  [
    'two calls of one index',
    callBehind(
      event('response.output_item.done', { output_index: 0, item: { ...call('{"q":2}', 'fc_2'), call_id: 'call_2' } }),
    ),
    { inputs: [{ q: 'x' }, { q: 2 }] },
  ],
];

const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} };
const starts = (content_block: object, index = 0) => event('content_block_start', { index, content_block });
const json = (partial_json: string) =>
  event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } });
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
const BEGINS = event('message_start', { message: { ...MESSAGE, usage: { input_tokens: 5, output_tokens: 1 } } });
const STOPS = event('content_block_stop', { index: 0 });
const around = (...blocks: object[]) => [
  BEGINS,
  ...blocks,
  STOPS,
  event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } }),
  event('message_stop', {}),
];

const MESSAGES: readonly Row[] = [
  ['the start of a call twice', around(starts(TOOL), starts(TOOL), json(WHOLE)), ONE],
  ['the start of a call in its middle', around(starts(TOOL), json('{"q":'), starts(TOOL), json('"x"}')), ONE],
  ['the input so far in each piece', around(starts(TOOL), json('{"q"'), json('{"q":"x'), json(WHOLE)), ONE],
  [
    'the input in the start, and in pieces',
    around(starts({ ...TOOL, input: { q: 'x' } }), json('{"q":'), json('"x"}')),
    ONE,
  ],
  ['no input as a list', around(starts({ ...TOOL, input: [] })), { inputs: [{}] }],
  ['a call again behind its end', around(starts(TOOL), json(WHOLE), STOPS, starts(TOOL), json(WHOLE)), ONE],
  [
    'two calls of one index',
    around(starts(TOOL), json(WHOLE), STOPS, starts({ ...TOOL, id: 'toolu_2' }), json('{"q":2}')),
    { inputs: [{ q: 'x' }, { q: 2 }] },
  ],
];

const TABLES: readonly (readonly [RecordedDialect, readonly Row[]])[] = [
  ['openai-chat', CHAT],
  ['openai-responses', RESPONSES],
  ['anthropic-messages', MESSAGES],
];
const framed = (spoken: RecordedDialect, pieces: readonly object[]) =>
  spoken === 'openai-chat' ? [...pieces.map(frame), DONE] : pieces.map((each) => frame(each));

for (const [spoken, rows] of TABLES) {
  for (const surface of DIALECTS.filter((each) => each !== spoken)) {
    test(`a stream of ${spoken} that repeats itself says everything once as ${surface}`, async () => {
      for (const [name, pieces, expected] of rows) {
        vendor.plan(() => streamReply(framed(spoken, pieces)), { times: 1 });
        const { text: words, reasoning, toolCalls } = await clients[surface](`${spoken}/m`, true);
        const inputs = toolCalls.map(({ input }) => input);
        assert.deepEqual(
          { words, reasoning, inputs },
          { words: expected.text ?? '', reasoning: expected.reasoning ?? '', inputs: expected.inputs ?? [] },
          name,
        );
      }
    });
  }
}

test('citations that are said again are told once', async () => {
  const cited = { url: 'https://a.test/', title: 'A', start_index: 0, end_index: 5 };
  const annotations = [{ type: 'url_citation', url_citation: cited }];
  const pieces = [piece({ content: 'Hello', annotations }), piece({ content: ' you', annotations }), end()];
  vendor.plan(() => streamReply(framed('openai-chat', pieces)), { times: 1 });
  const body = { model: 'openai-chat/m', input: 'Hi', stream: true };
  const answer = await ask(`${headgate.url}/v1/responses`, { key: headgate.key, body });
  assert.equal(answer.text.match(/^event: response.output_text.annotation.added$/gm)?.length, 1, answer.text);
});

test('a whole answer tells a call once, and no arguments as an object', async () => {
  const rows = [
    [{ tool_calls: [called(WHOLE)], function_call: { name: 'find', arguments: WHOLE } }, { q: 'x' }],
    [{ tool_calls: [called(JSON.stringify(WHOLE))] }, { q: 'x' }],
    [{ tool_calls: [called([])] }, {}],
  ] as const;
  for (const [words, input] of rows) {
    vendor.plan(
      () => jsonReply(200, said({ message: { content: '', ...words }, finish_reason: 'tool_calls' }, USAGE)),
      { times: 1 },
    );
    const { toolCalls } = await clients['anthropic-messages']('openai-chat/m', false);
    assert.deepEqual(toolCalls, [{ name: 'find', input }]);
  }
});

const NOTHING = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const ends = (usage: object) => event('message_delta', { delta: { stop_reason: 'end_turn' }, usage });
const COUNTS: readonly (readonly [RecordedDialect, readonly object[]])[] = [
  ['openai-chat', [text('Hello'), end(), { ...said({}), choices: [], usage: NOTHING }]],
  [
    'anthropic-messages',
    [BEGINS, ends({ output_tokens: 3 }), ends({ input_tokens: 0, output_tokens: 0 }), event('message_stop', {})],
  ],
  ['anthropic-messages', [BEGINS, ends({ input_tokens: 0, output_tokens: 3 }), event('message_stop', {})]],
];

test('counts that become nothing at the end of a stream do not make it free, whether it passes or is translated', async () => {
  for (const [spoken, pieces] of COUNTS) {
    for (const [path, body] of [
      ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
      ['/v1/messages', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 }],
    ] as const) {
      vendor.plan(() => streamReply(framed(spoken, pieces)), { times: 1 });
      const model = `${spoken}/m`;
      await ask(`${headgate.url}${path}`, { key: headgate.key, body: { model, stream: true, ...body } });
      const [record] = (await headgate.usage({ limit: '1' })).data;
      assert.deepEqual([record?.input_tokens, record?.output_tokens], [5, 3], `${spoken} as ${path}`);
    }
  }
});
