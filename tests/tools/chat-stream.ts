import { DONE } from '../../src/testing/answers.ts';
import { field } from '../../src/testing/json.ts';
import { frame, type VendorRequest } from '../../src/testing/reply.ts';
import { CALL_ID, CREATED, INPUT_TOKENS, OUTPUT_TOKENS, pieces, type ScriptedCall, type Turn } from './script.ts';

/** A turn in chunks of chat. Usage is told to whoever asks for it, as OpenAI does. */
export function chatStream({ serial, model, json }: VendorRequest, turn: Turn): Buffer[] {
  const choices = [
    { delta: { role: 'assistant', content: null }, finish_reason: null },
    ...deltasOf(turn).map((delta) => ({ delta, finish_reason: null })),
    { delta: {}, finish_reason: 'call' in turn ? 'tool_calls' : 'stop' },
  ];
  const stamp = { id: `chatcmpl-scripted-${serial}`, object: 'chat.completion.chunk', created: CREATED, model };
  const total_tokens = INPUT_TOKENS + OUTPUT_TOKENS;
  const usage = { prompt_tokens: INPUT_TOKENS, completion_tokens: OUTPUT_TOKENS, total_tokens };
  const asked = field(json, 'stream_options', 'include_usage') === true;
  const chunks = [
    ...choices.map((choice) => ({ ...stamp, choices: [{ index: 0, ...choice }] })),
    ...(asked ? [{ ...stamp, choices: [], usage }] : []),
  ];
  return [...chunks.map(frame), DONE];
}

function deltasOf(turn: Turn): unknown[] {
  if ('text' in turn) return pieces(turn.text).map((content) => ({ content }));
  const reasoning = pieces(turn.reasoning).map((reasoning_content) => ({ reasoning_content }));
  return [...reasoning, ...callDeltas(turn.call).map((part) => ({ tool_calls: [{ index: 0, ...part }] }))];
}

function callDeltas({ name, input }: ScriptedCall): Record<string, unknown>[] {
  if (typeof input === 'string') {
    const opening = { id: CALL_ID, type: 'custom', custom: { name, input: '' } };
    return [opening, ...pieces(input).map((piece) => ({ custom: { input: piece } }))];
  }
  const opening = { id: CALL_ID, type: 'function', function: { name, arguments: '' } };
  return [opening, ...pieces(JSON.stringify(input)).map((piece) => ({ function: { arguments: piece } }))];
}
