/** Bodies of calls in which one thing stands `count` times, by the dialect they are of. */
export type Bodies = Readonly<Record<string, (count: number) => object>>;

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, value: unknown = 1): Record<string, unknown> =>
  Object.fromEntries(many(count, (at) => [`member_${at}`, value]));

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const USER = { role: 'user', content: 'a' };
const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } });
const chatCalls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(chatCall) });
const chatResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' });
const chat = (...messages: object[]) => ({ messages: [USER, ...messages] });
const detail = (more: object) => ({ type: 'reasoning.text', text: 't', index: 0, ...more });

const CHAT: Bodies = {
  'turns of user and assistant': (count) => chat(...many(count, (at) => ({ role: ROLES[at % 2], content: 'a' }))),
  'turns of the user': (count) => chat(...many(count, () => USER)),
  'turns of the assistant': (count) => chat(...many(count, () => ({ role: 'assistant', content: 'a' }))),
  'turns of calls': (count) => chat(...many(count, (at) => chatCalls(`c${at}`))),
  'system texts between turns': (count) =>
    chat(...many(count, (at) => ({ role: at % 2 ? 'user' : 'developer', content: 'a' }))),
  'system texts alone': (count) => ({ messages: many(count, () => ({ role: 'system', content: 'a' })) }),
  'system parts': (count) => chat({ role: 'system', content: many(count, () => ({ type: 'text', text: 'a' })) }),
  'texts of a turn': (count) => chat({ role: 'user', content: many(count, () => ({ type: 'text', text: 'a' })) }),
  'long texts of a turn': (count) =>
    chat({ role: 'user', content: many(count, () => ({ type: 'text', text: 'word '.repeat(20) })) }),
  'cache marks': (count) =>
    chat({
      role: 'user',
      content: many(count, () => ({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } })),
    }),
  images: (count) =>
    chat({
      role: 'user',
      content: many(count, () => ({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })),
    }),
  'texts of the assistant': (count) =>
    chat({ role: 'assistant', content: many(count, () => ({ type: 'text', text: 'a' })) }),
  'calls that share one id': (count) => chat(...many(count, () => chatCalls('same'))),
  'calls of one turn that share one id': (count) => chat(chatCalls(...many(count, () => 'same'))),
  'calls with ids of their own': (count) => chat(chatCalls(...many(count, (at) => `call_${at}`))),
  'calls with ids that no vendor takes': (count) =>
    chat(chatCalls(...many(count, (at) => `call#${at}${'x'.repeat(70)}`))),
  'results with one id': (count) => chat(chatCalls('c'), ...many(count, () => chatResult('c'))),
  'results with many ids': (count) =>
    chat(chatCalls(...many(count, (at) => `c${at}`)), ...many(count, (at) => chatResult(`c${at}`))),
  'results with no call': (count) => chat(...many(count, (at) => chatResult(`c${at}`))),
  'results between system texts': (count) =>
    chat(chatCalls('c'), ...many(count, (at) => (at % 2 ? chatResult('c') : { role: 'system', content: 'a' }))),
  'rounds of calls and results': (count) =>
    chat(...many(count, (at) => (at % 2 ? chatResult(`c${at - 1}`) : chatCalls(`c${at}`)))),
  'user texts behind a result': (count) => chat(chatCalls('c'), chatResult('c'), ...many(count, () => USER)),
  'calls in the old words': (count) =>
    chat(
      ...many(count, () => ({ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } })),
      ...many(count, (at) => ({ role: 'function', name: at % 2 ? 'f' : 'g', content: 'r' })),
    ),
  'reasoning details of one index': (count) =>
    chat({ role: 'assistant', content: 'a', reasoning_details: many(count, () => detail({})) }),
  'reasoning details of two kinds in turns': (count) =>
    chat({
      role: 'assistant',
      content: 'a',
      reasoning_details: many(count, (at) => detail({ type: `kind.${at % 2}` })),
    }),
  'reasoning details with members of their own': (count) =>
    chat({ role: 'assistant', content: 'a', reasoning_details: many(count, (at) => detail({ [`member_${at}`]: 1 })) }),
  'sealed reasoning details': (count) =>
    chat({
      role: 'assistant',
      content: 'a',
      reasoning_details: many(count, (at) => detail({ index: at, signature: 's' })),
    }),
  'seals beside calls': (count) =>
    chat({
      role: 'assistant',
      content: null,
      tool_calls: many(count, (at) => ({
        ...chatCall(`c${at}`),
        extra_content: { google: { thought_signature: 's' } },
      })),
    }),
  tools: (count) => ({
    ...chat(),
    tools: many(count, (at) => ({ type: 'function', function: { name: `f${at}`, parameters: SCHEMA } })),
  }),
  'custom tools': (count) => ({
    ...chat(),
    tools: many(count, (at) => ({ type: 'custom', custom: { name: `f${at}` } })),
  }),
  'tools of unknown kinds': (count) => ({ ...chat(), tools: many(count, (at) => ({ type: `kind_${at}` })) }),
  'tools that are allowed': (count) => ({
    ...chat(),
    tools: many(count, (at) => ({ type: 'function', function: { name: `f${at}`, parameters: SCHEMA } })),
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: many(count, (at) => ({ type: 'function', function: { name: `f${at}` } })) },
    },
  }),
  'members of a schema': (count) => ({
    ...chat(),
    response_format: {
      type: 'json_schema',
      json_schema: { schema: { type: 'object', properties: named(count, { type: 'object' }) } },
    },
  }),
  'stop sequences': (count) => ({ ...chat(), stop: many(count, (at) => `s${at}`) }),
  'unknown members': (count) => ({ ...chat(), unknown: named(count) }),
  'unknown parts': (count) => chat({ role: 'user', content: many(count, (at) => ({ type: `kind_${at}` })) }),
  metadata: (count) => ({ ...chat(), metadata: named(count, 'v') }),
  'biased tokens': (count) => ({ ...chat(), logit_bias: named(count) }),
};
const ROLES = ['user', 'assistant'];

