import { DONE } from '../../src/testing/answers.ts';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, jsonReply, type Plan, streamReply, type VendorRequest } from '../../src/testing/reply.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';

/** One answer of a vendor, in no dialect's words. What a dialect has no word for is left out. */
export type Turn = {
  reasoning?: { id: string; text: string; seal: string };
  text?: string;
  calls?: readonly { id: string; name: string; namespace?: string; input: Json }[];
  /** `cached`: the part of `input` that came from a cache. */
  usage: { input: number; output: number; cached?: number };
};

type Json = Readonly<Record<string, unknown>>;

/** How a dialect writes an answer: whole, and as the frames of its stream. Written without any of the gateway's writers. */
type Script = {
  whole(turn: Turn, request: VendorRequest): Json;
  frames(whole: Json, request: VendorRequest): Buffer[];
};

/** 2026-01-01 */
const CREATED = 1_767_225_600;

/** A vendor of a dialect that gives these answers, one for each call, whole or streamed as asked. */
export function scripted(dialect: RecordedDialect, turns: readonly Turn[]): Plan {
  const left = [...turns];
  const { whole, frames } = SCRIPTS[dialect];
  return (request) => {
    const turn = left.shift();
    if (turn === undefined) return jsonReply(500, { error: { message: 'the script has no further answer' } });
    const body = whole(turn, request);
    return request.stream ? streamReply(frames(body, request)) : jsonReply(200, body);
  };
}

/** A vendor of all dialects that always gives this answer, in the one that it is called in. */
export function answering(turn: Turn): Plan {
  return (request) => {
    const dialect = DIALECTS.find((each) => request.path.endsWith(PATHS[each].slice('/v1'.length))) ?? 'openai-chat';
    return scripted(dialect, [turn])(request);
  };
}

