import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';
import { ANSWERS, QUERY, STREAMS, TEXT, URL, type Wire } from './search-answers.ts';

/** Steps of a search of the web that the vendor made: in whole answers, in streams, and in the next turn. */
const lab = await startTranslationLab(
  '',
  (id) => `${id}-b: { base_url: "URL", api_key: of-another-account, dialects: [${id}], only: [m] }`,
);
after(() => lab[Symbol.asyncDispose]());

const QUESTION = { role: 'user', content: 'Does it rain?' };
const BODIES: Record<RecordedDialect, object> = {
  'openai-chat': { messages: [QUESTION] },
  'openai-responses': { input: [QUESTION], store: false },
  'anthropic-messages': { messages: [QUESTION], max_tokens: 99 },
};

async function ask(surface: RecordedDialect, provider: string, body: object, answer: Wire) {
  const stream = 'stream' in body;
  lab.vendor.forget();
  lab.vendor.plan((request) => (request.stream ? streamReply(eventsOf(answer).map(frame)) : jsonReply(200, answer)));
  const response = await fetch(`${lab.headgate.url}${PATHS[surface]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${provider}/m`, ...BODIES[surface], ...body }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Wire] : []));
  return {
    events,
    json: (stream ? null : JSON.parse(text)) as Wire,
    dropped: response.headers.get('service-dropped'),
    sent: lab.vendor.requests.at(-1)?.json as Wire,
  };
}

function eventsOf(answer: Wire): unknown[] {
  const spoken = DIALECTS.find((dialect) => ANSWERS[dialect] === answer)!;
  return STREAMS[spoken](answer);
}

/** What a caller of each format is told of the search, whole. */
const TOLD: Record<RecordedDialect, (json: Wire) => unknown> = {
  'openai-chat': (json) => {
    const [{ message }] = json.choices as [{ message: { executed_tools: Wire[]; annotations: Wire[] } }];
    const [tool] = message.executed_tools as [Wire];
    const results = field(field(tool, 'search_results'), 'results') as Wire[];
    return [
      JSON.parse(String(tool.arguments)).query,
      results[0]?.url,
      field(message.annotations[0], 'url_citation') !== undefined,
    ];
  },
  'openai-responses': (json) => {
    const [search, message] = json.output as [Wire, Wire];
    const action = search.action as { query: string; sources: Wire[] };
    const [content] = message.content as [{ annotations: Wire[] }];
    return [action.query, action.sources[0]?.url, content.annotations[0]?.url === URL];
  },
  'anthropic-messages': (json) => {
    const [call, result, said] = json.content as [Wire, Wire, { citations: Wire[] }];
    assert.equal(call.id, result.tool_use_id);
    assert.match(String(call.id), /^srvtoolu_[a-zA-Z0-9_]+$/);
    return [field(call.input, 'query'), field((result.content as Wire[])[0], 'url'), said.citations[0]?.url === URL];
  },
};

for (const spoken of DIALECTS) {
  for (const surface of DIALECTS.filter((each) => each !== spoken)) {
    describe(`a search of a vendor of ${spoken}, for a caller of ${surface}`, () => {
      test('is told whole', async () => {
        const { json, dropped } = await ask(surface, spoken, {}, ANSWERS[spoken]);
        assert.deepEqual(TOLD[surface](json), [QUERY, URL, true]);
        assert.equal(dropped, null);
      });

      test('is told in a stream, in the order of the vendor’s own', async () => {
        const { events } = await ask(surface, spoken, { stream: true }, ANSWERS[spoken]);
        assert.deepEqual(shapeOf[surface](events), SHAPES[surface]);
      });
    });
  }
}

const shapeOf: Record<RecordedDialect, (events: readonly Wire[]) => unknown> = {
  'openai-chat': (events) =>
    events.flatMap(({ choices }) =>
      (choices as { delta: Wire }[]).flatMap(({ delta }) =>
        ['executed_tools', 'content', 'annotations'].filter((name) => delta[name] !== undefined && delta[name] !== ''),
      ),
    ),
  'openai-responses': (events) =>
    events.flatMap(({ type, item }) =>
      String(type).includes('web_search') || String(type).includes('output_item')
        ? [
            `${String(type).replace('response.', '')}${item === undefined ? '' : ` ${field(item, 'type')} ${field(item, 'status')}`}`,
          ]
        : [],
    ),
  'anthropic-messages': (events) =>
    events.flatMap(({ type, content_block: block, delta }) => {
      if (type === 'content_block_start') return [`start ${field(block, 'type')}`];
      if (type === 'content_block_delta') return [String(field(delta, 'type'))];
      return type === 'content_block_stop' ? ['stop'] : [];
    }),
};

const SHAPES: Record<RecordedDialect, readonly string[]> = {
  'openai-chat': ['executed_tools', 'content', 'annotations'],
  'openai-responses': [
    'output_item.added web_search_call in_progress',
    'web_search_call.in_progress',
    'web_search_call.searching',
    'web_search_call.completed',
    'output_item.done web_search_call completed',
    'output_item.added message in_progress',
    'output_item.done message completed',
  ],
  'anthropic-messages': [
    'start server_tool_use',
    'input_json_delta',
    'stop',
    'start web_search_tool_result',
    'stop',
    'start text',
    'text_delta',
    'citations_delta',
    'stop',
  ],
};

test('a search that failed is told as one', async () => {
  const [call] = ANSWERS['anthropic-messages'].content as [Wire];
  const failed = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
  const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: failed };
  const { json } = await ask(
    'openai-responses',
    'anthropic-messages',
    {},
    {
      ...ANSWERS['anthropic-messages'],
      content: [call, result, { type: 'text', text: TEXT }],
    },
  );
  assert.equal(field((json.output as Wire[])[0], 'status'), 'failed');
});

