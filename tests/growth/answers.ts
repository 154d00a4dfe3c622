import type { StreamEvent } from '../../src/dialects/dialect.ts';
import type { Bodies } from './calls.ts';

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number): Record<string, unknown> => Object.fromEntries(many(count, (at) => [`member_${at}`, 1]));

const LOGPROB = { token: 'a', logprob: -1, bytes: [97], top_logprobs: [] };
const CITATION = { type: 'url_citation', url_citation: { url: 'u', title: 't', start_index: 0, end_index: 1 } };
const DETAIL = { type: 'reasoning.text', text: 't', index: 0 };
const choiceOf = (message: object, more: object = {}) => ({ index: 0, message, finish_reason: 'stop', ...more });
const completion = (...choices: object[]) => ({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices });
const callOf = (at: number, more: object = {}) => ({
  index: at,
  id: `call_${at}`,
  type: 'function',
  function: { name: 'f', arguments: '{"a":1}' },
  ...more,
});

const block = (text = 'a') => ({ type: 'text', text });
const message = (...content: object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
});
const response = (...output: object[]) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  output,
});
const spoken = (id: string, ...content: object[]) => ({ id, type: 'message', role: 'assistant', content });
const functionCall = (at: number) => ({
  id: `fc_${at}`,
  type: 'function_call',
  call_id: `c${at}`,
  name: 'f',
  arguments: '{}',
});

/** Whole answers in which one thing stands `count` times. */
export const WHOLE: Readonly<Record<string, Bodies>> = {
  'openai-chat': {
    choices: (count) => completion(...many(count, (index) => ({ ...choiceOf({ content: 'a' }), index }))),
    'tool calls': (count) => completion(choiceOf({ tool_calls: many(count, (at) => callOf(at)) })),
    'tool calls of one index and id': (count) => completion(choiceOf({ tool_calls: many(count, () => callOf(0)) })),
    'empty tool calls': (count) =>
      completion(choiceOf({ tool_calls: many(count, () => ({ function: { name: 'f', arguments: '' } })) })),
    annotations: (count) => completion(choiceOf({ content: 'a', annotations: many(count, () => CITATION) })),
    logprobs: (count) => completion(choiceOf({ content: 'a' }, { logprobs: { content: many(count, () => LOGPROB) } })),
    'reasoning details': (count) =>
      completion(choiceOf({ content: 'a', reasoning_details: many(count, () => DETAIL) })),
    'reasoning details with members of their own': (count) =>
      completion(choiceOf({ reasoning_details: many(count, (at) => ({ ...DETAIL, [`member_${at}`]: 1 })) })),
    'reasoning details of two kinds in turns': (count) =>
      completion(choiceOf({ reasoning_details: many(count, (at) => ({ ...DETAIL, type: `kind.${at % 2}` })) })),
    'sealed reasoning': (count) =>
      completion(choiceOf({ reasoning_details: many(count, (index) => ({ ...DETAIL, index, signature: 's' })) })),
    images: (count) => completion(choiceOf({ images: many(count, () => ({ image_url: { url: 'u' } })) })),
    'parts of a content': (count) =>
      completion(choiceOf({ content: many(count, () => ({ type: 'text', text: 'a' })) })),
    'unknown members': (count) => completion(choiceOf({ content: 'a', ...named(count) })),
  },
  'anthropic-messages': {
    'content blocks': (count) => message(...many(count, () => block())),
    'tool calls': (count) =>
      message(...many(count, (at) => ({ type: 'tool_use', id: `t${at}`, name: 'f', input: {} }))),
    'tool calls of one id': (count) =>
      message(...many(count, () => ({ type: 'tool_use', id: 't', name: 'f', input: {} }))),
    citations: (count) =>
      message({ ...block(), citations: many(count, () => ({ type: 'web_search_result_location', url: 'u' })) }),
    'reasoning parts': (count) => message(...many(count, () => ({ type: 'thinking', thinking: 't', signature: 's' }))),
    'unknown blocks': (count) => message(...many(count, (at) => ({ type: `kind_${at}` }))),
    'unknown members': (count) => ({ ...message(block()), unknown: named(count) }),
  },
  'openai-responses': {
    items: (count) => response(...many(count, (at) => spoken(`msg_${at}`, { type: 'output_text', text: 'a' }))),
    'items of one id': (count) => response(...many(count, () => spoken('msg', { type: 'output_text', text: 'a' }))),
    contents: (count) => response(spoken('msg', ...many(count, () => ({ type: 'output_text', text: 'a' })))),
    'tool calls': (count) => response(...many(count, functionCall)),
    annotations: (count) =>
      response(
        spoken('msg', {
          type: 'output_text',
          text: 'a',
          annotations: many(count, () => ({ type: 'url_citation', url: 'u' })),
        }),
      ),
    logprobs: (count) =>
      response(spoken('msg', { type: 'output_text', text: 'a', logprobs: many(count, () => LOGPROB) })),
    'reasoning parts': (count) =>
      response(
        ...many(count, (at) => ({
          id: `rs_${at}`,
          type: 'reasoning',
          summary: [{ text: 's' }],
          encrypted_content: 'e',
        })),
      ),
    'unknown items': (count) => response(...many(count, (at) => ({ id: `i${at}`, type: `kind_${at}` }))),
  },
};

