import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FaultName } from '../../src/testing/faults.ts';
import { frame, type Plan, streamReply, wholeReply } from '../../src/testing/reply.ts';
import {
  assertParting,
  assertRecord,
  DEAD_MODEL,
  errorOf,
  type Lab,
  type Parting,
  PROMPT_TOKENS,
  startLab,
  streamError,
  TIMEOUTS,
} from './lab.ts';

/** What the caller hears where the vendor gave nothing that can be passed on, and what became of the vendor's call. */
type Case = { code: string; status: number; vendor: Parting; atMs?: number; charged?: false };

const DISCONNECTED = { code: 'upstream_disconnected', status: 502 };
const INVALID = { code: 'upstream_invalid_answer', status: 502 };
const TIMEOUT = { code: 'upstream_timeout', status: 504 };

const WHOLE: Partial<Record<FaultName, Case>> = {
  'slow-headers': { ...TIMEOUT, vendor: 'left', atMs: TIMEOUTS.total },
  'stall-before-body': { ...TIMEOUT, vendor: 'left', atMs: TIMEOUTS.total },
  stall: { ...TIMEOUT, vendor: 'left', atMs: TIMEOUTS.total },
  'endless-headers': { ...INVALID, vendor: 'left' },
  'reset-before-headers': { ...DISCONNECTED, vendor: 'broken' },
  reset: { ...DISCONNECTED, vendor: 'broken' },
  close: { ...DISCONNECTED, vendor: 'broken' },
  'ended-early': { ...INVALID, vendor: 'ended' },
  'truncated-json': { ...INVALID, vendor: 'ended' },
  'truncated-close': { ...INVALID, vendor: 'broken' },
  'wrong-content-type': { ...INVALID, vendor: 'ended' },
  'empty-body': { ...INVALID, vendor: 'ended' },
  'gzip-broken': { ...INVALID, vendor: 'ended' },
  'endless-body': { ...INVALID, vendor: 'left' },
  'endless-stream': { ...TIMEOUT, vendor: 'left', atMs: TIMEOUTS.total },
};

const STREAM: Partial<Record<FaultName, Case>> = {
  'slow-headers': { ...TIMEOUT, vendor: 'left', atMs: TIMEOUTS.first_byte },
  'endless-headers': { ...INVALID, vendor: 'left' },
  'reset-before-headers': { ...DISCONNECTED, vendor: 'broken' },
  'wrong-content-type': { ...INVALID, vendor: 'ended' },
  'empty-body': { ...DISCONNECTED, vendor: 'ended' },
  'gzip-broken': { ...INVALID, vendor: 'ended' },
  'endless-body': { ...INVALID, vendor: 'left' },
};

/** Bodies that are JSON by their brackets only, or nothing like an answer. */
const UNREADABLE: Record<string, string> = {
  'a broken escape in the usage': '{"choices":[],"usage":{"a":"\\x"}}',
  'a broken escape in a text that must be counted': '{"choices":[{"message":{"content":"\\x"}}]}',
  'choices that are no list': '{"choices":{"a":1}}',
  'a list': '[{"choices":[]}]',
  'something behind the end': '{"choices":[]}{}',
};

const OPENING = frame({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });

