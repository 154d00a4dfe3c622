import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import packageJson from '../../package.json' with { type: 'json' };
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';
import { type Answer, ask, eventsIn, type Sent } from './client.ts';

const server = await startHeadgate({ config: 'routes: { acme/fast: { targets: [echo] } }' });
after(() => server[Symbol.asyncDispose]());

type Json = Readonly<Record<string, unknown>>;
type Documented = { headers: Json; content: Json; $ref?: string };
type Operation = { responses: Record<string, Documented>; requestBody?: unknown };

const { json: document } = await ask(`${server.url}/openapi.json`);
const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(field(document, 'paths') as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
);
const ajv = new Ajv2020({ strict: false, validateSchema: false });
ajv.addSchema(closed(document) as Json, 'openapi');

/** Headers that only some answers of an operation have. */
const MAY_LACK = new Set([
  ...['dropped', 'unpriced', 'route', 'provider', 'model', 'attempts', 'cost-usd'].map((name) => `service-${name}`),
  'request-id',
]);

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const CHAT = '/v1/chat/completions';
const EMBEDDINGS = '/v1/embeddings';
const ANTHROPIC = { 'anthropic-version': '2023-06-01' };

const called = await ask(`${server.url}${CHAT}`, { key: server.key, body: { model: 'echo', messages: MESSAGES } });

/** Requests, by the operation that is to document their answers. */
const REQUESTS: readonly [operation: string, path: string, status: number, sent?: Sent][] = [
  [`POST ${CHAT}`, CHAT, 200, { body: { model: 'echo', messages: MESSAGES } }],
  [`POST ${CHAT}`, CHAT, 200, { body: { model: 'echo', messages: MESSAGES, stream: true } }],
  [`POST ${CHAT}`, CHAT, 200, { body: { model: 'acme/fast', messages: MESSAGES } }],
  [`POST ${CHAT}`, CHAT, 400, { body: { model: 'echo' } }],
  [`POST ${CHAT}`, CHAT, 400, { body: '{' }],
  [`POST ${CHAT}`, CHAT, 401, { body: {}, headers: { authorization: 'Bearer wrong' } }],
  [`POST ${CHAT}`, CHAT, 404, { body: { model: 'ehco', messages: MESSAGES } }],
  [`POST ${CHAT}`, CHAT, 415, { body: {}, headers: { 'content-type': 'text/plain' } }],
  ['POST /v1/messages', '/v1/messages', 200, { body: { model: 'echo', messages: MESSAGES, max_tokens: 9 } }],
  [
    'POST /v1/messages',
    '/v1/messages',
    200,
    { body: { model: 'echo', messages: MESSAGES, max_tokens: 9, stream: true } },
  ],
  ['POST /v1/messages', '/v1/messages', 400, { body: { model: 'echo', messages: MESSAGES } }],
  ['POST /v1/messages', '/v1/messages', 401, { body: {}, headers: { authorization: 'Bearer wrong' } }],
  ['POST /v1/messages/count_tokens', '/v1/messages/count_tokens', 200, { body: { model: 'echo', messages: MESSAGES } }],
  ['POST /v1/messages/count_tokens', '/v1/messages/count_tokens', 404, { body: { model: 'x', messages: MESSAGES } }],
  ['POST /v1/responses', '/v1/responses', 200, { body: { model: 'echo', input: 'Hello' } }],
  ['POST /v1/responses', '/v1/responses', 200, { body: { model: 'echo', input: MESSAGES, stream: true } }],
  ['POST /v1/responses', '/v1/responses', 400, { body: { model: 'echo', input: 'Hello', background: true } }],
  [`POST ${EMBEDDINGS}`, EMBEDDINGS, 200, { body: { model: 'text-embedding-3-small', input: ['a', 'b'] } }],
  [
    `POST ${EMBEDDINGS}`,
    EMBEDDINGS,
    200,
    { body: { model: 'text-embedding-3-small', input: 'a', encoding_format: 'base64', dimensions: 4 } },
  ],
  [`POST ${EMBEDDINGS}`, EMBEDDINGS, 400, { body: { model: 'text-embedding-3-small', input: [] } }],
  ['GET /v1/models', '/v1/models', 200],
  ['GET /v1/models', '/v1/models?limit=2', 200, { headers: ANTHROPIC }],
  ['GET /v1/models', '/v1/models?limit=0', 400, { headers: ANTHROPIC }],
  ['GET /v1/models/{id}', '/v1/models/echo', 200],
  ['GET /v1/models/{id}', '/v1/models/none', 404],
  ['GET /v1/models/{id}', '/v1/models/echo', 200, { headers: ANTHROPIC }],
  ['GET /v1/models/{id}', '/v1/models/none', 404, { headers: ANTHROPIC }],
  ['GET /v1/models/catalog', '/v1/models/catalog', 200],
  ['GET /v1/models/catalog', '/v1/models/catalog?search=a&search=b', 400],
  ['GET /v1/models/catalog/{id}', '/v1/models/catalog/acme%2Ffast', 200],
  ['GET /v1/models/catalog/{id}', '/v1/models/catalog/ehco', 404],
  ['GET /v1/routes', '/v1/routes', 200],
  ['GET /v1/usage', '/v1/usage', 200],
  ['GET /v1/usage', '/v1/usage?limit=0', 400],
  ['GET /v1/usage', '/v1/usage', 401, { headers: { authorization: '' } }],
  // A stream without an end where it is let in.
  ['GET /v1/usage/live', '/v1/usage/live?status=colour', 400],
  ['GET /v1/usage/live', '/v1/usage/live', 401, { headers: { authorization: '' } }],
  ['GET /v1/usage/{id}', `/v1/usage/${called.headers.get('x-request-id')}`, 200],
  ['GET /v1/usage/{id}', '/v1/usage/usage_0', 404],
  ['GET /v1/usage/summary', '/v1/usage/summary?by=key,model,day', 200],
  ['GET /v1/usage/summary', '/v1/usage/summary?by=colour', 400],
  ['GET /v1/usage/first_tokens', '/v1/usage/first_tokens', 200],
  ['GET /v1/usage/first_tokens', '/v1/usage/first_tokens?start_time=0', 400],
  ['POST /v1/feedback', '/v1/feedback', 200, { body: { request_id: called.headers.get('x-request-id'), score: 1 } }],
  ['POST /v1/feedback', '/v1/feedback', 400, { body: { request_id: 'req_0', score: 2 } }],
  ['POST /v1/feedback', '/v1/feedback', 404, { body: { request_id: 'req_0', score: 1 } }],
  ['POST /v1/routes/{id}/explain', '/v1/routes/acme/fast/explain', 200, { body: { messages: MESSAGES } }],
  ['POST /v1/routes/{id}/explain', '/v1/routes/echo/explain', 200, { body: { input: 'Hello' } }],
  ['POST /v1/routes/{id}/explain', '/v1/routes/acme/fast/explain?surface=x', 400, { body: {} }],
  ['POST /v1/routes/{id}/explain', '/v1/routes/none/explain', 404, { body: { messages: MESSAGES } }],
  ['GET /v1/status', '/v1/status', 200],
  ['GET /', '/', 200],
  ['GET /api/hello', '/api/hello', 200],
  ['GET /v1/models', '/v1/models?client_version=1', 200],
  ['GET /v1/model/info', '/v1/model/info', 200],
  ['GET /model/info', '/model/info', 200],
  ['GET /healthz', '/healthz', 200],
  ['GET /readyz', '/readyz', 200],
  ['GET /metrics', '/metrics', 200],
  ['GET /welcome', '/welcome', 200],
  ['GET /openapi.json', '/openapi.json', 200],
];

