import type { Quirks, SearchRow } from '../core/quirks.ts';
import { DEEPINFRA_PRICES, OPENROUTER_PRICES, TOGETHER_PRICES, VERCEL_PRICES } from './list-prices.ts';
import {
  ALIBABA_THINKING,
  AZURE_THINKING,
  CEREBRAS_THINKING,
  DEEPSEEK_THINKING,
  GEMINI_THINKING,
  GROQ_THINKING,
  MISTRAL_THINKING,
  MOONSHOT_THINKING,
  XAI_THINKING,
  ZAI_THINKING,
} from './thinking.ts';
import { TOOL_RULES } from './tool-rules.ts';

/** Vendors' deviations from dialects, each with its source. */

/**
 * https://platform.openai.com/docs/api-reference/chat/create; models that always search:
 * https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat; schemas:
 * https://platform.openai.com/docs/guides/structured-outputs; order of messages:
 * https://github.com/openai/openai-openapi (`ChatCompletionRequestMessage` may be of any role at any place)
 */
const OPENAI_AND_AZURE: Quirks = {
  maxTokensField: 'max_completion_tokens',
  developerRole: true,
  systemAnywhere: true,
  customTools: true,
  strictSchemas: true,
  tools: TOOL_RULES.openai,
  takes: ['prompt_cache_key', 'prompt_cache_retention', 'refusal', 'service_tier', 'verbosity'],
  searches: /-search-(preview|api)/,
  webSearch: {
    'openai-chat': {
      member: { name: 'web_search_options', value: {} },
      models: /-search-(preview|api)/,
      options: { user_location: 'user_location', search_context_size: 'search_context_size' },
      nestsLocation: true,
      source: 'https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat',
    },
    'openai-responses': {
      tool: { type: 'web_search' },
      options: {
        max_uses: 'max_tool_calls',
        allowed_domains: 'filters.allowed_domains',
        blocked_domains: 'filters.blocked_domains',
        user_location: 'user_location',
        search_context_size: 'search_context_size',
      },
      // https://developers.openai.com/api/docs/guides/tools-web-search
      include: 'web_search_call.action.sources',
      source: 'https://github.com/vercel/ai/pull/18035',
    },
  },
  // GPT-5.4 and later. Models that always search exist only in chat completions.
  thinksOrCalls: {
    models: /^(?!.*search)(?:.*[/.])?gpt-(?:5\.(?:[4-9]|\d{2})|[6-9]|\d{2})(?=$|[-.:@])/,
    source: 'https://platform.openai.com/docs/guides/latest-model',
  },
};

/** Azure is not known to accept the marks. */
export const OPENAI: Quirks = {
  ...OPENAI_AND_AZURE,
  cacheBreakpoints: {
    models: /^(?:.*[/.])?gpt-(?:5\.(?:[6-9]|\d{2})|[6-9]|\d{2})(?=$|[-.:@])/,
    source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  },
};

export const AZURE: Quirks = { ...OPENAI_AND_AZURE, thinking: AZURE_THINKING };

/**
 * Amazon's samples were tried with GPT-5.6 at `bedrock-runtime` (read on 2026-11-28): functions without an effort are
 * refused, in OpenAI's words. Nobody is known to have tried `bedrock-mantle`, which has the same models; responses
 * accept functions with any effort at both.
 */
export const BEDROCK: Quirks = {
  tools: TOOL_RULES.bedrock,
  thinksOrCalls: {
    models: OPENAI_AND_AZURE.thinksOrCalls!.models,
    source:
      'https://github.com/aws-samples/sample-per-model-bedrock/blob/main/harness/quality/scripts/complete-gpt-runtime-section.py, ' +
      'read on 2026-11-28 (of `bedrock-runtime`; assumed of `bedrock-mantle`)',
  },
};

/** A format without web search, as far as known. */
function withoutSearch(source: string): SearchRow {
  return { models: /(?!)/, options: {}, source };
}

/**
 * Answers 422 to `stream_options.include_usage`, and always reports usage in its last chunk:
 * https://github.com/dnakov/anon-kode/issues/53, https://github.com/vybestack/llxprt-code/issues/114
 * Refuses all unknown members: https://github.com/mistralai/platform-docs-public/issues/7. Ids of tool calls:
 * https://github.com/langchain-ai/langchain/issues/24668; order of turns:
 * https://github.com/BerriAI/litellm/issues/6323
 */
