import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { CallerAnswer, UpstreamRequest } from '../core/ports.ts';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { StreamRelay } from './stream.ts';
import type { StreamLimits, StreamOutcome } from './stream-parts.ts';
import { PassingStream } from './translation/translator.ts';

const HOUR = 3_600_000;
const PATIENT: StreamLimits = {
  firstByte: HOUR,
  idle: HOUR,
  total: HOUR,
  ping: HOUR,
  hold: HOUR,
  mayMove: false,
  maxLine: 1024,
  maxAnswer: 4096,
  minSpeed: 0,
  minSpeedAfter: 1000,
};
const SERVED = { provider: 'lab', model: 'm', attempts: 1, dropped: [], route: null };
const COMMENT = ': PROCESSING\n\n';
const OPENING = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n';

function says(text: string): string {
  return `data: {"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]}\n\n`;
}

function noWhole(): never {
  throw new Error('The answer is no whole one.');
}

/** A relay between a vendor and a caller who do what the test says, while time passes as it says. */
function begin(t: TestContext, limits: Partial<StreamLimits>, keepsLast = false) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const body = Buffer.from('{"model":"m","stream":true,"messages":[{}],"stream_options":{"include_usage":true}}');
  const envelope = openAiChat.inbound.readEnvelope(body, { maxJsonDepth: 9, maxEmbeddingInputs: 1 });
  const converter = new PassingStream(openAiChat, envelope, true);
  const seen = { written: '', begun: false, paused: 0, aborted: false, end: null as StreamOutcome | null };
  const caller = { takes: true, drained: () => {}, leaves: () => {} };
  const answer: CallerAnswer = {
    gone: false,
    onGone: (listener) => {
      caller.leaves = listener;
    },
    onDrain: (listener) => {
      caller.drained = listener;
    },
    begin: () => {
      seen.begun = true;
    },
    write: (frame) => {
      seen.written += frame.toString();
      return caller.takes;
    },
    whole: () => assert.fail('a stream was answered whole'),
    end: () => assert.fail('the relay leaves the end to the pipeline'),
    unread: false,
    onTaken: () => {},
  };
  const ends = { spoken: openAiChat, converter, ofWhole: noWhole, caller: answer, served: SERVED, keepsLast };
  const relay = new StreamRelay(ends, { ...PATIENT, ...limits }, new TimerWheel(() => now));
  const hold = {
    pause: () => {
      seen.paused += 1;
    },
    resume: () => {},
    abort: () => {
      seen.aborted = true;
    },
  };
  const ended = relay.run({ send: () => hold }, {} as UpstreamRequest).then((end) => {
    seen.end = end;
  });
  const contents: number[] = [];
  relay.onContent = (at) => contents.push(at);
  relay.onStart(200, { 'content-type': 'text/event-stream' });
  return {
    relay,
    seen,
    caller,
    /** When the relay told of the first content, each time. */
    contents,
    sends: (text: string) => (/^\p{ASCII}*$/u.test(text) ? relay.onText(text) : relay.onData(Buffer.from(text))),
    /** The vendor's body ends in order, or its connection breaks; tells what has come of the stream. */
    async stops(how: 'in order' | 'reset' = 'in order') {
      if (how === 'in order') relay.onEnd();
      else relay.onFailure(new GatewayError('upstream_disconnected', 'The connection broke.'));
      await ended;
      return seen.end!;
    },
    /** Time passes; every `each` ms something is done. Resolves when what has come of it is seen. */
    async pass(ms: number, each = ms, act: () => void = () => {}) {
      for (let step = 1; step <= ms; step += 1) {
        now += 1;
        t.mock.timers.tick(1);
        if (step % each === 0 && step < ms) act();
      }
      await Promise.resolve();
    },
    async error() {
      await ended;
      assert(seen.end?.kind === 'broken' || seen.end?.kind === 'failed');
      return [seen.end.kind, seen.end.error.kind, seen.end.error.message];
    },
  };
}

const SILENT = ['upstream_timeout', 'The provider was silent for too long.'];
const SLOW = ['upstream_timeout', 'The provider’s answer is slower than 20 characters a second.'];

