import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { type Act, type Plan, streamReply } from '../../src/testing/reply.ts';
import { DIALECTS, type DialectLab, startDialectLab } from '../support/dialects.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { answerOf } from '../translation/rounds/vendors.ts';
import { assertParting, type Parting } from './lab.ts';

/** Streams that break, with every dialect on either side. What chat's callers see of chat's vendors is told more closely beside. */
const IDLE = 1000;
/** How soon the vendor must be let go, in ms. */
const AT_ONCE = 1000;

const SPOKEN = { thoughts: [], text: 'Hello there', calls: [] };
/** The first piece of the text. */
const BEGUN = 'Hello ';
const OVERLOADED = 'Overloaded, try again';

const ERROR_FRAMES: Record<RecordedDialect, Buffer> = {
  'openai-chat': Buffer.from(
    `data: {"error":{"message":"${OVERLOADED}","type":"server_error","code":"overloaded"}}\n\n`,
  ),
  'openai-responses': Buffer.from(
    `event: error\ndata: {"type":"error","sequence_number":9,"code":"server_is_overloaded","message":"${OVERLOADED}","param":null}\n\n`,
  ),
  'anthropic-messages': Buffer.from(
    `event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"${OVERLOADED}"}}\n\n`,
  ),
};

/** `status`: of the record. */
type Case = {
  acts: (spoken: RecordedDialect) => Act[];
  vendor: Parting;
  says: RegExp;
  status: number;
  kind: string;
};

const CASES: Record<string, Case> = {
  'a reset': {
    acts: () => ['reset'],
    vendor: 'broken',
    says: /connection|ended/i,
    status: 502,
    kind: 'upstream_disconnected',
  },
  'a clean end without the last event': {
    acts: () => [],
    vendor: 'ended',
    says: /before the answer was complete/,
    status: 502,
    kind: 'upstream_disconnected',
  },
  'an error event': {
    acts: (spoken) => [ERROR_FRAMES[spoken]],
    vendor: 'ended',
    says: new RegExp(OVERLOADED),
    status: 503,
    kind: 'upstream_error',
  },
  silence: { acts: () => ['hold'], vendor: 'left', says: /silent/, status: 504, kind: 'upstream_timeout' },
};

describe('streams that break', () => {
  let lab: DialectLab;
  before(async () => {
    lab = await startDialectLab({ idle: IDLE });
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const surface of DIALECTS) {
    for (const spoken of DIALECTS) {
      describe(`${surface}, of ${spoken}`, () => {
        for (const [name, expected] of Object.entries(CASES)) {
          test(`${name} behind the first content: an error frame, and no end`, async () => {
            using call = await lab.ask({ surface, spoken, stream: true, plan: begun(spoken, expected.acts(spoken)) });
            const answer = await call.client.answer();
            assert.deepEqual([answer.status, answer.ending], [200, 'complete']);
            assert.ok(answer.body().includes(BEGUN), 'what had come was passed on');
            assert.match(failureOf(answer, surface), expected.says);
            assertParting(await lab.released(), expected.vendor);
            assertRecord(await call.record(), ['failed', expected.status, expected.kind]);
          });
        }

        test('overload before the first content: an ordinary error', async () => {
          const plan = opened(spoken, [ERROR_FRAMES[spoken]]);
          using call = await lab.ask({ surface, spoken, stream: true, plan });
          const answer = await call.client.answer();
          assert.ok(answer.status >= 500, String(answer.status));
          assert.equal(answer.header('content-type')?.split(';')[0], 'application/json');
          const body = JSON.parse(answer.body().toString()) as unknown;
          assert.match(String(field(body, 'error', 'message')), new RegExp(OVERLOADED));
          if (surface === 'anthropic-messages') {
            assert.equal(field(body, 'type'), 'error');
            assert.equal(answer.header('request-id'), field(body, 'request_id'));
          } else assert.deepEqual(Object.keys(field(body, 'error') as object), ['message', 'type', 'param', 'code']);
          assertParting(await lab.released(), 'ended');
          const { status, attempts } = await call.record();
          assert.deepEqual([status, attempts], ['failed', 1]);
        });

        test('a caller who leaves: the vendor is let go at once', async () => {
          using call = await lab.ask({ surface, spoken, stream: true, plan: begun(spoken, ['hold']) });
          await call.client.bodyHas(BEGUN);
          call.client.leave();
          await lab.vendor.waitFor(({ openCalls }) => openCalls() === 0, AT_ONCE);
          assertParting(await lab.released(), 'left');
          assertRecord(await call.record(), ['cancelled', 499, 'client_closed_request']);
        });
      });
    }
  }
});

/** What was produced is counted, since no vendor had told of it. */
function assertRecord(row: Record<string, unknown>, expected: readonly unknown[]): void {
  assert.deepEqual([row.status, row.http_status, row.error], expected);
  assert.deepEqual([row.usage_source, row.attempts, row.streamed], ['estimated', 1, true]);
  assert.ok(Number(row.input_tokens) > 0 && Number(row.output_tokens) > 0, JSON.stringify(row));
}

/** The vendor's answer up to the first piece of its text, then these acts, and the end of the message. */
function begun(spoken: RecordedDialect, acts: readonly Act[]): Plan {
  return cutBehind(spoken, (frame) => frame.includes(BEGUN), acts);
}

/** The same with only what opens it. */
function opened(spoken: RecordedDialect, acts: readonly Act[]): Plan {
  return cutBehind(spoken, () => true, acts);
}

function cutBehind(spoken: RecordedDialect, isLast: (frame: string) => boolean, acts: readonly Act[]): Plan {
  return (request) => {
    const frames = [...answerOf(spoken, SPOKEN, 'cut')(request).acts];
    return streamReply([...frames.slice(0, frames.findIndex((frame) => isLast(String(frame))) + 1), ...acts]);
  };
}

/** What the error frame that ends a stream says. It stands alone where an end would be. */
function failureOf(answer: RawAnswer, surface: RecordedDialect): string {
  const frames = answer
    .body()
    .toString()
    .split('\n\n')
    .filter((frame) => frame !== '' && !frame.startsWith(':'));
  const read = frames.map((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '';
    return { event: /^event: (.*)$/m.exec(frame)?.[1], data: data === '[DONE]' ? data : (JSON.parse(data) as unknown) };
  });
  const last = read.at(-1);
  switch (surface) {
    case 'openai-chat':
      assert.ok(!read.some(({ data }) => data === '[DONE]'), 'there is no end');
      return String(field(last?.data, 'error', 'message'));
    case 'anthropic-messages':
      assert.ok(!read.some(({ event }) => event === 'message_stop'), 'there is no end');
      assert.deepEqual([last?.event, field(last?.data, 'type')], ['error', 'error']);
      return String(field(last?.data, 'error', 'message'));
    case 'openai-responses': {
      assert.ok(
        !read.some(({ event, data }) => event === 'response.completed' || data === '[DONE]'),
        'there is no end',
      );
      const error = read.at(-2);
      assert.deepEqual([error?.event, last?.event], ['error', 'response.failed']);
      assert.equal(field(last?.data, 'response', 'status'), 'failed');
      const numbers = read.map(({ data }) => Number(field(data, 'sequence_number')));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => numbers[0]! + index),
      );
      assert.equal(field(error?.data, 'message'), field(last?.data, 'response', 'error', 'message'));
      return String(field(error?.data, 'message'));
    }
    default:
      return surface satisfies never;
  }
}
