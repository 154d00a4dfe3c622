import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PACE_MS, sendPaced } from './pace.ts';

const LIMITED = { 'retry-after-ms': '500', 'x-should-retry': 'true' };

function limited(headers: Record<string, string> = LIMITED): Response {
  return new Response('{}', { status: 429, headers });
}

/** Sends until the answers are used up, and tells what was waited; the clock is not looked at. */
async function paced(answers: Iterable<Response>, signal: AbortSignal | null = null) {
  const iterator = answers[Symbol.iterator]();
  const waits: number[] = [];
  let sent = 0;
  const send = async () => {
    sent += 1;
    return iterator.next().value as Response;
  };
  const sleep = async (ms: number, by: AbortSignal | null | undefined) => {
    by?.throwIfAborted();
    waits.push(ms);
  };
  const { status, headers } = await sendPaced(send, signal, { random: () => 0.5, sleep });
  return { status, waits, sent, mayRetry: headers.get('x-should-retry') };
}

test('it waits as long as the answer says, and a little more, until the call is taken', async () => {
  const seconds = { 'retry-after': '2' };
  const { status, waits } = await paced([limited(), limited(seconds), limited({}), new Response('')]);
  assert.deepEqual([status, waits], [200, [625, 2125, 1125]]);
});

test('other answers come at once: a budget that is spent, and every other error', async () => {
  for (const other of [limited({ ...LIMITED, 'x-should-retry': 'false' }), new Response('', { status: 503 })]) {
    const { status, sent } = await paced([other]);
    assert.deepEqual([status, sent], [other.status, 1]);
  }
});

test('it waits ten minutes a call at most, then the limit is an error that is not retried', async () => {
  function* always() {
    for (;;) yield limited({ 'retry-after-ms': '59875' });
  }
  const { status, waits, mayRetry } = await paced(always());
  assert.deepEqual([status, mayRetry], [429, 'false']);
  assert.equal(
    waits.reduce((sum, ms) => sum + ms, 0),
    MAX_PACE_MS,
  );
});

test('a caller who leaves is not waited for', async () => {
  await assert.rejects(paced([limited()], AbortSignal.abort()), { name: 'AbortError' });
});
