import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DONE, answer as normal } from '../../src/testing/answers.ts';
import { FAULTS, type FaultName, HUGE_LINE_BYTES } from '../../src/testing/faults.ts';
import { eachFrame, frame, streamReply } from '../../src/testing/reply.ts';
import { assertParting, assertRecord, type Lab, REPORTED, startLab, vendorBytes } from './lab.ts';

/** Oddities that must not be noticed, and the bytes they differ by on the way to the caller. */
const PASSED: Partial<Record<FaultName, (sent: string) => string>> = {
  'utf8-cut': same,
  'huge-line': same,
  comments: same,
  crlf: same,
  cr: same,
  'missing-done': (sent) => `${sent}data: [DONE]\n\n`,
  'no-final-blank-line': (sent) => `${sent}\n\n`,
};

const ASKED = { stream_options: { include_usage: true } };
const DEPTH = 250_000;
const ENCODINGS = ['gzip', 'deflate', 'br'] as const;

describe('a stream that is only odd', () => {
  let lab: Lab;
  before(async () => {
    // No comment of the gateway's own comes between, however busy the machine is.
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [name, change] of Object.entries(PASSED)) {
    test(`${name}: the caller has the vendor's bytes, and the record its usage`, async () => {
      const fault = name as FaultName;
      using call = await lab.ask({ stream: true, plan: fault, body: ASKED });
      const answer = await call.answer();
      assert.deepEqual([answer.status, answer.ending], [200, 'complete']);
      const request = await lab.released();
      assertParting(request, 'ended');
      const sent = vendorBytes(fault, request).toString();
      // Not `equal`: a difference of megabytes would be printed.
      assert.ok(answer.body().toString() === change(sent), `${answer.body().length} bytes for ${sent.length}`);
      assertRecord(await call.record(), { ...REPORTED, ...statedUsage(sent) });
    });
  }

  test('a space behind each event, `[DONE]` too: the caller has the vendor’s bytes, and the record its usage', async () => {
    const plan = eachFrame(normal(), (text) => [text.replace('\n\n', ' \n\n')]);
    using call = await lab.ask({ stream: true, plan, body: ASKED });
    const answer = await call.answer();
    assert.equal(answer.body().toString(), vendorBytes(plan, await lab.released()).toString());
    assert.match(answer.body().toString(), /data: \[DONE\] \n\n$/);
    assertRecord(await call.record(), REPORTED);
  });

  test('huge-line: it is 8 MB, and its usage is estimated where the vendor states none', async () => {
    assert.equal(HUGE_LINE_BYTES, 8 * 1024 * 1024);
    using call = await lab.ask({
      stream: true,
      plan: (request) => FAULTS['huge-line'].plan({ ...request, json: {} }),
    });
    assert.ok((await call.answer()).body().length > HUGE_LINE_BYTES);
    const record = await call.record();
    assert.deepEqual([record.status, record.usage_source], ['succeeded', 'estimated']);
    // Eight million times x: the tokenizer takes 8 to 64 of them for one token.
    const tokens = Number(record.output_tokens);
    assert.ok(tokens > HUGE_LINE_BYTES / 64 && tokens < HUGE_LINE_BYTES, `${tokens} tokens`);
  });

  test('a frame nested deeper than the stack passes, and its text is counted as none', async () => {
    const nested = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
    const deep = frame(`{"usage":{},"choices":[{"index":0,"delta":{"content":${nested}}}]}`);
    const end = frame({ choices: [{ index: 0, delta: { content: 'done' }, finish_reason: 'stop' }] });
    const plan = () => streamReply([deep, end, DONE]);
    using call = await lab.ask({ stream: true, plan });
    assert.ok((await call.answer()).body().equals(Buffer.concat([deep, end, DONE])));
    const { status, usage_source, output_tokens } = await call.record();
    assert.deepEqual([status, usage_source, output_tokens], ['succeeded', 'estimated', 1]);
  });

  for (const encoding of ENCODINGS) {
    for (const stream of [false, true]) {
      test(`${stream ? 'stream' : 'whole'}, ${encoding}: decoded, and not said to be encoded`, async () => {
        using call = await lab.ask({ stream, plan: encoding, ...(stream && { body: ASKED }) });
        const answer = await call.answer();
        assert.equal(answer.header('content-encoding'), undefined);
        const request = await lab.released();
        assert.equal(request.headers['accept-encoding'], 'identity');
        const plain = vendorBytes(normal(), request).toString();
        assert.deepEqual([answer.status, answer.body().toString()], [200, plain]);
        assertRecord(await call.record(), REPORTED);
      });
    }
  }

  test('whole, utf8-cut: the text is whole', async () => {
    using call = await lab.ask({ plan: 'utf8-cut' });
    const answer = await call.answer();
    assert.equal(JSON.parse(answer.body().toString()).choices[0].message.content, 'a é 日本 🙂 z');
    assertRecord(await call.record(), { ...REPORTED, output_tokens: 5 });
  });
});

function same(sent: string): string {
  return sent;
}

function statedUsage(sent: string): { input_tokens: number; output_tokens: number } {
  const [, input, output] = /"usage":\{"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(sent) ?? [];
  assert.ok(input !== undefined && output !== undefined, 'the vendor states its usage');
  return { input_tokens: Number(input), output_tokens: Number(output) };
}
