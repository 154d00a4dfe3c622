import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BadRequestError } from 'openai';
import { answer } from '../../src/testing/answers.ts';
import type { UsageList } from '../support/headgate.ts';
import { collect, rejection, startLab } from './lab.ts';

const lab = await startLab(`
providers:
  lab:
    base_url: \${LAB_URL}
    only:
      - lab-small
      - { id: lab-large, price: { input_per_1m: 0.15, output_per_1m: 0.60, cache_read_per_1m: 0.075 } }
      - { id: lab-uncached, price: { input_per_1m: 0.15, output_per_1m: 0.60, cache_write_per_1m: 0.15 } }
      - { id: lab-tiers, price: { input_per_1m: 1, output_per_1m: 2, cache_read_per_1m: 0.1,
          tiers: [{ above_prompt_tokens: 999, input_per_1m: 3 }] } }
aliases: { default: lab-large }
`);
const { client, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** What a call costs whose usage the vendor states as this. */
async function costOf(model: string, usage: Record<string, unknown>, stream = false): Promise<unknown> {
  vendor.plan(answer({ usage }), { times: 1 });
  const body = { model, messages, stream };
  const { data, request_id } = await client.chat.completions.create(body).withResponse();
  if (Symbol.asyncIterator in data) await collect(data);
  const record = await lab.record(request_id);
  assert.equal(record.input_tokens, usage.prompt_tokens);
  assert.equal(record.output_tokens, usage.completion_tokens);
  assert.equal(record.usage_source, 'provider');
  return record.cost_usd;
}

test('a call costs what its tokens cost, to the billionth of a dollar', async () => {
  const cached = { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 400 } };
  const plain = { prompt_tokens: 1000, completion_tokens: 200 };
  for (const stream of [false, true]) {
    // 600 × 0.15 + 400 × 0.075 + 200 × 0.60 dollars per million
    assert.equal(await costOf('lab-large', cached, stream), 0.00024);
    assert.equal(await costOf('default', cached, stream), 0.00024);
    assert.equal(await costOf('lab-large', plain, stream), 0.00027);
    assert.equal(await costOf('lab-uncached', plain, stream), 0.00027);
  }
  assert.equal(await costOf('lab-large', { prompt_tokens: 1, completion_tokens: 0 }), 1.5e-7);
  // The tier holds for the whole call, and inherits what it does not name: 600 × 3 + 400 × 0.1 + 200 × 2
  assert.equal(await costOf('lab-tiers', cached), 0.00224);
  assert.equal(await costOf('lab-tiers', { prompt_tokens: 999, completion_tokens: 1 }), 0.001001);
});

test('a cost is null, never 0, where a price is not known', async () => {
  const cached = { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 1 } };
  for (const stream of [false, true]) {
    assert.equal(await costOf('lab-small', { prompt_tokens: 1000, completion_tokens: 200 }, stream), null);
    assert.equal(await costOf('lab-uncached', cached, stream), null);
  }
});

test('the built-in model costs nothing', async () => {
  const { request_id } = await client.chat.completions.create({ model: 'echo', messages }).withResponse();
  assert.equal((await lab.record(request_id)).cost_usd, 0);
});

test('a record says who was asked for what, and how it went', async () => {
  const { data, request_id } = await client.chat.completions
    .create({ model: 'default', messages }, { headers: { 'x-request-id': 'mine-1' } })
    .withResponse();
  const record = await lab.record(request_id);
  const { id, created_at, latency_ms, api_key_id, ...rest } = record;
  assert.match(String(id), /^usage_[0-9A-Z]{26}$/);
  assert.match(String(api_key_id), /^key_/);
  assert(Math.abs(Number(created_at) - Date.now() / 1000) < 60);
  assert(Number(latency_ms) >= 0);
  assert.deepEqual(rest, {
    object: 'usage_record',
    model: 'lab-large',
    source: 'api_key',
    input_tokens: data.usage?.prompt_tokens,
    output_tokens: data.usage?.completion_tokens,
    total_tokens: data.usage?.total_tokens,
    cost_usd: (9 * 150 + 8 * 600) / 1e9,
    requested_model: 'default',
    route: null,
    provider: 'lab',
    upstream_model: 'lab-large',
    status: 'succeeded',
    http_status: 200,
    error: null,
    streamed: false,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    usage_source: 'provider',
    time_to_first_token_ms: null,
    request_id,
    client_request_id: 'mine-1',
    api_key_name: 'first key',
    attempts: 1,
    dropped: [],
    product: null,
    tool: null,
    vendor_cost_usd: (9 * 150 + 8 * 600) / 1e9,
    counted_usd: (9 * 150 + 8 * 600) / 1e9,
    reported_usage: null,
  });
});

test('records are paged through by the id of the last, newest first, each once', async () => {
  const made: (string | null)[] = [];
  for (let count = 0; count < 23; count += 1) {
    const { request_id } = await client.chat.completions.create({ model: 'echo', messages }).withResponse();
    made.unshift(request_id);
  }
  const page = (query: Record<string, string | number>) => client.get<UsageList>('/usage', { query });
  const byDefault = await page({});
  assert.deepEqual([byDefault.object, byDefault.data.length, byDefault.has_more], ['list', 20, true]);

  const seen: string[] = [];
  let after: string | undefined;
  let more = true;
  while (more) {
    const { data, has_more } = await page({ model: 'echo', limit: 5, ...(after === undefined ? {} : { after }) });
    seen.push(...data.map((record) => String(record.request_id)));
    after = String(data.at(-1)?.id);
    more = has_more;
  }
  assert.deepEqual(seen.slice(0, 23), made);
  assert.equal(new Set(seen).size, seen.length);
  const all = await page({ limit: 100 });
  assert.equal(all.has_more, false);
  const ids = all.data.map(({ id }) => String(id));
  assert.deepEqual(ids, ids.toSorted().reverse(), 'ids sort by time');
  assert.deepEqual(await page({ after: ids.at(-1)! }), { object: 'list', data: [], has_more: false });
  for (const record of (await page({ model: 'default' })).data) assert.equal(record.model, 'lab-large');
});

test('a bad page is refused with the name of the parameter', async () => {
  const refused: [Record<string, string>, string][] = [
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ after: 'usage_00000000000000000000000000' }, 'after'],
    [{ after: 'x' }, 'after'],
  ];
  for (const [query, param] of refused) {
    const error = await rejection(client.get('/usage', { query }), BadRequestError);
    assert.equal(error.param, param, JSON.stringify(query));
  }
});
