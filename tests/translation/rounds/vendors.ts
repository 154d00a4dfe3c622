import { DONE } from '../../../src/testing/answers.ts';
import type { RecordedDialect } from '../../../src/testing/recordings.ts';
import { frame, jsonReply, type Plan, streamReply } from '../../../src/testing/reply.ts';
import type { Spoken } from './talk.ts';

type Wire = Record<string, unknown>;
type Vendor = { whole(spoken: Spoken, turn: string): unknown; stream(spoken: Spoken, turn: string): Buffer[] };

/** What a vendor of each dialect sends for what its model says. `turn` is part of the ids it makes. Written without the gateway's own writers. */
export function answerOf(dialect: RecordedDialect, spoken: Spoken, turn: string): Plan {
  const { whole, stream } = VENDORS[dialect];
  return (request) => (request.stream ? streamReply(stream(spoken, turn)) : jsonReply(200, whole(spoken, turn)));
}

const VENDORS: Record<RecordedDialect, Vendor> = {
  'openai-chat': {
    whole(spoken, turn) {
      const message = {
        role: 'assistant',
        content: spoken.text === '' ? null : spoken.text,
        ...chatThoughts(spoken),
        ...(spoken.calls.length > 0 && { tool_calls: chatCalls(spoken, turn) }),
      };
      return {
        ...chatStamp(turn, 'chat.completion'),
        choices: [{ index: 0, message, finish_reason: chatEnd(spoken) }],
        usage: CHAT_USAGE,
      };
    },
    stream(spoken, turn) {
      const { reasoning_details = [] } = chatThoughts(spoken);
      const deltas: Wire[] = [
        { role: 'assistant', content: '' },
        ...reasoning_details.flatMap(inHalves).map((detail) => ({ reasoning_details: [detail] })),
        ...halves(spoken.text).map((content) => ({ content })),
        ...chatCalls(spoken, turn).flatMap(({ function: { name, arguments: input }, ...call }, index) => [
          { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
          ...halves(input).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]),
      ];
      const chunks = [
        ...deltas.map((delta) => [{ index: 0, delta, finish_reason: null }]),
        [{ index: 0, delta: {}, finish_reason: chatEnd(spoken) }],
      ].map((choices) => ({ ...chatStamp(turn, 'chat.completion.chunk'), choices }));
      const last = { ...chatStamp(turn, 'chat.completion.chunk'), choices: [], usage: CHAT_USAGE };
      return [...[...chunks, last].map(frame), DONE];
    },
  },
  'openai-responses': {
    whole: responseOf,
    stream(spoken, turn) {
      const response = responseOf(spoken, turn);
      const begun = { ...response, status: 'in_progress', output: [], usage: null };
      const events: Wire[] = [
        { type: 'response.created', response: begun },
        { type: 'response.in_progress', response: begun },
        ...response.output.flatMap(itemEvents),
        { type: 'response.completed', response },
      ];
      return events.map(({ type, ...rest }, sequence_number) => named({ type, sequence_number, ...rest }));
    },
  },
  'anthropic-messages': {
    whole: messageOf,
    stream(spoken, turn) {
      const message = messageOf(spoken, turn);
      return [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        { type: 'ping' },
        ...message.content.flatMap(blockEvents),
        {
          type: 'message_delta',
          delta: { stop_reason: message.stop_reason, stop_sequence: null },
          usage: message.usage,
        },
        { type: 'message_stop' },
      ].map(named);
    },
  },
};

const CREATED = 1_767_225_600;
const CHAT_USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function chatStamp(turn: string, object: string) {
  return { id: `chatcmpl-${turn}`, object, created: CREATED, model: 'vendor-model' };
}

/** As OpenRouter writes them. */
function chatThoughts({ thoughts }: Spoken): { reasoning_details?: Wire[] } {
  if (thoughts.length === 0) return {};
  const reasoning_details = thoughts.map(({ text, seal, hidden }, index) =>
    hidden
      ? { type: 'reasoning.encrypted', data: seal, format: 'vendor-v1', index }
      : { type: 'reasoning.text', text, signature: seal, format: 'vendor-v1', index },
  );
  return { reasoning_details };
}

function inHalves(detail: Wire): Wire[] {
  if (detail.type !== 'reasoning.text') return [detail];
  const { signature, text, ...rest } = detail;
  return [...halves(String(text)).map((piece) => ({ ...rest, text: piece })), { ...rest, signature }];
}

function chatCalls({ calls }: Spoken, turn: string) {
  return calls.map(({ name, input }, index) => ({
    id: `call_${turn}_${index}`,
    type: 'function',
    function: { name, arguments: input },
  }));
}

function chatEnd({ calls }: Spoken): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function responseOf({ thoughts, text, calls }: Spoken, turn: string) {
  const reasoning = thoughts.map(({ text: said, seal }, index) => ({
    type: 'reasoning',
    id: `rs_${turn}_${index}`,
    summary: said === '' ? [] : [{ type: 'summary_text', text: said }],
    encrypted_content: seal,
  }));
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  const message = { type: 'message', id: `msg_${turn}`, role: 'assistant', status: 'completed', content };
  const called = calls.map(({ name, input }, index) => ({
    type: 'function_call',
    id: `fc_${turn}_${index}`,
    call_id: `call_${turn}_${index}`,
    name,
    arguments: input,
    status: 'completed',
  }));
  return {
    id: `resp_${turn}`,
    object: 'response',
    created_at: CREATED,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'vendor-model',
    output: [...reasoning, ...(text === '' ? [] : [message]), ...called] as Wire[],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    },
  };
}

