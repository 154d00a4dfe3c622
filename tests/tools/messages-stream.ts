import type { VendorRequest } from '../../src/testing/reply.ts';
import { CALL_ID, INPUT_TOKENS, namedFrame, OUTPUT_TOKENS, pieces, SEAL, type Turn } from './script.ts';

type Members = Readonly<Record<string, unknown>>;
type Block = { begun: Members; deltas: Members[] };

/** A turn in the events of a message. */
export function messagesStream({ serial, model }: VendorRequest, turn: Turn): Buffer[] {
  const usage = { input_tokens: INPUT_TOKENS, output_tokens: 1 };
  const message = { id: `msg_scripted_${serial}`, type: 'message', role: 'assistant', model, content: [], usage };
  const stop_reason = 'text' in turn ? 'end_turn' : 'tool_use';
  const output_tokens = OUTPUT_TOKENS;
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'ping' },
    ...blocksOf(turn).flatMap(({ begun, deltas }, index) => [
      { type: 'content_block_start', index, content_block: begun },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ];
  return events.map(namedFrame);
}

function blocksOf(turn: Turn): Block[] {
  if ('text' in turn) {
    const deltas = pieces(turn.text).map((text) => ({ type: 'text_delta', text }));
    return [{ begun: { type: 'text', text: '' }, deltas }];
  }
  const { reasoning, call } = turn;
  const thinking = {
    begun: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: SEAL },
    ],
  };
  // There are no custom tools in this format: one is called as a function whose `input` is its text.
  const input = typeof call.input === 'string' ? { input: call.input } : call.input;
  const toolUse = {
    begun: { type: 'tool_use', id: CALL_ID, name: call.name, input: {} },
    deltas: pieces(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  };
  return [thinking, toolUse];
}
