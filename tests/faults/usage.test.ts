import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_TEXT, answer as normal } from '../../src/testing/answers.ts';
import { field } from '../../src/testing/json.ts';
import { errorReply, jsonReply, type Plan } from '../../src/testing/reply.ts';
import {
  assertRecord,
  errorOf,
  type Lab,
  PROMPT_TOKENS,
  payloads,
  REPORTED,
  startLab,
  textOf,
  vendorBytes,
} from './lab.ts';

const ASKED = { stream_options: { include_usage: true } };
const USAGE = /"choices":\[\],"usage":/;
/** About 900 words, of which the tokenizer's own count is known to be the vendor's. */
const LONG_TEXT = 'The quick brown fox jumps over the lazy dog, again and again. '.repeat(75).trim();
const LONG_TOKENS = 14 * 75;

const ESTIMATED = { ...REPORTED, usage_source: 'estimated', input_tokens: PROMPT_TOKENS, output_tokens: 9 } as const;

describe('usage', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  test('the caller did not ask: the gateway does, and withholds that chunk and nothing else', async () => {
    using call = await lab.ask({ stream: true });
    const answer = await call.answer();
    const request = await lab.released();
    assert.deepEqual(field(request.json, 'stream_options'), { include_usage: true });
    const frames = vendorBytes(normal(), request)
      .toString()
      .split(/(?<=\n\n)/);
    assert.equal(frames.filter((frame) => USAGE.test(frame)).length, 1);
    assert.equal(answer.body().toString(), frames.filter((frame) => !USAGE.test(frame)).join(''));
    assertRecord(await call.record(), REPORTED);
  });

  test('the caller asked: it gets the chunk, and the vendor the very bytes', async () => {
    using call = await lab.ask({ stream: true, body: ASKED });
    const answer = await call.answer();
    const request = await lab.released();
    assert.deepEqual(answer.body(), vendorBytes(normal(), request));
    assert.match(answer.body().toString(), USAGE);
    assertRecord(await call.record(), REPORTED);
  });

  test('the caller said no: it does not get it, though the vendor is asked', async () => {
    const body = { stream_options: { include_usage: false, include_obfuscation: false } };
    using call = await lab.ask({ stream: true, body });
    assert.doesNotMatch((await call.answer()).body().toString(), USAGE);
    const { json } = await lab.released();
    assert.deepEqual(field(json, 'stream_options'), { include_usage: true, include_obfuscation: false });
    assertRecord(await call.record(), REPORTED);
  });

  test('usage in every chunk: every chunk passes, and the last one counts', async () => {
    using call = await lab.ask({ stream: true, plan: 'usage-in-every-chunk' });
    const answer = await call.answer();
    assert.deepEqual(answer.body(), vendorBytes('usage-in-every-chunk', await lab.released()));
    assertRecord(await call.record(), { ...REPORTED, output_tokens: 9 });
  });

  for (const stream of [false, true]) {
    test(`${stream ? 'stream' : 'whole'}, missing-usage: estimated, and the record says so`, async () => {
      using call = await lab.ask({ stream, plan: 'missing-usage' });
      assert.equal((await call.answer()).status, 200);
      assertRecord(await call.record(), ESTIMATED);
    });

    test(`${stream ? 'stream' : 'whole'}, missing usage of a long answer: within 2 % of the truth`, async () => {
      using call = await lab.ask({ stream, plan: normal({ text: LONG_TEXT, usageIn: 'nowhere' }) });
      assert.equal((await call.answer()).status, 200);
      const { usage_source, output_tokens } = await call.record();
      assert.equal(usage_source, 'estimated');
      assert.ok(Math.abs(Number(output_tokens) / LONG_TOKENS - 1) < 0.02, `${output_tokens} for ${LONG_TOKENS}`);
    });

    test(`${stream ? 'stream' : 'whole'}, missing usage of tool calls: their arguments are counted`, async () => {
      const toolCalls = [{ name: 'look_up', arguments: JSON.stringify({ text: LONG_TEXT }) }];
      using call = await lab.ask({ stream, plan: normal({ toolCalls, usageIn: 'nowhere' }) });
      assert.equal((await call.answer()).status, 200);
      const { output_tokens } = await call.record();
      assert.ok(Math.abs(Number(output_tokens) / LONG_TOKENS - 1) < 0.05, `${output_tokens} for ${LONG_TOKENS}`);
    });
  }
});

