import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, type Plan, streamReply, wholeReply } from '../../src/testing/reply.ts';
import { type Answer, ask, errorOf, eventsIn } from '../http/client.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

/** The forms in which vendors say that a prompt is too long; their sentences are tried in `src/dialects/too-long.test.ts`. */

const short = await startFakeProvider();
const long = await startFakeProvider();
const provider = (id: string, url: string, dialect: string) =>
  `  ${id}: { base_url: "${url}", api_key: a-key, dialects: [${dialect}], only: [m] }\n`;
const headgate = await startHeadgate({
  config: `providers:\n${DIALECTS.map((dialect) => provider(dialect, short.url, dialect)).join('')}${provider('long', long.url, 'openai-chat')}
routes:\n${DIALECTS.map((dialect) => `  rt/${dialect}: { targets: [${dialect}/m], context_window_fallbacks: [long/m] }\n`).join('')}`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await Promise.all([short.close(), long.close()]);
});

const SAID = 'prompt is too long: 209000 tokens > 200000 maximum';
const INSIDE = { error: { message: SAID, type: 'invalid_request_error', param: null, code: null } };
const raw = (value: unknown) => ({
  error: {
    message: 'Provider returned error',
    code: 400,
    metadata: { provider_name: 'A', raw: JSON.stringify(value) },
  },
});

/** Bodies, each with the status that it comes with. */
const BODIES: readonly [status: number, body: string][] = [
  ...[400, 413, 422, 429, 500, 503].map((status) => [status, JSON.stringify(INSIDE)] as [number, string]),
  [400, JSON.stringify(raw(INSIDE))],
  [502, JSON.stringify(raw(raw(INSIDE)))],
  [400, JSON.stringify([INSIDE])],
  [400, SAID],
  [400, JSON.stringify({ error: { code: 'context_length_exceeded' } })],
  [400, JSON.stringify({ error: { code: '1261', message: '提示过长' } })],
  [400, JSON.stringify({ code: 'InvalidParameter', message: 'Range of input length should be [1, 129024]' })],
  [400, JSON.stringify({ code: '1261', msg: 'Prompt 超长', success: false })],
  [200, JSON.stringify(INSIDE)],
  [200, JSON.stringify({ error: SAID })],
  [200, JSON.stringify({ object: 'error', message: SAID, type: 'BadRequestError', param: null, code: 400 })],
  [
    200,
    JSON.stringify({ base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } }),
  ],
];

const chunk = (delta: object) =>
  frame({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] });
const named = (event: string, data: object) => Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
const failed = {
  id: 'r',
  object: 'response',
  status: 'failed',
  output: [],
  error: { code: 'context_length_exceeded', message: SAID },
};
const started = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

/** The first events of streams of status 200. */
const STREAMS: Readonly<Record<RecordedDialect, readonly Buffer[][]>> = {
  'openai-chat': [
    [frame(INSIDE)],
    [chunk({ role: 'assistant', content: '' }), frame(INSIDE)],
    [
      named('error', {
        error: { message: 'Context size has been exceeded.' },
        message: 'Context size has been exceeded.',
      }),
    ],
    [frame({ object: 'error', message: SAID, type: 'BadRequestError', code: 400 }), frame('[DONE]')],
    [frame(raw(INSIDE)), frame('[DONE]')],
    [frame({ id: 'c', choices: [], error: { code: 502, message: SAID } })],
  ],
  'openai-responses': [
    [named('response.failed', { type: 'response.failed', response: failed })],
    [named('error', { type: 'error', code: 'context_length_exceeded', message: SAID, param: null })],
    [named('error', { type: 'error', error: { type: 'invalid_request_error', code: null, message: SAID } })],
    [
      named('response.created', {
        type: 'response.created',
        response: { ...failed, status: 'in_progress', error: null },
      }),
      named('response.failed', { type: 'response.failed', response: failed }),
    ],
    [named('response.completed', { type: 'response.completed', response: failed })],
  ],
  'anthropic-messages': [
    [named('error', { type: 'error', error: { type: 'invalid_request_error', message: SAID } })],
    [named('message_start', started), named('error', { type: 'error', error: { type: 'api_error', message: SAID } })],
  ],
};

const BODY: Readonly<Record<RecordedDialect, object>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
};

function call(surface: RecordedDialect, model: string, stream: boolean): Promise<Answer> {
  const body = { model, stream, ...BODY[surface] };
  return ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body });
}

/** Agents compact their conversation by these words alone. */
function expectTooLong(surface: RecordedDialect, answer: Answer, why: string): void {
  const { code, message } = errorOf(answer);
  assert.equal(answer.status, 400, `${why}: ${answer.text}`);
  if (surface === 'anthropic-messages') assert.match(String(message), /^prompt is too long/i, why);
  else assert.equal(code, 'context_length_exceeded', why);
}

type Form = readonly [plan: Plan, streams: readonly boolean[], told: string];
const fine = (spoken: RecordedDialect) => scripted(spoken, [{ text: 'Fine.', usage: { input: 5, output: 2 } }]);

for (const spoken of DIALECTS) {
  const forms: readonly Form[] = [
    ...BODIES.map(([status, body]): Form => [() => wholeReply(status, body), [false, true], `${status} ${body}`]),
    ...STREAMS[spoken].map((frames): Form => [() => streamReply(frames), [true, false], `${Buffer.concat(frames)}`]),
  ];

  test(`a prompt that is too long is known in every form at a vendor of ${spoken}`, async () => {
    for (const [plan, streams, told] of forms) {
      short.plan(plan);
      for (const surface of DIALECTS)
        for (const stream of streams) {
          expectTooLong(surface, await call(surface, `${spoken}/m`, stream), `${surface} ${stream} ${told}`);
        }
    }
  });

  test(`it goes on to the fallback for it, and opens no circuit, at a vendor of ${spoken}`, async () => {
    for (const [plan, [stream = false], told] of forms) {
      long.plan(fine('openai-chat'));
      short.plan(plan);
      const answer = await call('openai-chat', `rt/${spoken}`, stream);
      assert.deepEqual([answer.status, answer.headers.get('service-provider')], [200, 'long'], told);
    }
    short.plan(fine(spoken));
    const answer = await call('openai-chat', `rt/${spoken}`, false);
    assert.equal(answer.headers.get('service-provider'), spoken, answer.text);
  });
}

test('it is told in the words of the caller behind the first text, too', async () => {
  short.plan(() => streamReply([chunk({ role: 'assistant', content: 'Hel' }), frame(INSIDE)]));
  for (const surface of DIALECTS) {
    const { text } = await call(surface, 'openai-chat/m', true);
    const events = eventsIn(text).filter((data) => data !== '[DONE]');
    const last: unknown = JSON.parse(events.at(-1) ?? 'null');
    const error = field(last, 'error') ?? field(last, 'response', 'error');
    if (surface === 'anthropic-messages') assert.match(String(field(error, 'message')), /^prompt is too long/i);
    else assert.equal(field(error, 'code'), 'context_length_exceeded', text);
  }
});
