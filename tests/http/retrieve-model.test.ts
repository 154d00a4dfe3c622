import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate({
  config: `
providers:
  lab:
    base_url: http://127.0.0.1:9/v1
    only: [small, meta/llama-3, "50%off"]
aliases: { team/default: small }
`,
});
after(() => server[Symbol.asyncDispose]());

const get = (path: string) => ask(`${server.url}/v1/models/${path}`, { key: server.key });

test('ids with slashes are found, the slashes encoded or not, qualified or not', async () => {
  for (const [path, id] of [
    ['small', 'small'],
    ['lab/small', 'lab/small'],
    ['lab%2Fsmall', 'lab/small'],
    ['lab%2fsmall', 'lab/small'],
    ['meta/llama-3', 'meta/llama-3'],
    ['meta%2Fllama-3', 'meta/llama-3'],
    ['lab/meta/llama-3', 'lab/meta/llama-3'],
    ['lab%2Fmeta%2Fllama-3', 'lab/meta/llama-3'],
    ['lab/meta%2Fllama-3', 'lab/meta/llama-3'],
    ['team/default', 'team/default'],
    ['team%2Fdefault', 'team/default'],
    ['50%25off', '50%off'],
  ] as const) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    assert.partialDeepStrictEqual(answer.json, { id, object: 'model', created: 0, owned_by: 'lab', type: 'model' });
  }
});

test('every model of the list can be retrieved by its id', async () => {
  const { json } = await ask(`${server.url}/v1/models`, { key: server.key });
  const { data } = json as { data: { id: string }[] };
  assert.deepEqual(
    data.map(({ id }) => id),
    [
      'small',
      'team/default',
      'meta/llama-3',
      '50%off',
      'echo',
      'echo/text-embedding-3-small',
      'echo/text-embedding-3-large',
      'echo/text-embedding-ada-002',
    ],
  );
  for (const model of data) assert.deepEqual((await get(encodeURIComponent(model.id))).json, model);
});

test('what is not there is a 404, encoded twice too', async () => {
  for (const path of ['none', 'meta', 'lab/', 'lab%252Fsmall', 'SMALL', 'text-embedding-3-small', 'x'.repeat(3000)]) {
    const answer = await get(path);
    assert.equal(answer.status, 404, path);
    assert.deepEqual([errorOf(answer).code, errorOf(answer).param], ['model_not_found', 'model']);
  }
});

test('its 404 names what is near, of what the key may use', async () => {
  const nearTo = async (name: string, key: string) => {
    const { error } = (await ask(`${server.url}/v1/models/${name}`, { key })).json as { error: { near: string[] } };
    return error.near;
  };
  assert.deepEqual(await nearTo('smal', server.key), ['small']);
  assert.deepEqual(await nearTo('none-of-these', server.key), []);
  const { key } = await server.createKey('--models', 'echo');
  assert.deepEqual(await nearTo('smal', key), []);
});

test('a key that names its models sees only those', async () => {
  const { key } = await server.createKey('--models', 'lab/small,echo');
  const { json } = await ask(`${server.url}/v1/models`, { key });
  assert.deepEqual(
    (json as { data: { id: string }[] }).data.map(({ id }) => id),
    ['small', 'team/default', 'echo'],
  );
  assert.equal((await ask(`${server.url}/v1/models/small`, { key })).status, 200);
  assert.equal((await ask(`${server.url}/v1/models/meta/llama-3`, { key })).status, 404);
});
