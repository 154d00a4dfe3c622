import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Signatures of Gemini's models in every place where vendors put them. */
const vendor = await startFakeProvider();
after(() => vendor.close());
const provider = (id: string) => `  ${id}: { base_url: "${vendor.url}", dialects: [openai-chat], only: [m] }\n`;
const headgate = await startHeadgate({ config: `providers:\n${provider('maker')}${provider('other')}` });
after(() => headgate[Symbol.asyncDispose]());

const PROOF = 'EqQB+/proof==';
const signed = { thought_signature: PROOF };
const google = { extra_content: { google: signed } };
const specific = { provider_specific_fields: signed };
const SECOND = 'EqQBsecond==';
const listed = { provider_specific_fields: { thought_signatures: [PROOF, SECOND] } };
const called = (more: object = {}, within: object = {}) => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    { index: 0, id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}', ...within }, ...more },
  ],
});

/** A choice of the answer, and where the maker must find the proof again. */
const PLACES: Readonly<Record<string, [choice: object, back: object]>> = {
  'a call, LiteLLM': [{ message: called(specific) }, { tool_calls: [specific] }],
  'a call, bare': [{ message: called(signed) }, { tool_calls: [signed] }],
  'a function': [{ message: called({}, google) }, { tool_calls: [{ function: google }] }],
  'a function, LiteLLM': [{ message: called({}, specific) }, { tool_calls: [{ function: specific }] }],
  'a function, bare': [{ message: called({}, signed) }, { tool_calls: [{ function: signed }] }],
  'a message, LiteLLM': [{ message: { ...called(), ...specific } }, specific],
  'a message, in a list': [{ message: { ...called(), ...listed } }, listed],
  'a call, in a list': [
    { message: called({ thought_signatures: [SECOND] }) },
    { tool_calls: [{ thought_signatures: [SECOND] }] },
  ],
  'a choice': [{ message: called(), ...google }, google],
};

const NO_INPUT = { type: 'object', properties: {} };
const tools = [{ name: 'find', input_schema: NO_INPUT }];
const base = { id: 'c', model: 'm', created: 1, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };

function post(path: string, body: object) {
  return ask(`${headgate.url}${path}`, { key: headgate.key, body });
}

/** What the vendor gets of a turn that comes back. */
function sentMessages(): { [name: string]: unknown }[] {
  return (vendor.requests.at(-1)!.json as { messages: { [name: string]: unknown }[] }).messages;
}

const assistant = () => sentMessages().find(({ role }) => role === 'assistant')!;

for (const [place, [choice, back]] of Object.entries(PLACES)) {
  const finish = { index: 0, finish_reason: 'tool_calls' };

  test(`beside ${place}, to a caller of messages: back to its maker, and to nobody else`, async () => {
    vendor.plan(() => jsonReply(200, { ...base, choices: [{ ...finish, ...choice }] }), { times: 1 });
    const user = { role: 'user', content: 'Look it up.' };
    const asked = { max_tokens: 9, tools };
    const first = await post('/v1/messages', { model: 'maker/m', messages: [user], ...asked });
    const { content } = first.json as { content: object[] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Found.' }] };
    const messages = [user, { role: 'assistant', content }, result];
    await post('/v1/messages', { model: 'maker/m', messages, ...asked });
    assert.partialDeepStrictEqual(assistant(), back);
    const moved = await post('/v1/messages', { model: 'other/m', messages, ...asked });
    assert.doesNotMatch(JSON.stringify(sentMessages()), /EqQB|headgate/);
    assert.match(String(moved.headers.get('service-dropped')), /seal/);
  });

  test(`beside ${place}, to a caller of responses: back to its maker, and to nobody else`, async () => {
    vendor.plan(() => jsonReply(200, { ...base, choices: [{ ...finish, ...choice }] }), { times: 1 });
    const asked = { store: false, tools: [{ type: 'function', name: 'find', parameters: NO_INPUT }] };
    const user = { role: 'user', content: 'Look it up.' };
    const first = await post('/v1/responses', { model: 'maker/m', input: [user], ...asked });
    const { output } = first.json as { output: object[] };
    const input = [user, ...output, { type: 'function_call_output', call_id: 'call_1', output: 'Found.' }];
    await post('/v1/responses', { model: 'maker/m', input, ...asked });
    assert.partialDeepStrictEqual(assistant(), back);
    const moved = await post('/v1/responses', { model: 'other/m', input, ...asked });
    assert.doesNotMatch(JSON.stringify(sentMessages()), /EqQB|headgate/);
    assert.match(String(moved.headers.get('service-dropped')), /seal/);
  });

  for (const stream of [false, true])
    test(`beside ${place}, passing${stream ? ' in a stream' : ''}: marked, back to its maker, and to nobody else`, async () => {
      const { message, ...beside } = choice as { message: object };
      vendor.plan(
        () =>
          stream
            ? streamReply([frame({ ...base, choices: [{ ...finish, ...beside, delta: message }] }), frame('[DONE]')])
            : jsonReply(200, { ...base, choices: [{ ...finish, ...choice }] }),
        { times: 1 },
      );
      const user = { role: 'user', content: 'Look it up.' };
      const { text } = await post('/v1/chat/completions', { model: 'maker/m', stream, messages: [user] });
      const json = stream ? text.slice('data: '.length, text.indexOf('\n')) : text;
      const got = (JSON.parse(json) as { choices: { delta?: object; message?: object }[] }).choices[0]!;
      const { delta, message: whole, ...others } = got as { [name: string]: object };
      const extra = others.extra_content === undefined ? {} : { extra_content: others.extra_content };
      const messages = [
        user,
        { ...(delta ?? whole), ...extra },
        { role: 'tool', tool_call_id: 'call_1', content: 'Found.' },
      ];
      assert.match(JSON.stringify(messages), /headgate/);
      await post('/v1/chat/completions', { model: 'maker/m', messages });
      assert.partialDeepStrictEqual(assistant(), back);
      const moved = await post('/v1/chat/completions', { model: 'other/m', messages });
      assert.doesNotMatch(JSON.stringify(sentMessages()), /EqQB|headgate/);
      assert.match(String(moved.headers.get('service-dropped')), /seal/);
    });
}
