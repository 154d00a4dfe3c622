import type { VendorRequest } from '../../src/testing/reply.ts';
import {
  CALL_ID,
  CREATED,
  INPUT_TOKENS,
  namedFrame,
  OUTPUT_TOKENS,
  pieces,
  type ScriptedCall,
  SEAL,
  type Turn,
} from './script.ts';

type Members = Readonly<Record<string, unknown>>;
type ResponseEvent = Members & { type: string };
/** An item when it is whole, when it is begun, and the events between. */
type Item = { whole: Members; begun: Members; events: ResponseEvent[] };

const USAGE = {
  input_tokens: INPUT_TOKENS,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: OUTPUT_TOKENS,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
};

/** A turn in the events of a response. */
export function responsesStream({ serial, model }: VendorRequest, turn: Turn): Buffer[] {
  const response = { id: `resp_scripted_${serial}`, object: 'response', created_at: CREATED, model, error: null };
  const items = 'text' in turn ? [message(turn.text)] : [reasoning(turn.reasoning), toolCall(turn.call)];
  const output = items.map(({ whole }) => whole);
  const events: ResponseEvent[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap(itemEvents),
    { type: 'response.completed', response: { ...response, status: 'completed', output, usage: USAGE } },
  ];
  return events.map((event, sequence_number) => namedFrame({ ...event, sequence_number }));
}

function itemEvents({ whole, begun, events }: Item, output_index: number): ResponseEvent[] {
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...events.map((event) => ({ ...event, output_index, item_id: whole.id })),
    { type: 'response.output_item.done', output_index, item: whole },
  ];
}

function message(text: string): Item {
  const item = { type: 'message', id: 'msg_scripted_1', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  return {
    whole: { ...item, status: 'completed', content: [part] },
    begun: { ...item, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', delta, logprobs: [] })),
      { type: 'response.output_text.done', text, logprobs: [] },
      { type: 'response.content_part.done', part },
    ].map((event) => ({ ...event, content_index: 0 })),
  };
}

function reasoning(text: string): Item {
  const item = { type: 'reasoning', id: 'rs_scripted_1', encrypted_content: SEAL };
  const part = { type: 'summary_text', text };
  return {
    whole: { ...item, summary: [part] },
    begun: { ...item, summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
      { type: 'response.reasoning_summary_text.done', text },
      { type: 'response.reasoning_summary_part.done', part },
    ].map((event) => ({ ...event, summary_index: 0 })),
  };
}

function toolCall({ name, input }: ScriptedCall): Item {
  const custom = typeof input === 'string';
  const words = custom ? input : JSON.stringify(input);
  const field = custom ? 'input' : 'arguments';
  const type = custom ? 'custom_tool_call' : 'function_call';
  const events = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const item = { type, id: custom ? 'ctc_scripted_1' : 'fc_scripted_1', call_id: CALL_ID, name };
  return {
    whole: { ...item, [field]: words, status: 'completed' },
    begun: { ...item, [field]: '', status: 'in_progress' },
    events: [
      ...pieces(words).map((delta) => ({ type: `${events}.delta`, delta })),
      { type: `${events}.done`, [field]: words },
    ],
  };
}