test('it documents what is served, no more and no less', async () => {
  const { json } = await ask(`${server.url}/nothing-here`);
  const told = /This gateway serves (.*), and the organization settings that \/openapi.json lists\.$/;
  const served = told.exec(String(field(json, 'error', 'message')))?.[1]?.split(', ');
  const beside = [...operations].filter(([name]) => !isOfSettings(name)).map(([name]) => name);
  assert.deepEqual(beside.sort(), served?.sort());
  assert.deepEqual([...new Set(REQUESTS.map(([operation]) => operation))].sort(), beside);
});

/** Their paths would fill a page, so that the sentence does not list them. */
function isOfSettings(name: string): boolean {
  return /^\w+ \/v1\/(organization|projects|webhook_endpoints|webhook_event_types|auth)(\/|$)/.test(name);
}

test('every operation on settings is served', async () => {
  const settings = [...operations].filter(([name]) => isOfSettings(name));
  assert.ok(settings.length > 30);
  for (const [name] of settings) {
    const [method = '', path = ''] = name.split(' ');
    const at = `${server.url}${path.replaceAll(/\{\w+\}/g, 'none')}`;
    const { text } = await ask(at, { method, key: server.key, ...(method === 'POST' && { body: {} }) });
    assert.doesNotMatch(text, /There is nothing at/, name);
  }
});

test('it is of this version of OpenAPI, and of this software', () => {
  assert.equal(field(document, 'openapi'), '3.1.0');
  assert.equal(field(document, 'info', 'version'), packageJson.version);
});

