import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { Secret } from '../core/secret.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { model, provider, route, served } from '../testing/routes.ts';
import {
  answers,
  caller,
  completion,
  fails,
  Lab,
  type Reaction,
  refuses,
  SMALL_CHAT,
  streams,
  turn,
} from './fixtures.test.ts';
import type { PipelineSettings } from './parts.ts';

const STREAMED = { ...SMALL_CHAT, stream: true };
const FULL_DISK = new GatewayError('storage_unavailable', 'The disk is full.');

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

const OPENING = chunk({ role: 'assistant', content: '' });
const HELLO = chunk({ content: 'Hello' });
const FINISH = chunk({}, 'stop');
const USAGE =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}\n\n';
const DONE = 'data: [DONE]\n\n';
const WHOLE_STREAM = [OPENING, HELLO, FINISH, USAGE, DONE];

function small() {
  return new Lab({ served: [served('lab', [model('small')])] });
}

function bodyOf(lab: Lab, at = 0): Record<string, unknown> {
  return JSON.parse(lab.requests[at]!.body!.toString());
}

test('a passed answer has the vendor’s bytes, and says who gave it', async () => {
  const lab = small();
  lab.reactions = [answers(completion())];
  const seen = await lab.call({ ...SMALL_CHAT, an_unknown_member: 1 });
  assert.deepEqual([seen.status, JSON.parse(seen.body)], [200, completion()]);
  const { cost, ...who } = seen.served!;
  assert.deepEqual(who, { provider: 'lab', model: 'small-upstream', attempts: 1, dropped: [], route: null });
  assert.equal(cost, lab.settlements[0]?.cost);
  assert.deepEqual([bodyOf(lab).model, bodyOf(lab).an_unknown_member], ['small-upstream', 1]);
});

test('what neither the call nor the answer could carry is told with the answer, and stands in the record', async () => {
  const lab = small();
  const annotations = [{ type: 'url_citation', url_citation: { url: 'http://a.invalid', title: 't' } }];
  const message = {
    role: 'assistant',
    content: 'Hello',
    audio: { id: 'a', data: 'AA==', expires_at: 1, transcript: 't' },
  };
  const said = completion('', { choices: [{ index: 0, message: { ...message, annotations }, finish_reason: 'stop' }] });
  lab.reactions = [answers(said), answers(completion())];
  const body = { ...SMALL_CHAT, max_tokens: 9, top_k: 3 };
  const seen = await lab.call(body, { asked: anthropicMessages });
  const plain = await lab.call(body, { asked: anthropicMessages });
  const ofCall = plain.served!.dropped;
  const ofBoth = seen.served!.dropped;
  assert.ok(ofCall.length > 0, 'the call loses something');
  assert.ok(ofBoth.length > ofCall.length, `the answer loses something: ${ofBoth.join()}`);
  assert.deepEqual(lab.settlements[0]!.dropped, ofBoth);
  assert.deepEqual(lab.settlements[1]!.dropped, ofCall);
  assert.equal(new Set(ofBoth).size, ofBoth.length);
});

test('a stream’s record is settled before its terminal event leaves', async () => {
  const lab = small();
  const seen = caller();
  let writtenAtSettle = '';
  lab.onSettle = () => {
    writtenAtSettle = seen.body;
  };
  lab.reactions = [streams(WHOLE_STREAM)];
  await lab.ended(lab.pipeline.handle(lab.request(STREAMED, seen)));
  assert.ok(writtenAtSettle.includes('Hello') && !writtenAtSettle.includes('[DONE]'), writtenAtSettle);
  assert.ok(seen.ended && seen.body.endsWith(DONE));
  const { status, cost, usageSource } = lab.settlements[0]!;
  assert.deepEqual([status, cost, usageSource], ['succeeded', 120_000n, 'provider']);
});

test('a stream whose record cannot be kept ends with an error frame', async () => {
  const lab = small();
  lab.onSettle = () => Promise.reject(FULL_DISK);
  lab.reactions = [streams(WHOLE_STREAM)];
  const seen = await lab.call(STREAMED);
  assert.ok(seen.ended && !seen.body.includes('[DONE]'), seen.body);
  assert.match(seen.body, /storage_unavailable|The disk is full/);
  assert.deepEqual(
    lab.logged.map(({ error }) => error),
    [FULL_DISK],
  );
});