describe('a vendor that gives no answer', () => {
  let patient: Lab;
  let hasty: Lab;
  before(async () => {
    patient = await startLab({ limits: { max_answer: '256KB', max_line: '64KB' } });
    const { first_byte, total, ping, hold } = TIMEOUTS;
    // The head of a vendor comes before the first comment, also on a busy machine.
    hasty = await startLab({ timeouts: { first_byte, total, ping, hold } });
  });
  after(async () => {
    await patient[Symbol.asyncDispose]();
    await hasty[Symbol.asyncDispose]();
  });

  /** Asserts the error, the record, and that the vendor was let go. */
  async function expectRefusal(plan: FaultName | Plan, stream: boolean, expected: Case): Promise<void> {
    const lab = expected.atMs === undefined ? patient : hasty;
    const startedAt = performance.now();
    // On a used connection a request that is answered by no byte is sent again, so the plan stands until it is over.
    lab.vendor.plan(plan);
    using call = await lab.ask({ stream });
    const answer = await call.answer();
    lab.vendor.forget();
    const tookMs = performance.now() - startedAt;
    const error = errorOf(answer);
    assert.deepEqual([answer.status, error.code, error.type], [expected.status, expected.code, 'server_error']);
    assert.equal(answer.header('x-should-retry'), 'true');
    assert.equal(answer.header('service-attempts'), '1');
    if (expected.atMs !== undefined) {
      assert.ok(tookMs >= expected.atMs, `${tookMs} ms is before ${expected.atMs} ms`);
    }
    assertParting(await lab.released(), expected.vendor);
    const charged = expected.charged !== false;
    assertRecord(await call.record(), {
      status: 'failed',
      http_status: expected.status,
      error: expected.code,
      usage_source: charged ? 'estimated' : 'none',
      input_tokens: charged ? PROMPT_TOKENS : 0,
      output_tokens: 0,
    });
  }

  for (const [name, expected] of Object.entries(WHOLE)) {
    test(`whole, ${name}: ${expected.status} ${expected.code}`, () =>
      expectRefusal(name as FaultName, false, expected));
  }
  for (const [name, expected] of Object.entries(STREAM)) {
    test(`stream, ${name}: ${expected.status} ${expected.code}`, () =>
      expectRefusal(name as FaultName, true, expected));
  }
  for (const [name, body] of Object.entries(UNREADABLE)) {
    test(`whole, ${name}: 502 at once`, () =>
      expectRefusal(() => wholeReply(200, body), false, { ...INVALID, vendor: 'ended' }));
  }

  for (const encoding of ['compress', 'constructor', 'gzip, br']) {
    test(`whole, the content-encoding ${encoding}: 502`, () =>
      expectRefusal(() => wholeReply(200, '{"choices":[]}', { 'content-encoding': encoding }), false, {
        ...INVALID,
        vendor: 'ended',
      }));
  }

  test('stream, a reset behind frames that only open it: 502, and no stream', () =>
    expectRefusal(() => streamReply([OPENING, OPENING, 'reset']), true, { ...DISCONNECTED, vendor: 'broken' }));

  test('stream, a first line that is longer than max_line: 502, and no stream', () =>
    expectRefusal(() => streamReply([Buffer.alloc(70 * 1024, 'x'), 'hold']), true, { ...INVALID, vendor: 'left' }));

  test('stream, a first frame that is not JSON: 502, and no stream', () =>
    expectRefusal(() => streamReply([frame('{"choices":'), 'hold']), true, { ...INVALID, vendor: 'left' }));

  for (const stream of [false, true]) {
    const kind = stream ? 'stream' : 'whole';
    test(`${kind}, refused connection: 502, and nothing is charged`, async () => {
      using call = await patient.ask({ stream, body: { model: DEAD_MODEL } });
      const answer = await call.answer();
      assert.deepEqual([answer.status, errorOf(answer).code], [502, 'upstream_unreachable']);
      assert.doesNotMatch(answer.body().toString(), /127\.0\.0\.1|ECONNREFUSED/);
      assertRecord(await call.record(), {
        status: 'failed',
        http_status: 502,
        error: 'upstream_unreachable',
        usage_source: 'none',
        input_tokens: 0,
        output_tokens: 0,
        provider: 'dead',
        model: DEAD_MODEL,
      });
    });

    test(`${kind}, an error inside a 200: a real error status, and nothing is charged`, async () => {
      using call = await patient.ask({ stream, plan: 'error-in-200' });
      const answer = await call.answer();
      assert.deepEqual(
        [answer.status, errorOf(answer)],
        [
          503,
          { message: 'The server is overloaded, try again', type: 'server_error', param: null, code: 'overloaded' },
        ],
      );
      assertParting(await patient.released(), 'ended');
      assertRecord(await call.record(), {
        status: 'failed',
        http_status: 503,
        error: 'upstream_error',
        usage_source: 'none',
        input_tokens: 0,
        output_tokens: 0,
      });
    });

    test(`${kind}, an error inside a 200 that says it is a 429: 429`, async () => {
      const error = { error: { message: 'Slow down', type: 'rate_limit_error', code: 429 } };
      const plan: Plan = () => (stream ? streamReply([OPENING, frame(error)]) : wholeReply(200, JSON.stringify(error)));
      using call = await patient.ask({ stream, plan });
      const answer = await call.answer();
      assert.deepEqual([answer.status, errorOf(answer).message], [429, 'Slow down']);
      assert.equal(answer.header('retry-after'), '1');
      assert.equal((await call.record()).error, 'upstream_rate_limited');
    });
  }

  test('stream, headers and then nothing: the caller hears a comment, then an error frame at first_byte', async () => {
    using call = await hasty.ask({ stream: true, plan: 'stall-before-body' });
    const answer = await call.answer();
    assert.equal(streamError(answer).code, 'upstream_timeout');
    assert.match(answer.body().toString(), /^(: keep-alive\n\n)+data: /);
    assertParting(await hasty.released(), 'left');
    assertRecord(await call.record(), {
      status: 'failed',
      http_status: 504,
      error: 'upstream_timeout',
      usage_source: 'estimated',
      input_tokens: PROMPT_TOKENS,
      output_tokens: 0,
    });
  });
});
