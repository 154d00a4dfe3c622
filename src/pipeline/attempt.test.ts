import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { model, provider } from '../testing/routes.ts';
import { Account } from './account.ts';
import { Dispatcher } from './admission/dispatcher.ts';
import type { AttemptOutcome } from './attempt.ts';
import { CallRun } from './call-run.ts';
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
} from './fixtures.test.ts';
import { OpenCalls } from './open-calls.ts';
import { Planner } from './planner.ts';

const HELLO = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}\n\n';
const FINISH = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const DONE = 'data: [DONE]\n\n';
const RESET = new GatewayError('upstream_disconnected', 'The connection broke.');
const ONE_SLOT = { concurrency: { max: 1, queue: 1, wait: 1000 } };

/** A call that is read, planned and reserved, and may open its attempts. */
async function opened(stream = false) {
  const lab = new Lab({ served: [{ provider: provider('lab', ONE_SLOT), models: [model('small')] }] });
  const { directory, settings } = lab.parts.current();
  const seen = caller();
  const request = lab.request({ ...SMALL_CHAT, stream }, seen);
  const envelope = openAiChat.inbound.readEnvelope(request.body, settings.limits);
  const plan = new Planner(lab.parts).plan(request, envelope, directory);
  const planned = { request, envelope, settings, plan, name: envelope.model, isSteered: false, directory };
  const account = await Account.open(lab.parts, planned);
  const run = new CallRun(lab.parts, new OpenCalls(), planned, account);
  const dispatcher = new Dispatcher(lab.parts);
  return { lab, seen, account, run, dispatcher, next: async () => dispatcher.next(run) };
}

/** What comes of an attempt at a vendor that does this. */
async function outcomeOf(reaction: Reaction, stream = false) {
  const call = await opened(stream);
  call.lab.reactions = [reaction];
  using attempt = await call.next();
  const outcome = await call.lab.ended(attempt.run());
  return { ...call, outcome, health: () => call.lab.health.of(call.run.plan.targets[0], 'key_1') };
}

function kindOf({ kind, end }: AttemptOutcome): unknown[] {
  return [kind, end.status, end.error?.kind ?? null, end.answered.status];
}

test('of a whole answer nothing is written, and nothing settled: it is returned', async () => {
  const { outcome, seen, lab, account, health } = await outcomeOf(answers(completion()));
  assert.deepEqual(kindOf(outcome), ['whole', 'succeeded', null, 200]);
  assert.deepEqual([seen.body, lab.settlements.length, account.attempts], ['', 0, 1]);
  assert.deepEqual(outcome.end.measured.usage.outputTokens, 10);
  assert.equal(health().wholeMs !== null, true);
  assert.deepEqual(outcome.end.served, {
    provider: 'lab',
    model: 'small-upstream',
    attempts: 1,
    dropped: [],
    route: null,
  });
});

test('of a stream all is written but its terminal bytes', async () => {
  const { outcome, seen, lab, health } = await outcomeOf(streams([HELLO, FINISH, DONE]), true);
  assert.deepEqual(kindOf(outcome), ['streamed', 'succeeded', null, 200]);
  assert.ok(outcome.kind === 'streamed');
  assert.deepEqual([seen.body, String(outcome.last)], [HELLO + FINISH, DONE]);
  assert.deepEqual([seen.ended, lab.settlements.length, seen.served], [false, 0, outcome.end.served]);
  assert.equal(health().firstTokenMs !== null, true, 'routes that choose by speed hear of it');
});

test('a stream that breaks behind its first content is broken, and its caller is not yet told', async () => {
  const { outcome, seen, account } = await outcomeOf(streams([HELLO], fails(RESET)), true);
  assert.deepEqual(kindOf(outcome), ['broken', 'failed', 'upstream_disconnected', 200]);
  assert.ok(outcome.kind === 'broken');
  assert.equal(seen.body, HELLO);
  assert.match(String(outcome.last), /^data: \{"error":/);
  assert.equal(account.attempts, 1);
});

test('what fails before its caller saw anything is a failure, of a stream too', async () => {
  for (const stream of [false, true]) {
    const refused = await outcomeOf(refuses(400), stream);
    assert.deepEqual(kindOf(refused.outcome), ['failed', 'failed', 'upstream_rejected', 400]);
    const broken = await outcomeOf(fails(RESET), stream);
    assert.deepEqual(kindOf(broken.outcome), ['failed', 'failed', 'upstream_disconnected', null]);
    assert.deepEqual([refused.seen.body, broken.seen.body], ['', '']);
    // Only what may have reached the vendor's model may cost something.
    const sources = [refused, broken].map(({ outcome }) => outcome.end.measured.usageSource);
    assert.deepEqual(sources, ['none', 'estimated']);
  }
});

test('a caller who leaves ends an attempt, and its vendor is let go', async () => {
  for (const stream of [false, true]) {
    const call = await opened(stream);
    call.lab.reactions = [() => call.seen.leave()];
    using attempt = await call.next();
    const outcome = await call.lab.ended(attempt.run());
    assert.deepEqual(kindOf(outcome).slice(0, 3), ['left', 'cancelled', 'client_closed_request']);
    assert.equal(call.lab.aborted.length, 1);
  }
});

test('what is closed gives back its slot and is in flight no more, however often it is closed', async () => {
  const { lab, run, next, dispatcher } = await opened();
  const [target] = run.plan.targets;
  const attempt = await next();
  const inFlight = () => lab.health.of(target, 'key_1').inFlight;
  assert.equal(inFlight(), 1);
  const other = await opened();
  const waiting = Promise.resolve(dispatcher.next(other.run));
  attempt[Symbol.dispose]();
  attempt[Symbol.dispose]();
  using second = await lab.ended(waiting);
  assert.equal(inFlight(), 1);
  // There is one slot, and the second has it.
  const third = await opened();
  await assert.rejects(lab.ended(Promise.resolve(dispatcher.next(third.run))), { kind: 'provider_busy' });
  assert.ok(second);
});
