import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { endAfter, errorReply, frame, type Plan, streamReply } from '../../src/testing/reply.ts';
import { errorOf } from '../faults/lab.ts';
import { type RouteLab, startRouteLab, type Vendor } from './lab.ts';

/** The refusals of a prompt in the words of vendors, and whose turn it then is. */
const REFUSALS: Readonly<Record<string, { status: number; error: Parameters<typeof errorReply>[1]; by: Vendor }>> = {
  'too long, as OpenAI says it': {
    status: 400,
    error: { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' },
    by: 'two',
  },
  'too long, as Anthropic says it': {
    status: 400,
    error: { message: 'prompt is too long: 210000 tokens > 200000 maximum', type: 'invalid_request_error' },
    by: 'two',
  },
  'too long, as DeepSeek says it': {
    status: 400,
    error: {
      message: "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
      type: 'invalid_request_error',
      code: 'invalid_request_error',
    },
    by: 'two',
  },
  'too long, as a status of 500': {
    status: 500,
    error: { message: 'The request exceeds the available context size, try increasing it', type: 'server_error' },
    by: 'two',
  },
  'against its policy, as OpenAI says it': {
    status: 400,
    error: { message: 'No.', type: 'invalid_request_error', code: 'content_policy_violation' },
    by: 'three',
  },
  'against its policy, as Azure says it': {
    status: 400,
    error: { message: 'No.', type: 'invalid_request_error', code: 'content_filter' },
    by: 'three',
  },
};

describe('a route with fallbacks of its own for prompts that are refused', () => {
  let lab: RouteLab;
  before(async () => {
    lab = await startRouteLab({
      routes: [
        'lab/guarded: { targets: [one-model], fallbacks: [three-model], context_window_fallbacks: [two-model], content_policy_fallbacks: [three-model] }',
        'lab/plain: { targets: [one-model], fallbacks: [two-model, three-model] }',
      ],
    });
  });
  after(() => lab[Symbol.asyncDispose]());
  afterEach(() => lab.forget());

  for (const stream of [false, true]) {
    const kind = stream ? 'stream' : 'whole';

    for (const [name, { status, error, by }] of Object.entries(REFUSALS)) {
      test(`${kind}, ${name}: its fallback answers`, async () => {
        lab.vendors.one.plan(() => errorReply(status, error));
        await expectAnswer('lab/guarded', stream, by, ['one', by]);
      });

      test(`${kind}, ${name}, within a stream that has only been opened: the same`, async () => {
        const inside: Plan = (request) =>
          request.stream ? endAfter(normal(), 1, frame({ error }))(request) : errorReply(status, error);
        lab.vendors.one.plan(inside);
        await expectAnswer('lab/guarded', stream, by, ['one', by]);
      });
    }

    test(`${kind}, any other failure: the ordinary fallback answers`, async () => {
      lab.vendors.one.plan('server-error');
      await expectAnswer('lab/guarded', stream, 'three', ['one', 'three']);
    });

    test(`${kind}, without fallbacks for it: the ordinary ones, in their order`, async () => {
      const refusal = REFUSALS['too long, as OpenAI says it']!;
      for (const name of ['one', 'two'] as const)
        lab.vendors[name].plan(() => errorReply(refusal.status, refusal.error));
      await expectAnswer('lab/plain', stream, 'three', ['one', 'two', 'three']);
    });

    test(`${kind}, everybody refuses it: the caller has the first refusal, in its vendor’s words`, async () => {
      lab.vendors.one.plan('bad-request');
      for (const name of ['two', 'three'] as const) {
        lab.vendors[name].plan(() => errorReply(400, { message: `Not at ${name}.`, type: 'invalid_request_error' }));
      }
      using call = await lab.ask({ model: 'lab/plain', stream });
      const answer = await call.answer();
      assert.deepEqual([answer.status, errorOf(answer).param], [400, 'messages[0].role']);
      assert.equal(answer.header('x-should-retry'), undefined);
      const { row, attempts } = await call.detail();
      assert.deepEqual([row.status, row.error, row.attempts, row.cost_usd], ['failed', 'upstream_rejected', 3, 0]);
      assert.deepEqual(
        attempts.map(({ provider }) => provider),
        ['one', 'two', 'three'],
      );
    });
  }

  test('an empty stream is no answer: the next target gives it', async () => {
    lab.vendors.one.plan(() => streamReply([frame('[DONE]')]));
    await expectAnswer('lab/plain', true, 'two', ['one', 'two']);
  });

  async function expectAnswer(model: string, stream: boolean, by: Vendor, asked: readonly Vendor[]): Promise<void> {
    using call = await lab.ask({ model, stream });
    const answer = await call.answer();
    assert.deepEqual([answer.status, answer.header('service-provider')], [200, by], answer.body().toString());
    await lab.released();
    const { attempts } = await call.detail();
    assert.deepEqual(
      attempts.map(({ provider }) => provider),
      asked,
    );
  }
});

test('while others may be asked a silent target gets half of the call’s time, and no more', async () => {
  await using lab = await startRouteLab({ timeouts: { total: 16_000 } });
  for (const stream of [false, true]) {
    lab.vendors.one.plan('slow-headers');
    using asked = await lab.ask({ model: 'lab/two', stream });
    const answer = await asked.answer();
    assert.deepEqual([answer.status, answer.header('service-provider')], [200, 'two'], answer.body().toString());
    lab.forget();
  }
});
