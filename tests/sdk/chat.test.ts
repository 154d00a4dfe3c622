import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer, DEFAULT_TEXT } from '../../src/testing/answers.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { collect, LAB_KEY, lastBody, startLab } from './lab.ts';

const lab = await startLab(`
providers:
  lab:
    base_url: \${LAB_URL}
    api_key: \${LAB_KEY}
    only: [lab-small, { id: lab-large, upstream: lab-large-2026 }]
`);
const { client, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'Say hello, 日本 🙂' }];

test('chats with the built-in model', async () => {
  const { data, response } = await client.chat.completions.create({ model: 'echo', messages }).withResponse();
  assert.equal(data.object, 'chat.completion');
  assert.equal(data.model, 'echo');
  assert.equal(data.choices[0]?.message.content, 'Say hello, 日本 🙂');
  assert.equal(data.choices[0]?.finish_reason, 'stop');
  assert.deepEqual([data.usage?.prompt_tokens, data.usage?.completion_tokens, data.usage?.total_tokens], [4, 4, 8]);
  assert.equal(response.headers.get('service-provider'), 'echo');
});

test('chats with a vendor, whose answer arrives byte for byte', async () => {
  const answered = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'lab-large-2026-01-01' };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  vendor.plan(() => jsonReply(200, { ...answered, choices, usage }), { times: 1 });
  const response = await client.chat.completions.create({ model: 'lab-large', messages }).asResponse();
  assert.equal(await response.text(), JSON.stringify({ ...answered, choices, usage }));
  const { headers } = vendor.requests.at(-1)!;
  assert.equal(headers.authorization, `Bearer ${LAB_KEY}`, 'the vendor gets its own key, never the caller’s');
  const record = await lab.record(response.headers.get('x-request-id'));
  assert.deepEqual(
    [record.model, record.upstream_model, record.provider, record.input_tokens, record.output_tokens],
    ['lab-large', 'lab-large-2026', 'lab', 3, 2],
  );
});

test('streams with the usage that was asked for', async () => {
  const { data: stream, response } = await client.chat.completions
    .create({ model: 'lab-small', messages, stream: true, stream_options: { include_usage: true } })
    .withResponse();
  const chunks = await collect(stream);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), DEFAULT_TEXT);
  const last = chunks.at(-1);
  assert.deepEqual(last?.choices, []);
  assert.deepEqual(last?.usage, { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17 });
  const record = await lab.record(response.headers.get('x-request-id'));
  assert.deepEqual(
    [record.usage_source, record.input_tokens, record.output_tokens, record.streamed],
    ['provider', 9, 8, true],
  );
});

test('asks for a stream’s usage itself, and keeps it to itself, where the caller did not ask', async () => {
  const body = { model: 'lab-small', messages, stream: true as const };
  const { data: stream, response } = await client.chat.completions.create(body).withResponse();
  const chunks = await collect(stream);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), DEFAULT_TEXT);
  assert.equal(chunks.filter(({ choices }) => choices.length === 0).length, 0);
  assert.equal(lastBody(vendor), JSON.stringify({ ...body, stream_options: { include_usage: true } }));
  const record = await lab.record(response.headers.get('x-request-id'));
  assert.deepEqual([record.usage_source, record.input_tokens, record.output_tokens], ['provider', 9, 8]);
  assert(Number(record.time_to_first_token_ms) >= 0);
});

test('streams from the built-in model', async () => {
  const stream = await client.chat.completions.create({ model: 'echo', messages, stream: true });
  const chunks = await collect(stream);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), 'Say hello, 日本 🙂');
  assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop');
});

