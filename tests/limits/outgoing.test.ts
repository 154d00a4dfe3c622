import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

/** What may be sent to a provider, with a credential, or to a model: a full one is passed over, and all full are a 429. */

const CACHED = { input: 5000, output: 10, cached: 4990 };
const vendors = { a: await startFakeProvider({ lenient: true }), b: await startFakeProvider({ lenient: true }) };
/** Models that fail once more. */
const failsNext = new Set<string>();
for (const vendor of Object.values(vendors)) {
  vendor.plan((request) => {
    const { model, stream_options } = request.json as { model: string; stream_options?: object };
    if (model === 'down' || (model === 'flaky' && failsNext.delete(model))) return errorReply(503, 'Come again.');
    if (model === 'strict' && stream_options !== undefined) return errorReply(400, 'No stream_options here.');
    return scripted('openai-chat', [{ text: 'Hello', usage: CACHED }])(request);
  });
}
const errorReply = (status: number, message: string) => jsonReply(status, { error: { message } });
after(() => Promise.all(Object.values(vendors).map((vendor) => vendor.close())));

const { a, b } = { a: { base_url: vendors.a.url }, b: { base_url: vendors.b.url } };
const keys = [
  { name: 'one', key: 'sk-one', requests_per_minute: 1 },
  { name: 'two', key: 'sk-two', requests_per_minute: 1 },
];
const slow = { ...a, tokens_per_minute: 6000, models: ['slow'] };
const config = (workers: number, layer: string) =>
  JSON.stringify({
    server: { workers, http_layer: layer },
    limits: { tokens_per_minute: 20_000, count_cached_input: false },
    providers: {
      whole: { ...a, requests_per_minute: 2, models: ['m', 'n'] },
      other: { ...b, models: [{ id: 'o', requests_per_minute: 1 }] },
      keyed: { ...a, api_keys: keys, models: ['k'] },
      counting: slow,
      uncounting: { ...slow, count_cached_input: false },
      alfa: { ...a, requests_per_minute: 2, models: ['down', 'solo'] },
      bravo: { ...a, requests_per_minute: 2, models: ['flaky', 'solo'] },
      charlie: { ...a, requests_per_minute: 2, models: ['strict', 'solo'] },
      twice: { ...a, requests_per_minute: 2, models: ['down', 'strict', 'solo'] },
    },
    routes: {
      either: { targets: ['whole/m', 'other/o'] },
      behind: { targets: ['counting/slow'], fallbacks: ['other/o'] },
      again: { targets: ['alfa/down', 'alfa/solo'] },
      over: { targets: ['twice/down', 'twice/solo', 'other/o'] },
    },
  });

async function ask(
  { url, key }: Running,
  model: string,
  stream = false,
): Promise<{ status: number; wait: number; by: string | null }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 }),
  });
  const text = await response.text();
  if (response.status === 429) {
    const ours = text.replaceAll(`\`${model}\``, '');
    assert.doesNotMatch(ours, /whole|other|counting|keyed|alfa|bravo|charlie|twice/, 'no provider is named');
  }
  return {
    status: response.status,
    wait: Number(response.headers.get('retry-after') ?? 0),
    by: response.headers.get('service-provider'),
  };
}

for (const [workers, layer] of [
  [1, 'fast'],
  [4, 'node'],
] as const) {
  const title = `${workers} workers, ${layer}`;

  test(`a full provider is passed over, and all full are a 429 with its wait (${title})`, async () => {
    await using headgate = await startHeadgate({ config: config(workers, layer) });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await ask(headgate, 'either'));
    assert.deepEqual(
      answers.map(({ status, by }) => [status, by]),
      [
        [200, 'whole'],
        [200, 'whole'],
        [200, 'other'],
        [429, null],
      ],
    );
    assert.ok(answers[3]!.wait > 0 && answers[3]!.wait <= 60, String(answers[3]!.wait));
    // All models of the provider are counted together, and what was called by name, too.
    assert.equal((await ask(headgate, 'whole/n')).status, 429);
    const keyed = [];
    for (let count = 0; count < 3; count += 1) keyed.push((await ask(headgate, 'keyed/k')).status);
    assert.deepEqual(keyed, [200, 200, 429], 'each credential has its own');
  });

  test(`each request that is sent counts, and none is sent without room (${title})`, async () => {
    await using headgate = await startHeadgate({ config: config(workers, layer) });
    failsNext.add('flaky');
    for (const [provider, model, isStreamed] of [
      ['alfa', 'again', false],
      ['bravo', 'bravo/flaky', false],
      ['charlie', 'charlie/strict', true],
    ] as const) {
      const before = vendors.a.requests.length;
      const { status, by } = await ask(headgate, model, isStreamed);
      assert.deepEqual([status, by, vendors.a.requests.length - before], [200, provider, 2], model);
      assert.equal((await ask(headgate, `${provider}/solo`)).status, 429, model);
    }
    assert.equal((await ask(headgate, 'twice/solo')).status, 200);
    const before = vendors.a.requests.length;
    assert.equal((await ask(headgate, 'over')).by, 'other', 'the second of its provider has no room');
    assert.equal(vendors.a.requests.length, before + 1);
    await headgate.restart();
    assert.equal((await ask(headgate, 'twice/solo')).status, 200);
    const strict = await ask(headgate, 'twice/strict', true);
    assert.deepEqual([strict.status, strict.wait > 0], [429, true], 'nor is it sent again without the option');
  });

  test(`cached input counts unless it is said not to (${title})`, async () => {
    await using headgate = await startHeadgate({ config: config(workers, layer) });
    assert.equal((await ask(headgate, 'behind')).by, 'counting');
    assert.equal((await ask(headgate, 'counting/slow')).status, 200);
    assert.equal((await ask(headgate, 'behind')).by, 'other', '10,000 of 6,000 tokens are used');
    assert.equal((await ask(headgate, 'counting/slow')).status, 429);
    // Nor do these pass the key's 20,000 tokens.
    for (let count = 0; count < 5; count += 1) assert.equal((await ask(headgate, 'uncounting/slow')).status, 200);
  });
}
