import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, type Plan, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';

/** Ends of answers that are none, errors in the place of an answer, and ends in words that nobody knows. */
const lab = await startTranslationLab(
  'retries: { attempts: 1 }\nlimits: { max_loop_lag: 0, requests_per_minute: 100000 }\n',
);
const { vendor, headgate } = lab;
after(() => lab[Symbol.asyncDispose]());

type Dialect = (typeof DIALECTS)[number];

const BASES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
};

let calls = 0;

async function send(surface: Dialect, spoken: Dialect, stream: boolean, plan: Plan) {
  vendor.plan(plan, { times: 1 });
  const body = { model: `${spoken}/m`, ...BASES[surface], stream };
  calls += 1;
  const id = `cut-${calls}`;
  const headers = { 'x-request-id': id };
  const answer = await ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body, headers });
  return { ...answer, id };
}

async function recordOf(id: string): Promise<Record<string, unknown>> {
  const { data } = await headgate.usage({ limit: '100' });
  return data.find((row) => row.client_request_id === id)!;
}

const START = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
const named = (event: { type: string }) => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const begun = (more: object = {}) => [
  { type: 'message_start', message: { ...START, usage: { input_tokens: 11, output_tokens: 1 }, ...more } },
];
const said = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
  { type: 'content_block_stop', index: 0 },
];
const told = { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: 7 } };
const stop = { type: 'message_stop' };

for (const surface of DIALECTS) {
  test(`${surface}: a message that stops without a reason is cut, and billed as told`, async () => {
    for (const events of [
      [...begun(), ...said, told, stop],
      [...begun(), ...said, told],
    ]) {
      const plan = () => streamReply(events.map(named));
      const streamed = await send(surface, 'anthropic-messages', true, plan);
      assert.equal(streamed.status, 200);
      assert.match(streamed.text, /before the answer was complete/);
      assert.doesNotMatch(streamed.text, /\[DONE\]|response\.completed|message_stop/);
      const record = await recordOf(streamed.id);
      assert.partialDeepStrictEqual(record, { status: 'failed', input_tokens: 11, output_tokens: 7 });
      const whole = await send(surface, 'anthropic-messages', false, plan);
      assert.equal(whole.status, 502, whole.text);
    }
  });

  test(`${surface}: a whole message without a stop reason is cut, and one that its vendor broke off fails`, async () => {
    const usage = { input_tokens: 11, output_tokens: 7 };
    const { stop_reason: _, ...silent } = { ...START, content: [{ type: 'text', text: 'Hel' }], usage };
    for (const body of [silent, { ...silent, stop_reason: null }]) {
      const { status, text, id } = await send(surface, 'anthropic-messages', false, () => jsonReply(200, body));
      assert.equal(status, 502, text);
      assert.partialDeepStrictEqual(await recordOf(id), { status: 'failed', input_tokens: 11, output_tokens: 7 });
      const streamed = await send(surface, 'anthropic-messages', true, () => jsonReply(200, body));
      assert.equal(streamed.status, 502, streamed.text);
    }
    const broken = await send(surface, 'anthropic-messages', false, () =>
      jsonReply(200, { ...silent, stop_reason: 'error' }),
    );
    assert.equal(broken.status, 502, broken.text);
  });

  test(`${surface}: a whole response that is under way is no answer, and billed as told`, async () => {
    const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
    const body = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'm', output: [], usage };
    for (const status of ['in_progress', 'queued']) {
      const answer = await send(surface, 'openai-responses', false, () => jsonReply(200, { ...body, status }));
      assert.equal(answer.status, 502, answer.text);
      const record = await recordOf(answer.id);
      assert.partialDeepStrictEqual(record, { status: 'failed', input_tokens: 11, output_tokens: 7 });
    }
  });

  test(`${surface}: a message that its vendor broke off in its stream fails`, async () => {
    const broken = { type: 'message_delta', delta: { stop_reason: 'error' }, usage: { output_tokens: 7 } };
    const events = [...begun(), ...said, broken, stop];
    const { text, id } = await send(surface, 'anthropic-messages', true, () => streamReply(events.map(named)));
    assert.match(text, /broke its answer off/);
    assert.partialDeepStrictEqual(await recordOf(id), { status: 'failed', input_tokens: 11, output_tokens: 7 });
    assert.doesNotMatch(text, /\[DONE\]|response\.completed|message_stop/);
  });

  test(`${surface}: before the first text such a message is a failure with a status`, async () => {
    const { status } = await send(surface, 'anthropic-messages', true, () =>
      streamReply([...begun(), stop].map(named)),
    );
    assert.equal(status, 502);
  });

  test(`${surface}: a stream without an end is cut`, async () => {
    const piece = { id: 'c', model: 'm', created: 1, choices: [{ index: 0, delta: { content: 'Hel' } }] };
    const item = { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'i', delta: 'Hel' };
    const ends: readonly (readonly [Dialect, readonly Buffer[]])[] = [
      ['openai-chat', [frame(piece)]],
      ['openai-chat', [frame(piece), frame('[DONE]')]],
      ['openai-responses', [named(item)]],
      ['openai-responses', [named(item), frame('[DONE]')]],
      ['anthropic-messages', [...begun(), ...said].map(named)],
    ];
    for (const [spoken, frames] of ends) {
      const { text, id } = await send(surface, spoken, true, () => streamReply(frames));
      assert.match(text, /before the answer was complete/, `${spoken} ${text}`);
      assert.equal((await recordOf(id)).status, 'failed');
    }
  });

  test(`${surface}: an end in a word that nobody knows is a regular one, and told`, async () => {
    const choice = { index: 0, finish_reason: 'whatever', message: { role: 'assistant', content: 'Hello' } };
    const chat = { id: 'c', model: 'm', created: 1, object: 'chat.completion', choices: [choice] };
    const message = { ...START, content: [{ type: 'text', text: 'Hello' }], stop_reason: 'whatever', usage: {} };
    for (const [spoken, body, name] of [
      ['openai-chat', chat, 'finish_reason'],
      ['anthropic-messages', message, 'stop_reason'],
    ] as const) {
      const { status, text, headers } = await send(surface, spoken, false, () => jsonReply(200, body));
      assert.equal(status, 200, text);
      if (surface === spoken) assert.match(text, /whatever/);
      else assert.equal(headers.get('service-dropped'), name);
    }
  });
}

