import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';

/** A vendor that reports more tokens than are possible: its report is kept and told, and neither billed nor taken from limits. */
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `
providers:
  lab:
    base_url: "${vendor.url}"
    only:
      - { id: known, context_window: 1000, price: { input_per_1m: 10, output_per_1m: 10 } }
      - { id: unknown, price: { input_per_1m: 10, output_per_1m: 10 } }
limits: { tokens_per_minute: 1000000000 }
`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const PATH = '/v1/chat/completions';
const EVERY_PART = { prompt_tokens_details: { cached_tokens: 9 }, completion_tokens_details: { reasoning_tokens: 5 } };

type Reported = Readonly<Record<string, unknown>>;

async function recordOf(model: string, usage: Reported, more: Record<string, unknown> = {}) {
  vendor.forget();
  vendor.plan(answer({ usage }));
  const { status, headers } = await ask(headgate, PATH, chat(model, more));
  assert.equal(status, 200);
  const { data } = await headgate.usage({ limit: '1' });
  assert.equal(data[0]?.request_id, headers.get('x-request-id'));
  return data[0]!;
}

/** Four windows of 1,000 tokens; four of the million that is assumed. */
const MOST: Readonly<Record<string, number>> = { known: 4_000, unknown: 4_000_000 };

for (const stream of [false, true]) {
  for (const [model, most] of Object.entries(MOST)) {
    test(`${model} context, ${stream ? 'stream' : 'whole'}: up to four windows are believed, and no token more`, async () => {
      const believed = await recordOf(model, { prompt_tokens: most - 7, completion_tokens: 7 }, { stream });
      assert.deepEqual(
        [believed.usage_source, believed.input_tokens, believed.reported_usage],
        ['provider', most - 7, null],
      );
      for (const input of [most - 6, 1e12, Number.MAX_SAFE_INTEGER - 7]) {
        const usage = { prompt_tokens: input, completion_tokens: 7, ...EVERY_PART };
        const record = await recordOf(model, usage, { stream });
        assert.equal(record.usage_source, 'estimated');
        assert(Number(record.total_tokens) < 40 && Number(record.cost_usd) < 0.0004, JSON.stringify(record));
        assert.deepEqual(record.reported_usage, {
          input_tokens: input,
          output_tokens: 7,
          cached_tokens: 9,
          cache_write_tokens: 0,
          reasoning_tokens: 5,
        });
      }
    });
  }
}

const PARTS: readonly [what: string, usage: Reported][] = [
  ['output', { prompt_tokens: 9, completion_tokens: 1e12 }],
  ['tokens written to a cache', { prompt_tokens: 9, prompt_tokens_details: { cache_write_tokens: 1e12 } }],
  ['audio in', { prompt_tokens: 9, prompt_tokens_details: { audio_tokens: 1e12 } }],
  ['audio out', { prompt_tokens: 9, completion_tokens: 8, completion_tokens_details: { audio_tokens: 1e12 } }],
  ['reasoning', { prompt_tokens: 9, completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 1e12 } }],
];
for (const [what, usage] of PARTS) {
  test(`no part is believed beyond that either: ${what}`, async () => {
    const record = await recordOf('known', usage);
    assert.deepEqual([record.usage_source, Number(record.cost_usd) < 0.0004], ['estimated', true]);
    assert.notEqual(record.reported_usage, null);
  });
}

test('each choice has a window, and a prompt that is longer by its size is one', async () => {
  const two = await recordOf('known', { prompt_tokens: 9, completion_tokens: 7_900 }, { n: 2 });
  assert.equal(two.usage_source, 'provider');
  const content = 'word '.repeat(20_000);
  const long = await recordOf(
    'known',
    { prompt_tokens: 20_000, completion_tokens: 9 },
    {
      messages: [{ role: 'user', content }],
    },
  );
  assert.deepEqual([long.usage_source, long.input_tokens], ['provider', 20_000]);
});

test('a report of 10^12 tokens costs its key neither its limits nor its budget, and is logged once without content', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '100000', '--spend-limit', '1');
  vendor.forget();
  vendor.plan(answer({ usage: { prompt_tokens: 1e12, completion_tokens: 1e12 } }));
  for (let call = 0; call < 3; call += 1) {
    const { status, text } = await ask(headgate, PATH, chat('known', { max_tokens: 50 }), key);
    assert.equal(status, 200, text);
  }
  const { headers, status } = await ask(headgate, PATH, chat('known', { max_tokens: 50 }), key);
  assert.equal(status, 200);
  assert(Number(headers.get('x-ratelimit-remaining-tokens')) > 99_000);
  const told = headgate
    .stderr()
    .split('\n')
    .filter((line) => line.includes(headers.get('x-request-id')!) && line.includes('"reported"'));
  assert.equal(told.length, 1);
  const { level, request_id, provider, model, reported, msg, ...rest } = JSON.parse(told[0]!);
  assert.deepEqual([level, provider, model], [40, 'lab', 'known']);
  assert.deepEqual(reported, { input_tokens: 1e12, output_tokens: 1e12 });
  assert.match(msg, /more tokens than are possible/);
  assert.deepEqual(Object.keys(rest), ['time']);
});

test('a believed report beyond what was reserved puts a key into debt by a minute of its limit at most', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '1000');
  vendor.forget();
  vendor.plan(answer({ usage: { prompt_tokens: 3_000_000, completion_tokens: 9 } }));
  assert.equal((await ask(headgate, PATH, chat('unknown', { max_tokens: 50 }), key)).status, 200);
  const { status, headers } = await ask(headgate, PATH, chat('unknown', { max_tokens: 900 }), key);
  assert.equal(status, 429);
  assert(Number(headers.get('retry-after')) <= 120, `${headers.get('retry-after')} s`);
});
