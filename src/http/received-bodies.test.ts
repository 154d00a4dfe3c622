import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReceivedBodies } from './received-bodies.ts';

test('past the bound, the key that holds more than its part is refused, and others are not', () => {
  const receivedBodies = new ReceivedBodies(() => 100);
  const [first, second] = [receivedBodies.begin('greedy'), receivedBodies.begin('greedy')];
  assert.equal(first.take(60), true);
  assert.equal(second.take(40), true);
  assert.equal(second.take(1), false, 'the newest bytes');
  const other = receivedBodies.begin('other');
  assert.equal(other.take(50), true, 'its own part is not touched by what others hold');
  assert.equal(receivedBodies.begin('other').take(1), false);
  assert.equal(receivedBodies.bytes, 150);
  for (const received of [first, second, other]) received.end();
  other.end();
  assert.equal(receivedBodies.bytes, 0);
});

test('the only body of a key may be larger than its part, or than the bound', () => {
  const receivedBodies = new ReceivedBodies(() => 100);
  const only = receivedBodies.begin('one');
  assert.equal(only.take(90), true);
  assert.equal(only.take(90), true);
  assert.equal(receivedBodies.begin('one').take(1), false);
  assert.equal(receivedBodies.begin('another').take(50), true);
});

test('whatever so many keys send, all together hold less than twice the bound', () => {
  const receivedBodies = new ReceivedBodies(() => 1000);
  const bodies = Array.from({ length: 200 }, (_, at) => receivedBodies.begin(`key ${at % 10}`));
  for (let turn = 0; turn < 100; turn += 1) for (const body of bodies) body.take(3);
  assert.ok(receivedBodies.bytes > 900 && receivedBodies.bytes < 2000, String(receivedBodies.bytes));
});
