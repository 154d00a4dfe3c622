import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

/** What may be sent to a provider, with a credential, or to a model: a full one is passed over, and all full are a 429. */

const CACHED = { input: 5000, output: 10, cached: 4990 };
const vendors = { a: await startFakeProvider({ lenient: true }), b: await startFakeProvider({ lenient: true }) };
for (const vendor of Object.values(vendors)) {
  vendor.plan((request) => scripted('openai-chat', [{ text: 'Hello', usage: CACHED }])(request));
}
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
    },
    routes: {
      either: { targets: ['whole/m', 'other/o'] },
      behind: { targets: ['counting/slow'], fallbacks: ['other/o'] },
    },
  });

async function ask({ url, key }: Running, model: string): Promise<{ status: number; wait: number; by: string | null }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 }),
  });
  const text = await response.text();
  if (response.status === 429) assert.doesNotMatch(text, /whole|other|counting|keyed/, 'no provider is named');
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
