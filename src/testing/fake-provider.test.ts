import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { request } from 'undici';
import { answer, DEFAULT_TEXT } from './answers.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';
import { field } from './json.ts';
import { closedPort } from './listen.ts';
import { paced } from './reply.ts';

const MESSAGES = [{ role: 'user', content: 'Hello' }];

function post(vendor: FakeProvider, path: string, body: unknown, more: { signal?: AbortSignal } = {}) {
  return request(`${vendor.url}${path}`, {
    method: 'POST',
    reset: true,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-test' },
    body: JSON.stringify(body),
    ...more,
  });
}

function chat(vendor: FakeProvider, more: object = {}, options = {}) {
  return post(vendor, '/chat/completions', { model: 'fake-small', messages: MESSAGES, ...more }, options);
}

async function chunksOf(vendor: FakeProvider, more: object): Promise<unknown[]> {
  const { body } = await chat(vendor, { stream: true, ...more });
  const text = await body.text();
  assert.match(text, /data: \[DONE\]\n\n$/);
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame): unknown => JSON.parse(frame.slice('data: '.length)));
}

describe('answers', () => {
  test('a whole chat answer has the text, the model and a usage', async () => {
    await using vendor = await startFakeProvider();
    const { statusCode, headers, body } = await chat(vendor);
    const json = await body.json();
    assert.equal(statusCode, 200);
    assert.equal(headers['x-request-id'], 'req_fake_1');
    assert.equal(field(json, 'choices', '0', 'message', 'content'), DEFAULT_TEXT);
    assert.equal(field(json, 'model'), 'fake-small');
    assert.deepEqual(field(json, 'usage'), { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17 });
  });

  test('a stream has a role, the set number of chunks, a finish, and a usage only if asked', async () => {
    await using vendor = await startFakeProvider();
    vendor.plan(answer({ text: 'Grüße 🙂', chunks: 3 }));
    const silent = await chunksOf(vendor, {});
    const asked = await chunksOf(vendor, { stream_options: { include_usage: true } });
    assert.equal(silent.length, 5);
    assert.equal(asked.length, 6);
    assert.equal(field(silent[0], 'choices', '0', 'delta', 'role'), 'assistant');
    const text = silent.map((chunk) => field(chunk, 'choices', '0', 'delta', 'content') ?? '').join('');
    assert.equal(text, 'Grüße 🙂');
    assert.equal(field(silent.at(-1), 'choices', '0', 'finish_reason'), 'stop');
    assert.equal('usage' in (silent[0] as object), false);
    assert.equal(field(asked[0], 'usage'), null);
    assert.deepEqual(field(asked[5], 'choices'), []);
    assert.equal(field(asked[5], 'usage', 'completion_tokens'), 3);
  });

  test('tool calls stream their name first and their arguments in pieces', async () => {
    await using vendor = await startFakeProvider();
    vendor.plan(answer({ toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }] }));
    const chunks = await chunksOf(vendor, {});
    const calls = chunks.map((chunk) => field(chunk, 'choices', '0', 'delta', 'tool_calls', '0', 'function'));
    assert.equal(field(calls[1], 'name'), 'weather');
    assert.equal(calls.map((call) => field(call, 'arguments') ?? '').join(''), '{"city":"Oslo"}');
    assert.equal(field(chunks.at(-1), 'choices', '0', 'finish_reason'), 'tool_calls');
  });

  test('n choices are each answered and finished', async () => {
    await using vendor = await startFakeProvider();
    const chunks = await chunksOf(vendor, { n: 2 });
    const finished = chunks.filter((chunk) => field(chunk, 'choices', '0', 'finish_reason') === 'stop');
    assert.deepEqual(
      finished.map((chunk) => field(chunk, 'choices', '0', 'index')),
      [0, 1],
    );
  });

  test('embeddings are the same unit vectors as floats and as base64', async () => {
    await using vendor = await startFakeProvider();
    const ask = async (more: object) => {
      const { body } = await post(vendor, '/embeddings', {
        model: 'text-embedding-3-small',
        input: ['a', 'b'],
        ...more,
      });
      return await body.json();
    };
    const floats = field(await ask({}), 'data', '1', 'embedding') as number[];
    const base64 = field(await ask({ encoding_format: 'base64' }), 'data', '1', 'embedding') as string;
    const bytes = Buffer.from(base64, 'base64');
    assert.equal(floats.length, 1536);
    assert.ok(Math.abs(Math.hypot(...floats) - 1) < 1e-6);
    assert.deepEqual(
      floats,
      floats.map((_, index) => bytes.readFloatLE(index * 4)),
    );
    const short = field(await ask({ dimensions: 4, input: [1, 2, 3] }), 'data') as unknown[];
    assert.equal(short.length, 1);
    assert.equal((field(short[0], 'embedding') as number[]).length, 4);
  });

  test('models are listed and found, slashes encoded or not; other paths are a 404', async () => {
    await using vendor = await startFakeProvider({ models: ['acme/one', 'two'] });
    const get = async (path: string) => {
      const { statusCode, body } = await request(`${vendor.url}${path}`);
      return [statusCode, await body.json()] as const;
    };
    const [, list] = await get('/models');
    assert.deepEqual(
      (field(list, 'data') as unknown[]).map((model) => field(model, 'id')),
      ['acme/one', 'two'],
    );
    for (const path of ['/models/acme/one', '/models/acme%2Fone']) {
      assert.equal(field((await get(path))[1], 'id'), 'acme/one');
    }
    assert.equal((await get('/models/three'))[0], 404);
    assert.equal((await get('/elsewhere'))[0], 404);
  });
});