test('comments are no first event, and open nothing', async (t) => {
  const { seen, sends, pass, error } = begin(t, { firstByte: 1000, hold: 100 });
  await pass(1010, 50, () => sends(COMMENT));
  assert.deepEqual(await error(), ['failed', ...SILENT]);
  assert.deepEqual([seen.begun, seen.written, seen.aborted], [false, '', true]);
});

test('while others may be asked, silence before the first event is not filled: that would bind the caller to this vendor', async (t) => {
  const { seen, pass, error } = begin(t, { firstByte: 1000, ping: 100, mayMove: true });
  await pass(1010);
  assert.deepEqual(await error(), ['failed', ...SILENT]);
  assert.deepEqual([seen.begun, seen.written], [false, '']);
});

test('where nobody else may be asked, a caller hears something while its vendor is silent', async (t) => {
  const { seen, pass } = begin(t, { ping: 100 });
  await pass(110);
  assert.deepEqual([seen.begun, seen.written.startsWith(':')], [true, true]);
});

test('the first content is what carries some, not what left before it for want of it', async (t) => {
  const { relay, seen, sends, pass, contents } = begin(t, { hold: 100 });
  sends(OPENING);
  await pass(150);
  assert.deepEqual([seen.written, relay.isCommitted, relay.firstContentAt], [OPENING, true, null]);
  await pass(850);
  sends(says('one') + says('two'));
  sends(says('three'));
  assert.deepEqual([relay.firstContentAt, contents], [1000, [1000]]);
});

test('a caller hears something at each ping, also where a frame is kept for the end', async (t) => {
  const { seen, sends, pass } = begin(t, { ping: 100 }, true);
  await pass(110);
  assert.deepEqual([seen.begun, seen.written], [true, ': keep-alive\n\n']);
  sends(OPENING + says('one'));
  await pass(110);
  assert.equal(seen.written, `: keep-alive\n\n${OPENING}: keep-alive\n\n`);
  sends(says('two'));
  assert.equal(seen.written.endsWith(says('one')), true);
});

test('what is held behind comments is held from the first event on, and leaves with them', async (t) => {
  const { seen, sends, pass } = begin(t, { hold: 100 });
  sends(COMMENT);
  await pass(200);
  sends(OPENING);
  await pass(90);
  assert.equal(seen.written, '');
  await pass(20);
  assert.equal(seen.written, COMMENT + OPENING);
  assert.equal(seen.end, null);
});

test('64 KB are held at most: one byte more, and all leaves, whether it says something or not', async (t) => {
  const { seen, sends } = begin(t, { maxLine: 64 * 1024 });
  const comment = `:${' '.repeat(1021)}\n\n`;
  for (let held = 0; held < 64 * 1024; held += comment.length) sends(comment);
  assert.deepEqual([seen.begun, seen.written], [false, '']);
  sends(':\n\n');
  assert.deepEqual([seen.begun, seen.written.length], [true, 64 * 1024 + 3]);
});

test('comments between events are passed on, and are no life', async (t) => {
  const { seen, sends, pass, error } = begin(t, { idle: 1000 });
  sends(OPENING + says('Hello'));
  await pass(900, 100, () => sends(COMMENT));
  sends(says(' there'));
  await pass(900, 100, () => sends(COMMENT));
  assert.equal(seen.end, null);
  await pass(110, 50, () => sends(COMMENT));
  assert.deepEqual(await error(), ['broken', ...SILENT]);
  assert.ok(seen.written.startsWith(OPENING + says('Hello') + COMMENT));
});

test('the bytes of an event that never ends are no life', async (t) => {
  const { sends, pass, error } = begin(t, { idle: 1000 });
  sends(OPENING + says('Hello'));
  await pass(1010, 50, () => sends('data: {"'));
  assert.deepEqual(await error(), ['broken', ...SILENT]);
});

test('a comment and an event in one piece are life', async (t) => {
  const { seen, sends, pass } = begin(t, { idle: 1000 });
  sends(OPENING + says('Hello'));
  await pass(5000, 900, () => sends(COMMENT + says('.') + COMMENT));
  assert.equal(seen.end, null);
});

