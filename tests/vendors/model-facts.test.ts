import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const headgate = await startHeadgate({
  config: `
providers:
  lab:
    base_url: http://127.0.0.1:9/v1
    dialects: [openai-chat]
    only:
      - id: wide
        context_window: 200000
        max_output_tokens: 64000
        price: { input_per_1m: 1.25, output_per_1m: 10, cache_read_per_1m: 0.125 }
      - plain
aliases: { best: wide }
`,
});
after(() => headgate[Symbol.asyncDispose]());

async function dataOf(path: string): Promise<Record<string, unknown>[]> {
  const { status, json, text } = await ask(`${headgate.url}${path}`, { key: headgate.key });
  assert.equal(status, 200, text);
  return (json as { data: Record<string, unknown>[] }).data;
}

test('the list of models tells what each can do, in the words of those whose clients read it', async () => {
  const data = await dataOf('/v1/models');
  for (const id of ['wide', 'best'])
    assert.partialDeepStrictEqual(
      data.find((model) => model.id === id),
      {
        context_length: 200_000,
        context_window: 200_000,
        max_model_len: 200_000,
        max_input_tokens: 200_000,
        max_output_tokens: 64_000,
        pricing: { prompt: '0.00000125', completion: '0.00001', input_cache_read: '0.000000125' },
        listed_by: null,
      },
    );
  const plain = data.find((model) => model.id === 'plain');
  assert.partialDeepStrictEqual(plain, {
    context_length: null,
    max_output_tokens: null,
    pricing: null,
    architecture: null,
  });
});

test('GET /model/info tells it as LiteLLM’s clients ask for it', async () => {
  for (const path of ['/model/info', '/v1/model/info']) {
    const data = await dataOf(path);
    assert.partialDeepStrictEqual(
      data.find((model) => model.model_name === 'best'),
      {
        litellm_params: { model: 'best' },
        model_info: {
          mode: 'chat',
          litellm_provider: 'lab',
          max_tokens: 64_000,
          max_input_tokens: 200_000,
          max_output_tokens: 64_000,
          input_cost_per_token: 0.00000125,
          output_cost_per_token: 0.00001,
          supports_prompt_caching: true,
          supports_vision: null,
        },
      },
    );
  }
  assert.equal((await ask(`${headgate.url}/model/info`, {})).status, 401);
});

test('LiteLLM’s clients ask for one model by its id', async () => {
  for (const path of ['/model/info', '/v1/model/info']) {
    const url = `${headgate.url}${path}?litellm_model_id=`;
    const all = (await ask(`${headgate.url}${path}`, { key: headgate.key })).json as { data: { model_name: string }[] };
    assert.ok(all.data.length > 1);
    for (const { model_name: name } of all.data) {
      const { json } = await ask(url + encodeURIComponent(name), { key: headgate.key });
      assert.deepEqual(
        (json as typeof all).data.map((each) => each.model_name),
        [name],
      );
    }
    assert.deepEqual((await ask(`${url}no/such`, { key: headgate.key })).json, { data: [] });
  }
});