export type Streams = Readonly<Record<string, (count: number) => StreamEvent[]>>;

const event = (data: object): StreamEvent => ({ event: null, data: JSON.stringify(data) });
const chunk = (delta: object, more: object = {}) =>
  event({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...more }] });
const chunks = (...between: StreamEvent[]) => [
  chunk({ role: 'assistant', content: '' }),
  ...between,
  chunk({}, { finish_reason: 'stop' }),
  { event: null, data: '[DONE]' },
];
const opening = (at: number, more: object = {}) => chunk({ tool_calls: [callOf(at, more)] });
const UNFINISHED = { function: { name: 'f', arguments: '{"a":"' } };
const EMPTY = { function: { name: 'f', arguments: '' } };

const CHAT: Streams = {
  'deltas of text': (count) => chunks(...many(count, () => chunk({ content: 'a' }))),
  'deltas with logprobs': (count) =>
    chunks(...many(count, () => chunk({ content: 'a' }, { logprobs: { content: [LOGPROB] } }))),
  choices: (count) =>
    chunks(...many(count, (at) => chunk({ content: 'a' }, { index: at % 128, finish_reason: 'stop' }))),
  'chunks that each open a call': (count) => chunks(...many(count, (at) => opening(at))),
  'chunks that each open an empty call': (count) => chunks(...many(count, (at) => opening(at, EMPTY))),
  'chunks that each open a call of the same index': (count) =>
    chunks(...many(count, (at) => opening(at, { index: 0 }))),
  'chunks that each open an unfinished call': (count) => chunks(...many(count, (at) => opening(at, UNFINISHED))),
  'one chunk of empty calls': (count) =>
    chunks(chunk({ tool_calls: many(count, (at) => callOf(at, { ...EMPTY, id: '' })) })),
  'one chunk of calls without index': (count) =>
    chunks(chunk({ tool_calls: many(count, (at) => callOf(at, { index: undefined })) })),
  'one chunk of calls with one id': (count) =>
    chunks(chunk({ tool_calls: many(count, (at) => callOf(at, { id: 'same' })) })),
  'deltas of one call': (count) =>
    chunks(
      opening(0, UNFINISHED),
      ...many(count, () => chunk({ tool_calls: [{ index: 0, function: { arguments: 'a' } }] })),
    ),
  'deltas of one call that repeat its name': (count) =>
    chunks(...many(count, () => chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{"a":1' } }] }))),
  'deltas of one call between others': (count) =>
    chunks(
      opening(0, UNFINISHED),
      ...many(count, (at) =>
        at % 2 ? opening(at, UNFINISHED) : chunk({ tool_calls: [{ index: 0, function: { arguments: 'aaaaaaaa' } }] }),
      ),
    ),
  'deltas of many calls': (count) =>
    chunks(
      ...many(count, (at) => opening(at, EMPTY)),
      ...many(count, (index) => chunk({ tool_calls: [{ index, function: { arguments: '{}' } }] })),
    ),
  annotations: (count) => chunks(...many(count, () => chunk({ content: 'a', annotations: [CITATION] }))),
  'one chunk of annotations': (count) => chunks(chunk({ content: 'a', annotations: many(count, () => CITATION) })),
  'deltas of reasoning': (count) => chunks(...many(count, () => chunk({ reasoning_content: 'a' }))),
  'reasoning details': (count) => chunks(...many(count, () => chunk({ reasoning_details: [DETAIL] }))),
  'reasoning details with members of their own': (count) =>
    chunks(...many(count, (at) => chunk({ reasoning_details: [{ ...DETAIL, [`member_${at}`]: 1 }] }))),
  'reasoning details of two kinds in turns': (count) =>
    chunks(...many(count, (at) => chunk({ reasoning_details: [{ ...DETAIL, type: `kind.${at % 2}` }] }))),
  'reasoning parts': (count) =>
    chunks(...many(count, (index) => chunk({ reasoning_details: [{ ...DETAIL, index, signature: 's' }] }))),
  'text and reasoning in turns': (count) =>
    chunks(...many(count, (at) => chunk(at % 2 ? { content: 'a' } : { reasoning_content: 'a' }))),
  images: (count) => chunks(...many(count, () => chunk({ images: [{ image_url: { url: 'u' } }] }))),
  audio: (count) => chunks(...many(count, (at) => chunk({ audio: { data: 'AAAA', [`member_${at}`]: 1 } }))),
  'unknown members': (count) => chunks(chunk({ content: 'a', ...named(count) })),
};

const started = event({
  type: 'message_start',
  message: { ...message(), stop_reason: null, usage: { input_tokens: 1 } },
});
const begun = (index: number, content_block: object) => event({ type: 'content_block_start', index, content_block });
const grown = (index: number, delta: object) => event({ type: 'content_block_delta', index, delta });
const closed = (index: number) => event({ type: 'content_block_stop', index });
const told = (usage: object) => event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
const blocks = (...between: StreamEvent[]) => [
  started,
  ...between,
  told({ output_tokens: 1 }),
  event({ type: 'message_stop' }),
];
const toolUse = (at: number) => ({ type: 'tool_use', id: `t${at}`, name: 'f', input: {} });
const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });

const MESSAGES: Streams = {
  'deltas of text': (count) =>
    blocks(begun(0, block('')), ...many(count, () => grown(0, { type: 'text_delta', text: 'a' }))),
  'content blocks': (count) => blocks(...many(count, (at) => [begun(at, block()), closed(at)]).flat()),
  'content blocks without end': (count) => blocks(...many(count, (at) => begun(at, block()))),
  'content blocks at the start': (count) => [
    event({ type: 'message_start', message: message(...many(count, () => block())) }),
    ...blocks().slice(1),
  ],
  'tool calls': (count) =>
    blocks(...many(count, (at) => [begun(at, toolUse(at)), grown(at, json('{}')), closed(at)]).flat()),
  'tool calls without end': (count) => blocks(...many(count, (at) => begun(at, toolUse(at)))),
  'deltas of calls in turns': (count) =>
    blocks(
      ...many(count, (at) => begun(at, toolUse(at))),
      ...many(count, (at) => grown(at, json('{}'))),
      ...many(count, (at) => closed(count - 1 - at)),
    ),
  'deltas of blocks that never began': (count) =>
    blocks(...many(count, (at) => grown(at, { type: 'text_delta', text: 'a' }))),
  citations: (count) =>
    blocks(
      begun(0, block()),
      ...many(count, () =>
        grown(0, { type: 'citations_delta', citation: { type: 'web_search_result_location', url: 'u' } }),
      ),
    ),
  'reasoning parts': (count) =>
    blocks(...many(count, (at) => [begun(at, { type: 'thinking', thinking: 't', signature: 's' }), closed(at)]).flat()),
  'deltas of a signature': (count) =>
    blocks(
      begun(0, { type: 'thinking', thinking: 't', signature: '' }),
      ...many(count, () => grown(0, { type: 'signature_delta', signature: 's' })),
    ),
  'deltas with members of their own': (count) =>
    blocks(begun(0, { type: 'compaction' }), ...many(count, (at) => grown(0, { type: 'x', [`member_${at}`]: 1 }))),
  'usage with members of its own': (count) => blocks(...many(count, (at) => told({ [`member_${at}`]: 1 }))),
};

const item = (step: 'added' | 'done', output_index: number, inner: object) =>
  event({ type: `response.output_item.${step}`, output_index, item: inner });
const responses = (...between: StreamEvent[]) => [
  event({ type: 'response.created', response: response() }),
  ...between,
  event({ type: 'response.completed', response: response() }),
];
const textDelta = (more: object) =>
  event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'a', ...more });