const SCRIPTS: Record<RecordedDialect, Script> = {
  'openai-chat': {
    whole: ({ reasoning, text, calls = [], usage }, { serial, model }) => ({
      id: `chatcmpl-${serial}`,
      object: 'chat.completion',
      created: CREATED,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text ?? null,
            refusal: null,
            ...(reasoning && thoughts(reasoning.text, reasoning.seal)),
            ...(calls.length > 0 && {
              tool_calls: calls.map(({ id, name, input }) => ({
                id,
                type: 'function',
                function: { name, arguments: JSON.stringify(input) },
              })),
            }),
          },
          logprobs: null,
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        },
      ],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
      },
    }),
    frames: chatFrames,
  },
  'openai-responses': {
    whole: ({ reasoning, text, calls = [], usage }, { serial, model, json }) => ({
      id: `resp_${serial}`,
      object: 'response',
      created_at: CREATED,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model,
      output: [
        ...(reasoning
          ? [
              {
                id: reasoning.id,
                type: 'reasoning',
                summary: [{ type: 'summary_text', text: reasoning.text }],
                encrypted_content: reasoning.seal,
              },
            ]
          : []),
        ...(text === undefined
          ? []
          : [
              {
                id: `msg_${serial}`,
                type: 'message',
                status: 'completed',
                role: 'assistant',
                content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
              },
            ]),
        ...calls.map(({ id, name, namespace, input }) => ({
          id: `fc_${id}`,
          type: 'function_call',
          status: 'completed',
          call_id: id,
          name,
          ...(namespace !== undefined && { namespace }),
          arguments: JSON.stringify(input),
        })),
      ],
      parallel_tool_calls: true,
      temperature: 1,
      text: field(json, 'text') ?? { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: field(json, 'tools') ?? [],
      top_p: 1,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: usage.cached ?? 0 },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    }),
    frames: responsesFrames,
  },
  'anthropic-messages': {
    whole: ({ reasoning, text, calls = [], usage }, { serial, model }) => ({
      id: `msg_${serial}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [
        ...(reasoning ? [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.seal }] : []),
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
      ],
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: usage.input - (usage.cached ?? 0),
        output_tokens: usage.output,
        ...(usage.cached !== undefined && { cache_read_input_tokens: usage.cached }),
      },
    }),
    frames: messagesFrames,
  },
};

type ChatMessage = {
  content: string | null;
  reasoning?: string;
  reasoning_details?: { signature: string }[];
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};

/** Chat has no word of its own for reasoning and its proof: these are OpenRouter's. */
function thoughts(reasoning: string, signature: string | null = null): Json {
  const detail = { type: 'reasoning.text', text: reasoning, signature, format: 'anthropic-claude-v1', index: 0 };
  return { reasoning, reasoning_details: [detail] };
}

/** The arguments of parallel calls come by turns, as some vendors send them. */
function chatFrames({ choices, usage, ...stamp }: Json, request: VendorRequest): Buffer[] {
  const [choice] = choices as [{ message: Json; finish_reason: string }];
  const { content, reasoning, reasoning_details: [detail] = [], tool_calls = [] } = choice.message as ChatMessage;
  const pieces = tool_calls.map((call) => halves(call.function.arguments));
  const deltas: Json[] = [
    { role: 'assistant', content: content === null ? null : '' },
    ...(reasoning === undefined ? [] : halves(reasoning).map((piece) => thoughts(piece))),
    ...(detail === undefined ? [] : [thoughts('', detail.signature)]),
    ...(content === null ? [] : halves(content).map((piece) => ({ content: piece }))),
    ...tool_calls.map(({ id, function: { name } }, index) => ({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
    })),
    ...[0, 1].flatMap((half) =>
      pieces.map((both, index) => ({ tool_calls: [{ index, function: { arguments: both[half] } }] })),
    ),
  ];
  const asked = field(request.json, 'stream_options', 'include_usage') === true;
  const last = { index: 0, delta: {}, finish_reason: choice.finish_reason };
  const bodies: Json[] = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [last] },
    ...(asked ? [{ choices: [], usage }] : []),
  ];
  return [...bodies.map((body) => frame({ ...stamp, object: 'chat.completion.chunk', ...body })), DONE];
}

function responsesFrames(response: Json): Buffer[] {
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...(response.output as readonly Json[]).flatMap(itemEvents),
    { type: 'response.completed', response },
  ];
  return events.map((event, index) => namedFrame({ ...event, sequence_number: index }));
}

function itemEvents(item: Json, output_index: number): (Json & { type: string })[] {
  const at = { item_id: item.id, output_index };
  const added = (empty: Json) => ({ type: 'response.output_item.added', output_index, item: { ...item, ...empty } });
  const done = { type: 'response.output_item.done', output_index, item };
  switch (item.type) {
    case 'reasoning': {
      const { text } = (item.summary as [{ text: string }])[0];
      const part = { ...at, summary_index: 0 };
      const empty = { type: 'summary_text', text: '' };
      return [
        added({ summary: [], encrypted_content: '' }),
        { type: 'response.reasoning_summary_part.added', ...part, part: empty },
        ...halves(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...part, delta })),
        { type: 'response.reasoning_summary_text.done', ...part, text },
        { type: 'response.reasoning_summary_part.done', ...part, part: { ...empty, text } },
        done,
      ];
    }
    case 'message': {
      const [content] = item.content as [Json];
      const part = { ...at, content_index: 0 };
      return [
        added({ status: 'in_progress', content: [] }),
        { type: 'response.content_part.added', ...part, part: { ...content, text: '' } },
        ...halves(content.text).map((delta) => ({ type: 'response.output_text.delta', ...part, delta, logprobs: [] })),
        { type: 'response.output_text.done', ...part, text: content.text, logprobs: [] },
        { type: 'response.content_part.done', ...part, part: content },
        done,
      ];
    }
    default:
      return [
        added({ status: 'in_progress', arguments: '' }),
        ...halves(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
        { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments },
        done,
      ];
  }
}

function messagesFrames(message: Json): Buffer[] {
  const { content, stop_reason, stop_sequence, usage } = message;
  const { output_tokens, ...input } = usage as { input_tokens: number; output_tokens: number };
  const begun = { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } };
  return [
    { type: 'message_start', message: begun },
    { type: 'ping' },
    ...(content as readonly Json[]).flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens } },
    { type: 'message_stop' },
  ].map(namedFrame);
}

function blockEvents(block: Json, index: number): (Json & { type: string })[] {
  const start = (empty: Json) => ({ type: 'content_block_start', index, content_block: { ...block, ...empty } });
  const delta = (type: string, name: string) => (piece: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type, [name]: piece },
  });
  const stop = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'thinking':
      return [
        start({ thinking: '', signature: '' }),
        ...halves(block.thinking).map(delta('thinking_delta', 'thinking')),
        delta('signature_delta', 'signature')(String(block.signature)),
        stop,
      ];
    case 'text':
      return [start({ text: '' }), ...halves(block.text).map(delta('text_delta', 'text')), stop];
    default:
      return [
        start({ input: {} }),
        ...halves(JSON.stringify(block.input)).map(delta('input_json_delta', 'partial_json')),
        stop,
      ];
  }
}

function namedFrame(event: Json & { type: string }): Buffer {
  return Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function halves(value: unknown): string[] {
  const text = String(value);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