describe('plans', () => {
  test('a plan for the next calls goes before a standing one; a model can have its own', async () => {
    await using vendor = await startFakeProvider();
    vendor.plan('overloaded');
    vendor.plan('bad-request', { times: 1 });
    vendor.plan('forbidden', { times: 1 });
    vendor.plan(answer(), { model: 'other' });
    const status = async (model: string) => (await chat(vendor, { model })).statusCode;
    assert.equal(await status('fake-small'), 400);
    assert.equal(await status('fake-small'), 403);
    assert.equal(await status('fake-small'), 503);
    assert.equal(await status('other'), 200);
    vendor.forget();
    assert.equal(await status('fake-small'), 200);
  });

  test('a model called fault:NAME needs no plan, and the list of models is not planned for', async () => {
    await using vendor = await startFakeProvider();
    assert.equal((await chat(vendor, { model: 'fault:overloaded' })).statusCode, 503);
    vendor.plan('overloaded');
    assert.equal((await request(`${vendor.url}/models`)).statusCode, 200);
    vendor.plan('overloaded', { path: '/v1/models' });
    assert.equal((await request(`${vendor.url}/models`)).statusCode, 503);
  });
});

describe('records', () => {
  test('a request is kept with its headers, bytes and JSON', async () => {
    await using vendor = await startFakeProvider();
    await (await chat(vendor, { temperature: 0 })).body.dump();
    const [seen] = vendor.requests;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen.path, '/v1/chat/completions');
    assert.equal(seen.headers.authorization, 'Bearer sk-test');
    assert.equal(field(seen.json, 'temperature'), 0);
    assert.equal(seen.body.toString(), JSON.stringify(seen.json));
    await vendor.waitFor((provider) => provider.openCalls() === 0);
    assert.equal(seen.outcome, 'complete');
  });

  test('only the newest requests are kept', async () => {
    await using vendor = await startFakeProvider({ keptRequests: 2 });
    for (let call = 0; call < 3; call += 1) await (await chat(vendor)).body.dump();
    assert.deepEqual(
      vendor.requests.map(({ serial }) => serial),
      [2, 3],
    );
  });

  test('a client that leaves before the head, and one that leaves mid-stream, are both noticed', async () => {
    await using vendor = await startFakeProvider();
    for (const name of ['slow-headers', 'stall'] as const) {
      vendor.forget();
      vendor.plan(name);
      const leave = new AbortController();
      const call = chat(vendor, { stream: true }, { signal: leave.signal });
      const failed = assert.rejects(
        call.then(({ body }) => body.text()),
        { name: 'AbortError' },
      );
      await vendor.waitFor((provider) => provider.heldCalls() === 1);
      leave.abort();
      await failed;
      await vendor.waitFor((provider) => provider.openCalls() === 0);
      assert.equal(vendor.requests.at(-1)?.outcome, 'left');
    }
    assert.equal(vendor.closedEarly, 2);
  });

  test('a held call goes on when it is released', async () => {
    await using vendor = await startFakeProvider();
    vendor.plan('stall');
    const call = chat(vendor, { stream: true }).then(({ body }) => body.text());
    await vendor.waitFor((provider) => provider.heldCalls() === 1);
    vendor.release();
    assert.match(await call, /\[DONE\]\n\n$/);
    assert.equal(vendor.closedEarly, 0);
  });

  test('a release where no call is held is told', async () => {
    await using vendor = await startFakeProvider();
    assert.throws(() => vendor.release(), /No call is held/);
  });

  test('waiting in vain fails and says what for', async () => {
    await using vendor = await startFakeProvider();
    await assert.rejects(
      vendor.waitFor((provider) => provider.openCalls() === 7, 20),
      /20 ms in vain for .*openCalls\(\) === 7/,
    );
  });

  test('paced frames come apart in time', async () => {
    await using vendor = await startFakeProvider();
    vendor.plan(paced(answer({ chunks: 5 }), 10));
    const startedAt = performance.now();
    await chunksOf(vendor, {});
    assert.ok(performance.now() - startedAt >= 60);
  });

  test('a closed port refuses', async () => {
    await assert.rejects(request(`http://127.0.0.1:${await closedPort()}/v1/models`), { code: 'ECONNREFUSED' });
  });
});
