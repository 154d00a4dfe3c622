/** Messages of single vendors for a prompt that is too long. `docs/translation.md` lists the vendors. */

/** A client's collection of the messages of many vendors. */
const CLIENTS = 'https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts';
/** Quoted by callers in public repositories, read on 2026-11-27; no page or report that can be named was found. */
const REPORTED = 'reports';

/**
 * How a vendor says that a prompt is too long. Groups: `asked`, the tokens of the prompt, and `most`, the tokens that fit; `output`
 * is the requested output, where that may be what is too high.
 */
export type Recognizer = { who: string; source: string; words: RegExp };

/**
 * Only the beginning of a message counts, after the names of errors around it: messages about a `max_tokens` that is
 * too high mention the model's limit later, and a message may quote the prompt.
 */
export const RECOGNIZERS: readonly Recognizer[] = [
  row(
    'Fireworks, Ollama’s cloud',
    REPORTED,
    /^the prompt is too long: (?<asked>[\d,]+), model maximum context length: (?<most>[\d,]+)/i,
  ),
  row(
    'Anthropic',
    'https://docs.anthropic.com/en/docs/build-with-claude/context-windows',
    /^prompt is too long\b(?:: (?<asked>[\d,]+)(?: tokens)? > (?<most>[\d,]+))?/i,
  ),
  row(
    'Anthropic, with max_tokens',
    'https://docs.anthropic.com/en/docs/build-with-claude/context-windows',
    /^input length and `max_tokens` exceed context limit\b/i,
  ),
  row('Bedrock', CLIENTS, /^(?:the )?(?:input|prompt)(?: text)? is too long\b/i),
  row(
    'Bedrock (Llama)',
    'https://github.com/NousResearch/hermes-agent/pull/98726',
    /^this model['’]s maximum context length is (?<most>[\d,]+)(?: tokens)?\.? please reduce\b/i,
  ),
  row(
    'vLLM since 0.12',
    'https://github.com/0xku/kon/issues/91',
    /^this model['’]s maximum context length is (?<most>[\d,]+) tokens\. however, you requested (?<output>[\d,]+) output tokens and your prompt contains .{0,60}\bfor a total of (?:at least )?(?<asked>[\d,]+)/i,
  ),
  row(
    'vLLM, with max_tokens',
    'https://github.com/canfieldjuan/finetunelab.ai/blob/HEAD/docs/MAX_TOKENS_CONTEXT_OVERFLOW_FIX.md',
    /^['`]?max_tokens['`]? or ['`]?max_completion_tokens['`]? is too large: (?<output>[\d,]+)\. this model['’]s maximum context length is (?<most>[\d,]+) tokens and your request has (?<asked>[\d,]+) input tokens\b/i,
  ),
  row(
    'OpenAI, DeepSeek, vLLM',
    'https://github.com/evalstate/fast-agent/issues/621',
    /^this (?:model|endpoint)['’]s maximum context length is (?<most>[\d,]+)(?: tokens)?[.,;]? (?:however|but),? (?:you|(?:your|the) (?:messages|prompt|request|input))\b[^\d]{0,40}(?<asked>[\d,]+)?/i,
  ),
  row(
    'OpenAI (chat completions of reasoning models)',
    'https://github.com/cline/cline/issues/5474',
    /^input tokens exceed the configured limit of (?<most>[\d,]+) tokens\b(?:\. your messages resulted in (?<asked>[\d,]+))?/i,
  ),
  row(
    'OpenRouter',
    CLIENTS,
    /^this endpoint['’]s maximum context length is (?<most>[\d,]+) tokens\. however, you requested about (?<asked>[\d,]+)/i,
  ),
  row('xAI', CLIENTS, /^this model['’]s maximum prompt length is (?<most>[\d,]+)\b.{0,20}\bcontains (?<asked>[\d,]+)/i),
  row(
    'vLLM since 0.11',
    'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/serving_engine.py',
    /^you passed (?:(?<asked>[\d,]+) input \w+|[\d,]+ characters)\b.{0,60}\bhowever, the model['’]s context length is only (?<most>[\d,]+)/i,
  ),
  row(
    'vLLM, its engine',
    'https://github.com/vllm-project/vllm/blob/main/vllm/v1/engine/processor.py',
    /^the (?:\w+ )?prompt \((?:total )?length (?<asked>[\d,]+)\) is (?:too long to fit into|longer than) the (?:maximum )?model\b(?:.{0,80}length of (?<most>[\d,]+))?/i,
  ),
  row(
    'Mistral',
    CLIENTS,
    /^prompt contains (?<asked>[\d,]+) tokens\b.{0,60}\btoo large for model with (?<most>[\d,]+) maximum context length\b/i,
  ),
  row(
    'Gemini',
    CLIENTS,
    /^the input token count (?:\((?<asked>[\d,]+)\) )?exceeds the maximum number of tokens\b(?: allowed \(?(?<most>[\d,]+))?/i,
  ),
  row(
    'Vertex AI',
    'https://github.com/google-gemini/gemini-cli/issues/19727',
    /^(?:unable to submit request because )?the input token count is (?<asked>[\d,]+) but (?:the )?model only supports up to (?<most>[\d,]+)/i,
  ),
  row(
    'Moonshot',
    CLIENTS,
    /^your request exceeded model token limit\b(?::? (?<most>[\d,]+))?(?: \(requested: (?<asked>[\d,]+))?/i,
  ),
  row('Moonshot, before it counts', CLIENTS, /^input token length too long\b/i),
  row(
    'Groq, Cerebras',
    CLIENTS,
    /^(?:please reduce the length of the (?:messages|prompt)\b(?:.{0,40}current length is (?<asked>[\d,]+) while limit is (?<most>[\d,]+))?|current length is [\d,]+ while limit is)/i,
  ),
  row(
    'Cohere',
    'https://github.com/cohere-ai/sandbox-topically/issues/4',
    /^too many tokens: (?:size limit exceeded by|total number of tokens (?:in the prompt |\(prompt and prediction\) )?cannot exceed (?<most>[\d,]+)(?: [-–] received (?<asked>[\d,]+))?)/i,
  ),
  row(
    'Together, Hugging Face (text-generation-inference)',
    'https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs',
    /^`?inputs`? (?:tokens \+ `?max_new_tokens`? must be <=|must have less than) (?<most>[\d,]+)(?: tokens)?\. given: (?<asked>[\d,]+)/i,
  ),
  row(
    'Alibaba',
    'https://www.alibabacloud.com/help/en/model-studio/error-code',
    /^range of input length should be \[\d+, ?(?<most>[\d,]+)\]/i,
  ),
  row(
    'Alibaba, several messages',
    'https://www.alibabacloud.com/help/en/model-studio/error-code',
    /^total message token length exceed(?:s|ed)? model limit\b/i,
  ),
  row(
    'Z.ai, Zhipu',
    'https://docs.z.ai/api-reference/api-code',
    /^(?:prompt exceeds (?:the )?max(?:imum)? (?:context )?length\b|prompt ?超长)/i,
  ),
  row('MiniMax', CLIENTS, /^context window exceeds limit\b/i),
  row(
    'SiliconFlow',
    'https://github.com/langgenius/dify/issues/19394',
    /^length of prompt_tokens \((?<asked>[\d,]+)\) must be less than max_seq_len \((?<most>[\d,]+)\)/i,
  ),
  row(
    'SGLang, vendors that run it',
    'https://github.com/sgl-project/sglang/issues/4048',
    /^(?:the )?(?:input|prompt)(?: length)? ?\(?(?<asked>[\d,]+)(?: tokens)?\)? (?:is longer than|exceeds) the (?:model['’]s |maximum )(?:maximum |allowed )?(?:context |input )?length (?:of |\()(?<most>[\d,]+)/i,
  ),
  row(
    'SGLang, with the completion',
    'https://github.com/anomalyco/opencode/issues/25231',
    /^requested token count exceeds the model['’]s maximum context length of (?<most>[\d,]+) tokens\b(?:.{0,20}requested a total of (?<asked>[\d,]+))?/i,
  ),
  row(
    'llama.cpp',
    'https://github.com/ggml-org/llama.cpp/issues/15780',
    /^(?:the )?request (?:\((?<asked>[\d,]+) tokens\) )?exceeds the available context size\b(?: \((?<most>[\d,]+))?/i,
  ),
  row('llama.cpp, LM Studio, in the middle of an answer', CLIENTS, /^(?:the )?context size has been exceeded\b/i),
  row(
    'llama.cpp, its batch',
    'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp',
    /^input (?:\((?<asked>[\d,]+) tokens\) )?is too large to process\b(?:.{0,60}batch size: (?<most>[\d,]+))?/i,
  ),
  row(
    'LM Studio, in the middle of an answer',
    'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1251',
    /^reached context length of [\d,]+ tokens\b/i,
  ),
  row(
    'LM Studio',
    CLIENTS,
    /^(?:the number of tokens to keep from the initial prompt is greater than the context length|cannot truncate prompt with n_keep \((?<asked>[\d,]+)\) >= n_ctx \((?<most>[\d,]+)\)|trying to keep the first [\d,]+ tokens when (?:the )?context (?:the )?overflows)/i,
  ),
  row(
    'Ollama',
    CLIENTS,
    /^(?:prompt too long; exceeded (?:max )?context length|(?:the )?input length exceeds (?:the )?(?:maximum )?context length)\b/i,
  ),
  row(
    'SambaNova',
    'https://github.com/OpenHands/OpenHands/pull/9252',
    /^the maximum context length of \S+ is (?<most>[\d,]+)\. however, answering your request will take (?<asked>[\d,]+)/i,
  ),
  row(
    'Volcano Engine (Doubao)',
    'https://github.com/bytedance/deer-flow/issues/583',
    /^total tokens of (?:image|multi-modal content) and text exceed max message tokens\b/i,
  ),
  row('Baidu Qianfan', 'https://github.com/PaddlePaddle/ERNIE-SDK/issues/336', /^prompt tokens too long\b/i),
  row(
    'GitHub Models',
    'https://github.com/cline/cline/issues/2115',
    /^request body too large for \S+ model\. max size: (?<most>[\d,]+) tokens/i,
  ),
  row('GitHub Copilot', CLIENTS, /^prompt token count of (?<asked>[\d,]+) exceeds the limit of (?<most>[\d,]+)/i),
  row(
    'DeepInfra',
    'https://github.com/langchain-ai/langchain/pull/25671',
    /^requested input length (?<asked>[\d,]+) exceeds maximum input length (?<most>[\d,]+)/i,
  ),
  row(
    'Cloudflare',
    REPORTED,
    /^the estimated number of input and maximum output tokens \((?<asked>[\d,]+)\) exceeded this model context window limit \((?<most>[\d,]+)/i,
  ),
  row(
    'MLX and other small servers',
    CLIENTS,
    /^prompt has (?<asked>[\d,]+) tokens?, but the configured context size is (?<most>[\d,]+)/i,
  ),
];

function row(who: string, source: string, words: RegExp): Recognizer {
  return { who, source, words };
}
