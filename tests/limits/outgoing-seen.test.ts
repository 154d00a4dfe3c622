import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

/** Where it is seen that a provider, a key of it or a model is sent as much as it may be in a minute. */

const vendor = await startFakeProvider({ lenient: true });
/** More than comes back in a minute, however slow the machine is. */
const reply = [{ text: 'Hello', usage: { input: 9_000, output: 1_000 } }];
vendor.plan((request) => scripted('openai-chat', reply)(request));
after(() => vendor.close());

const of = { base_url: vendor.url };
const config = (workers: number, layer: string) =>
  JSON.stringify({
    server: { workers, http_layer: layer },
    limits: { requests_per_minute: 100_000 },
    providers: {
      whole: { ...of, requests_per_minute: 2, models: ['m'] },
      keyed: { ...of, api_keys: [{ name: 'one', key: 'sk-one', requests_per_minute: 1 }], models: ['k'] },
      counted: { ...of, models: [{ id: 'c', tokens_per_minute: 2000 }] },
      free: { ...of, models: ['f'] },
    },
    routes: { either: { targets: ['whole/m', 'keyed/k'] }, counts: { targets: ['counted/c'], fallbacks: ['free/f'] } },
  });

const call = async ({ url, key }: Running, model: string) => {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 };
  const { status, headers } = await ask(`${url}/v1/chat/completions`, { key, body });
  return status === 200 ? headers.get('service-provider') : status;
};

async function statusOf({ url, key }: Running) {
  const { json } = await ask(`${url}/v1/status`, { key });
  const rates = field(json, 'outgoing_rates') as Record<string, number | string | null>[];
  const targets = field(json, 'targets') as { circuit: string }[];
  return { rates, circuits: new Set(targets.map(({ circuit }) => circuit)) };
}

for (const [workers, layer] of [
  [1, 'fast'],
  [4, 'node'],
] as const) {
  const title = `${workers} workers, ${layer}`;

  test(`the status and the metrics tell which are full, of all processes together, and no circuit opens (${title})`, async () => {
    await using headgate = await startHeadgate({ config: config(workers, layer) });
    const before = await statusOf(headgate);
    assert.deepEqual(
      before.rates.map(({ full_at, full_until, passed_over }) => [full_at, full_until, passed_over]),
      [
        [null, null, 0],
        [null, null, 0],
        [null, null, 0],
      ],
    );
    const served = [];
    for (let count = 0; count < 5; count += 1) served.push(await call(headgate, 'either'));
    assert.deepEqual(served, ['whole', 'whole', 'keyed', 429, 429]);
    const { rates, circuits } = await statusOf(headgate);
    const now = Date.now() / 1000;
    for (const { provider, full_at, full_until } of rates.filter(({ provider }) => provider !== 'counted')) {
      assert.ok(
        Number(full_at) <= now && Number(full_until) > now - 1 && Number(full_until) <= now + 61,
        `${provider}`,
      );
    }
    assert.deepEqual(
      rates.map(({ full_at: _, full_until: __, ...rest }) => rest),
      [
        { ...NONE, provider: 'whole', requests_per_minute: 2, passed_over: 3 },
        { ...NONE, provider: 'keyed', credential: 'one', requests_per_minute: 1, passed_over: 2 },
        { ...NONE, provider: 'counted', model: 'c', tokens_per_minute: 2000, passed_over: 0 },
      ],
    );
    assert.deepEqual(circuits, new Set(['closed']));
    const { text } = await ask(`${headgate.url}/metrics`, { key: headgate.key });
    assert.match(text, /^headgate_passed_over_calls_total\{provider="whole",credential="",model=""\} 3$/m);
    assert.match(text, /^headgate_passed_over_calls_total\{provider="keyed",credential="one",model=""\} 2$/m);
  });

  test(`tokens a minute count what an answer used, and not what was held for it (${title})`, async () => {
    await using headgate = await startHeadgate({ config: config(workers, layer) });
    // The first holds a few tokens of 2,000, and uses 10,000.
    const served = [];
    for (let count = 0; count < 3; count += 1) served.push(await call(headgate, 'counts'));
    assert.deepEqual(served, ['counted', 'free', 'free']);
  });
}

const NONE = { credential: null, model: null, requests_per_minute: null, tokens_per_minute: null };

test('who administers is told by `explain` until when a target is passed over', async () => {
  await using headgate = await startHeadgate({ config: config(1, 'fast') });
  const explained = async () => {
    const { json } = await ask(`${headgate.url}/v1/routes/either/explain`, {
      key: headgate.key,
      body: { messages: [{ role: 'user', content: 'Hi' }] },
    });
    return (field(json, 'order') as { full_until?: number | null }[]).map(({ full_until }) => full_until);
  };
  assert.deepEqual(await explained(), [null, null]);
  for (let count = 0; count < 3; count += 1) await call(headgate, 'either');
  const [first, second] = await explained();
  assert.deepEqual([typeof first, second], ['number', null]);
});

for (const workers of [1, 4]) {
  test(`what was full is among what needs attention, and \`headgate status\` says it (${workers} workers)`, async () => {
    await using headgate = await startHeadgate({ config: config(workers, 'fast') });
    const concerns = async () => {
      const { json } = await ask(`${headgate.url}/v1/organization/attention`, { key: headgate.key });
      const all = field(json, 'data') as Record<string, unknown>[];
      return all.filter(({ kind }) => kind === 'outgoing_rate');
    };
    assert.deepEqual(await concerns(), []);
    for (let count = 0; count < 4; count += 1) await call(headgate, 'either');
    for (let count = 0; count < 3; count += 1) await call(headgate, 'counts');
    const told = (await concerns()).map(({ severity, provider, model = null, credentials, sentence }) => ({
      ...{ severity, provider, model, credentials, sentence },
    }));
    const full = 'reached its rate limit, and calls skipped it.';
    const common = { severity: 'warning', model: null };
    assert.deepEqual(
      told.toSorted((one, other) => (String(one.provider) < String(other.provider) ? -1 : 1)),
      [
        { ...common, provider: 'counted', model: 'c', credentials: [], sentence: `c of counted ${full}` },
        { ...common, provider: 'keyed', credentials: ['one'], sentence: `The key one of keyed ${full}` },
        { ...common, provider: 'whole', credentials: [], sentence: `whole ${full}` },
      ],
    );
    const lines = ['whole', 'The key one of keyed'].map((whose) => `${whose} has reached its rate limit until `);
    // On a busy machine the minute may be over before the command has asked.
    for (let isTold = false; !isTold; ) {
      for (let count = 0; count < 4; count += 1) await call(headgate, 'either');
      const { code, stdout, stderr } = await headgate.command('status');
      assert.equal(code, 0, stderr);
      isTold = lines.every((line) => `${stdout}\n${stderr}`.includes(line));
    }
  });
}
