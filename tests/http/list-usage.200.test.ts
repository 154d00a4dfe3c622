import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate, type UsageList } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate({
  config: `
organizations:
  first: { name: First }
  other: { name: Other }
providers:
  lab:
    base_url: http://127.0.0.1:9/v1
    only: [small]
aliases: { repeat: echo }
`,
});
after(() => server[Symbol.asyncDispose]());

const CHATS = 103;
const EMBEDDINGS = 2;
const other = await server.createKey('--organization', 'other');

await Promise.all(
  Array.from({ length: CHATS - 1 }, (_, index) => call('/v1/chat/completions', chat('echo', `Hello ${index}`))),
);
await call('/v1/chat/completions', chat('repeat', 'Hello'));
for (let index = 0; index < EMBEDDINGS; index += 1) {
  await call('/v1/embeddings', { model: 'echo/text-embedding-3-small', input: 'Hello' });
}
await call('/v1/chat/completions', chat('echo', 'Hello'), other.key);

function chat(model: string, content: string): unknown {
  return { model, messages: [{ role: 'user', content }] };
}

async function call(path: string, body: unknown, key = server.key): Promise<void> {
  const answer = await ask(`${server.url}${path}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
}

const ids = ({ data }: UsageList) => data.map(({ id }) => String(id));

test('a page has 20 records where no limit is given, and at most 100', async () => {
  for (const [query, length] of [
    [{}, 20],
    [{ limit: '' }, 20],
    [{ limit: '1' }, 1],
    [{ limit: '100' }, 100],
  ] as const) {
    const page = await server.usage(query);
    assert.equal(page.object, 'list');
    assert.equal(page.data.length, length);
    assert.equal(page.has_more, true);
  }
});

for (const limit of [7, 20, 21, 100]) {
  test(`pages of ${limit} have every record once, newest first, and has_more is exact`, async () => {
    const seen: string[] = [];
    const times: number[] = [];
    let after = '';
    for (let more = true; more; ) {
      const page = await server.usage({ limit: String(limit), ...(after === '' ? {} : { after }) });
      seen.push(...ids(page));
      times.push(...page.data.map(({ created_at }) => Number(created_at)));
      after = seen.at(-1) ?? '';
      more = page.has_more;
      assert.equal(page.data.length, more ? limit : (CHATS + EMBEDDINGS) % limit || limit);
    }
    assert.equal(new Set(seen).size, CHATS + EMBEDDINGS);
    assert.deepEqual(seen, seen.toSorted().reverse());
    assert.deepEqual(
      times,
      times.toSorted((one, later) => later - one),
    );
  });
}

test('records that come while pages are read do not shift them', async () => {
  const first = await server.usage({ limit: '5' });
  await call('/v1/chat/completions', chat('echo', 'Hello'), (await server.createKey('--organization', 'other')).key);
  const second = await server.usage({ limit: '5', after: ids(first).at(-1)! });
  assert.deepEqual([...ids(first), ...ids(second)], ids(await server.usage({ limit: '10' })));
});

test('records are those of the key’s organization, by whatever key of it', async () => {
  const list = async (key: string, query = '') =>
    (await ask(`${server.url}/v1/usage${query}`, { key })).json as UsageList;
  const sibling = await server.createKey('--organization', 'other');
  const mine = ids(await server.usage({ limit: '100' }));
  const theirs = ids(await list(sibling.key));
  assert.ok(theirs.length >= 1 && theirs.every((id) => !mine.includes(id)));
  assert.deepEqual(theirs, ids(await list(other.key)));
  // Another organization's record is as unknown as one that never was.
  const [wrong, never] = await Promise.all(
    [theirs[0], 'usage_0'].map((after) => ask(`${server.url}/v1/usage?after=${after}`, { key: server.key })),
  );
  assert.deepEqual([wrong?.status, wrong?.text], [400, never?.text]);
  assert.equal(errorOf(wrong!).param, 'after');
});

test('a key that reads its own calls alone does not learn whether another’s record exists', async () => {
  const [own, narrow] = [await server.createKey(), await server.createKey('--usage', 'own')];
  const list = async (key: string, query: string) => ask(`${server.url}/v1/usage${query}`, { key });
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };
  for (const { key } of [own, narrow]) await ask(`${server.url}/v1/chat/completions`, { key, body });
  const mine = ids((await list(narrow.key, '')).json as UsageList);
  const another = ids(await server.usage({ limit: '100' })).find((id) => !mine.includes(id));
  const [foreign, unknown] = [await list(narrow.key, `?after=${another}`), await list(narrow.key, '?after=usage_0')];
  assert.deepEqual([foreign.status, foreign.text], [400, unknown.text]);
  assert.equal((await list(narrow.key, `?after=${mine[0]}`)).status, 200);
});

test('the filter takes the catalog’s id, and pages within it', async () => {
  const embeddings = await server.usage({ model: 'echo/text-embedding-3-small' });
  assert.deepEqual([embeddings.data.length, embeddings.has_more], [EMBEDDINGS, false]);
  assert.ok(embeddings.data.every(({ model }) => model === 'echo/text-embedding-3-small'));
  const first = await server.usage({ model: 'echo/text-embedding-3-small', limit: '1' });
  const second = await server.usage({ model: 'echo/text-embedding-3-small', limit: '1', after: ids(first)[0]! });
  assert.deepEqual([...ids(first), ...ids(second)], ids(embeddings));
  assert.deepEqual([first.has_more, second.has_more], [true, false]);
  // A call under an alias is a call of the model it leads to.
  const chats = await server.usage({ model: 'echo', limit: '100' });
  assert.deepEqual([chats.data.length, chats.has_more], [100, true]);
  assert.deepEqual(await server.usage({ model: 'small' }), { object: 'list', data: [], has_more: false });
});

test('a record has every field of the contract, and those that add to it', async () => {
  await call('/v1/chat/completions', chat('repeat', 'Say this again.'));
  const [record] = (await server.usage({ limit: '1' })).data;
  const { id, created_at, request_id, api_key_id, latency_ms, input_tokens, output_tokens, total_tokens, ...rest } =
    record!;
  assert.match(String(id), /^usage_/);
  assert.ok(Math.abs(Number(created_at) - Date.now() / 1000) < 60, 'created_at is in Unix seconds');
  assert.match(String(request_id), /^req_/);
  assert.match(String(api_key_id), /^key_/);
  assert.ok(Number(latency_ms) >= 0);
  assert.ok(Number(input_tokens) > 0 && Number(output_tokens) > 0);
  assert.equal(total_tokens, Number(input_tokens) + Number(output_tokens));
  assert.deepEqual(rest, {
    object: 'usage_record',
    model: 'echo',
    source: 'api_key',
    cost_usd: 0,
    requested_model: 'repeat',
    route: null,
    provider: 'echo',
    upstream_model: 'echo',
    status: 'succeeded',
    http_status: 200,
    error: null,
    streamed: false,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    usage_source: 'provider',
    time_to_first_token_ms: null,
    client_request_id: null,
    attempts: 1,
    dropped: [],
    product: null,
    tool: null,
    api_key_name: 'first key',
    vendor_cost_usd: 0,
    counted_usd: 0,
    reported_usage: null,
  });
});

test('the filters take whose calls they were, and when', async () => {
  const tool = await server.createKey('--source', 'developer_tool');
  const started = Math.floor(Date.now() / 1000);
  await call('/v1/chat/completions', chat('echo', 'Hello'), tool.key);
  const listed = async (query: Record<string, string>) =>
    (await server.usage(query)).data.map(({ api_key_id, source, product }) => [api_key_id, source, product]);
  const ofTool = [tool.id, 'developer_tool', null];
  assert.deepEqual(await listed({ source: 'developer_tool' }), [ofTool]);
  assert.deepEqual(await listed({ source: 'product' }), []);
  assert.deepEqual(await listed({ product: 'helpdesk' }), []);
  assert.deepEqual(await listed({ tool: 'codex' }), []);
  assert.deepEqual(await listed({ api_key_id: tool.id, model: 'echo', limit: '1' }), [ofTool]);
  assert.deepEqual(await listed({ source: 'developer_tool', start_time: `${started}` }), [ofTool]);
  assert.deepEqual(await listed({ source: 'developer_tool', end_time: `${started}` }), []);
  assert.deepEqual(await listed({ start_time: `${started + 3600}`, end_time: `${started + 7200}` }), []);
  const [newest] = (await server.usage({ status: 'succeeded', api_key_id: tool.id })).data;
  assert.deepEqual([newest?.status, newest?.api_key_name], ['succeeded', 'test']);
  assert.deepEqual(await listed({ status: 'interrupted' }), []);
  assert.deepEqual(await listed({ status: 'cancelled', api_key_id: tool.id }), []);
});
