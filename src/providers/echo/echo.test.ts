import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpstreamHold } from '../../core/ports.ts';
import { CONTEXT_WINDOW, MAX_CHOICES, MAX_OUTPUT_TOKENS } from './chat.ts';
import { echoModels, echoProvider, echoUpstream } from './echo.ts';

type Answer = { status: number; type: string; chunks: string[]; text: string };

/** An echo with a fixed clock and counted ids. */
function newEcho() {
  let ids = 0;
  const clock = { now: () => 1_750_000_000_999, monotonic: () => 0 };
  return echoUpstream({ clock, id: () => `n${++ids}` });
}

const [model] = echoModels();

function requestTo(path: string, body: unknown) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const target = { provider: echoProvider(), model: model!, dialect: 'openai-chat' as const, path };
  return { target, method: 'POST' as const, path, headers: [], body: bytes };
}

function ask(path: string, body: unknown, echo = newEcho()): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer: Answer = { status: 0, type: '', chunks: [], text: '' };
    echo.send(requestTo(path, body), {
      onStart: (status, headers) => Object.assign(answer, { status, type: headers['content-type'] }),
      onData: (chunk) => answer.chunks.push(chunk.toString('utf8')),
      onEnd: () => resolve({ ...answer, text: answer.chunks.join('') }),
      onFailure: reject,
    });
  });
}

async function chat(body: object) {
  const { status, text } = await ask('/chat/completions', {
    model: 'echo',
    messages: [{ role: 'user', content: 'Hello, wide world!' }],
    ...body,
  });
  return { status, body: JSON.parse(text) };
}

test('a whole answer is OpenAI’s, to the field', async () => {
  const { status, body } = await chat({});
  assert.equal(status, 200);
  assert.deepEqual(body, {
    id: 'chatcmpl-n1',
    created: 1_750_000_000,
    model: 'echo',
    system_fingerprint: 'fp_echo',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello, wide world!', refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 3,
      completion_tokens: 3,
      total_tokens: 6,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
  });
});