const RESPONSES: Streams = {
  'deltas of text': (count) => responses(item('added', 0, spoken('msg')), ...many(count, () => textDelta({}))),
  'deltas with logprobs': (count) =>
    responses(item('added', 0, spoken('msg')), ...many(count, () => textDelta({ logprobs: [LOGPROB] }))),
  'deltas and short words in turns': (count) =>
    responses(
      item('added', 0, spoken('msg')),
      ...many(count, (at) =>
        at % 2
          ? textDelta({ delta: 'aaaaaaaa' })
          : event({ type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'b' }),
      ),
    ),
  contents: (count) =>
    responses(item('added', 0, spoken('msg')), ...many(count, (at) => textDelta({ content_index: at }))),
  'contents in turns': (count) =>
    responses(
      item('added', 0, spoken('msg')),
      ...many(count, (at) => textDelta({ content_index: at })),
      ...many(count, (at) => textDelta({ content_index: at })),
    ),
  items: (count) =>
    responses(
      ...many(count, (at) => [
        item('added', at, spoken(`m${at}`)),
        textDelta({ output_index: at, item_id: `m${at}` }),
      ]).flat(),
    ),
  'items that are done': (count) =>
    responses(...many(count, (at) => item('done', at, spoken(`m${at}`, { type: 'output_text', text: 'a' })))),
  'items told at the end alone': (count) => [
    event({ type: 'response.created', response: response() }),
    event({ type: 'response.completed', response: response(...many(count, functionCall)) }),
  ],
  'items with other ids at the end': (count) => [
    event({ type: 'response.created', response: response() }),
    ...many(count, (at) => item('added', at, { ...functionCall(at), id: `other_${at}` })),
    event({ type: 'response.completed', response: response(...many(count, functionCall)) }),
  ],
  'tool calls': (count) => responses(...many(count, (at) => item('added', at, functionCall(at)))),
  'deltas of a call': (count) =>
    responses(
      item('added', 0, { ...functionCall(0), arguments: '' }),
      ...many(count, () => event({ type: 'response.function_call_arguments.delta', output_index: 0, delta: 'a' })),
    ),
  annotations: (count) =>
    responses(
      item('added', 0, spoken('msg')),
      textDelta({}),
      ...many(count, () =>
        event({
          type: 'response.output_text.annotation.added',
          output_index: 0,
          content_index: 0,
          annotation: { type: 'url_citation', url: 'u' },
        }),
      ),
    ),
  'reasoning parts': (count) =>
    responses(
      ...many(count, (at) =>
        item('done', at, { id: `rs_${at}`, type: 'reasoning', summary: [{ text: 's' }], encrypted_content: 'e' }),
      ),
    ),
  'pieces of reasoning': (count) =>
    responses(
      item('added', 0, { id: 'rs', type: 'reasoning' }),
      ...many(count, (at) =>
        event({ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: at, delta: 'a' }),
      ),
    ),
};

/** Streams, event by event, in which one thing stands `count` times. */
export const STREAMS: Readonly<Record<string, Streams>> = {
  'openai-chat': CHAT,
  'anthropic-messages': MESSAGES,
  'openai-responses': RESPONSES,
};