/** Errors that vendors tell with status 200, the status that callers get, and the words. */
const ERRORS: readonly (readonly [body: object, status: number, words: string])[] = [
  [{ error: { message: 'Words.', code: 429 } }, 429, 'Words.'],
  [{ error: 'Words.' }, 502, 'Words.'],
  [{ detail: 'Words.' }, 502, 'Words.'],
  [{ message: 'Words.', object: 'error', code: 400 }, 400, 'Words.'],
  [{ success: false, message: 'Words.' }, 502, 'Words.'],
  [{ success: false, errors: [{ code: 5, message: 'Words.' }] }, 502, 'Words.'],
  [{ base_resp: { status_code: 1002, status_msg: 'Words.' }, choices: null }, 429, 'Words.'],
  [{ base_resp: { status_code: 2013, status_msg: 'Words.' }, choices: [] }, 400, 'Words.'],
  [{ base_resp: { status_code: 9999, status_msg: 'Words.' }, output: null, content: null }, 502, 'Words.'],
];

for (const surface of DIALECTS) {
  test(`${surface}: an error of status 200 is one, whole and streamed`, async () => {
    for (const [body, status, words] of ERRORS)
      for (const spoken of DIALECTS) {
        const about = `${spoken} ${JSON.stringify(body)}`;
        const plans = { whole: () => jsonReply(200, body), streamed: () => streamReply([frame(body)]) };
        for (const [form, plan] of Object.entries(plans))
          for (const stream of [false, true]) {
            const answer = await send(surface, spoken, stream, plan);
            assert.equal(answer.status, status, `${form} ${stream} ${about} ${answer.text}`);
            assert.match(String(field(answer.json, 'error', 'message')), new RegExp(words), `${form} ${about}`);
          }
      }
  });

  test(`${surface}: an error in a choice keeps its words`, async () => {
    const error = { message: 'Words.', code: 429 };
    const base = { id: 'c', model: 'm', created: 1 };
    const choice = { index: 0, finish_reason: 'error', error };
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const whole = { ...base, choices: [{ ...choice, message: { role: 'assistant', content: 'Hel' } }], usage };
    const failed = await send(surface, 'openai-chat', false, () => jsonReply(200, whole));
    assert.deepEqual([failed.status, field(failed.json, 'error', 'message')], [429, 'Words.']);
    const last = { ...base, choices: [{ ...choice, delta: { content: '' } }] };
    const early = await send(surface, 'openai-chat', true, () => streamReply([frame(last)]));
    assert.deepEqual([early.status, field(early.json, 'error', 'message')], [429, 'Words.']);
    const first = { ...base, choices: [{ index: 0, delta: { content: 'Hel' } }] };
    const late = await send(surface, 'openai-chat', true, () => streamReply([frame(first), frame(last)]));
    assert.match(late.text, /Words\./);
    assert.equal((await recordOf(late.id)).status, 'failed');
  });
}

test('an answer that passes fails where its vendor says that it broke it off', async () => {
  const base = { id: 'c', model: 'm', created: 1 };
  const choice = { index: 0, finish_reason: 'error' };
  const whole = { ...base, choices: [{ ...choice, message: { role: 'assistant', content: 'Hel' } }] };
  assert.equal((await send('openai-chat', 'openai-chat', false, () => jsonReply(200, whole))).status, 502);
  const chunk = { ...base, choices: [{ ...choice, delta: {} }] };
  assert.equal((await send('openai-chat', 'openai-chat', true, () => streamReply([frame(chunk)]))).status, 502);
});

test('MiniMax’s word of success beside an answer is no error', async () => {
  const base = { id: 'c', model: 'm', created: 1, base_resp: { status_code: 0, status_msg: 'success' } };
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }];
  const whole = await send('openai-chat', 'openai-chat', false, () => jsonReply(200, { ...base, choices }));
  assert.equal(whole.status, 200, whole.text);
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const frames = [
    frame({ ...base, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }),
    frame({ ...base, choices: null, usage }),
    frame('[DONE]'),
  ];
  const { text } = await send('openai-chat', 'openai-chat', true, () => streamReply(frames));
  assert.doesNotMatch(text, /error/);
});
