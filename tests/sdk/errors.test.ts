import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { errorReply } from '../../src/testing/reply.ts';
import { collect, rejection, startLab } from './lab.ts';

// One attempt: what is seen is what becomes of it.
const lab = await startLab(`
providers: { lab: { base_url: "\${LAB_URL}", only: [lab-small] } }
retries: { attempts: 1 }
`);
const { client, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const chat = { model: 'lab-small', messages: [{ role: 'user' as const, content: 'Hi' }] };
const stream = { ...chat, stream: true as const };

test('a wrong key is an AuthenticationError with a request id', async () => {
  const wrong = `${lab.headgate.key.slice(0, -1)}${lab.headgate.key.endsWith('0') ? '1' : '0'}`;
  for (const key of [wrong, 'sk-somewhere-else', ' ']) {
    const error = await rejection(lab.clientWith(key).chat.completions.create(chat), AuthenticationError);
    assert.equal(error.code, key === ' ' ? 'missing_api_key' : 'invalid_api_key');
    assert.match(error.requestID ?? '', /^req_[0-9a-f]{32}$/);
    assert(!error.message.includes(wrong));
  }
});

test('a path and a model that do not exist are NotFoundErrors', async () => {
  const path = await rejection(client.post('/completions', { body: chat }), NotFoundError);
  assert.match(path.message, /POST \/v1\/chat\/completions/);
  const model = await rejection(client.chat.completions.create({ ...chat, model: 'nobody' }), NotFoundError);
  assert.deepEqual([model.code, model.param], ['model_not_found', 'model']);
  assert.match(model.requestID ?? '', /^req_/);
});

test('a model that does not exist has the names near it as a list of their own, on each surface', async () => {
  const near = ['lab-small'];
  const messages = chat.messages;
  for (const ask of [
    () => client.chat.completions.create({ ...chat, model: 'lab-smal' }),
    () => client.chat.completions.create({ ...stream, model: 'lab-smal' }),
    () => client.responses.create({ model: 'lab-smal', input: 'Hi' }),
    () => client.embeddings.create({ model: 'lab-smal', input: 'Hi' }),
    () => client.models.retrieve('lab-smal'),
  ]) {
    const { error } = await rejection(ask(), NotFoundError);
    assert.deepEqual((error as { near?: string[] }).near, near);
  }
  const anthropic = new Anthropic({ baseURL: lab.headgate.url, apiKey: lab.headgate.key, maxRetries: 0 });
  const asked = anthropic.messages.create({ model: 'lab-smal', max_tokens: 9, messages });
  const { error } = await rejection(asked, Anthropic.NotFoundError);
  assert.deepEqual((error as { error: { near?: string[] } }).error.near, near);
  const far = await rejection(client.chat.completions.create({ ...chat, model: 'nobody' }), NotFoundError);
  assert.deepEqual((far.error as { near?: string[] }).near, []);
});

test('what the gateway cannot use is a BadRequestError with the parameter', async () => {
  const refused: [body: object, param: string][] = [
    [{ model: 'lab-small' }, 'messages'],
    [{ ...chat, messages: 'Hi' }, 'messages'],
    [{ messages: chat.messages }, 'model'],
    [{ ...chat, stream: 'yes' }, 'stream'],
    [{ ...chat, max_tokens: 'many' }, 'max_tokens'],
    [{ ...chat, max_completion_tokens: 0.5 }, 'max_completion_tokens'],
    [{ ...chat, n: 1.5 }, 'n'],
  ];
  const before = vendor.requests.length;
  for (const [body, param] of refused) {
    const error = await rejection(client.post('/chat/completions', { body }), BadRequestError);
    assert.deepEqual([error.param, error.type], [param, 'invalid_request_error'], JSON.stringify(body));
  }
  assert.equal(vendor.requests.length, before, 'the vendor was not asked');
});

test('a vendor’s refusal keeps its words, and its request id is that of the record', async () => {
  for (const body of [chat, stream]) {
    vendor.plan('bad-request', { times: 1 });
    const error = await rejection(client.post('/chat/completions', { body }), BadRequestError);
    assert.deepEqual([error.param, error.code], ['messages[0].role', 'invalid_value']);
    assert.match(error.message, /'wizard' is not one of the supported values/);
    const record = await lab.record(error.requestID);
    assert.deepEqual(
      [record.status, record.http_status, record.error, record.cost_usd],
      ['failed', 400, 'upstream_rejected', 0],
    );
  }
});

test('a vendor’s rate limit is a RateLimitError with the wait it asks for', async () => {
  vendor.plan('rate-limited', { times: 1 });
  const error = await rejection(client.chat.completions.create(chat), RateLimitError);
  assert.equal(error.code, 'rate_limit_exceeded');
  assert.deepEqual(
    ['retry-after', 'retry-after-ms', 'x-should-retry'].map((name) => error.headers.get(name)),
    ['7', '7000', 'true'],
  );
  assert.equal((await lab.record(error.requestID)).error, 'upstream_rate_limited');
});

test('a vendor’s failures are InternalServerErrors, and its refused credential says nothing of it', async () => {
  const failures = [
    ['server-error', 500, 'upstream_error'],
    ['bad-gateway', 502, 'upstream_error'],
    ['overloaded', 503, 'upstream_error'],
    ['truncated-json', 502, 'upstream_invalid_answer'],
    ['reset', 502, 'upstream_disconnected'],
    ['unauthorized', 502, 'upstream_unauthorized'],
  ] as const;
  for (const [fault, status, kind] of failures) {
    vendor.plan(fault, { times: 1 });
    const error = await rejection(client.chat.completions.create(chat), InternalServerError);
    assert.equal(error.status, status, fault);
    assert(!error.message.includes('127.0.0.1'));
    const record = await lab.record(error.requestID);
    assert.deepEqual([record.status, record.http_status, record.error], ['failed', status, kind]);
  }
});

test('an error in the middle of a stream is thrown to its reader, with the request id of the record', async () => {
  for (const fault of ['error-frame', 'reset', 'ended-early'] as const) {
    vendor.plan(fault, { times: 1 });
    const { data, request_id } = await client.chat.completions.create(stream).withResponse();
    const error = await rejection(collect(data), APIError);
    assert.equal(error.requestID, request_id);
    const record = await lab.record(request_id);
    assert.deepEqual([record.status, record.streamed], ['failed', true], fault);
    assert(Number(record.output_tokens) > 0, 'what was produced is counted');
  }
});

test('the client repeats a 429 by itself, after the wait that it names in milliseconds', async () => {
  // The client’s own guess would be half a second at most.
  const waitMs = 700;
  const limited = { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' };
  vendor.plan(() => errorReply(429, limited, { 'retry-after-ms': `${waitMs}` }), { times: 1 });
  const before = vendor.requests.length;
  const startedAt = performance.now();
  const { data, request_id } = await client.chat.completions.create(chat, { maxRetries: 1 }).withResponse();
  assert(performance.now() - startedAt >= waitMs);
  assert.equal(data.choices[0]?.finish_reason, 'stop');
  assert.equal(vendor.requests.length, before + 2);
  assert.equal((await lab.record(request_id)).status, 'succeeded');
  const { data: records } = await lab.headgate.usage({ limit: '2' });
  assert.deepEqual(
    records.map(({ status }) => status),
    ['succeeded', 'failed'],
    'each try has a record',
  );
});

test('the client does not repeat what the gateway says not to', async () => {
  vendor.plan('unauthorized', { times: 1 });
  const before = vendor.requests.length;
  const error = await rejection(client.chat.completions.create(chat, { maxRetries: 3 }), InternalServerError);
  assert.equal(error.headers.get('x-should-retry'), 'false');
  assert.equal(vendor.requests.length, before + 1);
});

test('a caller who leaves mid-stream lets the vendor go, and has a record', async () => {
  vendor.plan('stall', { times: 1 });
  const left = vendor.closedEarly;
  const { data, request_id } = await client.chat.completions.create(stream).withResponse();
  for await (const chunk of data) if (chunk.choices[0]?.delta.content) break; // Breaking off aborts the request.
  await vendor.waitFor(({ closedEarly }) => closedEarly === left + 1);
  const record = await lab.record(request_id);
  assert.deepEqual(
    [record.status, record.http_status, record.error, record.usage_source],
    ['cancelled', 499, 'client_closed_request', 'estimated'],
  );
  assert(Number(record.input_tokens) > 0 && Number(record.output_tokens) > 0);
});

test('a caller who leaves before the first byte lets the vendor go, and has a record', async () => {
  for (const body of [chat, stream]) {
    vendor.plan('slow-headers', { times: 1 });
    const left = vendor.closedEarly;
    const leaving = new AbortController();
    const id = `left-${left}`;
    const options = { signal: leaving.signal, headers: { 'x-request-id': id } };
    const answer = rejection(client.chat.completions.create(body, options).asResponse(), APIUserAbortError);
    await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    leaving.abort();
    await answer;
    await vendor.waitFor(({ closedEarly }) => closedEarly === left + 1);
    const record = await lab.recordWhere((each) => each.client_request_id === id);
    assert.deepEqual([record.status, record.error, record.output_tokens], ['cancelled', 'client_closed_request', 0]);
  }
});
