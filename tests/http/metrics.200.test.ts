import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';
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

const OWN = new URL(server.url);
const metrics = (headers: Record<string, string>) => statusOf({ host: OWN.host, ...headers });

/** Of `/metrics`, asked with just these headers: `fetch` sends a `Host` of its own. */
function statusOf(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const asked = request({ host: OWN.hostname, port: OWN.port, path: '/metrics', headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    asked.on('error', fail).end();
  });
}

test('on this machine it is open at each of its own names', async () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', '127.8.9.10'])
    for (const port of ['', `:${OWN.port}`, ':80'])
      assert.equal(await metrics({ host: host + port }), 200, host + port);
});

test('the host in the first line of a request goes before `Host`', async () => {
  for (const [target, status] of [
    ['http://evil.example/metrics', 403],
    [`http://127.0.0.1:${OWN.port}/metrics`, 200],
  ] as const) {
    using client = await connectRaw(server.url);
    await client.send(requestBytes('GET', target, { host: '127.0.0.1' }));
    assert.equal((await client.answer()).status, status, target);
  }
});

test('who was led here by another name, or asks by way of a proxy, needs the token', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '192.0.2.1', 'a:b:c', '[::2]'])
    assert.equal(await metrics({ host }), 403, host);

  const proxied = {
    Forwarded: 'for=203.0.113.9',
    'X-Forwarded-For': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'X-Forwarded-Host': 'headgate.example.com',
    'X-Forwarded': '',
    'X-Real-IP': '203.0.113.9',
    Via: '1.1 proxy',
    'X-Client-IP': '203.0.113.9',
    'True-Client-IP': '203.0.113.9',
    'CF-Connecting-IP': '203.0.113.9',
    'X-Original-Forwarded-For': '203.0.113.9',
    'X-Remote-Addr': '203.0.113.9',
    'x-nf-client-connection-ip': '203.0.113.9',
    'X-Scheme': 'https',
    'Front-End-Https': 'on',
  };
  for (const [name, value] of Object.entries(proxied)) assert.equal(await metrics({ [name]: value }), 403, name);
});

test('the token opens it, whatever the host and by way of a proxy', async () => {
  await using guarded = await startHeadgate({ config: 'echo: true\nserver: { metrics_token: a-token-of-metrics }' });
  const from = (headers: Record<string, string>) => ask(`${guarded.url}/metrics`, { headers });
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };
  assert.equal((await from(forwarded)).status, 403);
  assert.equal((await from({ ...forwarded, authorization: 'Bearer another' })).status, 403);
  assert.equal((await from({ ...forwarded, authorization: 'Bearer a-token-of-metrics' })).status, 200);
});
