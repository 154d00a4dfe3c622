import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { type Answer, ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Vendors that tell nothing but names where OpenAI's clients ask, and facts in lists of their own: each answers at its own paths alone. */
const LISTS: Readonly<Record<string, (headers: Readonly<Record<string, unknown>>) => object | string | null>> = {
  '/lmstudio/v1/models': () => ({
    object: 'list',
    data: [
      { id: 'loaded', object: 'model' },
      { id: 'idle', object: 'model' },
    ],
  }),
  '/lmstudio/api/v0/models': () => ({
    object: 'list',
    data: [
      {
        id: 'loaded',
        type: 'llm',
        state: 'loaded',
        max_context_length: 131072,
        loaded_context_length: 8192,
        capabilities: ['tool_use'],
      },
      { id: 'idle', type: 'llm', state: 'not-loaded', max_context_length: 32768 },
      { id: 'elsewhere', type: 'llm', state: 'not-loaded', max_context_length: 1024 },
    ],
  }),
  '/v1beta/openai/models': ({ authorization }) =>
    authorization === 'Bearer key-of-gemini'
      ? { object: 'list', data: [{ id: 'models/gemini-new', object: 'model' }] }
      : null,
  '/v1beta/models?pageSize=1000': ({ 'x-goog-api-key': key, authorization }) =>
    key === 'key-of-gemini' && authorization === undefined
      ? { models: [{ name: 'models/gemini-new', inputTokenLimit: 1048576, outputTokenLimit: 65536 }] }
      : null,
  '/llama/v1/models': () => ({
    object: 'list',
    data: [{ id: 'local', object: 'model', owned_by: 'llamacpp', meta: { n_ctx: 4096, n_ctx_train: 131072 } }],
  }),
  '/props/v1/models': () => ({ data: [{ id: 'loaded', owned_by: 'llamacpp', meta: { n_ctx_train: 262144 } }] }),
  '/props/props': () => ({
    default_generation_settings: { n_ctx: 16384 },
    modalities: { vision: true, audio: false },
    chat_template_caps: { supports_tools: true },
  }),
  '/tgi/v1/models': () => ({ object: 'list', data: [{ id: 'tgi-model', owned_by: 'tgi-model' }] }),
  '/tgi/info': () => ({ model_id: 'tgi-model', max_input_tokens: 3000, max_total_tokens: 4096 }),
  '/sglang/v1/models': () => ({ object: 'list', data: [{ id: 'sg', owned_by: 'sglang', max_model_len: 40960 }] }),
  '/sglang/get_model_info': () => ({ model_path: 'sg', has_image_understanding: true, has_audio_understanding: false }),
  '/several/v1/models': () => ({ object: 'list', data: [{ id: 'one-of-two' }, { id: 'two-of-two' }] }),
  '/several/info': () => ({ max_total_tokens: 4096 }),
  '/odd/v1/models': () => ({ object: 'list', data: [{ id: 'odd' }] }),
  '/odd/info': () => 'a page',
  '/odd/props': () => ({ filler: 'x'.repeat(9 * 1024 * 1024) }),
  '/ollama/v1/models': () => ({
    object: 'list',
    data: ['llava:7b', 'plain:1b', 'gone:1b', 'set:1b'].map((id) => ({ id, object: 'model', owned_by: 'library' })),
  }),
  '/ollama/api/show llava:7b': () => ({
    parameters: 'stop "</s>"',
    model_info: { 'general.architecture': 'llama', 'llama.context_length': 32768, 'clip.context_length': 1 },
    capabilities: ['completion', 'vision', 'tools', 'thinking'],
  }),
  '/ollama/api/show plain:1b': () => ({
    model_info: { 'general.architecture': 'gemma', 'gemma.context_length': 8192 },
    capabilities: ['completion'],
  }),
  '/ollama/api/show set:1b': () => ({
    parameters: 'num_ctx                        2048\nstop "x"',
    model_info: { 'general.architecture': 'gemma', 'gemma.context_length': 8192 },
  }),
  '/silent/v1/models': () => ({ object: 'list', data: [{ id: 'silent' }] }),
  '/bare/v1/models': () => ({ object: 'list', data: [{ id: 'bare', object: 'model' }] }),
};

const server = createServer(async (request, response) => {
  const { url = '', headers, method } = request;
  const asked = method === 'POST' ? ` ${((await json(request)) as { model: string }).model}` : '';
  // It takes the question and never answers.
  if (url === '/silent/info') return;
  const list = LISTS[`${url}${asked}`]?.(headers) ?? null;
  response.writeHead(list === null ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(list ?? { error: 'Not found.' }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

const CONFIG = `
providers:
  lmstudio: { base_url: "${url}/lmstudio/v1" }
  gemini: { base_url: "${url}/v1beta/openai", api_key: key-of-gemini }
  llama.cpp: { base_url: "${url}/llama/v1" }
  props: { base_url: "${url}/props/v1" }
  tgi: { base_url: "${url}/tgi/v1" }
  sglang: { preset: openai-compatible, base_url: "${url}/sglang/v1" }
  several: { base_url: "${url}/several/v1" }
  odd: { base_url: "${url}/odd/v1" }
  silent: { base_url: "${url}/silent/v1" }
  ollama: { base_url: "${url}/ollama/v1" }
  bare: { preset: lmstudio, base_url: "${url}/bare/v1" }
`;
const WINDOWS: readonly [model: string, context: number | undefined, output: number | undefined][] = [
  ['lmstudio/loaded', 8192, undefined],
  ['lmstudio/idle', 32768, undefined],
  ['gemini/gemini-new', 1048576, 65536],
  ['llama.cpp/local', 4096, undefined],
  ['props/loaded', 16384, undefined],
  ['tgi/tgi-model', 4096, undefined],
  ['sglang/sg', 40960, undefined],
  ['several/one-of-two', undefined, undefined],
  ['odd/odd', undefined, undefined],
  ['silent/silent', undefined, undefined],
  ['ollama/llava:7b', 32768, undefined],
  ['ollama/plain:1b', 8192, undefined],
  ['ollama/gone:1b', undefined, undefined],
  ['ollama/set:1b', 2048, undefined],
  ['bare/bare', undefined, undefined],
];

for (const [how, more] of [
  ['in one process', ''],
  ['in several', 'server: { workers: 2 }\n'],
] as const) {
  test(`a vendor’s own list at another address fills what its usual list does not tell, ${how}`, async () => {
    await using headgate = await startHeadgate({ config: `${CONFIG}${more}` });
    for (const [model, context, output] of WINDOWS) {
      let answer: Answer;
      do {
        answer = await ask(`${headgate.url}/v1/models/${model}`, { key: headgate.key });
      } while (answer.status === 404 || (context !== undefined && !answer.text.includes('"from_vendor"')));
      const { context_length, max_output_tokens, from_vendor } = answer.json as Readonly<Record<string, unknown>>;
      assert.deepEqual([context_length ?? undefined, max_output_tokens ?? undefined], [context, output], model);
      if (context !== undefined) assert.ok((from_vendor as string[]).includes('context_window'), model);
    }
    const said = async (model: string) => {
      const answer = await ask(`${headgate.url}/v1/models/${model}`, { key: headgate.key });
      const { capabilities, architecture } = answer.json as {
        capabilities: { tools: boolean | null; reasoning: boolean | null; attachment: boolean | null };
        architecture: { input_modalities: string[] };
      };
      const { tools, reasoning, attachment } = capabilities;
      return [tools, reasoning, attachment, architecture.input_modalities.join()];
    };
    assert.deepEqual(await said('ollama/llava:7b'), [true, true, true, 'text,image']);
    assert.deepEqual(await said('ollama/plain:1b'), [false, false, false, 'text']);
    assert.deepEqual(await said('props/loaded'), [true, null, true, 'text,image']);
    assert.deepEqual(await said('sglang/sg'), [null, null, true, 'text,image']);
    const strange = await ask(`${headgate.url}/v1/models/lmstudio/elsewhere`, { key: headgate.key });
    assert.doesNotMatch(strange.text, /1024/);
  });
}
