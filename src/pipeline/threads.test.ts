import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../core/provider.ts';
import type { Envelope, Thread } from '../dialects/dialect.ts';
import { ItemMemory } from './item-memory.ts';
import { mayContinue, noteMaker, withMakers } from './threads.ts';

const ASKED = 'anthropic-messages';

function targetAt(id: string, more: Partial<Target['provider']> = {}, upstreamId = 'm'): Target {
  const keeper = { id, credentialName: 'default', quirks: { ownFormat: true }, ...more };
  return { provider: keeper, model: { upstreamId }, dialect: ASKED, path: '/messages' } as Target;
}

const settings = { limits: { maxOutputItems: 100_000 }, retention: { outputItems: 1000 } };
const continued = (after: string): Thread => ({ kind: 'continue', after, madeBy: null });

/** Who is found to keep a thread after it was noted for a key. */
function found(target: Target, by = 'key', after = 'msg_1', noted = 'msg_1'): Thread {
  const memory = new ItemMemory(
    () => settings,
    () => 0,
  );
  noteMaker(memory, 'key', noted, target);
  const envelope = withMakers(memory, by, { thread: continued(after) } as Envelope);
  assert.ok(!(envelope instanceof Promise));
  return envelope.thread!;
}

test('a thread is continued with the credential that keeps it', () => {
  const kept = targetAt('a', { credentialName: 'one' });
  const thread = found(kept);
  assert.equal(mayContinue(thread, ASKED, kept), true);
  for (const other of [targetAt('b', { credentialName: 'one' }), targetAt('a', { credentialName: 'two' })]) {
    assert.equal(mayContinue(thread, ASKED, other), false);
  }
  assert.equal(mayContinue(thread, ASKED, { ...kept, dialect: 'openai-chat' }), false);
  assert.equal(mayContinue(thread, ASKED, targetAt('a', { credentialName: 'one', quirks: {} })), false);
});

test('a route keeps the model, a caller may name another', () => {
  const thread = found(targetAt('a'));
  const other = targetAt('a', {}, 'n');
  assert.deepEqual([mayContinue(thread, ASKED, other, true), mayContinue(thread, ASKED, other)], [false, true]);
});

test('a thread of another key, or of nobody known, is asked for where the account is its callers’ own alone', () => {
  const long = 'x'.repeat(201);
  for (const thread of [
    found(targetAt('a'), 'other'),
    found(targetAt('a'), 'key', 'msg_2'),
    found(targetAt('a', { quirks: {} })),
    found(targetAt('a'), 'key', long, long),
    found(targetAt('a'), 'key', '', ''),
  ]) {
    assert.equal(mayContinue(thread, ASKED, targetAt('a')), false);
    assert.equal(mayContinue(thread, ASKED, targetAt('a', { sharedIds: 'allow' })), true);
  }
});

test('calls that continue nothing may go anywhere', () => {
  const elsewhere = targetAt('a', { quirks: {} });
  for (const thread of [undefined, { kind: 'create' } as const])
    assert.equal(mayContinue(thread, ASKED, elsewhere), true);
});