function itemEvents(item: Wire, output_index: number): Wire[] {
  const place = { item_id: item.id, output_index };
  const [part] = (item.content ?? item.summary ?? []) as Wire[];
  const text = String(part?.text ?? item.arguments);
  const begun = { ...item, ...EMPTY[String(item.type)] };
  const inner = (): Wire[] => {
    switch (item.type) {
      case 'message':
        return [
          { type: 'response.content_part.added', ...place, content_index: 0, part: { ...part, text: '' } },
          ...halves(text).map((delta) => ({ type: 'response.output_text.delta', ...place, content_index: 0, delta })),
          { type: 'response.output_text.done', ...place, content_index: 0, text },
          { type: 'response.content_part.done', ...place, content_index: 0, part },
        ];
      case 'function_call':
        return [
          ...halves(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
          { type: 'response.function_call_arguments.done', ...place, arguments: text },
        ];
      default:
        if (part === undefined) return [];
        return [
          { type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part: { ...part, text: '' } },
          ...halves(text).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            ...place,
            summary_index: 0,
            delta,
          })),
          { type: 'response.reasoning_summary_text.done', ...place, summary_index: 0, text },
          { type: 'response.reasoning_summary_part.done', ...place, summary_index: 0, part },
        ];
    }
  };
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...inner(),
    { type: 'response.output_item.done', output_index, item },
  ];
}

/** What an item lacks when it begins. */
const EMPTY: Record<string, Wire> = {
  message: { status: 'in_progress', content: [] },
  function_call: { status: 'in_progress', arguments: '' },
  reasoning: { summary: [], encrypted_content: '' },
};

function messageOf({ thoughts, text, calls }: Spoken, turn: string) {
  const thinking = thoughts.map(({ text: thought, seal, hidden }) =>
    hidden ? { type: 'redacted_thinking', data: seal } : { type: 'thinking', thinking: thought, signature: seal },
  );
  const used = calls.map(({ name, input }, index) => ({
    type: 'tool_use',
    id: `toolu_${turn}_${index}`,
    name,
    input: JSON.parse(input) as unknown,
  }));
  return {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: 'vendor-model',
    content: [...thinking, ...(text === '' ? [] : [{ type: 'text', text }]), ...used] as Wire[],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}

function blockEvents(block: Wire, index: number): Wire[] {
  const deltas = (): { begun: Wire; pieces: Wire[] } => {
    switch (block.type) {
      case 'thinking':
        return {
          begun: { type: 'thinking', thinking: '', signature: '' },
          pieces: [
            ...halves(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
            { type: 'signature_delta', signature: block.signature },
          ],
        };
      case 'text':
        return {
          begun: { type: 'text', text: '' },
          pieces: halves(String(block.text)).map((text) => ({ type: 'text_delta', text })),
        };
      case 'tool_use': {
        const json = JSON.stringify(block.input);
        const pieces = json === '{}' ? [''] : halves(json);
        return {
          begun: { ...block, input: {} },
          pieces: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        };
      }
      default:
        return { begun: block, pieces: [] };
    }
  };
  const { begun, pieces } = deltas();
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...pieces.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function named(event: Wire): Buffer {
  return Buffer.from(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Cut in two, not within a character. */
function halves(text: string): string[] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)]
    .map((half) => half.join(''))
    .filter((half) => half !== '');
}
