import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, streamReply } from '../../src/testing/reply.ts';
import { type Answer, ask, eventsIn } from '../http/client.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

/** Where Gemini's chat completions put signatures, and in which piece of a stream they may come. */

const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers: { gemini: { base_url: "${vendor.url}", api_key: a-key, only: [m] } }\n`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const signed = (thought_signature: string) => ({ extra_content: { google: { thought_signature } } });
const call = (id: string, index: number, more: object = {}) => ({
  index,
  id,
  type: 'function',
  function: { name: 'find', arguments: '{"q":"x"}' },
  ...more,
});
const piece = (delta: object, finish_reason: string | null = null) =>
  frame({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] });
const one = piece({ role: 'assistant', tool_calls: [call('a1', 0)] });
const text = piece({ role: 'assistant', content: 'Hello' });
const late = piece({ tool_calls: [{ index: 0, ...signed('S1') }] });
const end = piece({}, 'stop');

const STREAMS: Readonly<Record<string, readonly Buffer[]>> = {
  'on its call': [piece({ role: 'assistant', tool_calls: [call('a1', 0, signed('S1'))] }), end],
  'on the arguments of its call': [
    piece({ role: 'assistant', tool_calls: [{ index: 0, id: 'a1', function: { name: 'find', arguments: '' } }] }),
    piece({ tool_calls: [{ index: 0, function: { arguments: '{"q":"x"}' }, ...signed('S1') }] }),
    end,
  ],
  'behind its call': [one, late, end],
  'behind its call, without an index': [one, piece({ tool_calls: [signed('S1')] }), end],
  'behind its call, with an empty function': [
    one,
    piece({ tool_calls: [{ index: 0, function: { arguments: '' }, ...signed('S1') }] }),
    end,
  ],
  'with the finish reason': [one, piece({ tool_calls: [{ index: 0, ...signed('S1') }] }, 'stop')],
  'behind the finish reason': [one, end, late],
  'behind an empty one': [piece({ role: 'assistant', tool_calls: [call('a1', 0, signed(''))] }), late, end],
  'behind an empty object': [
    piece({ role: 'assistant', tool_calls: [call('a1', 0, { extra_content: {} })] }),
    late,
    end,
  ],
  'once for two calls': [piece({ role: 'assistant', tool_calls: [call('a1', 0, signed('S1')), call('a2', 1)] }), end],
  'late for the first of two calls': [
    piece({ role: 'assistant', tool_calls: [call('a1', 0), call('a2', 1)] }),
    late,
    end,
  ],
  'beside text': [piece({ role: 'assistant', content: 'Hello', ...signed('S1') }), end],
  'beside later text': [text, piece({ content: ' you', ...signed('S1') }), end],
  'beside an empty text at the end': [text, piece({ content: '', ...signed('S1') }), end],
  'beside nothing, with the finish reason': [text, piece(signed('S1'), 'stop')],
  'beside text before a call': [piece({ role: 'assistant', content: 'Hello', ...signed('S1') }), one, end],
};

const TOOL = { name: 'find', parameters: { type: 'object', properties: { q: { type: 'string' } } } };
type Json = Readonly<Record<string, unknown>>;
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const HI = { role: 'user', content: 'Hi' };

/** How each caller asks, and what it sends back of an answer. */
const CALLERS: Readonly<
  Record<RecordedDialect, { asks: Json; of: 'messages' | 'input'; back(answer: Answer): Json[] }>
> = {
  'openai-chat': {
    asks: { tools: [{ type: 'function', function: TOOL }] },
    of: 'messages',
    back({ json, text: body }) {
      const message = (field(json, 'choices', '0', 'message') ?? joined(body)) as Json;
      const calls = list(message.tool_calls).map((each) => ({
        role: 'tool',
        tool_call_id: field(each, 'id'),
        content: 'r',
      }));
      return [message, ...calls];
    },
  },
  'openai-responses': {
    asks: { tools: [{ type: 'function', ...TOOL }], store: false, include: ['reasoning.encrypted_content'] },
    of: 'input',
    back({ json, text: body }) {
      const output = list(
        field(json ?? JSON.parse(eventsIn(body).findLast((data) => data !== '[DONE]')!).response, 'output'),
      );
      const calls = output.filter(({ type }) => type === 'function_call');
      return [...output, ...calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'r' }))];
    },
  },
  'anthropic-messages': {
    asks: { max_tokens: 99, tools: [{ name: 'find', input_schema: TOOL.parameters }] },
    of: 'messages',
    back({ json, text: body }) {
      const content = json === undefined ? blocks(body) : list(field(json, 'content'));
      const calls = content.filter(({ type }) => type === 'tool_use');
      const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'r' }));
      return [{ role: 'assistant', content }, ...(calls.length > 0 ? [{ role: 'user', content: results }] : [])];
    },
  },
};

/** What a client of chat makes of a stream. */
function joined(body: string): Json {
  const message: Record<string, unknown> = { role: 'assistant', content: '' };
  const calls: Record<string, unknown>[] = [];
  for (const data of eventsIn(body).filter((each) => each !== '[DONE]')) {
    const delta = (field(JSON.parse(data), 'choices', '0', 'delta') ?? {}) as Json;
    if (typeof delta.content === 'string') message.content += delta.content;
    if (delta.extra_content !== undefined) message.extra_content = delta.extra_content;
    for (const each of list(delta.tool_calls) as Json[]) {
      const { index, function: said, ...more } = each;
      const at = typeof index === 'number' ? index : calls.length - 1;
      const { function: before = {} } = (calls[at] ?? {}) as { function?: Json };
      const args = `${before.arguments ?? ''}${field(said, 'arguments') ?? ''}`;
      calls[at] = { ...calls[at], ...more, function: { ...before, ...(said as Json), arguments: args } };
    }
  }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

/** What a client of messages makes of a stream. */
function blocks(body: string): Json[] {
  const made: Record<string, unknown>[] = [];
  for (const data of eventsIn(body)) {
    const { type, index, content_block: block, delta } = JSON.parse(data);
    if (type === 'content_block_start') made[index] = { ...block, ...(block.type === 'tool_use' && { json: '' }) };
    const at = made[index];
    if (type !== 'content_block_delta' || at === undefined) continue;
    for (const [name, of] of [
      ['text', 'text'],
      ['thinking', 'thinking'],
      ['signature', 'signature'],
      ['partial_json', 'json'],
    ] as const)
      if (delta[name] !== undefined) at[of] = `${at[of] ?? ''}${delta[name]}`;
  }
  return made.map(({ json, ...block }) => (json === undefined ? block : { ...block, input: JSON.parse(String(json)) }));
}

for (const surface of DIALECTS) {
  test(`a signature comes back to its maker byte for byte, wherever it came: ${surface}`, async () => {
    const { asks, of, back } = CALLERS[surface];
    const send = (body: object) =>
      ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body: { model: 'gemini/m', ...asks, ...body } });
    for (const [where, frames] of Object.entries(STREAMS))
      for (const stream of [true, false]) {
        vendor.plan(() => streamReply([...frames, frame('[DONE]')]));
        const answer = await send({ stream, [of]: [HI] });
        assert.equal(answer.status, 200, answer.text);
        assert.doesNotMatch(answer.text, /"S1"/, `${where}: it bears a mark`);
        vendor.plan(scripted('openai-chat', [{ text: 'Fine.', usage: { input: 5, output: 2 } }]));
        const again = await send({ [of]: [HI, ...back(answer), { role: 'user', content: 'Go on' }] });
        assert.equal(again.status, 200, again.text);
        const said = list(field(vendor.requests.at(-1)!.json, 'messages'));
        assert.match(JSON.stringify(said), /"thought_signature":"S1"/, `${where}, ${stream}: ${JSON.stringify(said)}`);
      }
  });
}
