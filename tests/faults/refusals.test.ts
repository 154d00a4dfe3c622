import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import type { FaultName } from '../../src/testing/faults.ts';
import { endAfter, errorReply, frame, type Plan, streamReply } from '../../src/testing/reply.ts';
import { assertParting, assertRecord, errorOf, LAB_KEY, type Lab, startLab, streamError } from './lab.ts';

const OVERLOADED = { message: 'The server is overloaded, try again', type: 'server_error', param: null };

/** What is passed on of a vendor's own refusal. */
const PASSED: Partial<Record<FaultName, { status: number; kind: string; error: Record<string, unknown> }>> = {
  'bad-request': {
    status: 400,
    kind: 'upstream_rejected',
    error: {
      message: "Invalid 'messages[0].role': 'wizard' is not one of the supported values.",
      type: 'invalid_request_error',
      param: 'messages[0].role',
      code: 'invalid_value',
    },
  },
  'server-error': {
    status: 500,
    kind: 'upstream_error',
    error: { message: 'Oops', type: 'server_error', param: null, code: 'upstream_error' },
  },
  'bad-gateway': {
    status: 502,
    kind: 'upstream_error',
    error: {
      message: 'The provider answered 502 without saying why.',
      type: 'server_error',
      param: null,
      code: 'upstream_error',
    },
  },
  overloaded: { status: 503, kind: 'upstream_error', error: { ...OVERLOADED, code: 'overloaded' } },
  redirect: {
    status: 502,
    kind: 'upstream_invalid_answer',
    error: {
      message: 'The provider answered 302 without saying why.',
      type: 'server_error',
      param: null,
      code: 'upstream_invalid_answer',
    },
  },
};

const RETRY_AFTER: Partial<Record<FaultName, [seconds: string, ms: string]>> = {
  'rate-limited': ['7', '7000'],
  'rate-limited-ms': ['2', '1500'],
  'rate-limited-date': ['60', '60000'],
};

const ACCOUNT_FAULTS = [
  ['unauthorized', 'upstream_unauthorized'],
  ['forbidden', 'upstream_unauthorized'],
  ['payment-required', 'upstream_unauthorized'],
  ['quota-exhausted', 'upstream_account_empty'],
] as const;

/** Values of which no word can be made: trying to throws. */
const NO_WORDS: Readonly<Record<string, string>> = {
  'a list in lists': '['.repeat(50_000) + ']'.repeat(50_000),
  'an object that names what makes a word of it': '{"toString":0,"valueOf":0}',
};

describe('a vendor that refuses', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const stream of [false, true]) {
    const kind = stream ? 'stream' : 'whole';

    for (const [name, expected] of Object.entries(PASSED)) {
      test(`${kind}, ${name}: ${expected.status} with the vendor's words, sent once`, async () => {
        const before = lab.vendor.requests.length;
        using call = await lab.ask({ stream, plan: name as FaultName });
        const answer = await call.answer();
        assert.deepEqual([answer.status, errorOf(answer)], [expected.status, expected.error]);
        assertParting(await lab.released(), 'ended');
        assert.equal(lab.vendor.requests.length, before + 1);
        assertRecord(await call.record(), refused(expected.status, expected.kind));
      });
    }

    for (const [name, [seconds, ms]] of Object.entries(RETRY_AFTER)) {
      test(`${kind}, ${name}: 429, and the caller is told to wait ${ms} ms`, async () => {
        using call = await lab.ask({ stream, plan: name as FaultName });
        const answer = await call.answer();
        assert.deepEqual([answer.status, errorOf(answer).code], [429, 'rate_limit_exceeded']);
        assert.deepEqual([answer.header('retry-after'), answer.header('retry-after-ms')], [seconds, ms]);
        assert.equal(answer.header('x-should-retry'), 'true');
        assertParting(await lab.released(), 'ended');
        assertRecord(await call.record(), refused(429, 'upstream_rate_limited'));
      });
    }

    for (const [name, code] of ACCOUNT_FAULTS) {
      test(`${kind}, ${name}: 502 that tells neither key nor host, and the next call is sent`, async () => {
        using call = await lab.ask({ stream, plan: name });
        const answer = await call.answer();
        const error = errorOf(answer);
        assert.deepEqual([answer.status, error.code], [502, code]);
        assert.equal(answer.header('x-should-retry'), 'false');
        assertNothingQuoted(answer.body().toString() + JSON.stringify(answer.headers));
        assertParting(await lab.released(), 'ended');
        assertRecord(await call.record(), refused(502, code));

        using next = await lab.ask({ stream });
        assert.equal((await next.answer()).status, 200);
        assert.equal((await next.record()).status, 'succeeded');
      });
    }

    test(`${kind}, a refusal that quotes key and host: its words without them`, async () => {
      using call = await lab.ask({ stream, plan: quoting(400) });
      const answer = await call.answer();
      assert.equal(answer.status, 400);
      assert.equal(errorOf(answer).message, 'Key *** asked *** for too much');
      assertNothingQuoted(answer.body().toString());
    });
  }

  test('an error frame that quotes key and host: its words without them', async () => {
    const plan: Plan = (request) => {
      const { authorization, host } = request.headers;
      const message = `Key ${authorization?.slice('Bearer '.length)} broke http://${host}${request.path}`;
      return endAfter(answer(), 3, frame({ error: { message } }))(request);
    };
    using call = await lab.ask({ stream: true, plan });
    const cut = await call.answer();
    assert.match(streamError(cut).message, /^Key \*\*\* broke \*\*\*/);
    assertNothingQuoted(cut.body().toString());
  });

  for (const [what, code] of Object.entries(NO_WORDS)) {
    test(`a stream that is an error in a 200, whose code is ${what}: 502 with the vendor's words, and the gateway goes on`, async () => {
      const plan: Plan = () => streamReply([frame(`{"error":{"message":"Not today","code":${code}}}`)]);
      using call = await lab.ask({ stream: true, plan });
      const answer = await call.answer();
      assert.deepEqual([answer.status, errorOf(answer).message], [502, 'Not today']);
      assertRecord(await call.record(), refused(502, 'upstream_error'));
      using next = await lab.ask({ stream: true });
      assert.equal((await next.answer()).status, 200);
    });
  }

  function assertNothingQuoted(text: string): void {
    for (const word of [LAB_KEY, new URL(lab.vendor.url).host, '127.0.0.1']) {
      assert.equal(text.includes(word), false, `${word} stands in ${text}`);
    }
  }
});

function quoting(status: number): Plan {
  return ({ headers }) => {
    const key = headers.authorization?.slice('Bearer '.length);
    return errorReply(status, { message: `Key ${key} asked ${headers.host} for too much`, type: 'nosy' });
  };
}

/** The record of a call that the vendor answered with an error: it has no tokens, and costs nothing. */
function refused(http_status: number, error: string) {
  return {
    status: 'failed',
    http_status,
    error,
    usage_source: 'none',
    input_tokens: 0,
    output_tokens: 0,
  } as const;
}