test('what signed-in people may ask says how they name the organization, and what keys alone may does not', () => {
  const REF = '#/components/parameters/openai-organization';
  for (const [name, operation] of operations) {
    const { security = [], parameters = [] } = operation as { security?: object[]; parameters?: { $ref?: string }[] };
    const isForPeople = security.some((each) => 'session' in each);
    assert.equal(
      parameters.some(({ $ref }) => $ref === REF),
      isForPeople,
      name,
    );
  }
  assert.equal(field(document, 'components', 'parameters', 'openai-organization', 'name'), 'OpenAI-Organization');
});

for (const [operation, path, status, sent = {}] of REQUESTS) {
  test(`${path} answers ${status} ${JSON.stringify(sent.body ?? '')} as documented`, async () => {
    const open = !path.startsWith('/v1/') && path !== '/model/info';
    const answer = await ask(`${server.url}${path}`, open ? sent : { key: server.key, ...sent });
    assert.equal(answer.status, status, answer.text);
    const { place, documented } = documentedAt(operation, status);
    checkHeaders(answer, documented.headers);
    checkBody(answer, `openapi${place}`, documented);
    if (status === 200 && sent.body !== undefined) checkRequest(operation, sent.body);
  });
}

test('what requests may not be, their schemas refuse too', () => {
  for (const [operation, body] of [
    [`POST ${CHAT}`, { model: 'echo' }],
    [`POST ${CHAT}`, { model: '', messages: [{}] }],
    [`POST ${CHAT}`, { model: 'echo', messages: 'x' }],
    [`POST ${CHAT}`, { model: 'echo', messages: [{}], stream: 'yes' }],
    [`POST ${CHAT}`, { model: 'echo', messages: [{}], n: 129 }],
    [`POST ${EMBEDDINGS}`, { model: 'm', input: [''] }],
    [`POST ${EMBEDDINGS}`, { model: 'm', input: 'a', dimensions: 0 }],
    [`POST ${EMBEDDINGS}`, { model: 'm', input: 'a', encoding_format: 'hex' }],
  ] as const) {
    assert.throws(() => checkRequest(operation, body), JSON.stringify(body));
  }
});

function checkRequest(operation: string, body: unknown): void {
  const [method = '', path = ''] = operation.split(' ');
  validate(
    `openapi#/paths/${escaped(path)}/${method.toLowerCase()}/requestBody/content/${escaped('application/json')}/schema`,
    body,
  );
}

/** Every documented header is there where all is well, and none of the gateway's own that is not documented. */
function checkHeaders({ status, headers }: Answer, documented: Json): void {
  for (const name of Object.keys(documented)) {
    const value = headers.get(name);
    const schema = field(document, 'components', 'headers', name, 'schema') as Json;
    if (value === null) assert.ok(status >= 400 || MAY_LACK.has(name), `${name} is missing`);
    else assert.ok(ajv.validate(schema, schema.type === 'integer' ? Number(value) : value), `${name}: ${value}`);
  }
  const own = [...headers.keys()].filter((name) => /^(x-(?!accel)|service-|retry-|www-)/.test(name));
  assert.deepEqual(
    own.filter((name) => documented[name] === undefined),
    [],
  );
}

function checkBody({ headers, text, json }: Answer, place: string, { content }: Documented): void {
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  assert.ok(type in content, `${type} is not documented`);
  if (type !== 'text/event-stream') {
    return validate(`${place}/content/${escaped(type)}/schema`, type === 'application/json' ? json : text);
  }
  const events = eventsIn(text).filter((event) => event !== '[DONE]');
  assert.ok(events.length > 1);
  const schema = String(field(content, type, 'schema', 'contentSchema', '$ref')).replace('#', 'openapi#');
  for (const event of events) validate(schema, JSON.parse(event));
}

function validate(place: string, value: unknown): void {
  const check = ajv.getSchema(place) ?? ajv.compile({ $ref: place });
  assert.ok(check(value), `${ajv.errorsText(check.errors)} in ${JSON.stringify(value).slice(0, 1000)}`);
}

/** Lets no member pass that is not documented, where the document itself does not say so: it must name all there are. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isObject = inner.type === 'object' && typeof inner.properties === 'object';
  return isObject && inner.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner;
}

/** What an operation answers with a status, and where in the document that is: errors stand there once for all that have them. */
function documentedAt(operation: string, status: number): { place: string; documented: Documented } {
  const own = operations.get(operation)?.responses[status];
  assert(own !== undefined);
  if (own.$ref !== undefined) {
    const name = own.$ref.slice(own.$ref.lastIndexOf('/') + 1);
    return { place: own.$ref, documented: field(document, 'components', 'responses', name) as Documented };
  }
  const [method = '', path = ''] = operation.split(' ');
  return { place: `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`, documented: own };
}

/** A name as it stands in a JSON pointer of a URI. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
