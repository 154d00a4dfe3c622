import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Answer, ask, type Sent } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const LISTED = {
  context_length: 128_000,
  top_provider: { max_completion_tokens: 16_384 },
  architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
  supported_parameters: ['tools', 'reasoning'],
  pricing: { prompt: '0.000001', completion: '0.000002' },
};
const vendor = await startFakeProvider({
  models: [
    { id: 'new', ...LISTED },
    { id: 'stated', ...LISTED },
    { id: 'served', max_model_len: 32_768 },
  ],
});
after(() => vendor.close());

const CONFIG = `
providers:
  lab: { base_url: "${vendor.url}", dialects: [openai-chat] }
models:
  lab/stated: { context_window: 5000, price: { input_per_1m: 7, output_per_1m: 8 } }
`;
const ALL = ['context_window', 'max_output_tokens', 'modalities', 'capabilities', 'pricing'];

type Listed = Record<string, unknown>;

/** Each worker reads by itself what another process has heard: it is asked until the one that answers knows of the model. */
async function askKnowing(url: string, sent: Sent, knows: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask(url, sent);
    if (knows(answer)) return answer;
  }
}

for (const [how, more] of [
  ['in one process', ''],
  ['in several', 'server: { workers: 2 }\n'],
] as const) {
  test(`a vendor’s list fills what nobody else says, marked as its own, ${how}`, async () => {
    await using headgate = await startHeadgate({ config: `${CONFIG}${more}` });
    const dataOf = async (path: string, headers: Record<string, string> = {}): Promise<Listed[]> => {
      const knows = (answer: Answer) => path.startsWith('/v1/usage') || answer.text.includes('"served"');
      const { json, text } = await askKnowing(`${headgate.url}${path}`, { key: headgate.key, headers }, knows);
      return (json as { data?: Listed[] }).data ?? assert.fail(text);
    };
    const of = (list: Listed[], id: string) => list.find((each) => each.id === id || each.model_name === id);
    const models = await dataOf('/v1/models');
    assert.partialDeepStrictEqual(of(models, 'new'), {
      context_length: 128_000,
      max_output_tokens: 16_384,
      architecture: { input_modalities: ['text', 'image'] },
      capabilities: { tools: true, reasoning: true, structured_output: false, attachment: true },
      pricing: { prompt: '0.000001', completion: '0.000002' },
      from_vendor: ALL,
    });
    assert.partialDeepStrictEqual(of(models, 'stated'), {
      context_length: 5000,
      pricing: { prompt: '0.000007', completion: '0.000008' },
      from_vendor: ['max_output_tokens', 'modalities', 'capabilities'],
    });
    assert.partialDeepStrictEqual(of(models, 'served'), {
      max_model_len: 32_768,
      pricing: null,
      from_vendor: ['context_window'],
    });
    const anthropic = await dataOf('/v1/models?limit=1000', { 'anthropic-version': '2026-10-21' });
    assert.partialDeepStrictEqual(of(anthropic, 'new'), {
      max_input_tokens: 128_000,
      max_tokens: 16_384,
      capabilities: { image_input: { supported: true }, thinking: { supported: true }, batch: { supported: false } },
      from_vendor: ALL,
    });
    assert.partialDeepStrictEqual(of(anthropic, 'served'), { capabilities: null });
    assert.partialDeepStrictEqual(of(await dataOf('/model/info'), 'new')?.model_info, {
      max_input_tokens: 128_000,
      input_cost_per_token: 0.000001,
      supports_vision: true,
      from_vendor: ALL,
    });
    const catalog = await dataOf('/v1/models/catalog');
    assert.partialDeepStrictEqual(of(catalog, 'new'), { context_window: 128_000, from_vendor: ALL });
    assert.partialDeepStrictEqual(of(catalog, 'new'), { pricing: { source: 'vendor' } });
    const { key } = await headgate.createKey('--spend-limit', '5');
    const call = { body: { model: 'new', messages: [{ role: 'user', content: 'Hi' }] }, key };
    const isKnown = ({ status }: Answer) => status !== 404;
    const chat = `${headgate.url}/v1/chat/completions`;
    assert.equal((await askKnowing(chat, call, isKnown)).status, 200);
    const [record] = await dataOf('/v1/usage?limit=1');
    assert.ok((record?.cost_usd as number) > 0, JSON.stringify(record));
    const unpriced = { ...call, body: { ...call.body, model: 'served' } };
    assert.equal((await askKnowing(chat, unpriced, isKnown)).status, 403);
  });
}

test('with `catalog.list_prices: false` the list’s price does not bill', async () => {
  await using headgate = await startHeadgate({ config: `${CONFIG}catalog: { list_prices: false }\n` });
  const { json } = await ask(`${headgate.url}/v1/models/new`, { key: headgate.key });
  assert.partialDeepStrictEqual(json, { context_length: 128_000, pricing: null });
});
