import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { eventsIn } from '../http/client.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';
import { ANSWERS, STREAMS, TEXT, type Wire } from './search-answers.ts';

/** Pages that a vendor's model opened, in whole answers, in streams, and in the next turn. */
const lab = await startTranslationLab('');
after(() => lab[Symbol.asyncDispose]());

const PAGE = 'https://a.invalid/rain';
const WORDS = 'It rains all day.';
const QUESTION = { role: 'user', content: 'Does it rain?' };
const BODIES: Record<RecordedDialect, object> = {
  'openai-chat': { messages: [QUESTION] },
  'openai-responses': { input: [QUESTION], store: false },
  'anthropic-messages': { messages: [QUESTION], max_tokens: 99 },
};
const document = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: WORDS },
  title: 'Rain',
  citations: null,
};

/** The vendor's own way to say that it opened the page. */
const OPENED: Record<RecordedDialect, Wire> = {
  'openai-chat': executed({ type: 'visit', arguments: JSON.stringify({ url: PAGE }), output: WORDS }),
  'openai-responses': opened({ type: 'open_page', url: PAGE }),
  'anthropic-messages': fetched({ type: 'web_fetch_result', url: PAGE, content: document, retrieved_at: null }),
};

function executed(tool: object): Wire {
  const [choice] = ANSWERS['openai-chat'].choices as [Wire];
  const message = { role: 'assistant', content: TEXT, executed_tools: [{ index: 0, ...tool }] };
  return {
    ...ANSWERS['openai-chat'],
    choices: [{ ...choice, message }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  };
}

function opened(action: object, status = 'completed'): Wire {
  const [, message] = ANSWERS['openai-responses'].output as [Wire, Wire];
  const output = [{ id: 'ws_1', type: 'web_search_call', status, action }, message];
  return { ...ANSWERS['openai-responses'], output };
}

function fetched(content: object): Wire {
  return {
    ...ANSWERS['anthropic-messages'],
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_fetch', input: { url: PAGE } },
      { type: 'web_fetch_tool_result', tool_use_id: 'srvtoolu_1', content },
      { type: 'text', text: TEXT },
    ],
    usage: { input_tokens: 5, output_tokens: 2, server_tool_use: { web_search_requests: 0, web_fetch_requests: 1 } },
  };
}

async function ask(surface: RecordedDialect, spoken: RecordedDialect, body: object, answer: Wire) {
  lab.vendor.forget();
  lab.vendor.plan(({ stream }) => (stream ? streamReply(STREAMS[spoken](answer).map(frame)) : jsonReply(200, answer)));
  const response = await fetch(`${lab.headgate.url}${PATHS[surface]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${spoken}/m`, ...BODIES[surface], ...body }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const dropped = response.headers.get('service-dropped')?.split(', ') ?? [];
  return { text, dropped, sent: lab.vendor.requests.at(-1)?.json as Wire };
}

/** The page as each format tells it: its address, what was looked for in it, and its words. */
const TOLD: Record<RecordedDialect, (json: Wire) => unknown> = {
  'openai-chat': (json) => {
    const [tool] = field((json.choices as Wire[])[0], 'message', 'executed_tools') as [Wire];
    assert.equal(tool.type, 'visit_website');
    const { url, pattern } = JSON.parse(String(tool.arguments)) as Wire;
    return [url, pattern, tool.output];
  },
  'openai-responses': (json) => {
    const [item] = json.output as [Wire];
    const { type, url, pattern } = item.action as Wire;
    assert.equal(type, pattern === undefined ? 'open_page' : 'find_in_page');
    return [url, pattern, ''];
  },
  'anthropic-messages': (json) => {
    const [call, result] = json.content as [Wire, Wire];
    assert.deepEqual([call.type, call.name, result.type], ['server_tool_use', 'web_fetch', 'web_fetch_tool_result']);
    assert.equal(call.id, result.tool_use_id);
    assert.equal(field(result.content, 'url'), PAGE);
    return [field(call.input, 'url'), field(call.input, 'pattern'), field(result.content, 'content', 'source', 'data')];
  },
};

/** The answer that a stream says, as far as it tells what the vendor did. */
const WHOLE: Record<RecordedDialect, (events: readonly Wire[]) => Wire> = {
  'openai-chat': (events) => ({
    choices: [
      {
        message: events.flatMap(({ choices }) => choices as Wire[]).find(({ delta }) => field(delta, 'executed_tools'))
          ?.delta,
      },
    ],
  }),
  'openai-responses': (events) => events.find(({ type }) => type === 'response.completed')?.response as Wire,
  'anthropic-messages': (events) => ({
    content: events
      .filter(({ type }) => type === 'content_block_start')
      .map(({ content_block: block, index }) => {
        const json = events.find((each) => each.index === index && field(each, 'delta', 'partial_json') !== undefined);
        const input = json === undefined ? {} : { input: JSON.parse(String(field(json, 'delta', 'partial_json'))) };
        return { ...(block as Wire), ...input };
      }),
  }),
};