describe('a vendor that refuses stream_options', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  test('a 400 of the request itself teaches nothing, though it quotes stream_options', async () => {
    const plan: Plan = ({ body }) => errorReply(400, { message: `No: ${body} (stream_options)`, type: 'bad' });
    lab.vendor.plan(plan, { times: 2 });
    using call = await lab.ask({ stream: true });
    assert.equal((await call.answer()).status, 400);
    assertRecord(await call.record(), refusedTwice());

    using next = await lab.ask({ stream: true });
    await next.answer();
    assert.deepEqual(field((await lab.released()).json, 'stream_options'), { include_usage: true });
    assertRecord(await next.record(), REPORTED);
  });

  test('a caller who asked itself gets the 400', async () => {
    using call = await lab.ask({ stream: true, plan: 'refuses-stream-options', body: ASKED });
    const answer = await call.answer();
    const error = errorOf(answer);
    assert.deepEqual([answer.status, error.param], [400, 'stream_options']);
    assert.match(error.message, /stream_options/);
    assertRecord(await call.record(), { ...refusedTwice(), attempts: 1 });
  });

  test('each call is sent again without it', async () => {
    lab.vendor.plan('refuses-stream-options');
    const before = lab.vendor.requests.length;
    using call = await lab.ask({ stream: true });
    const answer = await call.answer();
    assert.deepEqual([answer.status, answer.header('service-attempts')], [200, '2']);
    assert.equal(textOf(answer), DEFAULT_TEXT);
    assert.equal(payloads(answer).at(-1), '[DONE]');
    const sent = lab.vendor.requests.slice(before).map(({ json }) => field(json, 'stream_options'));
    assert.deepEqual(sent, [{ include_usage: true }, undefined]);
    assertRecord(await call.record(), { ...ESTIMATED, attempts: 2 });

    using next = await lab.ask({ stream: true });
    assert.equal((await next.answer()).header('service-attempts'), '2');
    assert.equal(lab.vendor.requests.length, before + 4);
    assert.equal(field((await lab.released()).json, 'stream_options'), undefined);
    assertRecord(await next.record(), { ...ESTIMATED, attempts: 2 });
  });

  test('a validator that refuses it says 422, and the call is sent again without it all the same', async () => {
    lab.vendor.forget();
    const fault = { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' };
    using call = await lab.ask({ stream: true, plan: () => jsonReply(422, { detail: [fault] }) });
    const answer = await call.answer();
    assert.deepEqual([answer.status, textOf(answer)], [200, DEFAULT_TEXT]);
    assert.equal(field((await lab.released()).json, 'stream_options'), undefined);
    assert.deepEqual([(await call.record()).status, (await call.record()).attempts], ['succeeded', 2]);
  });

  test('what one call combines it with takes the usage of no other', async () => {
    lab.vendor.forget();
    lab.vendor.plan('refuses-stream-options', { times: 1 });
    using odd = await lab.ask({ stream: true, body: { data_sources: [{}] } });
    await odd.answer();
    assertRecord(await odd.record(), { ...ESTIMATED, attempts: 2 });
    using next = await lab.ask({ stream: true });
    await next.answer();
    assertRecord(await next.record(), REPORTED);
  });
});

function refusedTwice() {
  return {
    status: 'failed',
    http_status: 400,
    error: 'upstream_rejected',
    usage_source: 'none',
    input_tokens: 0,
    output_tokens: 0,
    attempts: 2,
  } as const;
}