test('while the caller takes nothing, they get no comments, and have the next a ping after they go on', async (t) => {
  const { seen, caller, sends, pass } = begin(t, { ping: 100 });
  caller.takes = false;
  sends(OPENING + says('Hello'));
  await pass(5000);
  assert.equal(seen.written, OPENING + says('Hello'));
  caller.takes = true;
  caller.drained();
  await pass(110);
  assert.equal(seen.written, `${OPENING}${says('Hello')}: keep-alive\n\n`);
});

test('while the caller takes nothing, the vendor’s silence is not looked at', async (t) => {
  const { seen, caller, sends, pass, error } = begin(t, { idle: 1000 });
  caller.takes = false;
  sends(OPENING + says('Hello'));
  // What was on its way when the vendor was paused.
  sends(says(' there'));
  assert.equal(seen.paused, 1);
  await pass(5000);
  assert.equal(seen.end, null);
  caller.takes = true;
  caller.drained();
  await pass(1010);
  assert.deepEqual(await error(), ['broken', ...SILENT]);
});

test('an answer that trickles ends with an error', async (t) => {
  const { seen, sends, pass, error } = begin(t, { minSpeed: 20 });
  sends(OPENING + says('Hello'));
  await pass(990, 100, () => sends(says('x')));
  assert.equal(seen.end, null);
  await pass(20);
  assert.deepEqual(await error(), ['broken', ...SLOW]);
  assert.equal(seen.aborted, true);
});

test('an answer that is fast enough goes on, and is looked at span by span', async (t) => {
  const { seen, sends, pass, error } = begin(t, { minSpeed: 20 });
  sends(OPENING + says('Hello'));
  await pass(10_000, 100, () => sends(says('abc')));
  assert.equal(seen.end, null);
  await pass(2010);
  assert.deepEqual(await error(), ['broken', ...SLOW]);
});

test('a slow answer is no fault where no speed is asked for', async (t) => {
  const { seen, sends, pass } = begin(t, {});
  sends(OPENING + says('Hello'));
  await pass(60_000, 5000, () => sends(says('x')));
  assert.equal(seen.end, null);
});

test('before the first words there is no speed to look at', async (t) => {
  const { seen, sends, pass, error } = begin(t, { minSpeed: 20, hold: 100 });
  sends(OPENING);
  await pass(5500);
  assert.deepEqual([seen.begun, seen.end], [true, null]);
  sends(says('Hello'));
  // The span in which they came is not judged; the next is.
  await pass(1000);
  assert.equal(seen.end, null);
  await pass(1010);
  assert.deepEqual(await error(), ['broken', ...SLOW]);
});

test('while the caller takes nothing, the answer’s speed is not looked at; after it, a whole span is', async (t) => {
  const { seen, caller, sends, pass, error } = begin(t, { minSpeed: 20 });
  sends(OPENING + says('Hello'));
  await pass(500);
  caller.takes = false;
  sends(says(' there'));
  await pass(5000);
  assert.equal(seen.end, null);
  caller.takes = true;
  caller.drained();
  await pass(990);
  assert.equal(seen.end, null);
  await pass(20);
  assert.deepEqual(await error(), ['broken', ...SLOW]);
});

const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const DONE = 'data: [DONE]\n\n';

test('an event without data, or with data that says nothing, is not passed; comments and ids are', async (t) => {
  const { seen, sends } = begin(t, {});
  sends(says('Hello'));
  sends('event: message\n\n');
  sends('data\n\n');
  sends('data: \n\n');
  sends('data:   \n\n');
  sends('id: 7\n\n');
  sends(COMMENT);
  assert.equal(seen.written, `${says('Hello')}id: 7\n\n${COMMENT}`);
});

test('a stream whose lines end in CRLF ends with its own word, too', async (t) => {
  const { seen, sends, stops } = begin(t, {});
  const lines = [says('Hello'), FINISH, DONE].map((frame) => frame.replaceAll('\n', '\r\n'));
  for (const frame of lines) sends(frame);
  const end = await stops();
  assert.ok(end.kind === 'complete');
  assert.equal(`${seen.written}${end.last}`, lines.join(''));
});