test('a stream that is cut ends with an error frame, and its record is failed with what was produced', async () => {
  const lab = small();
  lab.reactions = [streams([OPENING, HELLO])];
  const seen = await lab.call(STREAMED);
  assert.match(seen.body, /\n\ndata: \{"error":/);
  assert.ok(!seen.body.includes('[DONE]'));
  const { status, errorKind, usageSource, usage, attempts } = lab.settlements[0]!;
  assert.deepEqual([status, errorKind, usageSource], ['failed', 'upstream_disconnected', 'estimated']);
  assert.ok(usage.outputTokens > 0);
  assert.deepEqual(
    attempts.map(({ status, possiblyBilled }) => [status, possiblyBilled]),
    [['failed', true]],
  );
  assert.equal(lab.logged.length, 1);
});

test('a stream that is cut inside an event has failed, also behind its finish', async () => {
  for (const cut of ['dat', 'data: {"id":"c","choi', ': comment\ndata: [DON']) {
    const lab = small();
    lab.reactions = [streams([OPENING, HELLO, FINISH, cut])];
    const seen = await lab.call(STREAMED);
    const passed = [OPENING, HELLO, FINISH].join('');
    assert.equal(seen.body.slice(0, passed.length), passed);
    assert.match(seen.body.slice(passed.length), /^data: \{"error":[^\n]*\n\n$/);
    assert.equal(lab.settlements[0]!.status, 'failed');
  }
});

test('a stream that fails before it says anything goes on to the next target', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [model('first')] },
      { provider: provider('two'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [streams([OPENING]), streams(WHOLE_STREAM)];
  const seen = await lab.call({ ...STREAMED, model: 'acme/auto' });
  assert.ok(seen.body.endsWith(DONE));
  assert.deepEqual(
    lab.settlements[0]!.attempts.map(({ provider, status }) => [provider, status]),
    [
      ['one', 'failed'],
      ['two', 'succeeded'],
    ],
  );
  assert.equal(seen.served!.attempts, 2);
});

test('a stream is asked for its usage, which a caller who did not ask does not see', async () => {
  const lab = small();
  lab.reactions = [streams(WHOLE_STREAM)];
  const seen = await lab.call(STREAMED);
  assert.deepEqual(bodyOf(lab).stream_options, { include_usage: true });
  assert.ok(!seen.body.includes('usage'));
  const asking = await lab.call({ ...STREAMED, stream_options: { include_usage: true } });
  assert.ok(asking.body.includes('"usage"'));
});

test('a stream says what it cost to whoever asks, and its record has the vendor’s id of it', async () => {
  const lab = small();
  lab.reactions = [streams(WHOLE_STREAM)];
  const asked = { ...STREAMED, stream_options: { include_usage: true } };
  const wanted = { sent: { header: (name: string) => (name === 'service-include-cost' ? 'true' : undefined) } };
  const told = await lab.call(asked, wanted);
  assert.match(told.body, /"cost":0\.00012\b/);
  assert.ok(!(await lab.call(asked)).body.includes('"cost"'));
  const { attempts, timeToFirstTokenMs } = lab.settlements[0]!;
  assert.deepEqual([attempts[0]!.upstreamRequestId, timeToFirstTokenMs], ['vendor_1', 0]);
});

test('a vendor that refuses the question for usage is asked without it, and with it at the next call: only that call may be why', async () => {
  const lab = small();
  const refusal = refuses(400, { message: 'Unknown parameter: stream_options' });
  lab.reactions = [refusal, streams(WHOLE_STREAM)];
  await lab.call(STREAMED);
  await lab.call(STREAMED);
  assert.deepEqual(
    lab.requests.map((_, at) => bodyOf(lab, at).stream_options !== undefined),
    [true, false, true],
  );
  const [first] = lab.settlements;
  assert.deepEqual(
    first!.attempts.map(({ status, possiblyBilled }) => [status, possiblyBilled]),
    [
      ['failed', false],
      ['succeeded', false],
    ],
  );
});

test('a vendor that refuses the call without the question too is asked with it the next time', async () => {
  const lab = small();
  const refusal = refuses(400, { message: 'stream_options, or something else, is wrong' });
  lab.reactions = [refusal, refusal, streams(WHOLE_STREAM)];
  await assert.rejects(lab.call(STREAMED), (error: GatewayError) => error.kind === 'upstream_rejected');
  await lab.call(STREAMED);
  assert.deepEqual(bodyOf(lab, 2).stream_options, { include_usage: true });
});

test('a caller who leaves in mid-stream ends the vendor’s stream and is billed for what was produced', async () => {
  const lab = small();
  const seen = caller();
  lab.reactions = [streams([OPENING, HELLO], () => seen.leave())];
  await lab.ended(lab.pipeline.handle(lab.request(STREAMED, seen)));
  assert.equal(lab.aborted.length, 1);
  const { status, errorKind, usageSource, usage } = lab.settlements[0]!;
  assert.deepEqual([status, errorKind, usageSource], ['cancelled', 'client_closed_request', 'estimated']);
  assert.ok(usage.outputTokens > 0);
});

test('as many calls may be open as the limit says, and one more is refused before it is read', async () => {
  const lab = new Lab({
    served: [served('lab', [model('small')])],
    settings: (usual) => ({ ...usual, limits: { ...usual.limits, maxOpenCalls: 2 } }),
  });
  const held: (() => void)[] = [];
  lab.reactions = [(listener, request) => void held.push(() => answers(completion())(listener, request, lab))];
  const first = [lab.call(SMALL_CHAT), lab.call(SMALL_CHAT)];
  await turn();
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'overloaded');
  assert.equal(lab.pipeline.status().openCalls, 2);
  for (const answer of held) answer();
  await Promise.all(first);
  assert.equal(lab.pipeline.status().openCalls, 0);
  const last = lab.call(SMALL_CHAT);
  await turn();
  held[2]!();
  await last;
});

test('a stop waits for open calls, then ends what is still under way with an error and its record', async () => {
  const lab = small();
  lab.reactions = [() => {}];
  const call = lab.call(SMALL_CHAT).then(
    () => assert.fail('it was answered'),
    (error: GatewayError) => error.kind,
  );
  await turn();
  const drained = lab.pipeline.drain(1000);
  await turn();
  assert.equal(lab.settlements.length, 0);
  lab.pass(1000);
  await drained;
  assert.equal(await call, 'shutting_down');
  assert.deepEqual(
    lab.settlements.map(({ status, errorKind }) => [status, errorKind]),
    [['failed', 'shutting_down']],
  );
});

test('a fault of our own settles the record as failed, and is told', async () => {
  const lab = small();
  const fault = new TypeError('a bug');
  Object.assign(lab.parts, {
    upstreamOf: () => {
      throw fault;
    },
  });
  await assert.rejects(
    lab.call(SMALL_CHAT),
    (error: GatewayError) => error.kind === 'internal' && error.cause === fault,
  );
  const { status, errorKind, usageSource } = lab.settlements[0]!;
  assert.deepEqual([status, errorKind, usageSource], ['failed', 'internal', 'none']);
  assert.equal(lab.held[0]!.settled.length, 1);
});

test('the vendor’s key is taken out of what the caller reads', async () => {
  const secret = 'sk-the-key-of-the-operator';
  const lab = new Lab({
    served: [{ provider: provider('lab', { credential: new Secret(secret) }), models: [model('small')] }],
  });
  const message = `Bad key ${secret} there`;
  const failure = `data: ${JSON.stringify({ error: { message, type: 'server_error' } })}\n\n`;
  lab.reactions = [refuses(400, { message }), streams([OPENING, HELLO, failure])];
  await assert.rejects(
    lab.call(SMALL_CHAT),
    (error: GatewayError) => error.message.includes('Bad key') && !error.message.includes(secret),
  );
  const { body } = await lab.call(STREAMED);
  assert.ok(body.includes('Bad key') && !body.includes(secret), body);
});

test('a whole answer that is too large, is neither JSON nor a stream of events, or is cut is the vendor’s failure, not an answer', async () => {
  const settings = ({ limits, ...usual }: PipelineSettings) => ({
    ...usual,
    limits: { ...limits, maxAnswer: 2000 },
    retries: { ...usual.retries, attempts: 1 },
  });
  const cut: Reaction = (listener) => {
    listener.onStart(200, { 'content-type': 'application/json' });
    listener.onData(Buffer.from('{"choices":['));
    listener.onEnd();
  };
  const page: Reaction = (listener) => {
    listener.onStart(200, { 'content-type': 'application/json' });
    listener.onData(Buffer.from('<!doctype html><title>Sign in</title>'));
    listener.onEnd();
  };
  for (const reaction of [cut, page, answers(completion('x'.repeat(3000)))]) {
    const lab = new Lab({ served: [served('lab', [model('small')])], settings });
    lab.reactions = [reaction];
    await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'upstream_invalid_answer');
    assert.deepEqual(
      lab.settlements.map(({ status, errorKind }) => [status, errorKind]),
      [['failed', 'upstream_invalid_answer']],
    );
  }
});