test('a stream is role, a word a frame, finish, usage, the end; each frame comes by itself', async () => {
  const { type, chunks } = await ask('/chat/completions', {
    model: 'echo',
    messages: [{ role: 'user', content: 'one two' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  assert.equal(type, 'text/event-stream; charset=utf-8');
  assert.equal(chunks.at(-1), 'data: [DONE]\n\n');
  const frames = chunks.slice(0, -1).map((chunk) => JSON.parse(chunk.slice('data: '.length)));
  assert.deepEqual(
    frames.map(({ choices }) => [choices[0]?.delta, choices[0]?.finish_reason]),
    [
      [{ role: 'assistant', content: '', refusal: null }, null],
      [{ content: 'one' }, null],
      [{ content: ' two' }, null],
      [{}, 'stop'],
      [undefined, undefined],
    ],
  );
  assert.deepEqual(
    frames.map(({ usage }) => usage?.total_tokens ?? usage),
    [null, null, null, null, 4],
  );
  assert.equal(new Set(frames.map(({ id }) => id)).size, 1);
});

test('a stream whose usage nobody asked for does not speak of it', async () => {
  const { text } = await ask('/chat/completions', {
    model: 'echo',
    messages: [{ role: 'user', content: 'one' }],
    stream: true,
  });
  assert.ok(!text.includes('usage'));
});

test('text parts are echoed, and other parts and roles are not', async () => {
  const { body } = await chat({
    messages: [
      { role: 'user', content: 'before' },
      { role: 'assistant', content: 'mine' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a ' },
          { type: 'image_url', image_url: { url: 'data:,' } },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'tool', content: 'result', tool_call_id: 'x' },
    ],
  });
  assert.equal(body.choices[0].message.content, 'a b');
});

test('without a user message it says so', async () => {
  const { body } = await chat({ messages: [{ role: 'system', content: 'Be brief.' }] });
  assert.equal(body.choices[0].message.content, 'There is no user message to echo.');
});

test('a maximum of tokens cuts by words, under either name', async () => {
  for (const limit of [{ max_tokens: 2 }, { max_completion_tokens: 2, max_tokens: 9 }]) {
    const { body } = await chat(limit);
    assert.equal(body.choices[0].message.content, 'Hello, wide');
    assert.equal(body.choices[0].finish_reason, 'length');
    assert.equal(body.usage.completion_tokens, 2);
  }
});

test('no answer is longer than the model’s own maximum', async () => {
  const { body } = await chat({ messages: [{ role: 'user', content: 'w '.repeat(MAX_OUTPUT_TOKENS + 1) }] });
  assert.equal(body.usage.completion_tokens, MAX_OUTPUT_TOKENS);
  assert.equal(body.choices[0].finish_reason, 'length');
});

test('several choices are whole answers each, and are all counted', async () => {
  const { body } = await chat({ n: MAX_CHOICES });
  assert.deepEqual(
    body.choices.map(({ index }: { index: number }) => index),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
  assert.equal(body.usage.completion_tokens, 3 * MAX_CHOICES);
});

test('what a vendor would refuse is refused in OpenAI’s words', async () => {
  const refusals: readonly (readonly [object, number, string | null, string | null])[] = [
    [{ messages: undefined }, 400, 'messages', 'missing_required_parameter'],
    [{ messages: [] }, 400, 'messages', 'invalid_value'],
    [{ messages: ['x'] }, 400, 'messages[0]', 'invalid_value'],
    [{ model: undefined }, 400, 'model', 'missing_required_parameter'],
    [{ model: 'gpt-9' }, 404, null, 'model_not_found'],
    [{ model: 'text-embedding-3-small' }, 404, null, 'model_not_found'],
    [{ n: MAX_CHOICES + 1 }, 400, 'n', 'invalid_value'],
    [{ max_tokens: 0 }, 400, 'max_tokens', 'invalid_value'],
    [{ temperature: 2.1 }, 400, 'temperature', 'invalid_value'],
    [{ stream: 'yes' }, 400, 'stream', 'invalid_value'],
    [{ stream_options: { include_usage: true } }, 400, 'stream_options', null],
    [{ tool_choice: 'required' }, 400, 'tool_choice', 'invalid_value'],
    [
      { response_format: { type: 'json_schema' } },
      400,
      'response_format.json_schema.schema',
      'missing_required_parameter',
    ],
    [
      { messages: [{ role: 'user', content: 'w '.repeat(CONTEXT_WINDOW + 1) }] },
      400,
      'messages',
      'context_length_exceeded',
    ],
  ];
  for (const [fields, status, param, code] of refusals) {
    const answer = await chat(fields);
    const { message, ...rest } = answer.body.error;
    assert.equal(answer.status, status);
    assert.deepEqual(rest, { type: 'invalid_request_error', param, code });
    assert.equal(typeof message, 'string');
  }
});

test('a body that is not a JSON object, and a path that is not there', async () => {
  assert.equal((await ask('/chat/completions', '{')).status, 400);
  assert.equal((await ask('/chat/completions', '[]')).status, 400);
  assert.equal((await ask('/completions', '{}')).status, 404);
  assert.equal((await ask('/embeddings', { model: 'text-embedding-3-small', input: '' })).status, 400);
});

test('nothing is heard before send returns, while paused, or after an abort', async () => {
  const echo = newEcho();
  const heard: string[] = [];
  let returned = false;
  const hold: UpstreamHold = await new Promise((resolve) => {
    const held = echo.send(
      requestTo('/chat/completions', { model: 'echo', messages: [{ role: 'user', content: 'a b c' }], stream: true }),
      {
        onStart: () => {
          assert.ok(returned);
          heard.push('start');
        },
        onData: () => {
          heard.push('data');
          held.pause();
          resolve(held);
        },
        onEnd: () => heard.push('end'),
        onFailure: () => heard.push('failure'),
      },
    );
    returned = true;
  });
  await turns(5);
  assert.deepEqual(heard, ['start', 'data']);
  hold.resume();
  await turns(1);
  assert.deepEqual(heard, ['start', 'data', 'data']);
  hold.resume();
  hold.abort();
  await turns(5);
  assert.deepEqual(heard, ['start', 'data', 'data']);
});

test('its models cost nothing, and the provider needs no key', () => {
  for (const { price } of echoModels()) assert.deepEqual(price?.rates, { input: 0n, output: 0n });
  assert.equal(echoProvider().credential, null);
  assert.equal(echoProvider().transport, 'echo');
});

/** Waits for this many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
