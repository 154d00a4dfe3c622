import { translateCall } from '@headgate/dialects';

// A call as OpenAI's clients send it, for a vendor of Anthropic's format.
const call = translateCall(
  JSON.stringify({
    model: 'any',
    messages: [
      { role: 'system', content: 'Answer in one word.' },
      { role: 'user', content: 'What is the capital of France?' },
    ],
    frequency_penalty: 0.5,
  }),
  { from: 'openai-chat', to: 'anthropic-messages', model: 'claude-sonnet-4-5' },
);
console.log(call.body);
console.log('lost:', call.lost.join(', '));

// The vendor's whole answer.
const { body } = call.answer(
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'Paris' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 20, output_tokens: 4 },
  }),
);
console.log(JSON.parse(body).choices[0].message.content);

// The vendor's stream, in pieces as they come.
const streamed = translateCall(
  JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  { from: 'openai-chat', to: 'anthropic-messages', model: 'claude-sonnet-4-5' },
);
const stream = streamed.stream();
const event = (data: { type: string; [member: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const usage = { input_tokens: 8, output_tokens: 1 };
for (const piece of [
  event({
    type: 'message_start',
    message: { id: 'msg_2', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [], usage },
  }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
  event({ type: 'content_block_stop', index: 0 }),
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }),
  event({ type: 'message_stop' }),
]) {
  process.stdout.write(stream.push(piece));
}
process.stdout.write(stream.end());
