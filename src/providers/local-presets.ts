import type { FactsList } from '../core/provider.ts';
import type { Preset } from './preset.ts';
import { VLLM } from './quirks.ts';
import { CHAT_AND_EMBEDDINGS } from './spoken-dialects.ts';

const LLAMA_PROPS: FactsList = {
  from: /\/v1$/,
  to: '/props',
  of: 'server',
  source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
  read: '2026-11-27',
};

/**
 * Pages on which servers for one model describe what they have loaded: llama.cpp, text-generation-inference and SGLang.
 */
export const SERVER_PAGES: readonly FactsList[] = [
  LLAMA_PROPS,
  {
    from: /\/v1$/,
    to: '/info',
    of: 'server',
    source: 'https://github.com/huggingface/text-generation-inference/blob/main/docs/openapi.json',
    read: '2026-11-27',
  },
  {
    from: /\/v1$/,
    to: '/get_model_info',
    of: 'server',
    source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/http_server.py',
    read: '2026-11-27',
  },
];

/** Presets of local servers, and of any other OpenAI-compatible server. */
export const LOCAL_PRESETS: readonly Preset[] = [
  {
    id: 'ollama',
    label: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyEnv: [],
    needsKey: false,
    speaks: CHAT_AND_EMBEDDINGS,
    // Tool calls have index 0 or none, and end with `stop`: https://github.com/ollama/ollama/issues/7881
    quirks: { repair: true },
    catalog: null,
    factsLists: [
      {
        from: /\/v1$/,
        to: '/api/show',
        of: 'model',
        source: 'https://github.com/ollama/ollama/blob/main/docs/api.md',
        read: '2026-11-27',
      },
    ],
    localPort: 11434,
    docs: 'https://docs.ollama.com/api/openai-compatibility',
  },
  {
    id: 'vllm',
    label: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyEnv: ['VLLM_API_KEY'],
    needsKey: false,
    speaks: CHAT_AND_EMBEDDINGS,
    quirks: VLLM,
    catalog: null,
    localPort: 8000,
    docs: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
  },
  {
    id: 'lmstudio',
    label: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyEnv: ['LM_API_TOKEN'],
    needsKey: false,
    speaks: CHAT_AND_EMBEDDINGS,
    catalog: null,
    factsLists: [
      {
        from: /\/v1$/,
        to: '/api/v0/models',
        source: 'https://github.com/lmstudio-ai/docs/blob/main/1_developer/2_rest/endpoints.mdx',
        read: '2026-11-27',
      },
    ],
    localPort: 1234,
    docs: 'https://lmstudio.ai/docs/developer/openai-compat',
  },
  {
    id: 'llama.cpp',
    label: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyEnv: [],
    needsKey: false,
    speaks: CHAT_AND_EMBEDDINGS,
    catalog: null,
    factsLists: [LLAMA_PROPS],
    localPort: 8080,
    docs: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  },
  {
    id: 'openai-compatible',
    label: 'OpenAI-compatible',
    baseUrl: null,
    keyEnv: [],
    needsKey: false,
    speaks: CHAT_AND_EMBEDDINGS,
    catalog: null,
    factsLists: SERVER_PAGES,
    docs: 'https://platform.openai.com/docs/api-reference/chat',
  },
];