export const MISTRAL: Quirks = {
  refusesStreamOptions: true,
  refuses: ['logit_bias', 'logprobs', 'name', 'seed', 'user'],
  nineLetterCallIds: true,
  refusesUserAfterTool: true,
  tools: TOOL_RULES.mistral,
  thinking: MISTRAL_THINKING,
  // Chat completions have connectors and images, whose answers are a list of messages, but show no search.
  webSearch: {
    'openai-chat': withoutSearch(
      'https://github.com/mistralai/cookbook/blob/main/mistral/connectors/05-connectors-in-completions.md',
    ),
  },
};

/** https://console.groq.com/docs/openai#currently-unsupported-openai-features */
const GROQ_SEARCH: SearchRow = {
  tool: { type: 'browser_search' },
  models: /gpt-oss/,
  options: {},
  source: 'https://console.groq.com/docs/browser-search',
};

export const GROQ: Quirks = {
  webSearch: { 'openai-chat': GROQ_SEARCH, 'openai-responses': GROQ_SEARCH },
  takes: ['service_tier'],
  refuses: ['logit_bias', 'logprobs', 'name'],
  thinking: GROQ_THINKING,
  tools: TOOL_RULES.groq,
};

/**
 * Turns with tool calls must return their reasoning: https://api-docs.deepseek.com/guides/thinking_mode; response
 * formats: https://api-docs.deepseek.com/guides/json_mode
 */
export const DEEPSEEK: Quirks = {
  reasoningField: 'reasoning_content',
  reasoningWithCalls: true,
  refusesSchemas: true,
  thinking: DEEPSEEK_THINKING,
  tools: TOOL_RULES.deepseek,
};

/** https://openrouter.ai/docs/use-cases/reasoning-tokens, https://openrouter.ai/docs/features/prompt-caching,
 * https://openrouter.ai/docs/use-cases/usage-accounting */
const OPENROUTER_SEARCH: SearchRow = {
  tool: { type: 'openrouter:web_search' },
  options: {
    allowed_domains: 'parameters.allowed_domains',
    blocked_domains: 'parameters.excluded_domains',
    user_location: 'parameters.user_location',
    search_context_size: 'parameters.search_context_size',
  },
  // https://openrouter.ai/docs/sdks/typescript/api-reference/models/websearchservertoolconfig (read on 2026-11-27)
  oneDomainList: true,
  source: 'https://openrouter.ai/docs/guides/features/server-tools/web-search',
};

export const OPENROUTER: Quirks = {
  listPrices: OPENROUTER_PRICES,
  webSearch: { 'openai-chat': OPENROUTER_SEARCH, 'openai-responses': OPENROUTER_SEARCH },
  reportsCost: { member: 'cost', source: 'https://openrouter.ai/docs/use-cases/usage-accounting' },
  reasoningField: 'reasoning',
  cacheControl: { source: 'https://openrouter.ai/docs/features/prompt-caching' },
  // Its responses have no place for marks up to where a prompt may be cached.
  writtenIn: { dialect: 'openai-chat', source: 'https://openrouter.ai/docs/features/prompt-caching' },
  session: { headers: ['x-session-id'], source: 'https://github.com/BerriAI/litellm/issues/39153' },
};

/** Despite “estimated” in its name, the member is the charge, at the tier that served the call. */
export const DEEPINFRA: Quirks = {
  listPrices: DEEPINFRA_PRICES,
  reportsCost: { member: 'estimated_cost', source: 'https://github.com/BerriAI/litellm/issues/38802' },
};

/** Streams have the charge in their last chunk. */
export const VERCEL: Quirks = {
  listPrices: VERCEL_PRICES,
  reportsCost: { member: 'cost', source: 'https://github.com/pydantic/pydantic-ai/issues/7033' },
};

/** https://docs.together.ai/docs/deepseek-r1 */
export const TOGETHER: Quirks = {
  listPrices: TOGETHER_PRICES,
  thinkTags: { models: /deepseek-r1/, source: 'https://docs.together.ai/docs/deepseek-r1' },
};

