import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pick, seeded } from '../../src/testing/seeded.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer, type RawClient } from '../support/raw-http.ts';

const CONFIG = `
providers: { nobody: { base_url: "http://127.0.0.1:9/v1", only: [unreachable] } }
limits: { max_body: 8KB, max_header: 4KB, requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
`;

const start = (layer: string) => startHeadgate({ config: CONFIG, env: { HEADGATE_HTTP_LAYER: layer } });
const [fast, node] = await Promise.all([start('fast'), start('node')]);
after(() => Promise.all([fast, node].map((server) => server[Symbol.asyncDispose]())));

type Asked = { what: string; head: readonly string[]; body: string };

const KEY = 'authorization: Bearer KEY';
const JSON_TYPE = 'content-type: application/json';
const HI = [{ role: 'user', content: 'Hé, a few words to be said again' }];

/** Bodies that every path that takes calls is sent. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/v1/chat/completions': { model: 'echo', messages: HI },
  '/v1/messages': { model: 'echo', max_tokens: 99, messages: HI },
  '/v1/responses': { model: 'echo', input: 'Hé' },
  '/v1/embeddings': { model: 'text-embedding-3-small', input: ['a', 'b'] },
  '/v1/messages/count_tokens': { model: 'echo', messages: HI },
};

const BODIES: readonly [what: string, of: (call: object) => string][] = [
  ['a call', JSON.stringify],
  ['a stream', (call) => JSON.stringify({ ...call, stream: true })],
  ['a model that is none', (call) => JSON.stringify({ ...call, model: 'none' })],
  ['a vendor that is not there', (call) => JSON.stringify({ ...call, model: 'unreachable' })],
  ['a stream of a vendor that is not there', (call) => JSON.stringify({ ...call, model: 'unreachable', stream: true })],
  ['no model', () => '{"messages":[]}'],
  ['no JSON', () => '{"model": '],
  ['no object', () => '[]'],
  ['white space', () => '  '],
  ['a body of the largest size', (call) => padded(call, 8 * 1024)],
  ['a body that is one byte too large', (call) => padded(call, 8 * 1024 + 1)],
];

/** Heads for a body of so many bytes. */
const HEADS: readonly [what: string, of: (length: string) => readonly string[]][] = [
  ['', (length) => [KEY, JSON_TYPE, length]],
  ['x-api-key', (length) => ['x-api-key: KEY', JSON_TYPE, length]],
  ['both keys', (length) => [KEY, 'X-API-KEY: KEY', JSON_TYPE, length]],
  ['keys that differ', (length) => [KEY, 'x-api-key: other', JSON_TYPE, length]],
  ['no key', (length) => [JSON_TYPE, length]],
  ['an unknown key', (length) => ['authorization: Bearer x', JSON_TYPE, length]],
  ['a key of another scheme', (length) => ['authorization: Basic KEY', JSON_TYPE, length]],
  ['two keys', (length) => [KEY, KEY, JSON_TYPE, length]],
  ['two hosts', (length) => ['host: b', KEY, JSON_TYPE, length]],
  ['an id', (length) => [KEY, JSON_TYPE, 'x-request-id: mine', length]],
  ['a version', (length) => [KEY, JSON_TYPE, 'anthropic-version: 2023-06-01', 'anthropic-beta: a', length]],
  ['no type', (length) => [KEY, length]],
  ['text', (length) => [KEY, 'content-type: text/plain', length]],
  ['a type that is none', (length) => [KEY, 'content-type: nonsense', length]],
  ['JSON of a vendor', (length) => [KEY, 'content-type: application/vnd.a+json', length]],
  ['JSON in UTF-8', (length) => [KEY, `${JSON_TYPE}; charset=utf-8`, length]],
  ['compressed', (length) => [KEY, JSON_TYPE, 'content-encoding: gzip', length]],
  ['identity', (length) => [KEY, JSON_TYPE, 'content-encoding: identity', length]],
  ['close', (length) => [KEY, JSON_TYPE, 'connection: close', length]],
  ['keep-alive', (length) => [KEY, JSON_TYPE, 'Connection: Keep-Alive', length]],
  ['an expectation', (length) => [KEY, JSON_TYPE, 'expect: 100-continue', length]],
  ['another expectation', (length) => [KEY, JSON_TYPE, 'expect: x', length]],
  ['a long header', (length) => [KEY, JSON_TYPE, `x: ${'y'.repeat(3500)}`, length]],
  ['a header that is too long', (length) => [KEY, JSON_TYPE, `x: ${'y'.repeat(5000)}`, length]],
  ['many headers', (length) => [KEY, JSON_TYPE, ...Array.from({ length: 150 }, (_, n) => `x-${n}: y`), length]],
  ['letters beyond ASCII', (length) => [KEY, JSON_TYPE, 'user-agent: é', length]],
  ['a length with a zero', (length) => [KEY, JSON_TYPE, length.replace(': ', ': 0')]],
  ['two lengths', (length) => [KEY, JSON_TYPE, length, length]],
];

const PROJECTS = '/v1/organization/projects';