test('a whole answer has so long, and then its vendor is let go', async () => {
  const lab = new Lab({
    served: [served('lab', [model('small')])],
    settings: (usual) => ({
      ...usual,
      timeouts: { ...usual.timeouts, whole: 500 },
      retries: { ...usual.retries, attempts: 1 },
    }),
  });
  lab.reactions = [() => {}];
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'upstream_timeout');
  assert.ok(lab.now >= 500 && lab.now < 600, `${lab.now} ms`);
  assert.equal(lab.aborted.length, 1);
});

test('items of an answer can be named in a later call of the same key', async () => {
  const lab = small();
  lab.reactions = [answers(completion('Blue'))];
  const first = await lab.call({ model: 'small', input: 'A colour?' }, { asked: openAiResponses });
  const [item] = JSON.parse(first.body).output;
  const input = [
    { type: 'item_reference', id: item.id },
    { role: 'user', content: 'Another?' },
  ];
  await lab.call({ model: 'small', input }, { asked: openAiResponses });
  const { messages } = bodyOf(lab, 1) as { messages: { role: string; content: unknown }[] };
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['assistant', 'user'],
  );
  await assert.rejects(
    lab.call({ model: 'small', input: [{ type: 'item_reference', id: 'msg_unknown' }] }, { asked: openAiResponses }),
    (error: GatewayError) => error.code === 'item_not_found',
  );
});