export const PERPLEXITY: Quirks = {
  reportsCost: { member: 'cost.total_cost', source: 'https://github.com/vercel/ai/pull/13705' },
  webSearch: {
    'openai-chat': {
      member: { name: 'web_search_options', value: {} },
      options: { user_location: 'user_location', search_context_size: 'search_context_size' },
      source: 'https://pkg.go.dev/github.com/Tangerg/scope/models/perplexity',
    },
  },
  thinkTags: { models: /^sonar-reasoning/, source: 'https://docs.perplexity.ai/faq/faq' },
};

/** https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model */
export const MOONSHOT: Quirks = {
  reasoningField: 'reasoning_content',
  reasoningWithCalls: true,
  thinking: MOONSHOT_THINKING,
  tools: TOOL_RULES.moonshot,
};

export const ALIBABA: Quirks = {
  webSearch: {
    'openai-chat': {
      member: { name: 'enable_search', value: true },
      options: {},
      source: 'https://github.com/rajatkulkarni95/octarine-feedback/issues/350',
    },
  },
  cacheControl: { source: 'https://www.alibabacloud.com/help/en/model-studio/context-cache' },
  thinking: ALIBABA_THINKING,
};

/** The tool and the place of its pages: https://docs.rs/openai-interface/0.14.0/openai_interface/zai/index.html */
function zaiSearch(engine: string): NonNullable<Quirks['webSearch']> {
  const tool = { type: 'web_search', web_search: { enable: true, search_engine: engine, search_result: true } };
  return {
    'openai-chat': {
      tool,
      options: {},
      source: 'https://docs.rs/openai-interface/0.14.0/openai_interface/zai/index.html',
    },
  };
}

const ZAI_SESSION = { headers: ['x-session-id'], source: 'https://github.com/openclaw/openclaw/pull/68079' };

/**
 * https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode; schemas are not supported:
 * https://docs.bigmodel.cn/cn/guide/capabilities/struct-output
 */
export const ZHIPU: Quirks = {
  reasoningField: 'reasoning_content',
  refusesSchemas: true,
  thinking: ZAI_THINKING,
  webSearch: zaiSearch('search_pro'),
  session: ZAI_SESSION,
};

/**
 * https://docs.z.ai/guides/capabilities/thinking-mode; schemas are not supported:
 * https://docs.z.ai/guides/capabilities/struct-output
 */
export const ZAI: Quirks = {
  reasoningField: 'reasoning_content',
  refusesSchemas: true,
  thinking: ZAI_THINKING,
  webSearch: zaiSearch('search_pro_jina'),
  session: ZAI_SESSION,
};

export const XAI: Quirks = {
  reportsCost: { member: 'cost_in_usd_ticks', source: 'https://docs.x.ai/developers/cost-tracking' },
  webSearch: {
    'openai-responses': {
      tool: { type: 'web_search' },
      options: { allowed_domains: 'allowed_domains', blocked_domains: 'excluded_domains' },
      oneDomainList: true,
      mostDomains: 5,
      source: 'https://github.com/xai-org/xai-sdk-python/blob/main/src/xai_sdk/tools.py',
    },
  },
  thinking: XAI_THINKING,
  tools: TOOL_RULES.xai,
  session: {
    headers: ['x-grok-conv-id'],
    source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching/maximizing-cache-hits',
  },
};

export const FIREWORKS: Quirks = {
  tools: TOOL_RULES.fireworks,
  session: {
    headers: ['x-session-affinity'],
    source: 'https://reference.langchain.com/python/langchain-fireworks/middleware',
  },
};

/** vLLM's own router keeps sessions by a header. */
export const VLLM: Quirks = {
  session: {
    headers: ['x-session-id'],
    source: 'https://github.com/vllm-project/production-stack/blob/main/src/vllm_router/README.md',
  },
};

export const GEMINI: Quirks = {
  thinking: GEMINI_THINKING,
  tools: TOOL_RULES.gemini,
  // It searches only in its own format.
  webSearch: { 'openai-chat': withoutSearch('https://docs.crazyrouter.com/en/chat/gemini/openai-compat') },
};

export const CEREBRAS: Quirks = { thinking: CEREBRAS_THINKING };

/**
 * Blank texts: https://github.com/anthropics/claude-code/issues/23440; turns that end in thinking:
 * https://github.com/anthropics/claude-code/issues/11514; image types: https://github.com/1jehuang/jcode/issues/465,
 * https://github.com/anthropics/claude-code/issues/8184
 */
export const ANTHROPIC: Quirks = { tools: TOOL_RULES.anthropic, strictContent: true, ownFormat: true };