test('of what comes behind the end in one piece with it, only comments and events that can be read go with it', async (t) => {
  const { sends, stops } = begin(t, {});
  sends(`${says('Hello')}${FINISH}${DONE}data: {"x\n\nevent: x\n\n: bye\n\ndata: {"x":1}\n\ndat`);
  const end = await stops();
  assert.ok(end.kind === 'complete');
  assert.equal(String(end.last), `${DONE}: bye\n\ndata: {"x":1}\n\n`);
});

test('what comes in one piece with the end, or with an error, is written before it', async (t) => {
  for (const keepsLast of [false, true]) {
    const whole = begin(t, {}, keepsLast);
    whole.sends(OPENING + says('Hello') + FINISH + DONE);
    const end = await whole.stops();
    assert.ok(end.kind === 'complete');
    assert.equal(`${whole.seen.written}${end.last}`, OPENING + says('Hello') + FINISH + DONE);
    assert.equal(end.last.toString(), keepsLast ? FINISH + DONE : DONE);
    t.mock.timers.reset();
    const broken = begin(t, {}, keepsLast);
    broken.sends(OPENING + says('Hello'));
    broken.sends(`${says(' there')}data: {"error":{"message":"Overloaded.","code":503}}\n\n`);
    assert.equal((await broken.stops('reset')).kind, 'broken');
    assert.equal(broken.seen.written, OPENING + says('Hello') + says(' there'));
    t.mock.timers.reset();
  }
});

test('a stream whose last CR lacks its LF gets it before it fails, so that an error stands behind a blank line', async (t) => {
  const { seen, sends, stops } = begin(t, {});
  const first = says('Hello').replaceAll('\n', '\r\n');
  sends(first.slice(0, -1));
  assert.equal((await stops('reset')).kind, 'broken');
  assert.equal(seen.written, first);
});

const FINISHED = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const USED = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}\n\n';

test('a caller who leaves in the middle lets the vendor go at once', async (t) => {
  const { seen, caller, sends, pass } = begin(t, {});
  sends(OPENING + says('one'));
  caller.leaves();
  await pass(1);
  assert.deepEqual([seen.end, seen.aborted], [{ kind: 'left' }, true]);
});

test('a caller who leaves behind the finish reason has its usage waited for, and nothing is written to it', async (t) => {
  const { relay, seen, caller, sends, pass } = begin(t, {});
  sends(OPENING + says('one') + FINISHED);
  const { written } = seen;
  caller.leaves();
  await pass(2990, 100, () => sends(COMMENT));
  assert.deepEqual([seen.end, seen.aborted], [null, false]);
  sends(USED);
  await pass(1);
  assert.deepEqual([seen.end, seen.written === written], [{ kind: 'left' }, true]);
  assert.equal(relay.converter.usage()?.outputTokens, 2);
});

for (const [name, act] of [
  ['a vendor that tells no usage is let go after 3 s', () => {}],
  ['a slow caller who leaves', (caller: { takes: boolean }) => Object.assign(caller, { takes: false })],
] as const) {
  test(`${name}, as a caller who has left`, async (t) => {
    const { seen, caller, sends, pass } = begin(t, { idle: 500, ping: 500 });
    act(caller);
    sends(OPENING + says('one') + FINISHED);
    caller.leaves();
    await pass(2990);
    assert.equal(seen.end, null);
    await pass(20);
    assert.deepEqual([seen.end, seen.aborted], [{ kind: 'left' }, true]);
  });
}

test('a stream that breaks off or ends while its usage is waited for has a caller who left', async (t) => {
  for (const how of ['reset', 'in order'] as const) {
    const { caller, sends, stops } = begin(t, {});
    sends(OPENING + says('one') + FINISHED);
    caller.leaves();
    assert.deepEqual(await stops(how), { kind: 'left' });
    t.mock.timers.reset();
  }
});
