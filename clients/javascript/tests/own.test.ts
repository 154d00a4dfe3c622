import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { BudgetExceededError, gateway, Headgate, ModelNotFoundError, OverloadedError } from '@headgate/client';
import { APIUserAbortError, InternalServerError, NotFoundError, OpenAIError, RateLimitError } from 'openai';

const client = new Headgate();
const messages = [{ role: 'user' as const, content: 'Hello' }];
const REQUEST_ID = /^req_\w+$/;

test('a whole answer says who served it, and what it cost', async () => {
  const info = gateway(await client.chat.completions.create({ model: 'acme/fast', messages }));
  assert.match(info.requestId ?? '', REQUEST_ID);
  assert.match(info.organization ?? '', /^org_/);
  assert.deepEqual(
    [info.version, info.model, info.provider, info.route, info.attempts, info.dropped],
    ['v1', 'fake-small', 'fake', 'acme/fast', 1, []],
  );
  assert.ok((info.costUsd ?? 0) > 0 && (info.processingMs ?? -1) >= 0);
  assert.equal(info.rateLimit.limitRequests, 1_000_000);
  assert.equal(typeof info.rateLimit.resetTokensSeconds, 'number');
  const record = await client.usage.retrieve(info.requestId ?? '');
  assert.equal(record.cost_usd, info.costUsd);
});

test('so do parsed and raw answers, pages, embeddings and responses', async () => {
  const ask = () => client.chat.completions.create({ model: 'echo', messages });
  const raw = await ask().withResponse();
  const all = [
    await client.chat.completions.parse({ model: 'echo', messages }),
    await ask().asResponse(),
    raw,
    raw.data,
    await client.models.list(),
    await client.usage.list({ limit: 1 }),
    await client.embeddings.create({ model: 'text-embedding-3-small', input: 'a' }),
    await client.responses.parse({ model: 'echo', input: 'a' }),
    await client.routes.list(),
  ];
  for (const answer of all) assert.match(gateway(answer).requestId ?? '', REQUEST_ID);
});

test('a stream says it before its first chunk and after its last, and its halves do', async () => {
  const stream = await client.chat.completions.create({ model: 'echo', messages, stream: true });
  const before = gateway(stream);
  assert.equal(before.provider, 'echo');
  const [left] = stream.tee();
  for await (const _ of left);
  assert.deepEqual([gateway(stream), gateway(left)], [before, before]);
  const helper = client.chat.completions.stream({ model: 'echo', messages });
  await helper.done();
  assert.equal(gateway(helper).provider, 'echo');
  const responses = client.responses.stream({ model: 'echo', input: 'Hello' });
  await responses.done();
  assert.equal(gateway(responses).provider, 'echo');
});

test('with `includeCost` a stream says at its end what it cost', async () => {
  const costed = client.withOptions({ includeCost: true });
  const stream_options = { include_usage: true };
  for (const stream of [
    await costed.chat.completions.create({ model: 'fake-small', messages, stream: true, stream_options }),
    await costed.responses.create({ model: 'fake-small', input: 'Hello', stream: true }),
  ]) {
    assert.equal(gateway(stream).costUsd, null);
    for await (const _ of stream as AsyncIterable<unknown>);
    assert.ok((gateway(stream).costUsd ?? 0) > 0);
  }
});

test('Anthropic’s client is read, too', async () => {
  const anthropic = new Anthropic({ baseURL: process.env.HEADGATE_BASE_URL ?? '', apiKey: client.apiKey });
  const call = { model: 'echo', max_tokens: 9, messages };
  assert.equal(gateway(await anthropic.messages.create(call).withResponse()).provider, 'echo');
  const { response } = await anthropic.messages.create({ ...call, stream: true }).withResponse();
  assert.equal(gateway(response).provider, 'echo');
  const stream = anthropic.messages.stream(call);
  await stream.done();
  assert.equal(gateway(stream).provider, 'echo');
  await assert.rejects(anthropic.messages.create({ ...call, model: 'ecko' }), (error: object) => {
    return REQUEST_ID.test(gateway(error).requestId ?? '');
  });
  // That client keeps no more of an answer's headers.
  const { requestId, provider } = gateway(await anthropic.messages.create(call));
  assert.match(requestId ?? '', REQUEST_ID);
  assert.equal(provider, null);
});

