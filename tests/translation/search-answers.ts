import type { RecordedDialect } from '../../src/testing/recordings.ts';

/** Vendors' answers with a search of the web, in each format, whole and as events. */
export type Wire = Readonly<Record<string, unknown>>;
export const URL = 'https://a.invalid/rain';
export const QUERY = 'rain in Bern';
export const TEXT = 'It rains.';

export const ANSWERS: Record<RecordedDialect, Wire> = {
  'openai-chat': {
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          executed_tools: [
            {
              index: 0,
              type: 'browser.search',
              arguments: JSON.stringify({ query: QUERY }),
              output: 'found',
              search_results: { results: [{ title: 'Rain', url: URL, content: 'Rain.', score: 0.9 }] },
            },
          ],
          content: TEXT,
          annotations: [
            { type: 'url_citation', url_citation: { url: URL, title: 'Rain', start_index: 0, end_index: 9 } },
          ],
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, server_tool_use: { web_search_requests: 1 } },
  },
  'openai-responses': {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: QUERY, queries: [QUERY], sources: [{ type: 'url', url: URL }] },
      },
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: TEXT,
            logprobs: [],
            annotations: [{ type: 'url_citation', url: URL, title: 'Rain', start_index: 0, end_index: 9 }],
          },
        ],
      },
    ],
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
  },
  'anthropic-messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: 'end_turn',
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: QUERY } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url: URL, title: 'Rain', encrypted_content: 'EqQB', page_age: null }],
      },
      {
        type: 'text',
        text: TEXT,
        citations: [
          { type: 'web_search_result_location', url: URL, title: 'Rain', cited_text: 'Rain.', encrypted_index: 'Eo8B' },
        ],
      },
    ],
    usage: { input_tokens: 5, output_tokens: 2, server_tool_use: { web_search_requests: 1 } },
  },
};

/** The events of the answers above, as each vendor streams them. */
export const STREAMS: Record<RecordedDialect, (whole: Wire) => unknown[]> = {
  'openai-chat': (whole) => {
    const [choice] = whole.choices as [{ message: Wire }];
    const chunk = (delta: unknown, finish: string | null, more: object = {}) => ({
      ...{ id: 'c', object: 'chat.completion.chunk', model: 'm', ...more },
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    return [chunk(choice.message, null), chunk({}, 'stop', { usage: whole.usage }), '[DONE]'];
  },
  'openai-responses': (whole) => {
    const [search, message] = whole.output as [Wire, Wire];
    return [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: { ...search, status: 'in_progress' } },
      { type: 'response.web_search_call.in_progress', output_index: 0, item_id: 'ws_1' },
      { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' },
      { type: 'response.web_search_call.completed', output_index: 0, item_id: 'ws_1' },
      { type: 'response.output_item.done', output_index: 0, item: search },
      { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
      { type: 'response.output_text.delta', output_index: 1, item_id: 'msg_1', content_index: 0, delta: TEXT },
      { type: 'response.output_item.done', output_index: 1, item: message },
      { type: 'response.completed', response: whole },
    ];
  },
  'anthropic-messages': (whole) => {
    const [call, result, said] = whole.content as [Wire, Wire, Wire];
    const block = (index: number, content_block: object, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    return [
      { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
      ...block(0, { ...call, input: {} }, { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }),
      ...block(1, result),
      ...block(
        2,
        { type: 'text', text: '' },
        { type: 'text_delta', text: TEXT },
        ...((said.citations as unknown[] | undefined) ?? []).map((citation) => ({ type: 'citations_delta', citation })),
      ),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: whole.usage },
      { type: 'message_stop' },
    ];
  },
};
