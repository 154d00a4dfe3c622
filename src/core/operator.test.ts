import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portOf } from './operator.ts';

test('the usual port is in no address, and is a port all the same', () => {
  assert.equal(portOf('http://127.0.0.1:8080'), 8080);
  assert.equal(portOf('http://[::1]:8080'), 8080);
  for (const address of ['http://127.0.0.1', 'http://127.0.0.1:80']) assert.equal(portOf(address), 80);
});