test('of an object that no call came to, nothing is known', () => {
  assert.throws(() => gateway({}), TypeError);
});

test('errors say who they are, and are read', async () => {
  const asking = (model: string, options = {}) =>
    client.withOptions({ maxRetries: 0, ...options }).chat.completions.create({ model, messages });
  await assert.rejects(asking('fake-smal'), (error: unknown) => {
    assert.ok(error instanceof ModelNotFoundError && error instanceof NotFoundError);
    assert.equal(error.near[0], 'fake-small');
    assert.match(gateway(error).requestId ?? '', REQUEST_ID);
    return true;
  });
  const apiKey = process.env.HEADGATE_TEST_POOR_KEY;
  await assert.rejects(
    async () => {
      for (let call = 0; call < 100; call += 1) await asking('fake-small', { apiKey });
    },
    (error: unknown) => error instanceof BudgetExceededError && error instanceof RateLimitError,
  );
  const body = { error: { message: 'Too busy.', type: 'server_error', param: null, code: 'overloaded' } };
  const fetch = async () => new Response(JSON.stringify(body), { status: 503, headers: { 'x-should-retry': 'false' } });
  await assert.rejects(
    asking('m', { fetch }),
    (error: unknown) => error instanceof OverloadedError && error instanceof InternalServerError,
  );
});

test('near names are those of the body and not of its message', async () => {
  for (const [told, near] of [
    [
      ['a `b`', 'c'],
      ['a `b`', 'c'],
    ],
    [[], []],
    ['a', []],
    [[1, 'd'], ['d']],
    [undefined, []],
  ]) {
    const said = { message: 'Nearest: `other`.', type: 't', param: 'model', code: 'model_not_found', near: told };
    const fetch = async () => new Response(JSON.stringify({ error: said }), { status: 404 });
    await assert.rejects(client.withOptions({ fetch, maxRetries: 0 }).models.list(), (error: unknown) => {
      assert.ok(error instanceof ModelNotFoundError);
      assert.deepEqual(error.near, near);
      return true;
    });
  }
});

test('ten thousand records are paged through, each once, while new ones are made', { timeout: 120_000 }, async () => {
  const { id, key } = JSON.parse(process.env.HEADGATE_TEST_PAGED ?? '') as { id: string; key: string };
  const paged = client.withOptions({ apiKey: key });
  const { totals } = await paged.usage.summary({ api_key_id: id });
  assert.ok(totals.calls >= 10_000, `${totals.calls} calls`);
  const seen = new Set<string>();
  let records = 0;
  for await (const { id: record } of paged.usage.list({ api_key_id: id, limit: 100 })) {
    seen.add(record);
    records += 1;
    if (records % 100 === 50) await paged.chat.completions.create({ model: 'echo', messages });
  }
  assert.deepEqual([records, seen.size], [totals.calls, totals.calls]);
});

test('calls are followed as they end', async () => {
  const { id, key } = JSON.parse(process.env.HEADGATE_TEST_PAGED ?? '') as { id: string; key: string };
  const calling = client.withOptions({ apiKey: key });
  const live = await client.usage.live({ api_key_id: id, model: 'fake-small' }).connect();
  assert.match(gateway(live).requestId ?? '', REQUEST_ID);
  const answers = [1, 2, 3].map(() => calling.chat.completions.create({ model: 'fake-small', messages }));
  const made = (await Promise.all(answers)).map((answer) => gateway(answer).requestId);
  const followed: string[] = [];
  for await (const { request_id, attempt_details } of live) {
    assert.equal(attempt_details[0]?.provider, 'fake');
    // Other runs may use the same key.
    if (made.includes(request_id) && followed.push(request_id) === made.length) break;
  }
  assert.deepEqual(followed.toSorted(), made.toSorted());
  const again = client.usage.live({ api_key_id: id, last_event_id: live.lastEventId ?? '' });
  const { requestId } = gateway(await calling.chat.completions.create({ model: 'echo', messages }));
  for await (const { request_id } of again) {
    assert.ok(!followed.includes(request_id));
    if (request_id === requestId) break;
  }
});

