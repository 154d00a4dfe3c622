import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { frame, jsonReply, type Plan, type Reply, streamReply, wholeReply } from '../../src/testing/reply.ts';
import { DIALECTS, type DialectLab, startDialectLab } from '../support/dialects.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { answerOf } from '../translation/rounds/vendors.ts';

/** Vendors that answer in the other form than was asked for, with every dialect on either side. */
const TEXT = 'Hello there, é and 日本';
const SPOKEN = { thoughts: [], text: TEXT, calls: [{ name: 'find', input: '{"q":"x"}' }] };

/** Content types that vendors and proxies give either form; `null`: none. */
const TYPES = ['text/plain', 'text/plain; charset=utf-8', null] as const;

describe('an answer in the other form', () => {
  let lab: DialectLab;
  before(async () => {
    lab = await startDialectLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const surface of DIALECTS) {
    for (const spoken of DIALECTS) {
      for (const stream of [false, true]) {
        const kind = stream ? 'JSON for a stream' : 'a stream for a whole call';

        test(`${surface}, of ${spoken}, ${kind}: is converted, and billed by what it says`, async () => {
          const before = lab.vendor.requests.length;
          using call = await lab.ask({ surface, spoken, stream, plan: otherForm(spoken) });
          const answer = await call.client.answer();
          assert.equal(answer.status, 200, answer.body().toString());
          const type = stream ? 'text/event-stream' : 'application/json';
          assert.equal(answer.header('content-type')?.split(';')[0], type);
          assertSaid(answer, surface, stream);
          assert.equal(lab.vendor.requests.length, before + 1, 'the vendor is called once');
          const row = await call.record();
          const counted = [row.status, row.usage_source, row.input_tokens, row.output_tokens, row.attempts];
          assert.deepEqual(counted, ['succeeded', 'provider', 100, 20, 1]);
        });
      }
    }
  }

  for (const stream of [false, true]) {
    const asked = stream ? 'stream' : 'whole';

    for (const type of TYPES) {
      for (const isOther of [false, true]) {
        const comes = isOther === stream ? 'JSON' : 'events';
        test(`${asked}, ${comes} as ${type ?? 'no content type'}: is read as what it is`, async () => {
          const plan = isOther ? otherForm('openai-chat') : answerOf('openai-chat', SPOKEN, 'typed');
          using call = await lab.ask({
            surface: 'openai-chat',
            spoken: 'openai-chat',
            stream,
            plan: typed(plan, type),
          });
          const answer = await call.client.answer();
          assert.equal(answer.status, 200, answer.body().toString());
          assertSaid(answer, 'openai-chat', stream);
        });
      }
    }

    test(`${asked}, with the content type of the other form: is read as what it is`, async () => {
      const type = stream ? 'application/json' : 'text/event-stream';
      const plan = typed(answerOf('openai-chat', SPOKEN, 'typed'), type);
      using call = await lab.ask({ surface: 'openai-chat', spoken: 'openai-chat', stream, plan });
      const answer = await call.client.answer();
      assertSaid(answer, 'openai-chat', stream);
      assert.equal((await call.record()).usage_source, 'provider');
    });

    test(`${asked}, text that is neither: 502`, async () => {
      const plan: Plan = () => wholeReply(200, 'database is down', { 'content-type': 'text/plain' });
      using call = await lab.ask({ surface: 'openai-chat', spoken: 'openai-chat', stream, plan });
      const answer = await call.client.answer();
      assert.equal(answer.status, 502);
      assert.equal((await call.record()).error, 'upstream_invalid_answer');
    });

    for (const spoken of DIALECTS) {
      test(`${asked}, an error of ${spoken} in the other form: an ordinary error`, async () => {
        using call = await lab.ask({ surface: 'openai-chat', spoken, stream, plan: failing(spoken, stream) });
        const answer = await call.client.answer();
        assert.equal(answer.status, 503, answer.body().toString());
        assert.match(String(field(JSON.parse(answer.body().toString()), 'error', 'message')), /Overloaded today/);
        assert.equal((await call.record()).error, 'upstream_error');
      });
    }
  }

  test('whole, a stream that is cut: 502, and nothing of it is an answer', async () => {
    const plan: Plan = (request) => {
      const { acts, ...reply } = answerOf('openai-chat', SPOKEN, 'cut')({ ...request, stream: true });
      return { ...reply, acts: [...acts].slice(0, 3) };
    };
    using call = await lab.ask({ surface: 'openai-chat', spoken: 'openai-chat', stream: false, plan });
    const answer = await call.client.answer();
    assert.equal(answer.status, 502);
    assert.equal((await call.record()).error, 'upstream_disconnected');
  });

  test('whole, a stream without usage: what it says is counted', async () => {
    const plan: Plan = (request) => {
      const { acts, ...reply } = answerOf('openai-chat', SPOKEN, 'uncounted')({ ...request, stream: true });
      return { ...reply, acts: [...acts].filter((act) => !String(act).includes('"usage"')) };
    };
    using call = await lab.ask({ surface: 'openai-chat', spoken: 'openai-chat', stream: false, plan });
    assertSaid(await call.client.answer(), 'openai-chat', false);
    const row = await call.record();
    assert.equal(row.usage_source, 'estimated');
    assert.ok(Number(row.output_tokens) > 5, String(row.output_tokens));
  });
});

/** The answer in the form that was not asked for, under the content type of that form. */
function otherForm(spoken: RecordedDialect): Plan {
  return (request) => answerOf(spoken, SPOKEN, 'other')({ ...request, stream: !request.stream });
}

function typed(plan: Plan, type: string | null): Plan {
  return (request) => {
    const reply: Reply = plan(request);
    const { 'content-type': _, ...headers } = reply.headers;
    return { ...reply, headers: type === null ? headers : { ...headers, 'content-type': type } };
  };
}

const OVERLOADED = { message: 'Overloaded today', type: 'overloaded_error', code: 'overloaded' };

/** An error with status 200, as JSON for a stream and as an event for a whole call. */
function failing(spoken: RecordedDialect, stream: boolean): Plan {
  const body = spoken === 'anthropic-messages' ? { type: 'error', error: OVERLOADED } : { error: OVERLOADED };
  const event = spoken === 'openai-responses' ? { type: 'error', ...body } : body;
  return () => (stream ? jsonReply(200, body) : streamReply([frame(event)]));
}

/** The text and the call are in the answer, in its caller's words. */
function assertSaid(answer: RawAnswer, surface: RecordedDialect, stream: boolean): void {
  const body = answer.body().toString();
  const said = stream ? streamed(body, surface) : whole(JSON.parse(body), surface);
  assert.deepEqual(said, { text: TEXT, call: SPOKEN.calls[0]!.input }, body);
}

type Loose = Record<string, unknown>;

function whole(body: unknown, surface: RecordedDialect): { text: unknown; call: unknown } {
  if (surface === 'openai-chat') {
    const message = field(body, 'choices', '0', 'message');
    return { text: field(message, 'content'), call: field(message, 'tool_calls', '0', 'function', 'arguments') };
  }
  if (surface === 'openai-responses') {
    const output = field(body, 'output') as Loose[];
    const message = output.find(({ type }) => type === 'message');
    return {
      text: field(message, 'content', '0', 'text'),
      call: output.find(({ type }) => type === 'function_call')?.arguments,
    };
  }
  const content = field(body, 'content') as Loose[];
  const call = content.find(({ type }) => type === 'tool_use');
  return { text: content.find(({ type }) => type === 'text')?.text, call: JSON.stringify(call?.input) };
}

function streamed(body: string, surface: RecordedDialect): { text: string; call: string } {
  const payloads = body.split('\n').filter((line) => line.startsWith('data: {'));
  const events = payloads.map((line) => JSON.parse(line.slice('data: '.length)) as Loose);
  const join = (...path: string[]) => events.map((event) => field(event, ...path) ?? '').join('');
  switch (surface) {
    case 'openai-chat': {
      assert.ok(body.trimEnd().endsWith('data: [DONE]'), body);
      const at = ['choices', '0', 'delta'];
      return { text: join(...at, 'content'), call: join(...at, 'tool_calls', '0', 'function', 'arguments') };
    }
    case 'openai-responses': {
      const last = events.find(({ type }) => type === 'response.completed');
      const { text, call } = whole(last?.response, surface);
      return { text: String(text), call: String(call) };
    }
    case 'anthropic-messages':
      assert.equal(events.at(-1)?.type, 'message_stop');
      return { text: join('delta', 'text'), call: join('delta', 'partial_json') };
    default:
      return surface satisfies never;
  }
}