test('items of a stream can be named in a later call, too', async () => {
  const lab = small();
  lab.reactions = [streams(WHOLE_STREAM), answers(completion())];
  const first = await lab.call({ model: 'small', input: 'A colour?', stream: true }, { asked: openAiResponses });
  const [, id] = /"id":"(msg_[^"]+)"/.exec(first.body)!;
  await lab.call({ model: 'small', input: [{ type: 'item_reference', id }] }, { asked: openAiResponses });
  const { messages } = bodyOf(lab, 1) as { messages: { role: string }[] };
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['assistant'],
  );
});

test('an error says who was asked last, and how many were; one that comes before says nothing', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [model('first')] },
      { provider: provider('two'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [refuses(400)];
  const routed = { ...SMALL_CHAT, model: 'acme/auto' };
  const served = { provider: 'two', model: 'second-upstream', attempts: 2, dropped: [], route: 'acme/auto' };
  await assert.rejects(lab.call(routed), { kind: 'upstream_rejected', served });
  assert.deepEqual(lab.refused, [], 'what has a record is told as a call that is over');
  await assert.rejects(lab.call({ ...routed, model: 'unknown' }), { kind: 'model_not_found', served: null });
  const { model: named, httpStatus, errorKind } = lab.refused[0]!;
  assert.deepEqual([named, httpStatus, errorKind], ['unknown', 404, 'model_not_found']);
  lab.onSettle = () => Promise.reject(FULL_DISK);
  lab.reactions = [answers(completion())];
  await assert.rejects(lab.call(routed), {
    kind: 'storage_unavailable',
    served: { ...served, provider: 'one', model: 'first-upstream', attempts: 1 },
  });
});

test('a disconnect is tried once more, and no third time', async () => {
  const lab = small();
  lab.reactions = [fails(new GatewayError('upstream_disconnected', 'The vendor hung up.'))];
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'upstream_disconnected');
  assert.equal(lab.requests.length, 2);
  assert.equal(lab.settlements[0]!.attempts.length, 2);
});