test('calls that are followed no more free the gateway: it lets a key follow them four times at once', async () => {
  const once = client.withOptions({ maxRetries: 0 });
  const connect = async (): Promise<{ close(): void }> => {
    // The test's own time limit ends this where they stay open.
    for (;;) {
      try {
        return await once.usage.live().connect();
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
      }
    }
  };
  for (let round = 0; round < 12; round += 1) (await connect()).close();
});

test('leaving a stream frees the gateway', async () => {
  const controller = new AbortController();
  const call = { model: 'fault:endless-stream', messages, stream: true } as const;
  const left = await client.chat.completions.create(call);
  for await (const _ of left) break;
  const aborted = await client.chat.completions.create(call, { signal: controller.signal });
  for await (const _ of aborted) controller.abort();
  await assert.rejects(client.chat.completions.create(call, { signal: AbortSignal.abort() }), APIUserAbortError);
  const open = async () => {
    const { targets, process: gatewayProcess } = await client.status.retrieve();
    const target = targets.find(({ model }) => model === call.model);
    return (target?.in_flight ?? 0) + gatewayProcess.open_calls;
  };
  // The test's own time limit ends this where calls stay open.
  while ((await open()) > 0);
});

test('a paced client waits where another fails', { timeout: 60_000 }, async () => {
  const slow = client.withOptions({ apiKey: process.env.HEADGATE_TEST_SLOW_KEY, maxRetries: 0 });
  const burst = (of: Headgate) =>
    Promise.allSettled(Array.from({ length: 125 }, () => of.chat.completions.create({ model: 'echo', messages })));
  const failed = (await burst(slow)).filter(({ status }) => status === 'rejected');
  assert.ok(failed.length > 0);
  const paced = slow.withOptions({ pace: true });
  const few = Array.from({ length: 5 }, () => paced.chat.completions.create({ model: 'echo', messages }));
  for (const answer of await Promise.all(few)) assert.equal(answer.choices[0]?.message.content, 'Hello');
});

test('a paced call can be left', async () => {
  const headers = { 'retry-after-ms': '60000', 'x-should-retry': 'true' };
  const controller = new AbortController();
  const fetch = async () => {
    controller.abort();
    return new Response('{}', { status: 429, headers });
  };
  const paced = client.withOptions({ pace: true, fetch });
  const { signal } = controller;
  await assert.rejects(paced.chat.completions.create({ model: 'echo', messages }, { signal }), APIUserAbortError);
});

test('catalog, routes, usage, feedback and status', async () => {
  const { data } = await client.catalog.list({ provider: 'fake', search: 'small' });
  assert.ok(data.some(({ id }) => id === 'fake-small'));
  assert.equal((await client.catalog.retrieve('acme/fast')).origin, 'smart_route');
  assert.deepEqual(
    (await client.routes.list()).data.map(({ id }) => id),
    ['acme/fast'],
  );
  const decision = await client.routes.explain('acme/fast', { messages }, { surface: 'chat' });
  assert.deepEqual(
    decision.order.map(({ model }) => model),
    ['fake/fake-small'],
  );
  const { requestId } = gateway(await client.chat.completions.create({ model: 'acme/fast', messages }));
  const feedback = await client.feedback.create({ request_id: requestId ?? '', score: 0.5, note: 'So so.' });
  assert.deepEqual([feedback.score, feedback.route], [0.5, 'acme/fast']);
  const summary = await client.usage.summary({ by: 'model' });
  assert.ok(summary.data.some(({ model }) => model === 'fake-small'));
  assert.equal((await client.status.retrieve()).object, 'status');
  assert.throws(() => client.usage.retrieve('..'), OpenAIError);
});

