import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Receiving } from './receiving.ts';

test('past the bound, the key that holds more than its part is refused, and others are not', () => {
  const receiving = new Receiving(() => 100);
  const [first, second] = [receiving.begin('greedy'), receiving.begin('greedy')];
  assert.equal(first.take(60), true);
  assert.equal(second.take(40), true);
  assert.equal(second.take(1), false, 'the newest bytes');
  const other = receiving.begin('other');
  assert.equal(other.take(50), true, 'its own part is not touched by what others hold');
  assert.equal(receiving.begin('other').take(1), false);
  assert.equal(receiving.bytes, 150);
  for (const receipt of [first, second, other]) receipt.end();
  other.end();
  assert.equal(receiving.bytes, 0);
});

test('the only body of a key may be larger than its part, or than the bound', () => {
  const receiving = new Receiving(() => 100);
  const only = receiving.begin('one');
  assert.equal(only.take(90), true);
  assert.equal(only.take(90), true);
  assert.equal(receiving.begin('one').take(1), false);
  assert.equal(receiving.begin('another').take(50), true);
});

test('whatever so many keys send, all together hold less than twice the bound', () => {
  const receiving = new Receiving(() => 1000);
  const bodies = Array.from({ length: 200 }, (_, at) => receiving.begin(`key ${at % 10}`));
  for (let turn = 0; turn < 100; turn += 1) for (const body of bodies) body.take(3);
  assert.ok(receiving.bytes > 900 && receiving.bytes < 2000, String(receiving.bytes));
});