/** Everything that a client can send, and what no client can send yet. */
const EVERYTHING = {
  messages: [
    { role: 'developer', content: 'Be brief.', name: 'ops' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look: é 日本 🙂 \u2028 \\ "' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        { type: 'input_hologram', hologram: { depth: 3 } },
      ],
    },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} }, strict: true } }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  parallel_tool_calls: false,
  response_format: { type: 'json_schema', json_schema: { name: 's', strict: true, schema: { type: 'object' } } },
  n: 3,
  logprobs: true,
  top_logprobs: 5,
  logit_bias: { 50256: -100 },
  reasoning_effort: 'high',
  verbosity: 'low',
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'mp3' },
  prediction: { type: 'content', content: 'x' },
  max_completion_tokens: 100,
  temperature: 0.25,
  seed: 9007199254740991,
  stop: ['\n\n'],
  service_tier: 'flex',
  store: false,
  metadata: { tenant: 'blue' },
  user: 'u-1',
  web_search_options: { search_context_size: 'low' },
  future_field: { nested: [1.5e-7, null, { deeper: 'ünïcödé' }] },
};

test('every field, also of the future, arrives at the vendor untouched, whole and streamed', async () => {
  // Fields that the client has no types for yet are sent as they are.
  const send = async (body: object) => (await client.post('/chat/completions', { body }).asResponse()).text();
  for (const stream of [false, true]) {
    const body = { ...EVERYTHING, model: 'lab-small', stream, stream_options: { include_usage: true, x_new: 1 } };
    await send(body);
    assert.equal(lastBody(vendor), JSON.stringify(body));
    await send({ ...body, model: 'lab-large' });
    assert.equal(lastBody(vendor), JSON.stringify({ ...body, model: 'lab-large-2026' }), 'all but the model’s name');
  }
});

test('unknown fields of the answer arrive at the caller, whole and streamed', async () => {
  const message = {
    role: 'assistant',
    content: null,
    refusal: null,
    audio: { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'Hi' },
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com', start_index: 0, end_index: 1 } }],
    reasoning_content: 'Hm.',
    hologram: { depth: 3 },
  };
  const logprobs = { content: [{ token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }], refusal: null };
  const choices = [0, 1].map((index) => ({ index, message, logprobs, finish_reason: 'stop', x_score: 0.5 }));
  const answered = {
    ...{ id: 'chatcmpl-2', object: 'chat.completion', created: 1, model: 'lab-small', choices },
    ...{ usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, x_joules: 4 }, x_future: { deep: [1] } },
  };
  vendor.plan(() => jsonReply(200, answered), { times: 1 });
  const whole = await client.chat.completions.create({ model: 'lab-small', messages, n: 2 });
  assert.deepEqual(JSON.parse(JSON.stringify(whole)), answered);

  const delta = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.', hologram: { depth: 3 } };
  const common = { id: 'chatcmpl-3', object: 'chat.completion.chunk', created: 1, model: 'lab-small', x_future: [1] };
  const sent = [
    { ...common, choices: [{ index: 0, delta, logprobs, finish_reason: null, x_score: 0.5 }] },
    { ...common, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ];
  vendor.plan(() => streamReply([...sent.map(frame), frame('[DONE]')]), { times: 1 });
  const stream = await client.chat.completions.create({ model: 'lab-small', messages, stream: true });
  assert.deepEqual(await collect(stream), sent);
});

test('gives as many choices as were asked for', async () => {
  for (const model of ['echo', 'lab-small']) {
    const { choices } = await client.chat.completions.create({ model, messages, n: 3 });
    assert.deepEqual(
      choices.map(({ index }) => index),
      [0, 1, 2],
    );
    const stream = await client.chat.completions.create({ model, messages, n: 2, stream: true });
    const finished = (await collect(stream)).flatMap((chunk) =>
      chunk.choices.filter(({ finish_reason }) => finish_reason === 'stop').map(({ index }) => index),
    );
    assert.deepEqual(finished.toSorted(), [0, 1]);
  }
});

test('usage in every chunk passes, since only a chunk with no choices is withheld', async () => {
  vendor.plan(answer({ usageIn: 'every-chunk' }), { times: 1 });
  const { data: stream, response } = await client.chat.completions
    .create({ model: 'lab-small', messages, stream: true })
    .withResponse();
  const chunks = await collect(stream);
  assert(chunks.every(({ usage }) => usage?.prompt_tokens === 9));
  const record = await lab.record(response.headers.get('x-request-id'));
  assert.deepEqual([record.usage_source, record.output_tokens], ['provider', chunks.at(-1)?.usage?.completion_tokens]);
});