test('the configuration comes from the environment, or a gateway of this machine', (t) => {
  const saved = { ...process.env };
  t.after(() => {
    process.env = saved;
  });
  const made = (environment: Record<string, string>) => {
    process.env = { OPENAI_API_KEY: 'sk-other', OPENAI_BASE_URL: 'http://other', OPENAI_ORG_ID: 'o', ...environment };
    return new Headgate();
  };
  assert.throws(() => made({}), /HEADGATE_API_KEY/);
  const local = made({ HEADGATE_API_KEY: 'k', HEADGATE_ADMIN_KEY: 'a' });
  assert.deepEqual(
    [local.baseURL, local.apiKey, local.adminAPIKey, local.organization],
    ['http://127.0.0.1:8080/v1', 'k', 'a', null],
  );
  for (const url of ['https://g.example', 'https://g.example/', 'https://g.example/v1', 'https://g.example/v1/']) {
    assert.equal(made({ HEADGATE_API_KEY: 'k', HEADGATE_BASE_URL: url }).baseURL, 'https://g.example/v1');
  }
  const empty = made({ HEADGATE_API_KEY: 'k', HEADGATE_ADMIN_KEY: '', HEADGATE_BASE_URL: '' });
  assert.deepEqual([empty.baseURL, empty.adminAPIKey], ['http://127.0.0.1:8080/v1', null]);
  assert.equal(new Headgate({ baseURL: '' }).baseURL, 'http://127.0.0.1:8080/v1');
  assert.throws(() => made({ HEADGATE_API_KEY: '' }), /HEADGATE_API_KEY/);
});

test('what the environment has for OpenAI alone is not sent', async (t) => {
  t.after(() => {
    delete process.env.OPENAI_CUSTOM_HEADERS;
  });
  process.env.OPENAI_CUSTOM_HEADERS = 'X-Proxy-Key: secret';
  const asked: (string | null)[][] = [];
  const fetch = async (_: unknown, { headers }: RequestInit = {}) => {
    asked.push(['x-proxy-key', 'x-team'].map((name) => new Headers(headers).get(name)));
    return Response.json({});
  };
  const made = new Headgate({ fetch, defaultHeaders: { 'x-team': 'a' } });
  await made.models.list();
  await made.withOptions({ timeout: 5000 }).models.list();
  assert.deepEqual(asked, [
    [null, 'a'],
    [null, 'a'],
  ]);
});

test('no key is printed', async () => {
  const keyed = new Headgate({ apiKey: 'hg_live_secret', adminAPIKey: 'hg_live_other' });
  const printed = [
    inspect(keyed, { depth: 10, showHidden: false }),
    inspect(keyed, { depth: 10, customInspect: false }),
    inspect(keyed.chat, { depth: 10 }),
    inspect(keyed.usage, { depth: 10 }),
    JSON.stringify(keyed),
    String(keyed),
  ].join('\n');
  assert.doesNotMatch(printed, /secret|hg_live_other/);
  const addressed = keyed.withOptions({ baseURL: 'https://user:p@ssw0rd@g.example' });
  assert.equal(inspect(addressed), "Headgate { baseURL: 'https://user:[secure]@g.example/v1' }");
  for (const apiKey of ['hg_live_secret\n', 'hg_live_ secret', async () => 'hg_live_secret\n']) {
    const broken = async () => new Headgate({ apiKey, maxRetries: 0 }).models.list();
    await assert.rejects(broken, (error: unknown) => !inspect(error, { depth: 10 }).includes('secret'));
  }
});

test('a browser is refused, unless it is told that it may', (t) => {
  const scope = globalThis as { window?: unknown };
  scope.window = { document: {} };
  t.after(() => delete scope.window);
  assert.throws(() => new Headgate({ apiKey: 'k' }), /browser/);
  assert.ok(new Headgate({ apiKey: 'k', dangerouslyAllowBrowser: true }));
});