test('callers of messages are told how often was searched', async () => {
  for (const spoken of ['openai-chat', 'openai-responses'] as const) {
    const { json } = await ask('anthropic-messages', spoken, {}, ANSWERS[spoken]);
    assert.deepEqual(field(json.usage, 'server_tool_use'), { web_search_requests: 1 });
  }
});

describe('in the next turn', () => {
  const next = { role: 'user', content: 'And tomorrow?' };

  test('a search of messages goes to responses, joined', async () => {
    const { content } = ANSWERS['anthropic-messages'];
    const messages = [QUESTION, { role: 'assistant', content }, next];
    const { sent, dropped } = await ask(
      ...(['anthropic-messages', 'openai-responses', { messages }, ANSWERS['openai-responses']] as const),
    );
    assert.deepEqual((sent.input as Wire[])[1], {
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: QUERY, queries: [QUERY], sources: [{ type: 'url', url: URL }] },
    });
    assert.equal(dropped, null);
  });

  test('one of responses that came as messages goes back to its vendor, and to no vendor of messages', async () => {
    const first = await ask('anthropic-messages', 'openai-responses', {}, ANSWERS['openai-responses']);
    const messages = [QUESTION, { role: 'assistant', content: first.json.content }, next];
    const back = await ask('anthropic-messages', 'openai-responses', { messages }, ANSWERS['openai-responses']);
    assert.equal(field((back.sent.input as Wire[])[1], 'type'), 'web_search_call');
    const moved = await ask('anthropic-messages', 'anthropic-messages', { messages }, ANSWERS['anthropic-messages']);
    assert.equal(JSON.stringify(moved.sent).includes('headgate-seal'), false);
    assert.equal(JSON.stringify(moved.sent).includes('web_search'), false);
    assert.deepEqual(
      [moved.dropped?.includes('vendor_tool_calls'), moved.dropped?.includes('citations')],
      [true, true],
    );
  });

  test('vendors that have no item for it are sent the words alone, and it is told', async () => {
    const input = [QUESTION, ...(ANSWERS['openai-responses'].output as Wire[]), next];
    for (const spoken of ['openai-chat', 'anthropic-messages'] as const) {
      const { sent, dropped } = await ask('openai-responses', spoken, { input }, ANSWERS[spoken]);
      assert.equal(JSON.stringify(sent).includes(TEXT), true);
      assert.equal(dropped, 'vendor_tool_calls, citations');
    }
  });

  test('what callers of chat send back of it goes to responses', async () => {
    const [{ message }] = ANSWERS['openai-chat'].choices as [{ message: Wire }];
    const messages = [QUESTION, { ...message, search_results: [{ title: 'B', url: 'https://b.invalid' }] }, next];
    const { sent, dropped } = await ask('openai-chat', 'openai-responses', { messages }, ANSWERS['openai-responses']);
    const [, search, said] = sent.input as [Wire, Wire, { content: { annotations: Wire[] }[] }];
    assert.deepEqual([search.type, field(search.action, 'query')], ['web_search_call', QUERY]);
    assert.deepEqual(
      said.content[0]?.annotations.map(({ url }) => url),
      [URL, 'https://b.invalid'],
    );
    assert.equal(dropped, null);
  });
});

describe('citations', () => {
  test('of results at an address are pages to every caller; of documents they are told', async () => {
    const found = {
      type: 'search_result_location',
      source: URL,
      title: 'Rain',
      cited_text: 'Rain.',
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1,
    };
    const page = {
      type: 'page_location',
      cited_text: 'x',
      document_index: 0,
      document_title: 'D',
      start_page_number: 1,
      end_page_number: 2,
    };
    const answer = {
      ...ANSWERS['anthropic-messages'],
      content: [{ type: 'text', text: TEXT, citations: [found, page] }],
    };
    const chat = await ask('openai-chat', 'anthropic-messages', {}, answer);
    const [{ message }] = chat.json.choices as [{ message: { annotations: Wire[] } }];
    assert.deepEqual(
      message.annotations.map((each) => field(field(each, 'url_citation') as Wire, 'url')),
      [URL],
    );
    assert.equal(chat.dropped, 'citations');
    const responses = await ask('openai-responses', 'anthropic-messages', {}, answer);
    assert.equal(responses.dropped, 'citations');
  });

  for (const [name, beside, within] of [
    ['Gemini’s grounding', { grounding_metadata: { grounding_chunks: [{ web: { uri: URL, title: 'Rain' } }] } }, {}],
    ['a list of addresses', { citations: [URL] }, {}],
    [
      'Mistral’s references',
      {},
      {
        content: [
          { type: 'text', text: TEXT },
          { type: 'tool_reference', tool: 'web_search', title: 'Rain', url: URL },
        ],
      },
    ],
  ] as const) {
    test(`${name} of chat become those of messages and responses`, async () => {
      const [choice] = ANSWERS['openai-chat'].choices as [Wire];
      const message = { role: 'assistant', content: TEXT, ...within };
      const answer = { ...ANSWERS['openai-chat'], ...beside, choices: [{ ...choice, message }] };
      const { json } = await ask('anthropic-messages', 'openai-chat', {}, answer);
      const said = (json.content as Wire[]).find(({ type }) => type === 'text') as { citations: Wire[] };
      assert.equal(said.citations[0]?.url, URL);
      const responses = await ask('openai-responses', 'openai-chat', {}, answer);
      assert.match(JSON.stringify(responses.json.output), /"url_citation".*a\.invalid/);
    });
  }
});