/** The settings of an organization, to whose operations both layers hand the same request. */
const SETTINGS: readonly Asked[] = [
  ...HEADS.map(([what, of]) => ({ what: `${PROJECTS}: ${what}`, ...post(PROJECTS, '{"name":"Rockets"}', of) })),
  ...['', '{"name":', '{"name":""}', '{"other":1}', '[]'].map((body) => ({
    what: `${PROJECTS}: ${body}`,
    ...post(PROJECTS, body),
  })),
  ...['', '?limit=1', '?limit=x', '?after=%zz', '/none', '/%2e', '/none/api_keys'].flatMap((rest) =>
    ['GET', 'DELETE', 'PUT'].map((method) => ({
      what: `${method} ${PROJECTS}${rest}`,
      head: [`${method} ${PROJECTS}${rest} HTTP/1.1`, 'host: a', KEY],
      body: '',
    })),
  ),
];

const OTHERS: readonly Asked[] = [
  ...[
    '/healthz',
    '/readyz',
    '/',
    '/api/hello',
    '/v1/models',
    '/v1/models/echo',
    '/v1/models/none',
    '/v1/none',
    '/none',
  ],
  ...['/v1/models/catalog', '/v1/chat/completions', '/v1/usage?limit=x', '/v1/models?x=%zz', '/v1/models/%zz'],
].flatMap((path) => [
  { what: `GET ${path}`, head: [`GET ${path} HTTP/1.1`, 'host: a', KEY], body: '' },
  { what: `GET ${path} without a key`, head: [`GET ${path} HTTP/1.1`, 'host: a'], body: '' },
]);

const ASKED: readonly Asked[] = [
  ...Object.entries(CALLS).flatMap(([path, call]) => [
    ...BODIES.map(([what, of]) => ({ what: `${path}: ${what}`, ...post(path, of(call)) })),
    ...HEADS.map(([what, of]) => ({ what: `${path}: ${what}`, ...post(path, JSON.stringify(call), of) })),
    ...[`${path}/`, `${path}?a=b`, `//${path}`, `http://a${path}`, path.toUpperCase(), path.replace('v1', '%761')].map(
      (other) => ({ what: other, ...post(other, JSON.stringify(call)) }),
    ),
    { what: `${path}: nothing`, ...post(path, '') },
    {
      what: `${path}: chunks`,
      head: [`POST ${path} HTTP/1.1`, 'host: a', KEY, JSON_TYPE, 'transfer-encoding: chunked'],
      body: `4\r\n{"mo\r\n5\r\ndel":\r\n1\r\n1\r\n1\r\n}\r\n0\r\n\r\n`,
    },
    ...['PUT', 'DELETE', 'OPTIONS'].map((method) => ({
      what: `${method} ${path}`,
      head: [`${method} ${path} HTTP/1.1`, 'host: a', KEY],
      body: '',
    })),
  ]),
  ...SETTINGS,
  ...OTHERS,
];

test(`${ASKED.length} requests are answered the same by both layers`, async () => {
  for (const asked of ASKED) {
    const [ours, theirs] = await Promise.all([fast, node].map((server) => askOnce(server, asked)));
    assert.deepEqual(ours, theirs, asked.what);
  }
});

test('also where many come on one connection, plain ones and others', async () => {
  const random = seeded(5);
  for (let connection = 0; connection < 30; connection += 1) {
    const sequence = Array.from({ length: 12 }, () => pick(random, random() < 0.6 ? PLAIN : ASKED));
    const [ours, theirs] = await Promise.all([fast, node].map((server) => askInTurn(server, sequence)));
    assert.deepEqual(ours, theirs, sequence.map(({ what }) => what).join('\n'));
  }
});

const PLAIN = ASKED.filter(({ what }) => /: a (call|stream)$/.test(what));

function post(path: string, body: string, head = HEADS[0]![1]): { head: readonly string[]; body: string } {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return { head: [`POST ${path} HTTP/1.1`, 'host: a', ...head(length)], body };
}

function padded(call: object, size: number): string {
  const empty = JSON.stringify({ ...call, metadata: { padding: '' } });
  return empty.replace('"padding":""', `"padding":"${'x'.repeat(size - Buffer.byteLength(empty))}"`);
}

async function askOnce(server: Running, asked: Asked): Promise<unknown> {
  using client = await connectRaw(server.url);
  return await ask(client, server, asked);
}

/** Up to the first answer that closes the connection. */
async function askInTurn(server: Running, sequence: readonly Asked[]): Promise<unknown[]> {
  using client = await connectRaw(server.url);
  const answers: unknown[] = [];
  for (const asked of sequence) {
    const answer = await ask(client, server, asked);
    answers.push(answer);
    if (answer.headers.some((line) => /^connection: close$/i.test(line))) break;
  }
  return answers;
}

async function ask(client: RawClient, { key }: Running, { head, body }: Asked) {
  await client.send(`${head.join('\r\n').replaceAll('KEY', key)}\r\n\r\n${body}`);
  return plain(await client.answer());
}

/** An answer without what is another at each call. */
function plain({ status, headers, body }: RawAnswer) {
  return {
    status,
    headers: headers.map(([name, value]) => `${name}: ${VARYING.test(name) ? '' : value}`),
    body: body()
      .toString()
      .replace(/_?[0-9a-f]{16,}|\d{10,}|_[0-9A-Z]{16,}/g, ''),
  };
}

const VARYING = /^date$|request-id$|-ms$|^x-ratelimit-(remaining|reset)-|^service-organization$/i;
