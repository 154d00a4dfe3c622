import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from './events-read.ts';

test('an event is nested up to 512 deep, and with one more the stream fails', () => {
  for (const [depth, kinds] of [
    [511, []],
    [512, ['failure']],
  ] as const) {
    const data = `{"type":"vendors.own","own":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const events = readEvents().push({ event: 'vendors.own', data });
    assert.deepEqual(
      events.map(({ kind }) => kind),
      kinds,
    );
  }
});
