import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { constants, gzipSync } from 'node:zlib';
import { chatChunks, DEFAULT_TEXT, DONE } from '../../src/testing/answers.ts';
import type { FaultName } from '../../src/testing/faults.ts';
import { type Act, encoded, frame, type Plan, streamReply } from '../../src/testing/reply.ts';
import {
  assertParting,
  assertRecord,
  type Lab,
  type Parting,
  PROMPT_TOKENS,
  payloads,
  startLab,
  streamError,
  textOf,
} from './lab.ts';

/** What the caller has of a stream that breaks behind its first content, and what the record says of it. */
type Case = {
  text: string;
  /** Of the text, by the tokenizer that estimates are made with. */
  tokens: number;
  code: string;
  /** Of the record, where it is not the code. */
  kind?: string;
  status: number;
  vendor: Parting;
  atMs?: number;
};

/** A vendor on a busy machine is not silent for as long between two frames. */
const HASTY = { idle: 1500, total: 2500 };
const DISCONNECTED = { code: 'upstream_disconnected', status: 502 };
const INVALID = { code: 'upstream_invalid_answer', status: 502 };
const TIMEOUT = { code: 'upstream_timeout', status: 504 };
const OVERLOADED = { code: 'overloaded', kind: 'upstream_error', status: 503 };
/** The first content chunks of the fake vendor's answer. */
const BEGUN = { text: 'Hello from', tokens: 2 };
const ALL = { text: DEFAULT_TEXT, tokens: 9 };

const FAULTS: Partial<Record<FaultName, Case>> = {
  stall: { ...BEGUN, ...TIMEOUT, vendor: 'left', atMs: HASTY.idle },
  reset: { ...BEGUN, ...DISCONNECTED, vendor: 'broken' },
  close: { ...BEGUN, ...DISCONNECTED, vendor: 'broken' },
  'ended-early': { ...BEGUN, ...DISCONNECTED, vendor: 'ended' },
  'reset-after-finish': { ...ALL, ...DISCONNECTED, vendor: 'broken' },
  'truncated-json': { text: 'Hello from a vendor', tokens: 4, ...DISCONNECTED, vendor: 'ended' },
  'error-frame': { ...BEGUN, ...OVERLOADED, vendor: 'ended' },
  'error-event': { ...BEGUN, ...OVERLOADED, vendor: 'ended' },
  'error-chunk': { ...BEGUN, ...OVERLOADED, code: '502', status: 502, vendor: 'ended' },
};

const ONE_CHOICE = [
  frame({ choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] }),
  frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
];