const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' });
const says = (...content: object[]) => ({ role: 'assistant', content });
const asks = (...content: object[]) => ({ role: 'user', content });
const messages = (...turns: object[]) => ({ max_tokens: 9, messages: [USER, ...turns] });
const textBlock = { type: 'text', text: 'a' };

const MESSAGES: Bodies = {
  'turns of user and assistant': (count) => messages(...many(count, (at) => ({ role: ROLES[at % 2], content: 'a' }))),
  'turns of the assistant': (count) => messages(...many(count, () => ({ role: 'assistant', content: 'a' }))),
  'turns of calls': (count) => messages(...many(count, (at) => says(use(`c${at}`)))),
  'system texts between turns': (count) =>
    messages(...many(count, (at) => ({ role: at % 2 ? 'user' : 'system', content: 'a' }))),
  'system parts': (count) => ({ ...messages(), system: many(count, () => textBlock) }),
  'blocks of a turn': (count) => messages(asks(...many(count, () => textBlock))),
  'blocks of the assistant': (count) => messages(says(...many(count, () => textBlock))),
  'cache marks': (count) =>
    messages(asks(...many(count, () => ({ ...textBlock, cache_control: { type: 'ephemeral' } })))),
  'calls that share one id': (count) => messages(...many(count, () => says(use('same')))),
  'calls of one turn that share one id': (count) => messages(says(...many(count, () => use('same')))),
  'results with one id': (count) => messages(says(use('c')), ...many(count, () => asks(result('c')))),
  'results of one turn with many ids': (count) =>
    messages(says(...many(count, (at) => use(`c${at}`))), asks(...many(count, (at) => result(`c${at}`)))),
  'results with no call': (count) => messages(...many(count, (at) => asks(result(`c${at}`)))),
  'results and texts in turns': (count) => messages(asks(...many(count, (at) => (at % 2 ? textBlock : result('c'))))),
  'blocks of a document': (count) =>
    messages(asks({ type: 'document', source: { type: 'content', content: many(count, () => textBlock) } })),
  citations: (count) =>
    messages(
      says({
        ...textBlock,
        citations: many(count, () => ({ type: 'web_search_result_location', url: 'u', encrypted_index: 'e' })),
      }),
    ),
  thinking: (count) => messages(says(...many(count, () => ({ type: 'thinking', thinking: 't', signature: 's' })))),
  'thinking in turns': (count) => ({
    ...messages(...many(count, () => says({ type: 'thinking', thinking: 't', signature: 's' }))),
    thinking: { type: 'enabled', budget_tokens: 2000 },
  }),
  'unknown blocks': (count) => messages(asks(...many(count, (at) => ({ type: `kind_${at}` })))),
  tools: (count) => ({ ...messages(), tools: many(count, (at) => ({ name: `f${at}`, input_schema: SCHEMA })) }),
  'tools with members of their own': (count) => ({
    ...messages(),
    tools: many(count, (at) => ({ name: 'f', input_schema: SCHEMA, [`member_${at}`]: 1 })),
  }),
  'stop sequences': (count) => ({ ...messages(), stop_sequences: many(count, (at) => `s${at}`) }),
  'unknown members': (count) => ({ ...messages(), unknown: named(count) }),
};

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{"a":1}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'r' });
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] };
const input = (...items: object[]) => ({ input: [USER, ...items] });