for (const spoken of DIALECTS) {
  for (const surface of DIALECTS.filter((each) => each !== spoken)) {
    test(`a page that a vendor of ${spoken} opened is told to callers of ${surface}, whole and in streams`, async () => {
      const words = surface === 'openai-responses' || spoken === 'openai-responses' ? '' : WORDS;
      const whole = await ask(surface, spoken, {}, OPENED[spoken]);
      assert.deepEqual(TOLD[surface](JSON.parse(whole.text) as Wire), [PAGE, undefined, words]);
      // A response has no place for the words of a page.
      assert.deepEqual(whole.dropped, surface === 'openai-responses' ? ['tool_result_content'] : []);
      const streamed = await ask(surface, spoken, { stream: true }, OPENED[spoken]);
      const events = eventsIn(streamed.text).flatMap((data) => (data === '[DONE]' ? [] : [JSON.parse(data) as Wire]));
      assert.deepEqual(TOLD[surface](WHOLE[surface](events)), [PAGE, undefined, words]);
    });
  }
}

describe('beside that', () => {
  test('what was looked for in a page crosses over, and comes back', async () => {
    const answer = opened({ type: 'find_in_page', url: PAGE, pattern: 'rain' });
    for (const surface of ['openai-chat', 'anthropic-messages'] as const) {
      const { text } = await ask(surface, 'openai-responses', {}, answer);
      assert.deepEqual(TOLD[surface](JSON.parse(text) as Wire), [PAGE, 'rain', '']);
    }
  });

  test('a page that could not be opened is told as one', async () => {
    const failed = fetched({ type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' });
    const { text } = await ask('openai-responses', 'anthropic-messages', {}, failed);
    const [item] = (JSON.parse(text) as { output: [Wire] }).output;
    assert.deepEqual([item.status, field(item.action, 'url')], ['failed', PAGE]);
    const other = opened({ type: 'open_page', url: PAGE }, 'failed');
    const { text: message } = await ask('anthropic-messages', 'openai-responses', {}, other);
    const [, result] = (JSON.parse(message) as { content: [Wire, Wire] }).content;
    assert.deepEqual(result.content, { type: 'web_fetch_tool_result_error', error_code: 'unavailable' });
  });

  test('a page that is not named is told as `vendor_tool_calls`', async () => {
    for (const [spoken, answer] of [
      ['openai-responses', opened({ type: 'open_page', url: null })],
      ['openai-chat', executed({ type: 'browser.open', arguments: '{"id":3}', output: WORDS })],
    ] as const) {
      assert.deepEqual((await ask('anthropic-messages', spoken, {}, answer)).dropped, ['vendor_tool_calls']);
    }
  });

  test('in the next turn it goes to vendors of responses, and to no vendor of messages that did not open it', async () => {
    const next = { role: 'user', content: 'And tomorrow?' };
    const { text } = await ask('anthropic-messages', 'openai-responses', {}, OPENED['openai-responses']);
    const { content } = JSON.parse(text) as { content: Wire[] };
    const messages = [QUESTION, { role: 'assistant', content }, next];
    const back = await ask('anthropic-messages', 'openai-responses', { messages }, OPENED['openai-responses']);
    assert.deepEqual((back.sent.input as Wire[])[1], {
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'open_page', url: PAGE },
    });
    const moved = await ask('anthropic-messages', 'anthropic-messages', { messages }, OPENED['anthropic-messages']);
    assert.doesNotMatch(JSON.stringify(moved.sent), /web_fetch|headgate-seal/);
    assert.ok(moved.dropped.includes('vendor_tool_calls'), moved.dropped.join());
    const own = [QUESTION, { role: 'assistant', content: OPENED['anthropic-messages'].content }, next];
    const same = await ask('anthropic-messages', 'anthropic-messages', { messages: own }, OPENED['anthropic-messages']);
    assert.match(JSON.stringify(same.sent), /web_fetch_tool_result/);
    const other = await ask('anthropic-messages', 'openai-responses', { messages: own }, OPENED['openai-responses']);
    assert.deepEqual(field((other.sent.input as Wire[])[1], 'action'), { type: 'open_page', url: PAGE });
    assert.deepEqual(other.dropped, ['tool_result_content']);
  });
});
