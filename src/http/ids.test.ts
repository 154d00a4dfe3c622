import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordIdBeginning, requestTime } from '../core/record-id.ts';
import { createIds } from './ids.ts';

const NOW = 1_795_262_517_000;

test('request ids look like OpenAI’s and are never the same', () => {
  const ids = createIds();
  const made = Array.from({ length: 2000 }, () => ids.requestId());
  for (const id of made) assert.match(id, /^req_[0-9a-f]{32}$/);
  assert.equal(new Set(made).size, made.length);
});

test('a request’s id tells when it was made; one of chance alone tells nothing', () => {
  for (const time of [NOW, 2 ** 41 - 1]) assert.equal(requestTime(createIds(() => time).requestId()), time);
  for (const id of ['req_1', `req_${'f'.repeat(32)}`, `req_${'0'.repeat(32)}`, `${createIds().requestId()}0`, '']) {
    assert.equal(requestTime(id), null, id);
  }
});

test('keys and organizations have names of their own', () => {
  const ids = createIds();
  assert.match(ids.keyId(), /^key_[0-9A-HJKMNP-TV-Z]{16}$/);
  assert.match(ids.organizationId(), /^org_[0-9A-HJKMNP-TV-Z]{16}$/);
  assert.notEqual(ids.keyId(), ids.keyId());
});

test('record ids sort by time, within one millisecond too, and when the clock steps back a little', () => {
  const ids = createIds();
  const times = [0, 0, NOW, NOW, NOW, NOW + 1, NOW + 1, NOW - 59_999, NOW - 59_999, NOW + 2, NOW + 86_400_000];
  const made = times.map((time) => ids.recordId(time));
  for (const id of made) assert.match(id, /^usage_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(made, made.toSorted());
  assert.equal(new Set(made).size, made.length);
});

test('record ids follow a clock that is set back by more, and are never the same', () => {
  const ids = createIds();
  const [year, hour] = [365 * 86_400_000, 3_600_000];
  const times = [NOW, NOW + 10 * year, NOW + 1, NOW + 2, NOW - hour, NOW, NOW, NOW + 10 * year, NOW];
  const made = times.map((time) => ids.recordId(time));
  assert.equal(new Set(made).size, made.length);
  for (const [index, id] of made.entries()) {
    assert(id.startsWith(recordIdBeginning(times[index]!)), `${id} does not tell ${times[index]}`);
  }
});

test('record ids of two processes differ at the same time', () => {
  assert.notEqual(createIds().recordId(NOW), createIds().recordId(NOW));
});

test('many record ids within one millisecond keep their order', () => {
  const ids = createIds();
  const made = Array.from({ length: 10_000 }, () => ids.recordId(NOW));
  assert.deepEqual(made, made.toSorted());
  assert.equal(new Set(made).size, made.length);
});
