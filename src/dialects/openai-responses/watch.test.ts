import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { usageOf } from '../../core/usage.ts';
import { framesOf } from '../contract/cases.ts';
import type { EventRole, StreamWatch } from '../dialect.ts';
import { readInnerError } from '../vendor-errors.ts';
import { readEnvelope } from './envelope.ts';
import { watchStream } from './watch.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const USAGE = { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2, total_tokens: 11 };
const CREATED = { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', model: 'm', output: [] } };
const DELTA = { type: 'response.output_text.delta', sequence_number: 1, item_id: 'msg_1', output_index: 0, delta: 'a' };
const MESSAGE = { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Said' }] };

function watch(more: object = {}): StreamWatch {
  return watchStream(readEnvelope(Buffer.from(JSON.stringify({ model: 'm', input: 'a', ...more })), LIMITS));
}

function see(one: StreamWatch, ...payloads: readonly (object | string)[]): EventRole[] {
  return payloads.map((payload) =>
    one.see({ event: null, data: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  );
}

function completed(response: object = {}): object {
  return { type: 'response.completed', response: { status: 'completed', output: [], usage: USAGE, ...response } };
}

/** The same event with its type told last, or with a space behind every colon. */
function otherForms(event: object): string[] {
  const { type, ...rest } = event as { type: string };
  const last = JSON.stringify({ ...rest, type });
  return [last, last.replaceAll('":', '": ')];
}

test('events that only open an answer are told from those that carry it', () => {
  for (const type of ['response.created', 'response.queued', 'response.in_progress', 'keepalive']) {
    for (const form of [{ ...CREATED, type }, ...otherForms({ ...CREATED, type })])
      assert.deepEqual(see(watch(), form), ['opens']);
  }
  const types = [
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'reasoning_summary_text.delta',
    'tomorrow',
  ];
  for (const type of types) {
    const event = { type: `response.${type}`, item_id: 'x' };
    for (const form of [event, ...otherForms(event)]) assert.deepEqual(see(watch(), form), ['carries']);
  }
});

test('an answer is whole when it is completed or incomplete, and not before', () => {
  for (const type of ['response.completed', 'response.incomplete']) {
    for (const form of [completed(), ...otherForms(completed())]) {
      const event = typeof form === 'string' ? form.replace('response.completed', type) : { ...form, type };
      const one = watch();
      assert.deepEqual(see(one, CREATED, DELTA), ['opens', 'carries']);
      assert.equal(one.complete(), false);
      assert.deepEqual(see(one, event, '[DONE]'), ['ends', 'ends']);
      assert.equal(one.complete(), true);
    }
  }
  const cut = watch();
  assert.deepEqual(see(cut, DELTA, '[DONE]'), ['carries', 'ends']);
  assert.equal(cut.complete(), false);
});

test('content that looks like an event is none', () => {
  const one = watch({ metadata: { type: 'response.output_text.delta' } });
  const looks = '"type":"response.completed"';
  assert.deepEqual(see(one, { ...DELTA, delta: looks }), ['carries']);
  const named = { type: 'response.output_text.delta' };
  for (const event of [completed({ metadata: named }), ...otherForms(completed({ metadata: named }))]) {
    const another = watch();
    assert.deepEqual(see(another, event), ['ends']);
    assert.deepEqual(another.usage(), usageOf({ inputTokens: 9, cacheReadTokens: 4, outputTokens: 2 }));
  }
  assert.equal(one.output().text, looks);
});

test('usage and tier are those of the end, also of a failed answer', () => {
  const expected = usageOf({ inputTokens: 9, cacheReadTokens: 4, outputTokens: 2, serviceTier: 'flex' });
  for (const type of ['response.completed', 'response.failed']) {
    const one = watch();
    see(one, CREATED, { type, response: { status: 'x', usage: USAGE, service_tier: 'flex' } });
    assert.deepEqual(one.usage(), expected);
  }
  const silent = watch();
  see(silent, CREATED, DELTA, completed({ usage: null }));
  assert.equal(silent.usage(), null);
});

test('what was produced is kept with its escapes, by deltas of every kind or, without any, from the end', () => {
  const text = 'a "quoted" \\ back\nslash 日本 🙂';
  const one = watch();
  see(one, { ...DELTA, delta: text }, ...otherForms({ ...DELTA, delta: text }));
  see(one, { type: 'response.function_call_arguments.delta', delta: '{"a":1}' });
  see(one, { type: 'response.shell_call_output_content.delta', delta: { stdout: 'x' } });
  assert.equal(one.output().text, `${text}${text}${text}{"a":1}`);
  const late = watch();
  see(late, CREATED, completed({ output: [MESSAGE], usage: null }));
  assert.equal(late.output().text, 'Said');
});

test('a vendor’s error is found in every form, also behind content', () => {
  const error = { type: 'x', code: 'rate_limit_exceeded', message: 'Slow.' };
  const forms: readonly [event: string | null, payload: object][] = [
    [null, { type: 'error', sequence_number: 3, code: error.code, message: error.message, param: null }],
    [null, { type: 'error', error }],
    ['error', { error }],
    ['error', { code: error.code, message: error.message }],
    [null, { error }],
    [null, { type: 'response.failed', response: { status: 'failed', error } }],
    [null, completed({ status: 'failed', error })],
  ];
  for (const [event, payload] of forms) {
    for (const before of [[], [CREATED, DELTA]]) {
      const one = watch();
      see(one, ...before);
      assert.equal(one.see({ event, data: JSON.stringify(payload) }), 'fails', JSON.stringify(payload));
      assert.deepEqual([one.error().message, one.error().status], ['Slow.', 429]);
      assert.equal(one.complete(), false);
    }
  }
  assert.deepEqual(see(watch(), { type: 'response.cancelled', response: {} }), ['fails']);
});

test('what is no event is an answer that cannot be used', () => {
  for (const data of ['{"type":', 'null', '7', '[]']) {
    const one = watch();
    assert.deepEqual(see(one, DELTA, data), ['carries', 'fails'], data);
    assert.equal(one.error().kind, 'upstream_invalid_answer');
  }
});

test('what is no JSON object is not passed for the look of its inside, as far as its first and last byte tell', () => {
  const delta = '"type":"response.output_text.delta","delta":"a"';
  for (const data of [`{${delta}`, `${delta}}`, `x{${delta}}`, `{${delta}}x`, `{"sequence_number":1,${delta}`]) {
    const one = watch();
    assert.deepEqual(see(one, DELTA, data), ['carries', 'fails'], data);
  }
});

test('a failure follows the events that were seen, with the response as it was last told', () => {
  const one = watch();
  see(one, CREATED, { ...DELTA, sequence_number: 41 });
  const [flat, failed] = failureOf(one);
  assert.deepEqual(flat, {
    type: 'error',
    sequence_number: 42,
    code: 'upstream_timeout',
    message: 'Late.',
    param: null,
    error: { type: 'server_error', code: 'upstream_timeout', message: 'Late.', param: null },
  });
  assert.deepEqual(failed, {
    type: 'response.failed',
    sequence_number: 43,
    response: { ...CREATED.response, status: 'failed', error: { code: 'upstream_timeout', message: 'Late.' } },
  });
  const silent = watch({ instructions: 'Be.' });
  see(silent, { type: 'response.output_text.delta', delta: 'a' });
  const [first, second] = failureOf(silent);
  assert.equal(first?.sequence_number, 1);
  assert.partialDeepStrictEqual(second, {
    sequence_number: 2,
    response: { model: 'm', instructions: 'Be.', output: [] },
  });
});

test('agents are told in their own words why a stream failed', () => {
  const told = (error: GatewayError) =>
    (failureOf(watch(), error)[1] as { response: { error: unknown } }).response.error;
  const code = (error: GatewayError) => (told(error) as { code: string }).code;
  assert.deepEqual(told(new GatewayError('upstream_rate_limited', 'Slow.', { code: 'tokens', retryAfterMs: 2500 })), {
    code: 'rate_limit_exceeded',
    message: 'Slow. Please try again in 2.5s.',
  });
  assert.equal(code(new GatewayError('upstream_error', 'x', { type: 'overloaded_error' })), 'server_is_overloaded');
  assert.equal(code(new GatewayError('insufficient_quota', 'x')), 'insufficient_quota');
  const tooLong = { message: 'prompt is too long: 9 > 8', type: 'invalid_request_error' };
  assert.equal(code(readInnerError({ error: tooLong })), 'context_length_exceeded');
  assert.equal(code(new GatewayError('upstream_rejected', 'x')), 'server_error');
  assert.equal(code(new GatewayError('upstream_error', 'x', { code: 'invalid_prompt' })), 'invalid_prompt');
});

test('items are kept under every id they went by, unless the caller wants nothing kept', () => {
  const events = [
    CREATED,
    { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, id: 'first' } },
    { type: 'response.output_item.done', output_index: 0, item: MESSAGE },
    completed({ output: [MESSAGE, { id: 'fc_1', type: 'function_call' }, { type: 'nameless' }] }),
  ];
  const one = watch();
  see(one, ...events);
  const kept = one.outputItems?.() ?? [];
  assert.deepEqual(
    kept.map(({ id }) => id),
    ['msg_1', 'first', 'fc_1'],
  );
  assert.deepEqual(JSON.parse(kept[0]?.json ?? ''), MESSAGE);
  const closed = watch({ store: false });
  assert.deepEqual(see(closed, ...events), ['opens', 'carries', 'carries', 'ends']);
  assert.deepEqual(closed.outputItems?.(), []);
});

test('an event nested without end does not end the process', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const one = watch();
  see(one, `{"type":"response.created","response":{"x":${nested}}}`, `{"x":${nested}}`);
  assert.equal(failureOf(one).length, 2);
});

function failureOf(one: StreamWatch, error = new GatewayError('upstream_timeout', 'Late.')) {
  return framesOf(one.writeFailure(error)).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

test('the searches of a stream that is cut are counted, each once', () => {
  const done = (item: object, index = 0) => ({ type: 'response.output_item.done', output_index: index, item });
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search' } };
  const items = [
    ...[done(search), done(search), done({ ...search, id: 'ws_2' }, 1)],
    ...[
      done({ ...search, id: 'ws_3', status: 'failed' }, 2),
      done({ ...search, id: 'ws_4', action: { type: 'open_page' } }, 3),
    ],
  ];
  for (const keepsNothing of [true, false]) {
    const one = watchStream({ ...readEnvelope(Buffer.from('{"model":"m","input":"a"}'), LIMITS), keepsNothing });
    see(one, CREATED, ...items, DELTA);
    assert.deepEqual(one.shownCalls?.(), { web_search: 2 });
    see(one, completed({ output: [search] }));
    assert.equal(one.shownCalls?.(), undefined, 'they are in the usage');
  }
});
