import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI, { APIError, APIUserAbortError, BadRequestError, InternalServerError, RateLimitError } from 'openai';
import { DEFAULT_TEXT, answer as normal } from '../../src/testing/answers.ts';
import type { FaultName } from '../../src/testing/faults.ts';
import { errorReply, insert } from '../../src/testing/reply.ts';
import type { Timeouts } from '../support/timeouts.ts';
import { type Lab, MODEL, PROMPT, startLab } from './lab.ts';

type Thrown = typeof BadRequestError | typeof RateLimitError | typeof InternalServerError;

/** What the official client throws, for a whole answer and for a stream that had not begun. */
const REFUSED: Partial<Record<FaultName, [error: Thrown, status: number, code: string]>> = {
  'reset-before-headers': [InternalServerError, 502, 'upstream_disconnected'],
  'wrong-content-type': [InternalServerError, 502, 'upstream_invalid_answer'],
  'empty-body': [InternalServerError, 502, ''],
  'error-in-200': [InternalServerError, 503, 'overloaded'],
  'rate-limited': [RateLimitError, 429, 'rate_limit_exceeded'],
  'bad-request': [BadRequestError, 400, 'invalid_value'],
  unauthorized: [InternalServerError, 502, 'upstream_unauthorized'],
  overloaded: [InternalServerError, 503, 'overloaded'],
  'gzip-broken': [InternalServerError, 502, 'upstream_invalid_answer'],
};

const CUT: Partial<Record<FaultName, string>> = {
  reset: 'upstream_disconnected',
  'ended-early': 'upstream_disconnected',
  'error-frame': 'overloaded',
  'error-event': 'overloaded',
};

/** Streams that a deadline ends, each in a gateway of its own: no other deadline may come first. */
const TIMED_OUT: Partial<Record<FaultName, Timeouts>> = { stall: { idle: 2000 }, 'endless-stream': { total: 4000 } };

const PASSED: readonly FaultName[] = ['comments', 'crlf', 'cr', 'missing-done', 'no-final-blank-line', 'gzip', 'br'];
const QUESTION = { model: MODEL, messages: [{ role: 'user', content: PROMPT }] } as const;

describe('the official client', () => {
  let lab: Lab;
  let client: OpenAI;
  before(async () => {
    lab = await startLab();
    client = clientOf(lab);
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [name, [type, status, code]] of Object.entries(REFUSED)) {
    for (const stream of [false, true]) {
      test(`${stream ? 'stream' : 'whole'}, ${name}: throws ${type.name} ${status} with the request's id`, async () => {
        lab.vendor.plan(name as FaultName, { times: 1 });
        const thrown = await client.chat.completions.create({ ...ask(), stream }).catch((error: unknown) => error);
        assert.ok(thrown instanceof type, String(thrown));
        assert.equal(thrown.status, status);
        if (code !== '') assert.equal(thrown.code, code);
        assert.match(String(thrown.requestID), /^req_/);
        const { data } = await lab.gateway.usage({ limit: '1' });
        assert.equal(data[0]?.request_id, thrown.requestID);
        assert.equal(data[0]?.status, 'failed');
        await lab.released();
      });
    }
  }

  for (const [name, code] of Object.entries(CUT)) {
    test(`stream, ${name}: throws ${code} behind the text that came`, () => expectCut(lab, name as FaultName, code));
  }

  for (const name of PASSED) {
    test(`stream, ${name}: is not noticed`, async () => {
      lab.vendor.plan(name, { times: 1 });
      assert.deepEqual(await readStream(client), { text: DEFAULT_TEXT, error: null });
    });
  }

  test('an abort lets the vendor go, whole and in the middle of a stream', async () => {
    for (const stream of [false, true]) {
      const before = lab.vendor.closedEarly;
      lab.vendor.plan(insert(normal(), stream ? 3 : 0, 'hold'), { times: 1 });
      const leaving = new AbortController();
      const ended = stream
        ? readStream(client, { signal: leaving.signal }).then(({ error }) => error)
        : client.chat.completions.create(ask(), { signal: leaving.signal }).catch((error: unknown) => error);
      await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
      leaving.abort();
      const error = await ended;
      assert.ok(error instanceof APIUserAbortError || error === null, String(error));
      await lab.vendor.waitFor(({ closedEarly }) => closedEarly === before + 1);
    }
  });

  test('tries again by itself after the wait that the vendor asked for', async () => {
    const error = { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' };
    lab.vendor.plan(() => errorReply(429, error, { 'retry-after-ms': '20' }), { times: 1 });
    const patient = client.withOptions({ maxRetries: 1 });
    const answer = await patient.chat.completions.create(ask());
    assert.equal(answer.choices[0]?.message.content, DEFAULT_TEXT);
    const { data } = await lab.gateway.usage({ limit: '2' });
    assert.deepEqual(
      data.map((row) => [row.status, row.http_status]),
      [
        ['succeeded', 200],
        ['failed', 429],
      ],
    );
  });
});

for (const [name, timeouts] of Object.entries(TIMED_OUT)) {
  test(`the official client, stream, ${name}: throws upstream_timeout behind the text that came`, async () => {
    await using lab = await startLab({ timeouts });
    await expectCut(lab, name as FaultName, 'upstream_timeout');
  });
}

function clientOf({ gateway }: Lab): OpenAI {
  return new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
}

async function expectCut(lab: Lab, name: FaultName, code: string): Promise<void> {
  lab.vendor.plan(name, { times: 1 });
  const { text, error } = await readStream(clientOf(lab));
  assert.ok(error instanceof APIError, String(error));
  assert.equal(error.code, code);
  assert.ok(text.startsWith(name === 'endless-stream' ? 'on and ' : 'Hello from'), text.slice(0, 100));
  await lab.released();
}

/** The text so far, and what ended the stream. */
async function readStream(client: OpenAI, options: { signal?: AbortSignal } = {}) {
  let text = '';
  try {
    const stream = await client.chat.completions.create({ ...ask(), stream: true }, options);
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  } catch (error) {
    return { text, error };
  }
  return { text, error: null };
}

function ask() {
  return { ...QUESTION, messages: [...QUESTION.messages] };
}
