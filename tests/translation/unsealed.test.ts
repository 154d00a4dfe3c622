import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { DONE } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, type Plan, streamReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { received, type Step } from './received.ts';
import { scripted } from './vendors.ts';

/** Reasoning that came without a proof: its own vendor gets it back, and one of responses, who would look for its id, does not. */
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:
  deepseek: { api_key: "sk-fake", base_url: "${vendor.url}", dialects: [openai-chat], only: [m] }
  openai-responses: { base_url: "${vendor.url}", dialects: [openai-responses], only: [m] }
`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

let dropped: string | null = null;
const noted: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  dropped = response.headers.get('service-dropped');
  return response;
};
const client = new OpenAI({ baseURL: `${headgate.url}/v1`, apiKey: headgate.key, maxRetries: 0, fetch: noted });

const ASKED = { role: 'user' as const, content: 'Is it warm in Oslo?' };
const QUESTION: Step = { kind: 'user', text: ASKED.content };
const THOUGHT: Step = { kind: 'reasoning', text: 'I look it up.', seal: null };
const CALL: Step = { kind: 'call', id: 'call_1', name: 'weather', input: {} };
const RESULT: Step = { kind: 'result', id: 'call_1', text: '25' };

for (const stream of [false, true]) {
  const kind = stream ? 'streamed' : 'whole';

  test(`reasoning of a ${kind} answer goes back to its vendor, and to none of responses`, async () => {
    const items = await answered(stream);
    const input = [ASKED, ...(items as Item[]), resultOf()];
    assert.deepEqual(await sent('openai-responses', input), [[QUESTION, CALL, RESULT], 'reasoning']);
    assert.deepEqual(await sent('openai-chat', input), [[QUESTION, THOUGHT, CALL, RESULT], null]);
  });

  test(`the same where a ${kind} answer is only named`, async () => {
    const items = await answered(stream);
    const named = items.map(({ id }) => ({ type: 'item_reference' as const, id: String(id) }));
    const input = [ASKED, ...named, resultOf()];
    assert.deepEqual(await sent('openai-responses', input), [[QUESTION, CALL, RESULT], 'reasoning']);
    assert.deepEqual(await sent('openai-chat', input), [[QUESTION, THOUGHT, CALL, RESULT], null]);
  });
}

test('reasoning that a caller sends in the clear goes to a vendor of responses as it is', async () => {
  const plain = { type: 'reasoning' as const, id: 'rs_own', summary: [{ type: 'summary_text' as const, text: 'Hm.' }] };
  const step: Step = { kind: 'reasoning', text: 'Hm.', seal: null, id: 'rs_own' };
  assert.deepEqual(await sent('openai-responses', [plain, ASKED]), [[step, QUESTION], null]);
});

type Item = OpenAI.Responses.ResponseInputItem;

/** The items of a vendor's answer that reasons in the clear, as a client keeps them. */
async function answered(stream: boolean): Promise<OpenAI.Responses.ResponseOutputItem[]> {
  vendor.forget();
  vendor.plan(reasoning);
  const body = { model: 'deepseek/m', input: [ASKED] };
  if (!stream) return (await client.responses.create(body)).output;
  const done: OpenAI.Responses.ResponseOutputItem[] = [];
  const events = client.responses.stream(body);
  for await (const event of events) if (event.type === 'response.output_item.done') done.push(event.item);
  assert.deepEqual(
    (await events.finalResponse()).output.map(({ id }) => id),
    done.map(({ id }) => id),
  );
  return done;
}

async function sent(spoken: 'openai-chat' | 'openai-responses', input: Item[]): Promise<[Step[], string | null]> {
  vendor.plan(scripted(spoken, [{ text: 'Yes.', usage: { input: 9, output: 2 } }]));
  await client.responses.create({
    model: spoken === 'openai-chat' ? 'deepseek/m' : 'openai-responses/m',
    input,
    store: false,
  });
  return [received(spoken, vendor.requests.at(-1)!), dropped];
}

function resultOf(): Item {
  return { type: 'function_call_output', call_id: 'call_1', output: '25' };
}

/** As DeepSeek and vLLM reason. */
const reasoning: Plan = (request) => {
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
  const stamp = { id: 'chatcmpl-1', created: 1_767_225_600, model: 'm' };
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  const whole = { role: 'assistant', content: null, reasoning_content: 'I look it up.', tool_calls: [call] };
  if (!request.stream) {
    const choices = [{ index: 0, message: whole, finish_reason: 'tool_calls' }];
    return jsonReply(200, { ...stamp, object: 'chat.completion', choices, usage });
  }
  const deltas = [
    { role: 'assistant', reasoning_content: 'I look ' },
    { reasoning_content: 'it up.' },
    { tool_calls: [{ index: 0, ...call }] },
  ];
  const chunk = { ...stamp, object: 'chat.completion.chunk' };
  const pieces = deltas.map((delta) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }));
  const last = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage };
  return streamReply([...[...pieces, last].map(frame), DONE]);
};
