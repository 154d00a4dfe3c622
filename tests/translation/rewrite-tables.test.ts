import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call, UserPart } from '../../src/core/call.ts';
import { DIALECTS } from '../../src/dialects/built.ts';
import { caseContext, caseWriteOptions } from '../../src/dialects/contract/cases.ts';
import type { Translation } from '../../src/dialects/dialect.ts';
import { answerOfEvents, eventsOfWhole } from '../../src/pipeline/translation/answer-forms.ts';
import { atOnce } from '../../src/pipeline/turns.ts';
import { holdTable } from './documents.ts';

/** Tables of `docs/translation.md` whose cells are what the readers and writers make of an example. */
const FORMATS = { chat: 'openai-chat', responses: 'openai-responses', messages: 'anthropic-messages' } as const;
type Format = keyof typeof FORMATS;
const NAMES = Object.keys(FORMATS) as Format[];

function dialectOf(format: Format) {
  return DIALECTS.find(({ id }) => id === FORMATS[format])!;
}

function translationOf(format: Format): Translation {
  return dialectOf(format).translation!;
}

const PAGE = 'https://a.invalid/rain';
const TEXT = 'It rains.';

/** A whole answer of a vendor with members in its text, and beside it. */
const ANSWERED: Record<Format, (within: object, beside?: object) => object> = {
  chat: (within, beside = {}) => ({
    id: 'c',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT, ...within }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
    ...beside,
  }),
  responses: (within) => ({
    id: 'resp_1',
    model: 'm',
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: TEXT, ...within }] }],
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  messages: (within) => ({
    id: 'msg_1',
    type: 'message',
    model: 'm',
    content: [{ type: 'text', text: TEXT, ...within }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
};

const RESULT = { type: 'search_result_location', title: 'R', cited_text: 'r', search_result_index: 0 };
const CITED: readonly [Format, string, object, object?][] = [
  ['chat', '`url_citation`', { annotations: [{ type: 'url_citation', url_citation: { url: PAGE, title: 'R' } }] }],
  ['chat', 'a list `citations` or `search_results` (Perplexity, xAI)', {}, { citations: [PAGE] }],
  ['chat', 'a list `web_search` (Z.ai)', {}, { web_search: [{ link: PAGE, title: 'R' }] }],
  ['chat', '`search_info` (Alibaba)', {}, { search_info: { search_results: [{ url: PAGE }] } }],
  ['chat', '`tool_reference` (Mistral)', { content: [{ type: 'tool_reference', url: PAGE, title: 'R' }] }],
  ['chat', '`reference` (Mistral)', { content: [{ type: 'reference', reference_ids: [1] }] }],
  [
    'chat',
    '`grounding_metadata` (Gemini behind gateways, also in `extra_content.google`)',
    {},
    { grounding_metadata: { grounding_chunks: [{ web: { uri: PAGE, title: 'R' } }] } },
  ],
  [
    'chat',
    '`vertex_ai_grounding_metadata` (LiteLLM)',
    {},
    { vertex_ai_grounding_metadata: [{ groundingChunks: [{ web: { uri: PAGE, title: 'R' } }] }] },
  ],
  [
    'chat',
    '`vertex_ai_citation_metadata` (LiteLLM)',
    {},
    { vertex_ai_citation_metadata: [{ citations: [{ startIndex: 0, endIndex: 2, uri: PAGE }] }] },
  ],
  [
    'chat',
    '`vertex_ai_url_context_metadata` (LiteLLM)',
    {},
    { vertex_ai_url_context_metadata: [{ urlMetadata: [{ retrievedUrl: PAGE }] }] },
  ],
  ['chat', '`context.citations` (Azure)', { context: { citations: [{ url: PAGE, title: 'R', content: 'r' }] } }],
  [
    'chat',
    '`provider_specific_fields.citations` (LiteLLM)',
    { provider_specific_fields: { citations: [[{ type: 'web_search_result_location', url: PAGE, title: 'R' }]] } },
  ],
  ['chat', 'an entry of these lists without an address (Cohere)', { citations: [{ start: 0, end: 2, text: 'It' }] }],
  ['responses', '`url_citation`', { annotations: [{ type: 'url_citation', url: PAGE, title: 'R' }] }],
  ['responses', '`file_citation`', { annotations: [{ type: 'file_citation', file_id: 'file-1', index: 0 }] }],
  ['messages', '`web_search_result_location`', { citations: [{ type: 'web_search_result_location', url: PAGE }] }],
  ['messages', '`search_result_location` at an address', { citations: [{ ...RESULT, source: PAGE }] }],
  ['messages', '`search_result_location` elsewhere', { citations: [{ ...RESULT, source: 'doc-1' }] }],
  ['messages', '`char_location`', { citations: [{ type: 'char_location', document_index: 0, cited_text: 'r' }] }],
  ['messages', '`page_location`', { citations: [{ type: 'page_location', document_index: 0, cited_text: 'r' }] }],
];

test('docs/translation.md says what becomes of each kind of citation', () => {
  const rows = CITED.map(([from, name, within, beside]) => {
    const body = Buffer.from(JSON.stringify(ANSWERED[from](within, beside)));
    const cells = NAMES.map((to) => {
      if (to === from) return '';
      const written = translationOf(to).writeAnswer(translationOf(from).readAnswer(body), caseContext());
      if (written.dropped.includes('citations')) return 'told as `citations`';
      const [kind] = /url_citation|web_search_result_location/.exec(String(written.body)) ?? ['lost'];
      return `\`${kind}\``;
    });
    return [from, name, ...cells];
  });
  holdTable('Citations', ['From', 'Citation', 'As chat', 'As responses', 'As messages'], rows);
});

const WORD = { kind: 'text', text: 'a' } as const;
const BLANK = { kind: 'text', text: ' ' } as const;
const IMAGE: UserPart = { kind: 'image', source: { kind: 'url', url: PAGE } };
const CALLED = { kind: 'tool-call', id: 'call_1', name: 'look', input: '', form: 'function' } as const;

function conversation(result: readonly UserPart[], said: readonly UserPart[]): Call {
  return {
    tools: [{ kind: 'function', name: 'look', parameters: { type: 'object' } }],
    messages: [
      { role: 'user', parts: said },
      { role: 'assistant', parts: [CALLED] },
      {
        role: 'tool',
        parts: [{ kind: 'tool-result', callId: 'call_1', parts: result, isError: false, form: 'function' }],
      },
    ],
  };
}

function sent(format: Format, call: Call): string {
  return String(translationOf(format).writeCall(call, caseWriteOptions({})).body);
}

/** What a call holds, and what is seen of it in the body for a vendor. */
const REWRITTEN: readonly [string, Call, (body: string) => string][] = [
  [
    'A text of nothing but white space',
    conversation([WORD], [WORD, BLANK]),
    (body) => (/"text":" "|"a "/.test(body) ? 'stays' : 'is left out'),
  ],
  [
    'An image in the result of a tool',
    conversation([WORD, IMAGE], [WORD]),
    (body) => {
      const { messages = [], input = [] } = JSON.parse(body) as { messages?: object[]; input?: object[] };
      const place = [...messages, ...input].findIndex((turn) => JSON.stringify(turn).includes(PAGE));
      const holds = JSON.stringify([...messages, ...input][place]);
      return /tool_result|function_call_output/.test(holds) ? 'stays in it' : 'follows in a user turn';
    },
  ],
  [
    'No arguments of a function',
    conversation([WORD], [WORD]),
    (body) => (/"arguments":"\{\}"|"input":\{\}/.test(body) ? 'are `{}`' : 'stay'),
  ],
];

test('docs/translation.md says what is rewritten in calls for vendors of each format', () => {
  const rows = REWRITTEN.map(([what, call, seen]) => [what, ...NAMES.map((format) => seen(sent(format, call)))]);
  holdTable('What each format gets', ['What', 'Chat', 'Responses', 'Messages'], rows);
});

test('docs/translation.md says what becomes of an answer in the other form, in every format', () => {
  for (const format of NAMES) {
    const dialect = dialectOf(format);
    const whole = Buffer.from(JSON.stringify(ANSWERED[format]({})));
    const events = atOnce(eventsOfWhole(dialect, whole));
    assert.equal(events.at(-1)?.kind, 'finish', format);
    const writer = translationOf(format).writeEvents(caseContext());
    const stream = Buffer.from(events.flatMap((event) => writer.push(event)).join(''));
    assert.match(JSON.stringify(atOnce(answerOfEvents(dialect, 1, stream))), /It rains/, format);
    const [cut] = stream.toString().split('\n\n');
    assert.throws(() => atOnce(answerOfEvents(dialect, 1, Buffer.from(`${cut}\n\n`))), format);
  }
  holdTable(
    'Answers in the other form',
    ['Asked for', 'Answered', 'What the caller gets'],
    [
      ['a whole answer', 'a stream of events', 'what the events add up to; a failure where they are cut'],
      ['a stream', 'one JSON object', 'its events'],
    ],
  );
});
