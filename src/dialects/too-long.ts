import type { TooLong } from '../core/errors.ts';
import { parseJson } from '../json/parse.ts';

/** The code that agents and routes react to, in OpenAI's words. */
export const TOO_LONG_CODE = 'context_length_exceeded';

/** Where clients of many vendors have gathered their words. */
const CLIENTS = 'https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts';
/** Reported by callers; the vendor has no page about it. */
const REPORTED = 'reports';

/** How a vendor says that a prompt is too long. Groups: `asked`, the tokens of the prompt, and `most`, the tokens that fit. */
type Recognizer = { who: string; source: string; words: RegExp };

/**
 * Only the beginning of a message counts, behind the names of errors that it is wrapped in: a limit of the model is also told
 * behind a `max_tokens` that is too high, and a message may quote the prompt.
 */
export const RECOGNIZERS: readonly Recognizer[] = [
  row(
    'Fireworks',
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
    REPORTED,
    /^this model['’]s maximum context length is (?<most>[\d,]+)(?: tokens)?\.? please reduce\b/i,
  ),
  row(
    'OpenAI, DeepSeek, vLLM',
    'https://github.com/evalstate/fast-agent/issues/621',
    /^this (?:model|endpoint)['’]s maximum context length is (?<most>[\d,]+)(?: tokens)?[.,;]? (?:however|but),? (?:you|your messages|your prompt)\b[^\d]{0,40}(?<asked>[\d,]+)?/i,
  ),
  row(
    'OpenAI (chat completions of reasoning models)',
    REPORTED,
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
    /^you passed (?<asked>[\d,]+) input \w+\b.{0,60}\bhowever, the model['’]s context length is only (?<most>[\d,]+)/i,
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
    REPORTED,
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
    /^please reduce the length of the (?:messages|prompt)\b(?:.{0,40}current length is (?<asked>[\d,]+) while limit is (?<most>[\d,]+))?/i,
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
    'GitHub Models and Copilot',
    CLIENTS,
    /^prompt token count of (?<asked>[\d,]+) exceeds the limit of (?<most>[\d,]+)/i,
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
  row(
    'OpenAI’s sentence, as many vendors repeat it',
    'https://platform.openai.com/docs/guides/error-codes',
    /^(?:the |your )?(?:input|prompt|request)[a-z\d ,()]{0,40} (?:exceeds|is longer than) (?:the |this )?(?:model['’]s |available )?(?:maximum )?context (?:length|size|window)\b/i,
  ),
];

function row(who: string, source: string, words: RegExp): Recognizer {
  return { who, source, words };
}

/** Types and codes that mean it, whatever the message says: llama.cpp, Copilot, Z.ai, gateways of others. */
const SAYS_SO =
  /^(?:context_(?:length|window|limit)_exceeded|model_context_window_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|(?:prompt|input)_too_long|contextwindowexceedederror)$/i;

/** Codes and types that say no more than the status does. Any other code is the vendor's own reason, and stays. */
const VAGUE =
  /^(?:\d*|(?:bad|invalid)_?(?:request|parameters?|argument|prompt|params|value|input)(?:_?error)?|client specified an invalid argument|(?:internal_)?(?:server|api|upstream|provider|model)_?error|internal_?error|internalerror\.algo\.invalidparameter|validation(?:_?(?:error|exception))?|error|unknown(?:_error)?)$/i;

/** What a limit on requests says, which may also speak of too many tokens. */
const THROTTLED = /\b(?:rate limit|too many requests|tokens? per (?:min|minute|day)|throttl\w+|please wait|quota)\b/i;

/** Names of errors, statuses and gateways in front of a vendor's sentence. */
const WRAPPER =
  /^\s*(?:(?:<\d{3}>|\[\d{3}\]|\(\d{3}\)|(?:error code|status(?: code)?|http(?: error)?):? ?\d{3}|\d{3})|[\w.]{0,60}(?:error|exception|invalidparameter)\b|invalid (?:request|params?|parameters?|argument)\b|input validation error|bad request|provider returned error|upstream (?:error|request failed)|the model returned the following errors?|(?:api )?request failed)\s*[:,;–-]*\s*/i;
const MOST_WRAPPERS = 6;

/** Members that hold what another vendor said behind this one, or say it beside `message`. */
const NESTED = [
  'message',
  'msg',
  'detail',
  'status_msg',
  'error',
  'raw',
  'metadata',
  'innererror',
  'details',
  'errors',
  'base_resp',
  'original_error',
  'provider_error',
] as const;
const MOST_DEPTH = 8;
const MOST_TEXTS = 24;
const MOST_CHARACTERS = 4000;
const MOST_JSON = 64 * 1024;

export type TooLongFound = { message: string; tokens: TooLong | null };

/**
 * Whether an error means that the prompt is too long: `null` if not, else the vendor's sentence with its numbers.
 * @param status of the answer, or of an error inside one: a limit on requests (429) never means it
 * @param error the vendor's body, parsed, or the error inside an answer
 */
export function findTooLong(status: number, error: unknown): TooLongFound | null {
  if (status !== 400 && status !== 413 && status !== 422 && status < 500) return null;
  const found: Seen = { texts: [], names: [], numbers: {} };
  gather(error, found, 0);
  const [first = ''] = found.texts;
  if (found.texts.some((text) => THROTTLED.test(text))) return null;
  const said = found.texts.flatMap((text) => recognize(text) ?? [])[0];
  const named = found.names.some((name) => SAYS_SO.test(name));
  if (said === undefined && !named) return null;
  if (!named && found.names.some((name) => !VAGUE.test(name))) return null;
  return { message: said?.message ?? first, tokens: said?.tokens ?? tokensOf(found.numbers) };
}

type Seen = { texts: string[]; names: string[]; numbers: Record<string, unknown> };

function gather(value: unknown, seen: Seen, depth: number): void {
  if (depth > MOST_DEPTH || seen.texts.length >= MOST_TEXTS) return;
  if (typeof value === 'string') return gatherText(value, seen, depth);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 8)) gather(item, seen, depth + 1);
    return;
  }
  const members = value as Record<string, unknown>;
  if (typeof members.code === 'string') seen.names.push(members.code);
  if (typeof members.type === 'string' && SAYS_SO.test(members.type)) seen.names.push(members.type);
  if (members.n_ctx !== undefined) seen.numbers = members;
  for (const name of NESTED) if (members[name] !== undefined) gather(members[name], seen, depth + 1);
}

/** A text may be the JSON of an error, or end with it. */
function gatherText(text: string, seen: Seen, depth: number): void {
  seen.texts.push(text.slice(0, MOST_CHARACTERS));
  const start = text.search(/[{[]/);
  if (start < 0 || text.length > MOST_JSON) return;
  try {
    gather(parseJson(text.slice(start)), seen, depth + 1);
  } catch {
    // A Python gateway writes the error it got as Python does, with single quotes.
    const written = /'message': (?:'((?:[^'\\]|\\.){1,4000})'|"((?:[^"\\]|\\.){1,4000})")/.exec(text.slice(start));
    const message = written?.[1] ?? written?.[2];
    if (message !== undefined) seen.texts.push(message);
  }
}

function recognize(text: string): TooLongFound | null {
  let rest = text.trimStart();
  for (let wrappers = 0; wrappers <= MOST_WRAPPERS; wrappers += 1) {
    for (const { words } of RECOGNIZERS) {
      const match = words.exec(rest);
      if (match !== null) return { message: text, tokens: tokensIn(match.groups ?? {}) };
    }
    const inner = rest.replace(WRAPPER, '');
    if (inner === rest) return null;
    rest = inner;
  }
  return null;
}

function tokensIn({ asked, most }: Record<string, string | undefined>): TooLong | null {
  return tokensOf({ n_prompt_tokens: numberIn(asked), n_ctx: numberIn(most) });
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(',', ''));
}

/** llama.cpp's members for both numbers. */
function tokensOf({ n_prompt_tokens: asked, n_ctx: most }: Record<string, unknown>): TooLong | null {
  return Number.isSafeInteger(asked) && Number.isSafeInteger(most)
    ? { asked: asked as number, most: most as number }
    : null;
}
