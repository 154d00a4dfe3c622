import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_TEXT, answer as normal } from '../../src/testing/answers.ts';
import { insert } from '../../src/testing/reply.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';
import {
  type Asked,
  assertRecord,
  CHAT,
  callHeaders,
  errorOf,
  type Lab,
  PROMPT_TOKENS,
  payloads,
  question,
  REPORTED,
  startLab,
  streamError,
  textOf,
  type UsageRow,
} from './lab.ts';

const STREAMS = 200;
const DRAIN = 6000;
/** A stop must end this soon after `drain`, in ms: the records of all calls are written in it. */
const AFTER_DRAIN = 60_000;

const SIGTERM_LINE = /^SIGTERM/;
const STOPPED = {
  status: 'failed',
  http_status: 503,
  error: 'shutting_down',
  usage_source: 'estimated',
  input_tokens: PROMPT_TOKENS,
} as const;

describe('a stop by SIGTERM', () => {
  test(`with ${STREAMS} open streams: half end in time and are whole, the rest have an error frame at drain`, async () => {
    await using lab = await startLab({ drain: DRAIN });
    // Held twice: the first release lets every stream go on, and half of them to their end.
    const short = insert(normal(), 3, 'hold');
    const long = insert(insert(normal(), 5, 'hold'), 3, 'hold');
    const calls: Asked[] = [];
    for (let index = 0; index < STREAMS; index += 1) {
      calls.push(await lab.ask({ stream: true, plan: index % 2 === 0 ? short : long }));
      // Each plan is for the next call to arrive at the vendor: two on their way may overtake each other.
      await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === index + 1);
    }
    using silent = await lab.ask({ plan: insert(insert(normal(), 0, 'hold'), 0, 'hold') });
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === STREAMS + 1);
    for (const call of calls) await call.client.bodyHas('" from"');
    using idle = await connectRaw(lab.gateway.url);
    await idle.send(requestBytes('GET', '/healthz'));
    await idle.answer();

    const startedAt = performance.now();
    const exit = lab.gateway.stop(DRAIN + AFTER_DRAIN);
    await lab.gateway.waitForLine(SIGTERM_LINE);
    lab.vendor.release();
    for (const [index, call] of calls.entries()) {
      const answer = await call.answer();
      if (index % 2 === 0) {
        assert.equal(textOf(answer), DEFAULT_TEXT);
        assert.equal(payloads(answer).at(-1), '[DONE]');
      } else {
        assert.equal(streamError(answer).code, 'shutting_down');
        assert.equal(textOf(answer), 'Hello from a vendor');
      }
    }
    const whole = await silent.answer();
    assert.deepEqual([whole.status, errorOf(whole).code], [503, 'shutting_down']);
    assert.equal(await exit, 0);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs >= DRAIN && tookMs < DRAIN + AFTER_DRAIN, `${tookMs} ms`);
    await lab.vendor.waitFor(({ openCalls }) => openCalls() === 0);
    assert.equal(lab.vendor.closedEarly, STREAMS / 2 + 1);

    await lab.gateway.restart();
    const rows = await allRecords(lab);
    assert.equal(rows.length, STREAMS + 1);
    for (const row of rows) {
      if (row.status === 'succeeded') assertRecord(row, REPORTED);
      else assertRecord(row, { ...STOPPED, output_tokens: row.streamed === true ? 4 : 0 });
    }
    assert.equal(rows.filter((row) => row.status === 'succeeded').length, STREAMS / 2);
    for (const call of calls) call[Symbol.dispose]();
  });

  test('with no time to drain: calls that have only just come are ended, too', async () => {
    await using lab = await startLab({ drain: 0 });
    lab.vendor.plan('slow-headers');
    const calls = await Promise.all(Array.from({ length: 40 }, (_, index) => lab.ask({ stream: index % 2 === 0 })));
    assert.equal(await lab.gateway.stop(AFTER_DRAIN), 0);
    await lab.vendor.waitFor(({ openCalls }) => openCalls() === 0);
    for (const call of calls) call[Symbol.dispose]();
  });

  test('a call that comes while the gateway stops is a 503 with retry-after', async () => {
    await using lab = await startLab({ drain: 10_000 });
    using open = await lab.ask({ stream: true, plan: insert(normal(), 3, 'hold') });
    await open.client.bodyHas('" from"');
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    // Its head comes before the stop, so that the connection is in use and stays open.
    using late = await connectRaw(lab.gateway.url);
    const bytes = requestBytes('POST', CHAT, callHeaders(lab.gateway, 'late'), question(false));
    await late.send(bytes.subarray(0, 20));
    // The gateway has read those bytes, since it has answered what came behind them.
    await (await fetch(`${lab.gateway.url}/healthz`)).text();

    const exit = lab.gateway.stop();
    await lab.gateway.waitForLine(SIGTERM_LINE);
    await late.send(bytes.subarray(20));
    const answer = await late.answer();
    assert.deepEqual([answer.status, errorOf(answer).code], [503, 'shutting_down']);
    assert.equal(answer.header('retry-after'), '1');

    lab.vendor.release();
    assert.equal(payloads(await open.answer()).at(-1), '[DONE]');
    assert.equal(await exit, 0);
  });
});

/** Every record there is, page by page. */
async function allRecords(lab: Lab): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for (let more = true; more; ) {
    const after = rows.at(-1)?.id;
    const page = await lab.gateway.usage({ limit: '100', ...(after === undefined ? {} : { after: String(after) }) });
    rows.push(...page.data);
    more = page.has_more;
  }
  return rows;
}
