import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

test('on this machine it is open, in Prometheus’ format, and counts calls as they are settled', async () => {
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };
  for (const stream of [false, true])
    await ask(`${server.url}/v1/chat/completions`, { key: server.key, body: { ...body, stream } });
  const { status, headers, text } = await ask(`${server.url}/metrics`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const values = new Map(
    text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
  assert.equal(values.get('headgate_calls_total{provider="echo",model="echo",status="succeeded"}'), '2');
  assert.equal(values.get('headgate_call_duration_seconds_count{provider="echo",model="echo"}'), '2');
  assert.equal(values.get('headgate_time_to_first_token_seconds_count{provider="echo",model="echo"}'), '1');
  assert.equal(values.get('headgate_open_calls'), '0');
  assert.ok(Number(values.get('headgate_tokens_total{provider="echo",model="echo",type="output"}')) >= 2);
  assert.ok(Number(values.get('process_resident_memory_bytes')) > 0);
});

test('a model that does not exist makes no series', async () => {
  const body = { model: 'made-up-by-a-caller', messages: [{}] };
  assert.equal((await ask(`${server.url}/v1/chat/completions`, { key: server.key, body })).status, 404);
  assert.doesNotMatch((await ask(`${server.url}/metrics`)).text, /made-up/);
});