const RESPONSES: Bodies = {
  'turns of user and assistant': (count) => input(...many(count, (at) => (at % 2 ? said : USER))),
  'turns of the assistant': (count) => input(...many(count, () => said)),
  'system texts between turns': (count) =>
    input(...many(count, (at) => ({ role: at % 2 ? 'user' : 'developer', content: 'a' }))),
  'texts of a message': (count) =>
    input({ role: 'user', content: many(count, () => ({ type: 'input_text', text: 'a' })) }),
  'texts of the assistant': (count) =>
    input({ type: 'message', role: 'assistant', content: many(count, () => ({ type: 'output_text', text: 'a' })) }),
  'calls that share one id': (count) => input(...many(count, () => call('same'))),
  'calls with ids of their own': (count) => input(...many(count, (at) => call(`c${at}`))),
  'results with one id': (count) => input(call('c'), ...many(count, () => output('c'))),
  'results with many ids': (count) =>
    input(...many(count, (at) => call(`c${at}`)), ...many(count, (at) => output(`c${at}`))),
  'results with no call': (count) => input(...many(count, (at) => output(`c${at}`))),
  'results between system texts': (count) =>
    input(...many(count, (at) => (at % 2 ? output('none') : { role: 'system', content: 'a' }))),
  'rounds of calls and results': (count) =>
    input(...many(count, (at) => (at % 2 ? output(`c${at - 1}`) : call(`c${at}`)))),
  'reasoning items': (count) =>
    input(...many(count, (at) => ({ type: 'reasoning', id: `r${at}`, summary: [], encrypted_content: 'e' }))),
  'summaries of reasoning': (count) =>
    input({ type: 'reasoning', id: 'r', summary: many(count, () => ({ type: 'summary_text', text: 's' })) }),
  annotations: (count) =>
    input({
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'a', annotations: many(count, () => ({ type: 'url_citation', url: 'u' })) },
      ],
    }),
  'unknown items': (count) => input(...many(count, (at) => ({ type: `kind_${at}` }))),
  tools: (count) => ({
    ...input(),
    tools: many(count, (at) => ({ type: 'function', name: `f${at}`, parameters: SCHEMA })),
  }),
  'unknown members': (count) => ({ ...input(), unknown: named(count) }),
  'unknown members of text': (count) => ({ ...input(), text: named(count) }),
  'unknown words of include': (count) => ({ ...input(), include: many(count, (at) => `i${at}`) }),
  'items without anything but an id': (count) => input(...many(count, (at) => ({ id: `i${at}` }))),
};

const EMBEDDINGS: Bodies = {
  'texts to embed': (count) => ({ input: many(count, () => 'a text') }),
  'tokens to embed': (count) => ({ input: many(count, (at) => at) }),
  'lists of tokens': (count) => ({ input: many(count, (at) => [at, at]) }),
  'unknown members': (count) => ({ input: 'a', unknown: named(count) }),
};

export const CALLS: Readonly<Record<string, Bodies>> = {
  'openai-chat': CHAT,
  'anthropic-messages': MESSAGES,
  'openai-responses': RESPONSES,
  'openai-embeddings': EMBEDDINGS,
};
