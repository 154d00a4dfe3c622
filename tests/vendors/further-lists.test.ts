import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { type Answer, ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Vendors that tell nothing but names where OpenAI's clients ask, and facts in lists of their own: each answers at its own paths alone. */
const LISTS: Readonly<Record<string, (headers: Readonly<Record<string, unknown>>) => object | null>> = {
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
  '/bare/v1/models': () => ({ object: 'list', data: [{ id: 'bare', object: 'model' }] }),
};

const server = createServer(({ url = '', headers }, response) => {
  const list = LISTS[url]?.(headers) ?? null;
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
  bare: { preset: lmstudio, base_url: "${url}/bare/v1" }
`;
const WINDOWS: readonly [model: string, context: number | undefined, output: number | undefined][] = [
  ['lmstudio/loaded', 8192, undefined],
  ['lmstudio/idle', 32768, undefined],
  ['gemini/gemini-new', 1048576, 65536],
  ['llama.cpp/local', 4096, undefined],
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
    const strange = await ask(`${headgate.url}/v1/models/lmstudio/elsewhere`, { key: headgate.key });
    assert.doesNotMatch(strange.text, /1024/);
  });
}
