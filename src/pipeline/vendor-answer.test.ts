import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerForm, formOf, GatheredBody, startOf, tooLate } from './vendor-answer.ts';

test('a body is too long with the first byte beyond what may be gathered', () => {
  const body = new GatheredBody(10);
  body.add('12345');
  body.add(Buffer.from('67890'));
  assert.equal(body.isTooLong, false);
  body.add('1');
  assert.deepEqual([body.isTooLong, body.bytes().toString()], [true, '12345678901']);
});

test('an answer is what its first bytes say, whatever its content type', () => {
  const cases: [start: string, type: string | undefined, form: AnswerForm | null][] = [
    ['{"id":1}', 'text/event-stream', 'json'],
    ['\n  \ufeff{"id":1}', undefined, 'json'],
    ['data: {}\n\n', 'application/json', 'events'],
    ['event:x\n', 'text/plain; charset=utf-8', 'events'],
    [': comment\n', undefined, 'events'],
    ['retry: 10\n', 'text/plain', 'events'],
    ['\r\n\r\ndata\n', 'text/plain', 'events'],
    ['xyz', 'text/event-stream; charset=utf-8', 'events'],
    ['database is down', 'text/plain', 'neither'],
    ['<!doctype html>', 'text/html', 'neither'],
    ['eve', 'text/plain', null],
    [' \n', 'text/event-stream', null],
  ];
  for (const [text, type, form] of cases) {
    for (const piece of [text.replace('\ufeff', ''), Buffer.from(text)]) {
      assert.equal(formOf(startOf(piece), type === undefined ? {} : { 'content-type': type }), form, text);
    }
  }
});

test('a body that comes byte by byte begins as the whole of it does', () => {
  const body = new GatheredBody(100);
  const seen = [...' \n data: {}'].map((byte) => {
    body.add(byte);
    return formOf(body.start, {});
  });
  assert.deepEqual(seen.filter((form) => form !== null).at(0), 'events');
  assert.equal(seen.indexOf('events'), ' \n data:'.length - 1);
});

test('a deadline that passes before anything has left means a vendor that was not reached', () => {
  const hold = { pause: () => {}, resume: () => {}, abort: () => {} };
  const kinds = [null, hold, { ...hold, unsent: false }, { ...hold, unsent: true }].map(
    (each) => tooLate(each, '').kind,
  );
  assert.deepEqual(kinds, ['upstream_timeout', 'upstream_timeout', 'upstream_timeout', 'upstream_unreachable']);
});