describe('a stream that breaks behind its first content', () => {
  let patient: Lab;
  let hasty: Lab;
  before(async () => {
    patient = await startLab({ limits: { max_line: '64KB' } });
    hasty = await startLab({ timeouts: HASTY });
  });
  after(async () => {
    await patient[Symbol.asyncDispose]();
    await hasty[Symbol.asyncDispose]();
  });

  async function expectCut(plan: FaultName | Plan, expected: Case): Promise<void> {
    const lab = expected.atMs === undefined ? patient : hasty;
    const startedAt = performance.now();
    using call = await lab.ask({ stream: true, plan });
    const answer = await call.answer();
    const tookMs = performance.now() - startedAt;
    assert.equal(streamError(answer).code, expected.code);
    assert.equal(textOf(answer), expected.text);
    if (expected.atMs !== undefined) {
      assert.ok(tookMs >= expected.atMs, `${tookMs} ms is before ${expected.atMs} ms`);
    }
    assertParting(await lab.released(), expected.vendor);
    assertRecord(await call.record(), {
      status: 'failed',
      http_status: expected.status,
      error: expected.kind ?? expected.code,
      usage_source: 'estimated',
      input_tokens: PROMPT_TOKENS,
      output_tokens: expected.tokens,
    });
  }

  for (const [name, expected] of Object.entries(FAULTS)) {
    test(`${name}: an error frame with ${expected.code}, and no end`, () => expectCut(name as FaultName, expected));
  }

  test('a line that grows past max_line: an error frame', () =>
    expectCut(begun(Buffer.from('data: '), Buffer.alloc(70 * 1024, 'x'), 'hold'), {
      ...BEGUN,
      ...INVALID,
      vendor: 'left',
    }));

  test('a frame that is no object: an error frame', () =>
    expectCut(begun(frame('null'), 'hold'), { ...BEGUN, ...INVALID, vendor: 'left' }));

  test('gzip that breaks behind the first content: an error frame', () =>
    expectCut(zipped(begun(), Buffer.alloc(64, 0xff), 'hold'), { ...BEGUN, ...INVALID, vendor: 'left' }));

  for (const encoding of ['gzip', 'br'] as const) {
    test(`a ${encoding} body that is whole and has a line that is not: an error frame`, () =>
      expectCut(encoded(begun(Buffer.from('dat')), encoding), { ...BEGUN, ...DISCONNECTED, vendor: 'ended' }));
  }

  test('of two choices only one came, and no [DONE]: an error frame', async () => {
    using call = await patient.ask({ stream: true, plan: () => streamReply(ONE_CHOICE), body: { n: 2 } });
    assert.equal(streamError(await call.answer()).code, 'upstream_disconnected');
    const { status, http_status } = await call.record();
    assert.deepEqual([status, http_status], ['failed', 502]);
  });

  test('of two choices only one came, and [DONE]: the vendor is believed', async () => {
    const plan = () => streamReply([...ONE_CHOICE, DONE]);
    using call = await patient.ask({ stream: true, plan, body: { n: 2 } });
    assert.equal(payloads(await call.answer()).at(-1), '[DONE]');
    assert.equal((await call.record()).status, 'succeeded');
  });

  test('missing-finish: [DONE] alone is no end, so there is an error frame', async () => {
    using call = await patient.ask({ stream: true, plan: 'missing-finish' });
    const answer = await call.answer();
    assert.deepEqual([streamError(answer).code, textOf(answer)], ['upstream_disconnected', ALL.text]);
    assertParting(await patient.released(), 'ended');
    assertRecord(await call.record(), {
      status: 'failed',
      http_status: 502,
      error: 'upstream_disconnected',
      usage_source: 'provider',
      input_tokens: 9,
      output_tokens: 8,
    });
  });

  test('usage that came before the break is the record’s, and says so', async () => {
    const usage = { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 };
    using call = await patient.ask({ stream: true, plan: begun(frame({ choices: [], usage }), 'reset') });
    assert.equal(streamError(await call.answer()).code, 'upstream_disconnected');
    assertRecord(await call.record(), {
      status: 'failed',
      http_status: 502,
      error: 'upstream_disconnected',
      usage_source: 'provider',
      input_tokens: 321,
      output_tokens: 45,
    });
  });

  test('endless-stream: an error frame at total, though the vendor is never silent', async () => {
    const startedAt = performance.now();
    using call = await hasty.ask({ stream: true, plan: 'endless-stream' });
    const answer = await call.answer();
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs >= HASTY.total, `${tookMs} ms`);
    assert.equal(streamError(answer).code, 'upstream_timeout');
    assertParting(await hasty.released(), 'left');
    const record = await call.record();
    // "on and " is two tokens, to the last word.
    const words = payloads(answer).filter((payload) => payload.includes('on and ')).length;
    assert.ok(words > 50, `${words} chunks in ${tookMs} ms`);
    assertRecord(record, {
      status: 'failed',
      http_status: 504,
      error: 'upstream_timeout',
      usage_source: 'estimated',
      input_tokens: PROMPT_TOKENS,
      output_tokens: Number(record.output_tokens),
    });
    const ratio = Number(record.output_tokens) / (2 * words);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${record.output_tokens} tokens of ${words} times two words`);
  });
});

/** The same compressed, and then these acts. A sync flush lets a reader have everything before gzip's own end. */
function zipped(plan: Plan, ...acts: Act[]): Plan {
  return (request) => {
    const reply = plan(request);
    const bytes = Buffer.concat([...reply.acts].filter((act) => Buffer.isBuffer(act)));
    const flushed = gzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, acts: [flushed, ...acts] };
  };
}

/** The fake vendor's answer up to its second word, then these acts, and the end of the message. */
function begun(...acts: Act[]): Plan {
  return (request) => streamReply([...chatChunks(request, {}).slice(0, 3).map(frame), ...acts]);
}
