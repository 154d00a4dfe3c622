import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';
import { collect, rejection } from './lab.ts';

const LONG = `family/${'long-'.repeat(10)}abc`;
const MANY = Array.from({ length: 300 }, (_, index) =>
  index % 3 === 0 ? `org/deep/model-${index}` : `model-${index}`,
);

const server = await startHeadgate({
  config: `
providers:
  lab:
    base_url: http://127.0.0.1:9/v1
    only:
      - small
      - { id: lab-large, name: Large, context_window: 128000, max_output_tokens: 4096 }
      - ${LONG}
      - "50%off"
${MANY.map((name) => `      - ${name}`).join('\n')}
  spare:
    base_url: http://127.0.0.1:9/v1
    only: [small, only]
aliases: { team/default: lab-large, spare/small: only }
routes: { acme/fast: { targets: [small] } }
`,
});
after(() => server[Symbol.asyncDispose]());

const clientWith = (apiKey: string) => new Anthropic({ baseURL: server.url, apiKey, maxRetries: 0 });
const client = clientWith(server.key);
const HEADER = { 'anthropic-version': '2023-06-01' };

const plain = async (query = '', key = server.key): Promise<string[]> => {
  const { json } = await ask(`${server.url}/v1/models${query}`, { key });
  return (json as { data: { id: string }[] }).data.map(({ id }) => id);
};
const all = await collect(client.models.list({ limit: 1000 }));
const ids = all.map(({ id }) => id);

test('the list has the same models in the same order as OpenAI’s clients get, each name once', async () => {
  assert.equal(LONG.length, 60);
  // `spare/small` is the id of one model and the alias of another, which a call by it gets.
  const names = await plain();
  assert.deepEqual(ids, names);
  assert.equal(new Set(names).size, names.length);
  const listed = all.find(({ id }) => id === 'spare/small');
  assert.equal(listed?.display_name, 'only');
});

test('each model has all the members of Anthropic’s, and no others', async () => {
  const unknown = {
    type: 'model',
    created_at: '1970-01-01T00:00:00Z',
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    max_input_tokens: null,
    max_tokens: null,
    line: null,
    capabilities: null,
  };
  const large = { ...unknown, display_name: 'Large', max_input_tokens: 128_000, max_tokens: 4096 };
  for (const [id, expected] of [
    ['small', { ...unknown, id: 'small', display_name: 'small' }],
    [LONG, { ...unknown, id: LONG, display_name: LONG }],
    ['lab-large', { ...large, id: 'lab-large' }],
    ['team/default', { ...large, id: 'team/default' }],
  ] as const) {
    assert.deepEqual(
      all.find((model) => model.id === id),
      expected,
    );
  }
});

test('each is retrieved by its id, and a model by its other names', async () => {
  const some = ['small', 'lab-large', LONG, '50%off', 'org/deep/model-0', 'team/default', 'acme/fast', 'spare/small'];
  for (const id of some) {
    assert.deepEqual(
      await client.models.retrieve(id),
      all.find((model) => model.id === id),
    );
  }
  assert.equal((await client.models.retrieve('lab/org/deep/model-3')).id, 'lab/org/deep/model-3');
});

for (const limit of [7, 20, 100, ids.length - 1, ids.length, 1000]) {
  test(`pages of ${limit} are all there is, forwards and backwards`, async () => {
    const pages = await collect((await client.models.list({ limit })).iterPages());
    assert.deepEqual(
      pages.flatMap(({ data }) => data),
      all,
    );
    for (const [index, { data, has_more, first_id, last_id }] of pages.entries()) {
      const isLast = index === pages.length - 1;
      assert.deepEqual([has_more, first_id, last_id], [!isLast, data[0]?.id, data.at(-1)?.id]);
      if (!isLast) assert.equal(data.length, limit);
    }
    const last = ids.at(-1)!;
    const back = await collect((await client.models.list({ limit, before_id: last })).iterPages());
    assert.deepEqual(
      back.reverse().flatMap(({ data }) => data),
      all.slice(0, -1),
    );
    assert.deepEqual(
      back.map(({ has_more }) => has_more),
      back.map((_, index) => index > 0),
    );
  });
}

test('a page has twenty models where no limit is given, and may lie between two', async () => {
  const { data, has_more } = await client.models.list();
  assert.deepEqual([data, has_more], [all.slice(0, 20), true]);
  const between = { after_id: ids[3]!, before_id: ids[9]! };
  assert.deepEqual((await client.models.list(between)).data, all.slice(4, 9));
  const nearest = await client.models.list({ ...between, limit: 2 });
  assert.deepEqual([nearest.data, nearest.has_more], [all.slice(7, 9), true]);
  const none = await client.models.list({ after_id: ids.at(-1)! });
  assert.deepEqual([none.data, none.has_more, none.first_id, none.last_id], [[], false, null, null]);
});

