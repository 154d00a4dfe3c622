import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { type Answer, ask, type Sent } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

const { key } = server;
const CHAT = '/v1/chat/completions';
const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };

const LIMITS = ['limit', 'remaining', 'reset'].flatMap((what) => [
  `x-ratelimit-${what}-requests`,
  `x-ratelimit-${what}-tokens`,
]);

/** Answers of every kind there is, and whether their caller is known. */
const ANSWERS: readonly [status: number, path: string, known: boolean, sent: Sent][] = [
  [200, '/v1/models', true, { key }],
  [200, '/v1/models/catalog', true, { key }],
  [200, '/v1/usage', true, { key }],
  [200, CHAT, true, { key, body }],
  [200, CHAT, true, { key, body: { ...body, stream: true } }],
  [200, '/v1/embeddings', true, { key, body: { model: 'text-embedding-3-small', input: 'a' } }],
  [200, '/healthz', false, { key }],
  [200, '/readyz', false, {}],
  [200, '/metrics', false, {}],
  [200, '/openapi.json', false, {}],
  [400, CHAT, true, { key, body: '{' }],
  [400, '/v1/usage?limit=x', true, { key }],
  [401, CHAT, false, { body }],
  [404, CHAT, true, { key, body: { ...body, model: 'none' } }],
  [404, '/v1/models/none', true, { key }],
  [404, '/nothing', false, { key }],
  [405, CHAT, false, { key }],
  [415, CHAT, true, { key, body, headers: { 'content-type': 'text/plain' } }],
];

for (const [status, path, known, sent] of ANSWERS) {
  test(`${status} of ${path} ${known ? 'has the limits too' : 'has what every answer has'}`, async () => {
    const answer = await ask(`${server.url}${path}`, sent);
    assert.equal(answer.status, status, answer.text);
    assertCommon(answer);
    if (known) assertLimits(answer);
    else for (const name of [...LIMITS, 'service-organization']) assert.equal(answer.headers.get(name), null, name);
  });
}

test('every request has an id of its own', async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await ask(`${server.url}/healthz`)).headers.get('x-request-id')),
  );
  assert.equal(new Set(ids).size, 20);
});

test('the time taken is that of the request', async () => {
  const { headers } = await ask(`${server.url}/healthz`);
  assert.ok(Number(headers.get('service-processing-ms')) < 5000);
});

test('a call and a question each are counted against the requests left', async () => {
  const left = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining-requests'));
  // One comes back in thirty seconds.
  const fresh = (await server.createKey('--requests-per-minute', '2')).key;
  assert.equal(left(await ask(`${server.url}/v1/models`, { key: fresh })), 1);
  const called = await ask(`${server.url}${CHAT}`, { key: fresh, body });
  assert.equal(left(called), 0);
  assert.match(called.headers.get('x-ratelimit-reset-requests') ?? '', /^(1m0s|\d+(\.\d+)?s)$/);
});

test('who served a call is told', async () => {
  const { headers } = await ask(`${server.url}${CHAT}`, { key, body: { ...body, model: 'echo/echo' } });
  assert.deepEqual(
    ['provider', 'model', 'attempts'].map((name) => headers.get(`service-${name}`)),
    ['echo', 'echo', '1'],
  );
});

test('a caller’s own request id is kept in the record where it is valid, and is never ours', async () => {
  for (const [sent, kept] of [
    ['trace-1/a:b', 'trace-1/a:b'],
    ['two words', null],
    ['x'.repeat(129), null],
  ] as const) {
    const answer = await ask(`${server.url}${CHAT}`, { key, body, headers: { 'x-request-id': sent } });
    const [newest] = (await server.usage({ limit: '1' })).data;
    assert.equal(newest?.client_request_id, kept);
    assert.equal(newest?.request_id, answer.headers.get('x-request-id'));
  }
});

function assertCommon({ headers }: Answer): void {
  assert.match(headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/);
  assert.equal(headers.get('service-version'), 'v1');
  assert.match(headers.get('service-processing-ms') ?? '', /^\d+$/);
}

function assertLimits({ headers }: Answer): void {
  assert.match(headers.get('service-organization') ?? '', /^org_/);
  for (const name of LIMITS) {
    const form = name.includes('reset') ? /^(\d+m)?(\d+(\.\d+)?s|\d+ms)$/ : /^\d+$/;
    assert.match(headers.get(name) ?? '', form, name);
  }
}