test('aliases, routes and names with slashes are places to go on from', async () => {
  for (const id of ['team/default', 'acme/fast', 'spare/small', LONG, '50%off', 'org/deep/model-0']) {
    const place = ids.indexOf(id);
    assert.equal((await client.models.list({ after_id: id, limit: 1 })).data[0]?.id, ids[place + 1], id);
    assert.equal((await client.models.list({ before_id: id, limit: 1 })).data[0]?.id, ids[place - 1], id);
  }
});

test('a limit, a place or a stage that cannot be is an invalid_request_error that names it', async () => {
  for (const [query, param] of [
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ limit: 'many' as unknown as number }, 'limit'],
    [{ after_id: 'nobody' }, 'after_id'],
    [{ before_id: 'nobody' }, 'before_id'],
    [{ lifecycle: ['young' as 'active'] }, 'lifecycle'],
  ] as const) {
    const error = await rejection(client.models.list(query as Anthropic.ModelListParams), BadRequestError);
    assert.equal(error.type, 'invalid_request_error');
    assert.match(error.message, new RegExp(`\`${param}`));
    assert.match(error.requestID ?? '', /^req_/);
  }
});

test('a model that is not there is a not_found_error with the names near it', async () => {
  const error = await rejection(client.models.retrieve('lab-larg'), NotFoundError);
  assert.equal(error.type, 'not_found_error');
  assert.match(error.requestID ?? '', /^req_/);
  assert.deepEqual((error.error as { error: { near: string[] } }).error.near, ['lab-large']);
  await rejection(client.models.retrieve('x'.repeat(3000)), NotFoundError);
});

test('who has no key, a wrong one or another method is told it in the same form', async () => {
  const wrong = await rejection(clientWith('sk-ant-somewhere-else').models.list(), AuthenticationError);
  assert.equal(wrong.type, 'authentication_error');
  for (const [method, path, status, type] of [
    ['GET', '/v1/models', 401, 'authentication_error'],
    ['GET', '/v1/models/small', 401, 'authentication_error'],
    ['POST', '/v1/models', 405, 'invalid_request_error'],
    ['DELETE', '/v1/models/small', 405, 'invalid_request_error'],
  ] as const) {
    const answer = await ask(`${server.url}${path}`, { method, headers: HEADER });
    assert.equal(answer.status, status, path);
    const { error, request_id } = answer.json as { error: { type: string }; request_id: string };
    assert.deepEqual([error.type, request_id], [type, answer.headers.get('request-id')], path);
  }
});

test('a key sees what it may use, and no place of what it may not', async () => {
  const { key } = await server.createKey('--models', 'lab/lab-large,acme/fast');
  const own = clientWith(key);
  const seen = await collect(own.models.list({ limit: 1 }));
  assert.deepEqual(
    seen.map(({ id }) => id),
    ['lab-large', 'team/default', 'acme/fast'],
  );
  assert.deepEqual(
    seen.map(({ id }) => id),
    await plain('', key),
  );
  await rejection(own.models.retrieve('small'), NotFoundError);
  await rejection(own.models.list({ after_id: 'small' }), BadRequestError);
});

test('with a bearer, as coding tools send their key, it is the same', async () => {
  const bearer = new Anthropic({ baseURL: server.url, apiKey: null, authToken: server.key, maxRetries: 0 });
  const { data, response } = await bearer.models.list({ limit: 1000 }).withResponse();
  assert.deepEqual(data.data, all);
  assert.equal(response.headers.get('request-id'), response.headers.get('x-request-id'));
});

test('HEAD is answered as GET is', async () => {
  for (const path of ['/v1/models?limit=3', '/v1/models/small']) {
    const [head, get] = [
      await ask(`${server.url}${path}`, { method: 'HEAD', key: server.key, headers: HEADER }),
      await ask(`${server.url}${path}`, { key: server.key, headers: HEADER }),
    ];
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  }
});

test('without the header nothing of it is read, and answers and errors are OpenAI’s', async () => {
  const names = await plain();
  for (const query of ['?limit=1', '?limit=many&limit=1', '?after_id=nobody', '?lifecycle=young']) {
    assert.deepEqual(await plain(query), names, query);
  }
  const { json, headers } = await ask(`${server.url}/v1/models/nobody`, { key: server.key });
  assert.equal((json as { error: { code: string } }).error.code, 'model_not_found');
  assert.equal(headers.get('request-id'), null);
});
